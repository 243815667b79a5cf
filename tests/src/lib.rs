//! What the tests share: cases, the backends that run them, texts to try, and figures.
//!
//! A case is a folder of data under `cases/`. The [`backend`]s answer the same command lines, and [`conformance`] says
//! where they differ from what is expected. The core is reached by [`backend::native`] with the component's own
//! conversion, so that a difference can only come from the way through the component.

// The component's conversion names its bindings as `crate::bindings`.
use callsheet::bindings;

#[allow(
    dead_code,
    unused_imports,
    reason = "one piece of the command line, which also has a use for the rest"
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
    reason = "the tests need not every conversion that the component needs"
)]
#[path = "../../guest/src/convert/mod.rs"]
mod convert;
pub mod disk;
pub mod drafts;
pub mod generate;
pub mod long;
pub mod measure;
pub mod parity;
pub mod script;
#[allow(dead_code, reason = "nothing is confined here")]
#[path = "../../guest/src/sessions.rs"]
mod sessions;
pub mod texts;
#[path = "../../guest/src/written.rs"]
mod written;
