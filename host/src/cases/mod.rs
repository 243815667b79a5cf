//! Tests of agents: case files, the folder that a case runs in, and what is asserted of a run.
//!
//! A case file follows the convention of `evals/evals.json`, and adds assertions that need no judgment. Statements for people and graders
//! are kept, but not checked.

mod assertion;
mod error;
mod file;
mod find;
mod ground;
mod observed;
mod rate;
mod times;
mod written;

pub use self::assertion::{Assertion, Facts};
pub use self::error::CaseError;
pub use self::file::{Case, CaseFile};
pub use self::find::find;
pub use self::ground::{Change, Ground, GroundError};
pub use self::observed::{Observed, Priced, Seen};
pub use self::rate::PassRate;
