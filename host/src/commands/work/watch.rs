//! Observers of a session on the command line.

use std::io::{IsTerminal as _, Write as _, stderr, stdin, stdout};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use callsheet::conversation::{ToolAnswer, ToolCall};
use callsheet::delegation::{Event, Happening};
use callsheet::drive::{InFlight, Interrupts, Observer};
use callsheet::output::json_v1;
use callsheet::output::live::{self, View};
use callsheet::output::text::{clean, clean_lines};
use callsheet::output::transcript::Transcript;
use callsheet::traces::Collector;

use super::super::context::Context;
use super::Voice;
use crate::cli::{Format, Work};
use crate::exit::Failure;

/// How the user sees a session and is asked.
pub(super) struct Screen {
    pub(super) observer: Arc<dyn Observer>,
    /// The same, if it takes the whole terminal.
    pub(super) view: Option<Arc<View>>,
    pub(super) voice: Voice,
}

impl Screen {
    pub(super) fn of(context: &Context, work: &Work, interrupts: &Interrupts) -> Result<Self, Failure> {
        if !work.view {
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let (observer, aside) = live::on_stderr(context.look, can_draw() && !no_color);
            let voice = Voice::on_terminal(aside);
            return Ok(Self {
                observer,
                view: None,
                voice,
            });
        }
        if context.format() == Format::Json {
            return Err(Failure::trouble("`--view` cannot be used with `--format json`"));
        }
        if !can_draw() || !stdin().is_terminal() {
            let failure = Failure::trouble("`--view` needs a terminal for input and errors");
            return Err(failure.help("without it, events are printed as lines"));
        }
        let view = Arc::new(View::new(context.look.color, interrupts.clone()));
        Ok(Self {
            observer: Arc::clone(&view) as Arc<dyn Observer>,
            voice: Voice::in_view(&view),
            view: Some(view),
        })
    }
}

/// Whether the error stream is a terminal that lines can be redrawn on.
fn can_draw() -> bool {
    stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// The transcript that the user wants.
pub(super) struct Kept<'w> {
    file: &'w Path,
    transcript: Arc<Transcript>,
}

impl<'w> Kept<'w> {
    /// Creates the file, or appends to it. None without `--transcript`.
    pub(super) fn open(work: &'w Work, go_on: bool) -> Result<Option<Self>, Failure> {
        let Some(file) = work.transcript.as_deref() else {
            return Ok(None);
        };
        let opened = Transcript::open(file, go_on);
        let opened =
            opened.map_err(|error| Failure::trouble(format!("cannot write {}: {error}", file.display())))?;
        Ok(Some(Self {
            file,
            transcript: Arc::new(opened),
        }))
    }

    pub(super) fn observer(&self) -> Arc<dyn Observer> {
        Arc::clone(&self.transcript) as Arc<dyn Observer>
    }

    /// Reports a part that could not be written.
    pub(super) fn finish(&self, context: &Context) {
        if let Some(error) = self.transcript.failure() {
            let file = self.file.to_string_lossy();
            let message = format!("the transcript {} is incomplete: {error}", clean(&file));
            context.complain(&Failure::trouble(message));
        }
    }
}

/// The collector of traces, if the user wants them.
pub(in crate::commands) fn collector(work: &Work) -> Result<Option<Arc<Collector>>, Failure> {
    let Some(address) = &work.otlp else {
        return Ok(None);
    };
    let collector = Collector::at(address)
        .map_err(|reason| Failure::trouble(format!("`{}` cannot be used: {reason}", clean(address))))?;
    Ok(Some(Arc::new(collector)))
}

/// Sends the rest of the traces. A failure only costs them.
pub(in crate::commands) fn finish(collector: &Collector, say: impl Fn(&str)) {
    if let Err(reason) = collector.finish() {
        say(&format!("the traces were not sent completely: {reason}"));
    }
}

/// Prints the first agent's text while it arrives.
pub(super) struct Streamed {
    /// The end of what was printed; none if nothing was.
    last: Mutex<Option<char>>,
    is_terminal: bool,
}

impl Streamed {
    /// None if the user does not want it, or sees the text anyway.
    pub(super) fn of(work: &Work, json: bool) -> Option<Arc<Self>> {
        let is_terminal = stdout().is_terminal();
        (work.stream && !json && !(is_terminal && can_draw())).then(|| {
            Arc::new(Self {
                last: Mutex::default(),
                is_terminal,
            })
        })
    }

    /// Whether text was printed. Ends its line.
    pub(super) fn finish(&self) -> bool {
        let last = self.last().take();
        if last.is_some_and(|last| last != '\n') {
            print("\n");
        }
        last.is_some()
    }

    /// A poisoned lock is safe: it holds one character.
    fn last(&self) -> MutexGuard<'_, Option<char>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Streamed {
    fn heard(&self, run: u32, piece: &str) {
        let Some(last) = piece.chars().next_back().filter(|_| run == 0) else {
            return;
        };
        *self.last() = Some(last);
        if self.is_terminal {
            print(&clean_lines(piece));
        } else {
            print(piece);
        }
    }

    /// The next text begins on a line of its own.
    fn event(&self, event: &Event) {
        if event.run == 0 && matches!(event.what, Happening::Asked(_)) {
            let mut last = self.last();
            if last.is_some_and(|last| last != '\n') {
                print("\n");
                *last = Some('\n');
            }
        }
    }
}

/// Prints events as JSON lines.
pub(super) struct JsonLines {
    /// Whether pieces of text are printed, too.
    pub(super) stream: bool,
}

impl Observer for JsonLines {
    fn heard(&self, run: u32, piece: &str) {
        if self.stream {
            print(&json_v1::piece(run, piece));
        }
    }

    fn event(&self, event: &Event) {
        print(&json_v1::event(event));
    }

    fn answered(&self, agent: &[String], call: &ToolCall, answer: &ToolAnswer) {
        print(&json_v1::result(agent, call, answer));
    }

    fn denied(&self, agent: &[String], call: &ToolCall, reason: &str) {
        print(&json_v1::denied(agent, call, reason));
    }

    fn in_doubt(&self, call: &InFlight) {
        print(&json_v1::in_doubt(&call.agent, &call.tool, &call.arguments));
    }
}

/// The reader may close the pipe early.
fn print(line: &str) {
    let mut out = stdout().lock();
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}
