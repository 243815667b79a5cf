//! Converts a server's answer for a model.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

use crate::conversation::ToolAnswer;

/// Text unchanged, structured values as JSON; other contents are only described.
pub(super) fn of(result: CallToolResult) -> ToolAnswer {
    let mut parts: Vec<String> = result.content.into_iter().map(part).collect();
    // A conforming server repeats it as text.
    if let (true, Some(value)) = (parts.is_empty(), result.structured_content) {
        parts.push(value.to_string());
    }
    ToolAnswer {
        text: parts.join("\n"),
        is_error: result.is_error.unwrap_or_default(),
    }
}

fn part(block: ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text,
        ContentBlock::Image(image) => binary("an image", Some(&image.mime_type), &image.data),
        ContentBlock::Audio(audio) => binary("a sound", Some(&audio.mime_type), &audio.data),
        ContentBlock::Resource(embedded) => match embedded.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("[{uri}]\n{text}"),
            ResourceContents::BlobResourceContents {
                uri, mime_type, blob, ..
            } => binary(&uri, mime_type.as_deref(), &blob),
            _ => "[a resource of an unknown kind]".to_owned(),
        },
        ContentBlock::ResourceLink(link) => format!("[{}: {}]", link.name, link.uri),
        _ => "[something of an unknown kind]".to_owned(),
    }
}

fn binary(what: &str, kind: Option<&str>, base64: &str) -> String {
    let bytes = base64.trim_end_matches('=').len() * 3 / 4;
    let kind = kind.map(|kind| format!(" of type {kind}")).unwrap_or_default();
    format!("[{what}{kind}, {bytes} bytes, which cannot be shown here]")
}
