//! The text split at its first two `---`, whether they are fences or not. Without any, the whole file is YAML.

use alloc::borrow::Cow;

use super::parts::{Frontmatter, Split};

pub(super) fn split(text: &str) -> Split<'_> {
    let mut parts = text.splitn(3, "---");
    let (yaml, body) = match (parts.next(), parts.next(), parts.next()) {
        (_, Some(yaml), Some(body)) => (yaml, body),
        (Some(yaml), Some(body), None) => (yaml, body),
        _ => {
            return Split {
                frontmatter: Frontmatter::Whole(text),
                body: Cow::Borrowed(""),
            };
        }
    };
    Split {
        frontmatter: Frontmatter::Yaml(Cow::Borrowed(yaml.trim())),
        body: Cow::Borrowed(body),
    }
}
