//! Asks the component, and says what it says as the command line does.
//!
//! What the native host prints is made by the same source here, over the bindings of a component: the modules below
//! `output` are the host's own, and those named in `unused` stand for what they know of and nobody needs here.

mod agents;
pub mod bindings;
mod check;
mod convert;
mod failure;
mod files;
pub mod output;
mod project;
pub mod unused;
#[cfg(test)]
#[path = "../../../../host/src/write/edited.rs"]
pub mod write;

pub use self::agents::{explained, listed, shown};
pub use self::bindings::callsheet::agents::{catalogs, conversation, delegation, documents, projects, types};
pub use self::check::check;
pub use self::convert::converted;
pub use self::failure::Failure;
pub use self::files::{exists, read};
pub use self::project::Project;

use self::unused::{baseline, drive, fix};
