//! gray-matter: the first line starts with `---` and may name a language, and `---` at the start of any line closes, whatever follows.

use alloc::borrow::{Cow, ToOwned};
use alloc::format;

use super::parts::{Frontmatter, Split, without};
use crate::dialect::edition::Blanks;
use crate::lines::ends_script_line;

/// What is wrong with a frontmatter that is a program.
pub(in crate::reader) const PROGRAM: &str = "its frontmatter is a program, which this release would run";

pub(super) fn split(text: &str) -> Split<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(rest) = text.strip_prefix("---").filter(|rest| !rest.starts_with('-')) else {
        return without(text);
    };
    let language = match rest.split_once('\n') {
        Some((line, _)) => line.strip_suffix('\r').unwrap_or(line),
        // Without a line end, the language is all but the last character.
        None => &rest[..rest.char_indices().next_back().map_or(0, |(at, _)| at)],
    };
    let name = Blanks::EcmaScript.trim(language);
    let rest = if name.is_empty() {
        rest
    } else {
        &rest[language.len()..]
    };
    let (matter, body) = match rest.split_once("\n---") {
        Some((matter, body)) => {
            let body = body.strip_prefix('\r').unwrap_or(body);
            (matter, body.strip_prefix('\n').unwrap_or(body))
        }
        None => (rest, ""),
    };
    Split {
        frontmatter: match name {
            _ if is_empty(matter) => Frontmatter::None,
            "json" => Frontmatter::Json(Cow::Borrowed(matter)),
            "" => Frontmatter::Yaml(Cow::Borrowed(matter)),
            _ if matches!(&*name.to_lowercase(), "yaml" | "yml") => Frontmatter::Yaml(Cow::Borrowed(matter)),
            _ if matches!(&*name.to_lowercase(), "js" | "javascript") => {
                Frontmatter::Refused(PROGRAM.to_owned())
            }
            _ => Frontmatter::Refused(format!("gray-matter engine \"{name}\" is not registered")),
        },
        body: Cow::Borrowed(body),
    }
}

/// Whether it contains only whitespace and comments.
fn is_empty(matter: &str) -> bool {
    let lines = matter
        .split(ends_script_line)
        .map(|line| Blanks::EcmaScript.trim(line));
    lines
        .into_iter()
        .all(|line| line.is_empty() || line.starts_with('#') && line.len() > 1)
}
