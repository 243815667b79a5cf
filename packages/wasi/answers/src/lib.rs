//! Calls the component like the command line does, for other components. `callsheet-report` formats the results.
#![cfg(target_family = "wasm")]

mod agents;
mod check;
mod convert;
mod failure;
mod files;
mod project;

use callsheet_contract::{documents, types};
use callsheet_report::report;

pub use self::agents::{explained, graph, listed, reasons, shown};
pub use self::check::check;
pub use self::convert::converted;
pub use self::failure::Failure;
pub use self::files::{exists, read};
pub use self::project::Project;

/// Every dialect and release.
pub fn dialects() -> report::Dialects {
    report::Dialects {
        dialects: documents::dialects(types::Kind::Agent),
        releases: documents::readers(),
    }
}
