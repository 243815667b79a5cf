//! Places.

use serde::Serialize;

use callsheet_contract::types::{Label, Position, Span};

#[derive(Serialize)]
pub(super) struct Message<'a> {
    pub(super) text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location<'a> {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message<'a>>,
}

impl<'a> From<&'a Label> for Location<'a> {
    fn from(label: &'a Label) -> Self {
        let place = &label.place;
        Self {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation::new(&place.path),
                region: Region::new(place.span, place.start, place.end),
            },
            message: (!label.text.is_empty()).then_some(Message { text: &label.text }),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
pub(super) struct ArtifactLocation {
    uri: String,
}

impl ArtifactLocation {
    pub(super) fn new(path: &str) -> Self {
        let scheme = if path.starts_with('/') { "file://" } else { "" };
        let escaped = path.bytes().map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        });
        Self {
            uri: [scheme.to_owned()].into_iter().chain(escaped).collect(),
        }
    }
}

/// The same range in lines and columns and in bytes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
    byte_offset: u32,
    byte_length: u32,
}

impl Region {
    pub(super) fn new(span: Span, start: Position, end: Position) -> Self {
        Self {
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
            byte_offset: span.start,
            byte_length: span.end.saturating_sub(span.start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ArtifactLocation;

    #[test]
    fn a_path_becomes_a_uri() {
        let uri = |path| ArtifactLocation::new(path).uri;
        assert_eq!(uri(".claude/agents/a b:ü.md"), ".claude/agents/a%20b%3A%C3%BC.md");
        assert_eq!(uri("/etc/100%.md"), "file:///etc/100%25.md");
    }
}
