//! How the user of a session is told and asked.

use std::io::{Write as _, stderr};
use std::sync::Arc;

use callsheet::Say;
use callsheet::output::live::View;
use callsheet::output::text::clean_lines;
use callsheet::tools::{Aside, Asker, Terminal, Unattended};

/// A user, if there is one.
pub(in crate::commands) struct Voice {
    pub(in crate::commands) say: Say,
    pub(in crate::commands) asker: Arc<dyn Asker>,
}

impl Voice {
    /// Prints on the error stream in turn with other output, and asks on the terminal, if there is one.
    pub(in crate::commands) fn on_terminal(aside: Aside) -> Self {
        let asker: Arc<dyn Asker> = match Terminal::find(Arc::clone(&aside)) {
            Some(terminal) => Arc::new(terminal),
            None => Arc::new(Unattended),
        };
        Self {
            say: saying(aside),
            asker,
        }
    }

    /// Shows and asks in the view.
    pub(in crate::commands) fn in_view(view: &Arc<View>) -> Self {
        let said = Arc::clone(view);
        Self {
            say: Arc::new(move |words| said.say(words)),
            asker: Arc::clone(view) as Arc<dyn Asker>,
        }
    }

    /// Prints on the error stream, where nothing is drawn, and never asks.
    pub(in crate::commands) fn plain() -> Self {
        Self {
            say: saying(Arc::new(|write| write())),
            asker: Arc::new(Unattended),
        }
    }
}

fn saying(aside: Aside) -> Say {
    Arc::new(move |words| aside(&mut || drop(writeln!(stderr(), "{}", clean_lines(words)))))
}
