//! Calls the component and formats results like the command line.
//!
//! The modules in `output` are the native host's own source, compiled with component bindings.

mod agents;
pub mod bindings;
mod check;
mod convert;
mod failure;
mod files;
pub mod output;
mod project;

pub use self::agents::{explained, listed, shown};
pub use self::bindings::callsheet::agents::{catalogs, conversation, delegation, documents, projects, types};
pub use self::check::check;
pub use self::convert::converted;
pub use self::failure::Failure;
pub use self::files::{exists, read};
pub use self::project::Project;

/// Every dialect and release.
pub fn dialects() -> output::report::Dialects {
    output::report::Dialects {
        dialects: documents::dialects(types::Kind::Agent),
        releases: documents::readers(),
    }
}
