//! Calls the component and formats results like the command line.
//!
//! The modules in `output` are the native host's own source, compiled with component bindings. `unused` contains the types that
//! they refer to but that are not used here.

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
