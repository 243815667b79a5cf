//! The engine's settings: shared with the build script, because native code only loads with equal ones.

/// Without fuel and epochs: they cost a fifth or more, and our own component always ends.
pub(crate) fn new() -> wasmtime::Config {
    let mut config = wasmtime::Config::new();
    config.generate_address_map(false);
    // The component is compiled for size, so much is left to inline.
    config.compiler_inlining(wasmtime::Inlining::Yes);
    config
}
