//! Lint, inspect, convert and run AI agent files.
//!
//! All logic is in a WebAssembly component that is embedded here; this library gives it access to files and returns its answers. Their
//! types are those of the contract in `wit/`, re-exported in [`types`], [`documents`], [`catalogs`], [`conversation`] and
//! [`delegation`].
//!
//! ```
//! # fn main() -> callsheet::Result<()> {
//! let callsheet = callsheet::Callsheet::builder().project("../examples").without_home().build()?;
//! let mut catalog = callsheet.open("claude-code")?;
//! for name in catalog.names()? {
//!     println!("{name}");
//! }
//! # Ok(())
//! # }
//! ```

#![deny(unsafe_code)]

pub mod baseline;
mod builder;
mod callsheet;
pub mod cases;
mod catalog;
#[doc(hidden)]
pub mod cli;
pub mod config;
pub mod confine;
pub mod drive;
mod engine;
mod environment;
mod error;
mod files;
pub mod fix;
#[cfg(feature = "jit")]
mod foreign;
pub mod keys;
mod lent;
pub mod loader;
pub mod mcp;
pub mod model;
mod native;
pub mod output;
mod places;
mod private;
pub mod processes;
mod project;
pub mod regular;
mod runtime;
mod sandbox;
mod scratch;
mod screen;
mod session;
mod surroundings;
mod tls;
pub mod tools;
pub mod traces;
pub mod trust;
pub mod watch;
pub mod worktrees;
pub mod write;

pub use builder::Builder;
pub use callsheet::Callsheet;
pub use callsheet_contract::{bindings, catalogs, conversation, delegation, documents, projects, types};
pub use callsheet_report::fingerprint;
pub use callsheet_settings::closest;
pub use catalog::Catalog;
pub use engine::component;
pub use error::{Error, Result};
pub use files::{Trace, real as real_path};
pub use lent::{AgentId, Answer, Cached, Caller, Completion, FileChange, Heard, Models, Say, Tools};
pub use places::Place;
pub use session::Session;
pub use surroundings::surroundings;

/// The examples of a page, which compile components.
#[cfg(all(doctest, feature = "jit"))]
#[doc = include_str!("../../docs/embed.md")]
struct Embed;
