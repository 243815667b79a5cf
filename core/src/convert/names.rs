//! Names and descriptions that another dialect accepts.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::fields::Fields;
use super::plan::{Fate, Plan};
use super::values::shown;
use crate::dialect::{Canonical, Form, Identity, Key, Kind, Verdict};
use crate::names::is_reserved;
use crate::write::Value;

impl Fields<'_> {
    /// Plans the name. Returns the stem of the file.
    pub(super) fn name(&self, plan: &mut Plan) -> String {
        let name = &*self.definition.name;
        let label = self.definition.field(Canonical::DisplayName);
        let label = label.map(|field| self.text(field));
        let is_agent = self.source.kind == Kind::Agent;
        let shown_name = label.filter(|label| is_agent || label != name);
        // A command whose path is its name needs no other.
        let is_path = self.target.kind == Kind::Command && self.target.identity == Identity::Path;
        let Some(key) = self.key("name").filter(|_| !is_path) else {
            let stem = self.stem(name);
            // A command's path is never shown, and products drop a skill whose `name` is not that of its folder.
            let is_shown = stem != *name && self.source.kind != Kind::Command;
            let label = shown_name.or_else(|| is_shown.then(|| name.to_owned()));
            let as_read = match self.target.identity.separator() {
                Some(separator) => stem.replace('/', separator),
                None => stem.clone(),
            };
            let fate = if as_read == *name {
                Fate::Kept
            } else if stem == name.replace(':', "/") {
                Fate::Renamed
            } else {
                Fate::Approximated
            };
            let noun = self.target.kind.noun();
            let reason = match self.target.identity {
                Identity::Folder => format!("the folder's name is the {noun}'s name"),
                _ => format!("the file name is the {noun}'s name"),
            };
            plan.say("name", fate, name, &as_read, &reason);
            self.label(plan, label, name);
            return stem;
        };
        let mut fitting = fitting(name, key);
        if self.target.identity == Identity::Folder {
            fitting = for_file(&fitting);
        }
        let (fate, reason) = if fitting == *name {
            (Fate::Kept, String::new())
        } else {
            (
                Fate::Approximated,
                format!("{} does not accept this name", self.target.id),
            )
        };
        plan.say("name", fate, name, &fitting, &reason);
        let stem = for_file(&fitting);
        plan.put("name", Value::Text(fitting));
        self.label(plan, shown_name, name);
        stem
    }

    /// Plans the name that is shown. If it is the name, the line of that says enough.
    fn label(&self, plan: &mut Plan, label: Option<String>, name: &str) {
        const FIELD: &str = "display-name";
        let Some(label) = label else { return };
        let key = self.key(FIELD);
        let (fate, to, reason) = match key {
            Some(key) if key.written() == self.spelled(FIELD) => (Fate::Kept, &*label, String::new()),
            Some(key) => {
                let reason = format!("`{}` in {}", key.written(), self.target.id);
                (Fate::Renamed, &*label, reason)
            }
            None => (Fate::Dropped, "", self.no_key(FIELD)),
        };
        if label != name {
            plan.say(FIELD, fate, &label, to, &reason);
        }
        if key.is_some() {
            plan.put(FIELD, Value::Text(label));
        }
    }

    /// The stem of a file that is called after its definition, with the folders that are a part of a command's name.
    fn stem(&self, name: &str) -> String {
        if self.target.kind != Kind::Command || self.target.identity.separator().is_none() {
            return for_file(name);
        }
        let parts: Vec<String> = name.split([':', '/']).map(for_file).collect();
        parts.join("/")
    }

    /// The description, and when to use it, which some products have apart.
    fn described(&self, plan: &mut Plan) -> String {
        let said = self.definition.description.clone();
        let Some(field) = self.definition.field(Canonical::WhenToUse) else {
            return said;
        };
        let more = self.text(field);
        if self.key("when-to-use").is_some() {
            plan.carry("when-to-use", &shown(&more), &shown(&more));
            plan.put("when-to-use", Value::Text(more));
            return said;
        }
        let reason = format!("{}: it is added to the description", self.no_key("when-to-use"));
        plan.say("when-to-use", Fate::Approximated, &shown(&more), "", &reason);
        let said = said.trim_end();
        let end = if said.ends_with(char::is_alphanumeric) {
            ". "
        } else {
            " "
        };
        [said, end, &more].concat().trim().to_owned()
    }

    pub(super) fn description(&self, plan: &mut Plan) {
        let said = &*self.described(plan);
        let Some(key) = self.key("description") else {
            return plan.say(
                "description",
                Fate::Dropped,
                &shown(said),
                "",
                &self.no_key("description"),
            );
        };
        if said.trim().is_empty() {
            if key.missing != Verdict::Fine {
                let name = self.definition.name.clone();
                let first = self.first_line().map(|line| text_for(line, key));
                let text = first.unwrap_or(name);
                let reason = format!("{} requires one", self.target.id);
                plan.say("description", Fate::Approximated, "", &shown(&text), &reason);
                plan.put("description", Value::Text(text));
            }
            return;
        }
        let fitting = text_for(said, key);
        let original = &*self.definition.description;
        let (fate, reason) = if fitting == original {
            (Fate::Kept, String::new())
        } else if fitting == said {
            let more = self.spelled("when-to-use");
            (Fate::Approximated, format!("it has `{more}`, too"))
        } else {
            (
                Fate::Approximated,
                format!("{} requires a single or shorter line", self.target.id),
            )
        };
        plan.say("description", fate, &shown(original), &shown(&fitting), &reason);
        plan.put("description", Value::Text(fitting));
    }

    /// The first line of text, which some products take for the description of a skill or a command.
    fn first_line(&self) -> Option<&str> {
        let mut lines = self.definition.system_prompt.lines().map(str::trim);
        let line = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
        line.filter(|_| self.source.kind != Kind::Agent)
    }
}

