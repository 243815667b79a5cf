//! What the tests share: cases, the backends that run them, texts to try, and figures.
//!
//! A case is a file of data under `cases/`. The [`backend`]s answer the same command lines, and [`conformance`]
//! compares them with what is expected. [`backend::native`] uses the component's own conversion, so that a difference
//! can only come from the way through the component.

pub mod backend;
pub mod case;
pub mod client;
pub mod commands;
pub mod conformance;
pub mod digest;
pub mod disk;
pub mod drafts;
pub mod generate;
pub mod long;
pub mod measure;
pub mod parity;
pub mod references;
pub mod script;
pub mod texts;
