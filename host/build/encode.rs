//! Core module to component.

use wit_component::ComponentEncoder;

use crate::Failure;

/// Wraps the guest's module as a component. No adapter is given, so a WASI import is an error.
pub(crate) fn component(module: &[u8]) -> Result<Vec<u8>, Failure> {
    ComponentEncoder::default()
        .module(module)
        .and_then(|encoder| encoder.validate(true).encode())
        .map_err(|error| format!("the guest is no component of its world: {error:#}"))
}
