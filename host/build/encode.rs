//! Core module to component.

use std::path::Path;

use wit_component::ComponentEncoder;

use crate::Failure;

/// Wraps the guest's module as a component. No adapter is given, so a WASI import is an error.
pub(crate) fn component(module: &Path) -> Result<Vec<u8>, Failure> {
    let bytes =
        std::fs::read(module).map_err(|error| format!("cannot read {}: {error}", module.display()))?;
    ComponentEncoder::default()
        .module(&bytes)
        .and_then(|encoder| encoder.validate(true).encode())
        .map_err(|error| format!("the guest is no component of its world: {error:#}"))
}
