//! The part of `callsheet.toml` that is about findings: severities, targets, the dialect, excluded files and the sources of `build`. The
//! command line reads the rest of the file, which is about running agents.

mod build;
mod checks;
pub mod closest;
mod error;
mod patterns;
mod severities;
mod table;

pub use build::WrittenBuild;
pub use checks::Checks;
pub use error::{ConfigError, Position, Problem};
pub use table::{Known, Level, Override, Rules, Table};
