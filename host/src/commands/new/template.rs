//! Templates: agents of Claude Code, which are converted to the chosen dialect.

use callsheet::documents::{FieldValue, KeyChange, Transfer};
use callsheet::write::edited;
use callsheet::{Callsheet, Error, Result};

/// The dialect of the templates.
const DIALECT: &str = "claude-code";

/// A template, for any dialect.
pub(super) struct Template {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) prompt: &'static str,
    file: &'static str,
}

const FILES: [(&str, &str); 4] = [
    ("researcher", include_str!("templates/researcher.md")),
    ("reviewer", include_str!("templates/reviewer.md")),
    ("tester", include_str!("templates/tester.md")),
    ("writer", include_str!("templates/writer.md")),
];

/// All of them, sorted by name.
pub(super) fn templates() -> impl Iterator<Item = Template> {
    FILES
        .into_iter()
        .map(|(name, file)| parse(name, file).expect("a test reads them all"))
}

fn parse(name: &'static str, file: &'static str) -> Option<Template> {
    let (head, prompt) = file.split_once("\n---\n\n")?;
    let description = head.lines().find_map(|line| line.strip_prefix("description: "))?;
    Some(Template {
        name,
        description,
        prompt,
        file,
    })
}

/// A template in another dialect.
pub(super) struct Written {
    pub(super) contents: Vec<u8>,
    /// Why the dialect cannot limit the agent to the template's tools; none if it can.
    pub(super) unlimited: Option<String>,
}

impl Template {
    /// The template with these values, in a dialect. If that cannot limit an agent to the template's tools, it lists none.
    pub(super) fn written(
        &self,
        callsheet: &mut Callsheet,
        changes: &[KeyChange],
        prompt: Option<&str>,
        to: &str,
    ) -> Result<Written> {
        let base = changed(callsheet, self.file.as_bytes(), DIALECT, changes, prompt)?;
        let refused = match callsheet.convert(self.name, &base, Some(DIALECT), to, false) {
            Ok(converted) => {
                return Ok(Written {
                    contents: converted.contents,
                    unlimited: None,
                });
            }
            Err(Error::Refused(report)) => report,
            Err(error) => return Err(error),
        };
        let mut refused = refused
            .into_iter()
            .filter(|carried| carried.fate == Transfer::Refused);
        let unlimited = refused.next().map(|carried| carried.reason);
        let open = changed(callsheet, &base, DIALECT, &[change("tools", None)], None)?;
        let converted = callsheet.convert(self.name, &open, Some(DIALECT), to, false)?;
        Ok(Written {
            contents: converted.contents,
            unlimited,
        })
    }
}

/// A file after some changes.
pub(super) fn changed(
    callsheet: &mut Callsheet,
    contents: &[u8],
    dialect: &str,
    changes: &[KeyChange],
    prompt: Option<&str>,
) -> Result<Vec<u8>> {
    let edits = callsheet.revise(contents, dialect, changes, prompt)?;
    Ok(edited(contents, &edits))
}

/// A change of a key.
pub(super) fn change(key: &str, value: Option<FieldValue>) -> KeyChange {
    KeyChange {
        key: key.to_owned(),
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_a_valid_agent() {
        assert_eq!(templates().count(), FILES.len());
        assert!(templates().all(|it| it.file.starts_with(&format!("---\nname: {}\n", it.name))));
        assert!(templates().all(|it| it.file.contains("\ntools: Read, ") && it.file.ends_with(".\n")));
    }
}
