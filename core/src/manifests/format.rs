//! Formats of manifests and of settings. The build script writes those of `core/manifests/` and `core/settings/` as constants.

use crate::diagnostic::Rule;
use crate::dialect::{Consequence, JsonType, TextForm};
use crate::rules::{invalid_manifest, invalid_settings};
use crate::yaml::Node;

/// A format of manifests; `core/schema/` documents the parts.
pub(crate) struct Format {
    pub(crate) file: &'static str,
    pub(crate) target: Option<&'static str>,
    pub(crate) product: &'static str,
    pub(crate) schema: Option<&'static str>,
    /// The number of another format.
    pub(crate) then: Option<usize>,
    pub(crate) is_dependent: bool,
    pub(crate) is_read_elsewhere: bool,
    /// A dialect, and a folder.
    pub(crate) skills: Option<(&'static str, &'static str)>,
    pub(crate) parts: &'static [Part],
    pub(crate) shape: Shape,
}

/// A format of settings.
pub(crate) struct SettingsFormat {
    pub(crate) dialect: &'static str,
    pub(crate) files: &'static [&'static str],
    pub(crate) others: &'static [&'static str],
    /// What the product does if it cannot read them.
    pub(crate) unread: Option<&'static str>,
    /// Whether comments and a byte order mark make a file unreadable.
    pub(crate) is_pure: bool,
    pub(crate) shape: Shape,
}

/// What the fields of a file may be, and how problems are reported.
pub(crate) struct Shape {
    pub(crate) title: &'static str,
    /// What the file is.
    pub(crate) noun: &'static str,
    /// The rule about it as a whole.
    pub(crate) rule: &'static Rule,
    pub(crate) effect: &'static str,
    /// Whether a known field that is given twice is an error.
    pub(crate) is_strict: bool,
    pub(crate) root: Field,
}

/// What a plugin loads.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) holds: &'static str,
    pub(crate) usual: &'static str,
    pub(crate) adds: bool,
    pub(crate) is_convertible: bool,
}

/// A field of an object, or what all items or fields of one must be if the name is `*`. In an object with a `tag`, those in it are the kinds
/// of the object by the tag's value, with the fields of each.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) means: Option<&'static str>,
    pub(crate) namespace: Option<&'static str>,
    pub(crate) is: &'static [JsonType],
    pub(crate) is_required: bool,
    pub(crate) one_of: &'static [&'static str],
    pub(crate) reserved: &'static [&'static str],
    pub(crate) taken: &'static [Taken],
    pub(crate) is_unique: bool,
    pub(crate) form: Option<TextForm>,
    pub(crate) names: Option<TextForm>,
    pub(crate) tag: Option<&'static str>,
    pub(crate) untagged: Option<&'static str>,
    pub(crate) switch: Option<&'static str>,
    /// A field, and the kind that is meant by an object with it, but without the tag.
    pub(crate) meant: Option<[&'static str; 2]>,
    pub(crate) told_by: &'static [&'static str],
    /// Whether the object must have one of these.
    pub(crate) needs_kind: bool,
    pub(crate) only: Option<&'static str>,
    pub(crate) wrong: Consequence,
    pub(crate) malformed: Consequence,
    pub(crate) unknown: Option<Consequence>,
    pub(crate) is_open: bool,
    pub(crate) help: Option<&'static str>,
    pub(crate) fields: &'static [Field],
}

/// Texts that only a holder may use.
pub(crate) struct Taken {
    pub(crate) texts: &'static [&'static str],
    pub(crate) any_case: bool,
    pub(crate) by: Option<&'static str>,
    pub(crate) effect: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/manifests.rs"));

/// The formats of manifests, sorted by name.
pub(crate) fn formats() -> &'static [Format] {
    FORMATS
}

/// The formats of a dialect's settings that are known.
pub(crate) fn settings(dialect: &str) -> impl Iterator<Item = &'static SettingsFormat> {
    SETTINGS.iter().filter(move |format| format.dialect == dialect)
}

impl Format {
    /// Whether a manifest names this format, if it has to, in any case.
    pub(crate) fn is_marked(&self, root: &Node) -> bool {
        let named = root.get("$schema").and_then(Node::as_text);
        let is_named = |mark: &str| named.is_some_and(|named| named.to_ascii_lowercase().contains(mark));
        self.schema.is_none_or(is_named)
    }

    /// The part of this name.
    pub(crate) fn part(&self, name: &str) -> Option<&'static Part> {
        self.parts.iter().find(|part| part.name == name)
    }
}

impl Field {
    /// The field of this name in it.
    pub(crate) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The field for the items of a list.
    pub(crate) fn items(&self) -> Option<&'static Field> {
        self.field("#").or_else(|| self.field("*"))
    }
}
