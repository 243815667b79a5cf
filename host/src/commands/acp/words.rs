//! Text of an editor for a model, and of a model for an editor.

use std::fmt::Write as _;

use agent_client_protocol::v1::schema::{
    ContentBlock, EmbeddedResource, EmbeddedResourceResource, ResourceLink,
};
use callsheet::output::text::clean_lines;
use percent_encoding::percent_decode_str;

/// The text of a message. Files are named by their paths, and attached text follows its path.
pub(super) fn text(blocks: &[ContentBlock]) -> Result<String, &'static str> {
    let mut text = String::new();
    for block in blocks {
        match block {
            ContentBlock::Text(block) => text.push_str(&block.text),
            ContentBlock::ResourceLink(ResourceLink { uri, .. }) => text.push_str(&path(uri)),
            ContentBlock::Resource(EmbeddedResource {
                resource: EmbeddedResourceResource::TextResourceContents(resource),
                ..
            }) => {
                let (path, contents) = (path(&resource.uri), &resource.text);
                let _ = write!(text, "\n\n<file path=\"{path}\">\n{contents}\n</file>\n");
            }
            _ => return Err("only text and files can be sent to agents"),
        }
    }
    match text.trim() {
        "" => Err("the message is empty"),
        _ => Ok(text),
    }
}

/// The path of a file's address. Other addresses stay as they are.
fn path(uri: &str) -> String {
    let Some(escaped) = uri.strip_prefix("file://") else {
        return uri.to_owned();
    };
    match percent_decode_str(escaped).decode_utf8() {
        Ok(path) => path.into_owned(),
        Err(_) => escaped.to_owned(),
    }
}

/// Text as a block of code: an editor shows all of it, where Markdown could hide a part.
pub(super) fn verbatim(text: &str) -> String {
    let text = clean_lines(text);
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{}\n{fence}", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_paths() {
        for (uri, expected) in [
            ("file:///a/b%20c.md", "/a/b c.md"),
            ("file:///a/100%.md", "/a/100%.md"),
            ("file:///a/%C3%A9.md", "/a/é.md"),
            ("file:///a/%FF.md", "/a/%FF.md"),
            ("file:///a.md#L3:9", "/a.md#L3:9"),
            ("https://example.com/a%20b", "https://example.com/a%20b"),
        ] {
            assert_eq!(path(uri), expected);
        }
    }

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        assert_eq!(verbatim("a\n"), "```\na\n```");
        assert_eq!(verbatim("```\n````"), "`````\n```\n````\n`````");
    }
}
