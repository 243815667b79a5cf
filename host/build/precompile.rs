//! Component to native code.

use std::env;

use wasmtime::Engine;

use crate::{Failure, engine_config};

/// Compiles for any processor of the target's family: what is embedded must run on older ones too.
pub(crate) fn native(component: &[u8]) -> Result<Vec<u8>, Failure> {
    let target = env::var("TARGET").expect("cargo sets TARGET for build scripts");
    let mut config = engine_config::new();
    config
        .target(&target)
        .and_then(|config| Engine::new(config))
        .and_then(|engine| engine.precompile_component(component))
        .map_err(|error| format!("cannot compile the component for {target}: {error:#}"))
}
