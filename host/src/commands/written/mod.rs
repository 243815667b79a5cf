//! What the commands that write share: the file that a name calls, and what the name calls afterwards.

mod aftermath;
mod naming;
mod place;
pub(super) mod prompt;
mod target;

pub(super) use aftermath::Watch;
pub(super) use naming::Naming;
pub(super) use place::directory;
pub(super) use target::{Target, secrets};

use callsheet::output::text::clean;

use crate::exit::Failure;

/// Why a file could not be made. That there is one already is nothing to be solved by force.
pub(super) fn not_made(error: callsheet::Error) -> Failure {
    match &error {
        callsheet::Error::Write { path, source } if source.kind() == std::io::ErrorKind::AlreadyExists => {
            let failure = Failure::trouble(format!("there is a file {} already", clean(path)));
            failure.help("nothing was written; take another name, or remove that file first")
        }
        _ => error.into(),
    }
}
