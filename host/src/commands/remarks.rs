//! The remarks of commands that wait for changes, without repetition: see [`changed`](super::changed).

use std::io::{self, IsTerminal as _, stderr};

use super::context::Context;
use crate::exit::Failure;

/// The remarks of a command that waits for changes.
#[derive(Default)]
pub(super) struct Remarks {
    has_noted: bool,
}

impl Remarks {
    /// Reports what went wrong, which the next change may repair. What is printed then is news, even if it is as before.
    pub(super) fn fail(&self, context: &Context, failure: &Failure) {
        context.complain(failure);
        context.print_again();
    }

    /// Waits for the next change. A terminal was cleared, so that it needs the note again.
    pub(super) fn wait(&mut self, context: &mut Context) -> io::Result<()> {
        context.pause()?;
        let is_cleared = context.is_watched() && stderr().is_terminal();
        if is_cleared || !self.has_noted {
            context.remark_again("note: waiting for changes; press Ctrl-C to stop");
            self.has_noted = true;
        }
        Ok(())
    }
}
