//! Removes what only debugging needs.

use wasmparser::{Parser, Payload};

use callsheet_build::Failure;

/// The module without its function names: a tenth of its size, and only used where a trap is reported.
pub(crate) fn names(module: &[u8]) -> Result<Vec<u8>, Failure> {
    without("name", module)
}

/// The component without the names of its own parts.
pub(crate) fn component_names(component: &[u8]) -> Result<Vec<u8>, Failure> {
    without("component-name", component)
}

/// The binary without the custom sections of this name, except in nested binaries.
fn without(name: &str, binary: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut kept = Vec::with_capacity(binary.len());
    let mut done = 0;
    for payload in Parser::new(0).parse_all(binary) {
        let payload = payload.map_err(|error| format!("cannot read the built binary: {error}"))?;
        let end = match &payload {
            Payload::Version { range, .. } => range.end,
            section => match section.as_section() {
                Some((_, range)) => range.end,
                None => continue,
            },
        };
        if end <= done {
            continue;
        }
        if !matches!(&payload, Payload::CustomSection(section) if section.name() == name) {
            kept.extend_from_slice(&binary[done..end]);
        }
        done = end;
    }
    Ok(kept)
}
