//! What is written is read back unchanged, or is refused.

use callsheet_core::convert::render;
use callsheet_core::dialect::{Canonical, Dialect, Dialects, Key};
use callsheet_core::document::{Document, read};
use callsheet_core::verdict::Outcome;
use callsheet_core::write::{Change, Draft, Value, edit};

use super::edits::edited;
use super::with_dialects;

/// Any bytes are a file, up to a NUL, then its new description and prompt.
pub fn writer(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (file, meant) = text.split_once('\0').unwrap_or((&text, &text));
    with_dialects(|dialects| {
        for dialect in dialects.iter() {
            new(meant, dialect, dialects);
            changed(file, meant, dialect, dialects);
        }
    });
}

fn new(meant: &str, dialect: &Dialect, dialects: &Dialects) {
    let field = |field: &str, text: &str| (field.to_owned(), Value::Text(text.to_owned()));
    let draft = Draft {
        fields: vec![field("name", "x"), field("description", meant)],
        prompt: meant.to_owned(),
    };
    if let Ok(file) = render(&draft, dialect) {
        let document = again(file.as_bytes(), dialect, dialects);
        assert_eq!(document.outcome, Outcome::Loads, "{}: {file}", dialect.id);
        assert_eq!(
            document.definition.description,
            held(meant, dialect),
            "{}: {file}",
            dialect.id
        );
    }
}

fn changed(file: &str, meant: &str, dialect: &Dialect, dialects: &Dialects) {
    let text = Value::Text(meant.to_owned());
    for value in [Some(text.clone()), Some(Value::Entered(meant.to_owned())), None] {
        let changes = [Change {
            key: "description".to_owned(),
            value: value.clone(),
        }];
        let once = |bytes: &[u8]| Some(edited(bytes, &edit(bytes, dialect, &changes, None).ok()?));
        let Some(after) = once(file.as_bytes()) else {
            continue;
        };
        let shown = || {
            format!(
                "{}: {file:?} becomes {:?}",
                dialect.id,
                String::from_utf8_lossy(&after)
            )
        };
        assert_eq!(once(&after).as_ref(), Some(&after), "once is enough: {}", shown());
        if value.as_ref() == Some(&text) {
            let document = again(&after, dialect, dialects);
            // What else is wrong with the frontmatter may cost all of it.
            if !document.ignores_fields {
                assert_eq!(
                    document.definition.description,
                    held(meant, dialect),
                    "{}",
                    shown()
                );
            }
        }
    }
    let once = |bytes: &[u8]| Some(edited(bytes, &edit(bytes, dialect, &[], Some(meant)).ok()?));
    if let Some(after) = once(file.as_bytes()) {
        assert_eq!(
            once(&after),
            Some(after),
            "once is enough: {}: {file:?}",
            dialect.id
        );
    }
}

/// A description as the dialect holds it.
fn held<'text>(meant: &'text str, dialect: &Dialect) -> &'text str {
    let is_it = |key: &&Key| key.field == Canonical::Description;
    let is_trimmed = dialect.keys.iter().find(is_it).is_some_and(|key| key.trimmed);
    if is_trimmed { meant.trim() } else { meant }
}

fn again(file: &[u8], dialect: &Dialect, dialects: &Dialects) -> Document {
    read("x.md", file, None, dialect, dialects)
}
