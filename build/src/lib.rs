//! Builds WebAssembly components from packages of this workspace, with a compiler that is already installed.
//!
//! Installing one is the job of `cargo xtask setup`.

#[cfg(feature = "encode")]
mod encode;
#[cfg(feature = "engine")]
mod engine;
mod modules;
mod nested;
mod toolchain;

#[cfg(feature = "encode")]
pub use encode::component;
#[cfg(feature = "engine")]
pub use engine::engine_config;
pub use modules::{Recipe, modules};
pub use nested::cargo;
pub use toolchain::{Toolchain, cache, has_target, release};

/// What went wrong, for people.
pub type Failure = String;

/// The target of all components. It has no system interface.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";
