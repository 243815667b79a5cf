//! Core module to component.

use wit_component::ComponentEncoder;

use crate::Failure;

/// Wraps a module as a component. No adapter is given, so a WASI import is an error.
pub fn component(module: &[u8]) -> Result<Vec<u8>, Failure> {
    ComponentEncoder::default()
        .module(module)
        .and_then(|encoder| encoder.validate(true).encode())
        .map_err(|error| format!("cannot make a component of the module: {error:#}"))
}
