//! What the tests share: cases, the backends that run them, texts to try, and figures.
//!
//! A case is a file of data under `cases/`. The [`backend`]s answer the same command lines, and [`conformance`]
//! compares them with what is expected. [`backend::native`] uses the component's own conversion, so that a difference
//! can only come from the way through the component.

// The component's conversion names its bindings as `crate::bindings`.
use callsheet::bindings;

#[allow(
    dead_code,
    unused_imports,
    reason = "a part of the command line, which uses the rest"
)]
#[path = "../../host/src/cli/mod.rs"]
mod arguments;
pub mod backend;
pub mod case;
pub mod commands;
pub mod conformance;
#[path = "../../guest/src/conversation.rs"]
mod conversation;
#[allow(
    dead_code,
    unused_imports,
    reason = "the tests need fewer conversions than the component"
)]
#[path = "../../guest/src/convert/mod.rs"]
mod convert;
pub mod digest;
pub mod disk;
pub mod drafts;
pub mod generate;
pub mod long;
pub mod measure;
pub mod parity;
pub mod script;
#[allow(dead_code, reason = "the tests use only a part")]
#[path = "../../guest/src/sessions.rs"]
mod sessions;
pub mod texts;
#[path = "../../guest/src/written.rs"]
mod written;