/// The name, or the closest that the key accepts.
pub(super) fn fitting(name: &str, key: &Key) -> String {
    if takes(key, name) {
        return name.into();
    }
    let longest = key.longest.map_or(usize::MAX, |longest| longest as usize);
    let short: String = slug(name).chars().take(longest).collect();
    let short = short.trim_end_matches('-');
    if takes(key, short) {
        return short.into();
    }
    let longer: String = format!("{short}-agent");
    if takes(key, &longer) { longer } else { short.into() }
}

/// Whether a key accepts a name.
fn takes(key: &Key, name: &str) -> bool {
    let length = name.encode_utf16().count();
    let bounded = key.longest.is_none_or(|longest| length <= longest as usize)
        && key
            .shortest
            .is_none_or(|shortest| name.chars().count() >= shortest as usize);
    let lines = !(key.single_line && name.contains(['\n', '\r']));
    let formed = match key.form {
        Some(form) if key.other_form != Verdict::Fine => form.holds(name),
        _ => true,
    };
    let free = !key.none_of.iter().any(|word| word.eq_ignore_ascii_case(name));
    bounded && lines && formed && free
}

/// A name that is safe as a file name everywhere.
pub(crate) fn for_file(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let safe =
        !name.is_empty() && name.len() <= 100 && name.chars().all(plain) && !name.starts_with(['.', '_']);
    if safe && !name.ends_with('.') && !is_reserved(name) {
        return name.into();
    }
    let slug = slug(name);
    if is_reserved(&slug) {
        format!("{slug}-agent")
    } else {
        slug
    }
}

/// In lowercase with hyphens; `agent` if nothing is left.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().take(200) {
        match c.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() => slug.push(c),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    let slug: String = slug.chars().take(64).collect();
    let slug = slug.trim_end_matches('-');
    if Form::Kebab.holds(slug) {
        slug.into()
    } else {
        "agent".into()
    }
}

/// Text on one line and no longer than the key accepts.
pub(super) fn text_for(text: &str, key: &Key) -> String {
    let mut text: String = if key.single_line {
        text.split_whitespace().collect::<alloc::vec::Vec<_>>().join(" ")
    } else {
        text.into()
    };
    if key.unescapes {
        text = text.replace("\\n", " ");
    }
    let Some(longest) = key.longest.map(|longest| longest as usize) else {
        return text;
    };
    if text.encode_utf16().count() <= longest {
        return text;
    }
    let mut length = 1;
    let fits = |c: &char| {
        length += c.len_utf16();
        length <= longest
    };
    let mut cut: String = text.chars().take_while(fits).collect();
    cut.truncate(cut.trim_end().len());
    cut.push('\u{2026}');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_valid_file_names() {
        assert_eq!(for_file("code-reviewer"), "code-reviewer");
        assert_eq!(for_file("../x y"), "x-y");
        assert_eq!(for_file("\u{43f}"), "agent");
        assert_eq!(for_file(""), "agent");
        assert_eq!(for_file("_draft"), "draft");
        assert_eq!(for_file("aux"), "aux-agent");
        assert_eq!(for_file("COM1"), "com1-agent");
        assert_eq!(for_file("con.old"), "con-old");
        assert_eq!(for_file("_nul"), "nul-agent");
        assert_eq!(for_file("-console"), "-console");
        assert_eq!(for_file("com10"), "com10");
    }
}
