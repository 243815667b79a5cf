//! A JSON object that is put together from texts.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::quote;

/// An object, in the order of what was put into it.
#[derive(Default)]
pub(super) struct Object(Vec<(String, Part)>);

enum Part {
    /// JSON.
    Text(String),
    Object(Object),
}

impl Object {
    /// Puts JSON at a path of names. What is there stays.
    pub(super) fn put(&mut self, path: &[&str], text: String) {
        let [name, rest @ ..] = path else { return };
        let known = self.0.iter().position(|(known, _)| known == name);
        let at = known.unwrap_or_else(|| {
            let part = if rest.is_empty() {
                Part::Text(text.clone())
            } else {
                Part::Object(Self::default())
            };
            self.0.push(((*name).to_owned(), part));
            self.0.len() - 1
        });
        if let Part::Object(object) = &mut self.0[at].1 {
            object.put(rest, text);
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// As JSON, where the lines in it begin with this.
    pub(super) fn text(&self, indent: &str) -> String {
        let inner = [indent, "  "].concat();
        let parts = self.0.iter().map(|(name, part)| {
            let text = match part {
                Part::Text(text) => indented(text, &inner),
                Part::Object(object) => object.text(&inner),
            };
            [&*inner, &quote(name), ": ", &text].concat()
        });
        let parts: Vec<String> = parts.collect();
        ["{\n", &parts.join(",\n"), "\n", indent, "}"].concat()
    }
}

/// JSON whose last line begins with this, and the others as before in relation to it.
fn indented(text: &str, indent: &str) -> String {
    let last = text.rsplit('\n').next().unwrap_or_default();
    let before = &last[..last.len() - last.trim_start().len()];
    let mut lines = text.split('\n');
    let mut all = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let line = line.strip_prefix(before).unwrap_or(line.trim_start());
        all.extend(["\n", indent, line]);
    }
    all
}
