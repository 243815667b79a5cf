//! The engine's settings, for the build script that compiles and the program that loads: native code only loads with equal ones.

/// The settings. Without fuel and epochs: they cost a fifth or more, and our own component always ends.
pub fn engine_config() -> wasmtime::Config {
    let mut config = wasmtime::Config::new();
    config.generate_address_map(false);
    // The component is compiled for size, so much is left to inline.
    config.compiler_inlining(wasmtime::Inlining::Yes);
    config
}
