//! The remarks of commands that wait for changes, without repetition: see [`changed`](super::changed).

use std::io;

use super::context::Context;
use crate::exit::Failure;

/// The remarks of a command that waits for changes.
#[derive(Default)]
pub(super) struct Remarks {
    failure: String,
    has_noted: bool,
}

impl Remarks {
    /// Reports what went wrong, which the next change may repair. What is printed then is news, even if it is as before.
    pub(super) fn fail(&mut self, context: &Context, failure: &Failure) {
        let report = failure.report();
        if context.is_watched() || report != self.failure {
            context.complain(failure);
            self.failure = report;
        }
        context.print_again();
    }

    /// Nothing went wrong.
    pub(super) fn succeed(&mut self) {
        self.failure.clear();
    }

    /// Waits for the next change. A terminal was cleared, so that it needs the note again.
    pub(super) fn wait(&mut self, context: &mut Context) -> io::Result<()> {
        context.pause()?;
        if context.is_watched() || !self.has_noted {
            context.remark("note: waiting for changes; press Ctrl-C to stop");
            self.has_noted = true;
        }
        Ok(())
    }
}
