//! Leaves out what only debugging needs.

use wasmparser::{Parser, Payload};

use crate::Failure;

/// The module without its function names: a tenth of its size, and of use only where a trap is reported.
pub(crate) fn names(module: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut kept = Vec::with_capacity(module.len());
    let mut done = 0;
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload.map_err(|error| format!("the guest's module cannot be read: {error}"))?;
        let end = match &payload {
            Payload::Version { range, .. } => range.end,
            section => match section.as_section() {
                Some((_, range)) => range.end,
                None => continue,
            },
        };

        if !matches!(&payload, Payload::CustomSection(section) if section.name() == "name") {
            kept.extend_from_slice(&module[done..end]);
        }
        done = end;
    }
    Ok(kept)
}
