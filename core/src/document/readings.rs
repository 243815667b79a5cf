//! One file, all readers: which ones load it, and which ones read it differently from its own dialect.

use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::read::read;
use crate::definition::{Definition, Model, ToolFilter, ToolRule};
use crate::dialect::{Canonical, Dialect, Dialects, Extent, Format, Kind};
use crate::reader::{self, Held, HeldAgent, HeldTools, Reader, Readers};
use crate::verdict::Outcome;

/// The outcome of a file in a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It loads.
    Loads,
    /// It loads, but differs from the file's own dialect.
    LoadsDifferently,
    /// It is dropped.
    Dropped,
    /// The reader does not search the file's place.
    NotLookedAt,
}

/// How one reader reads a file.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The reader.
    pub reader: Rc<Reader>,
    /// The outcome of the file.
    pub fate: Fate,
    /// Why it is dropped, or listed without being callable; otherwise empty.
    pub reason: String,
    /// The fields that differ: `name`, `description`, `tools`, `model`, `prompt`.
    pub differs: Vec<&'static str>,
    /// What the reader holds, if it loads the file.
    pub agent: Option<HeldAgent>,
}

/// How every reader reads a file, sorted by reader. In a place that no tool searches, each reads it as if it did.
pub fn readings(path: &str, bytes: &[u8], dialects: &Dialects, readers: &Readers) -> Vec<Seen> {
    let kind = dialects.kind_of(path);
    let edition = |reader: &Reader| dialects.get_for(&reader.id, kind);
    let looks = |reader: &Rc<Reader>| edition(reader).is_ok_and(|edition| looks_at(edition, path));
    // A file in a place that no tool searches may be for any of them; one in the place of an unmeasured tool is that tool's.
    let nobody = !readers.of(kind).any(looks) && !dialects.of(kind).any(|dialect| looks_at(dialect, path));
    let dialect = dialects.of_file(path, &alloc::string::String::from_utf8_lossy(bytes));
    let own = read(path, bytes, None, dialect, dialects).definition;
    let has_form = |reader: &Rc<Reader>| {
        let is_toml = |edition: &Rc<Dialect>| edition.format == Format::Toml;
        edition(reader).is_ok_and(is_toml) == path.ends_with(".toml")
    };
    let see = |reader: &Rc<Reader>| {
        if nobody && has_form(reader) || looks(reader) {
            see(path, bytes, reader, &own, dialect)
        } else {
            Seen::new(reader, Fate::NotLookedAt)
        }
    };
    readers.of(kind).map(see).collect()
}

impl Seen {
    fn new(reader: &Rc<Reader>, fate: Fate) -> Self {
        Self {
            reader: Rc::clone(reader),
            fate,
            reason: String::new(),
            differs: Vec::new(),
            agent: None,
        }
    }
}

fn see(path: &str, bytes: &[u8], reader: &Rc<Reader>, own: &Definition, dialect: &Dialect) -> Seen {
    let mut seen = Seen::new(reader, Fate::Loads);
    match reader::read(path, bytes, reader) {
        Ok(reading) => {
            if let Outcome::Withheld(reason) = reading.outcome {
                seen.reason = reason;
            }
            seen.differs = differing(&reading.agent, own, dialect);
            // What products do with the tools of a skill is measured for some only.
            if reader.kind == Kind::Skill && reader.tools.keys.is_empty() {
                seen.differs.retain(|field| *field != "tools");
            }
            // Otherwise its place is its name, which a reader does not know.
            if own.field(Canonical::Name).is_none() && dialect.identity.separator().is_some() {
                seen.differs.retain(|field| *field != "name");
            }
            if !seen.differs.is_empty() {
                seen.fate = Fate::LoadsDifferently;
            }
            seen.agent = Some(reading.agent);
        }
        Err(Outcome::Dropped(reason) | Outcome::NotAnAgent(reason) | Outcome::Withheld(reason)) => {
            seen.fate = Fate::Dropped;
            seen.reason = reason;
        }
        Err(Outcome::Loads) => {}
    }
    seen
}

/// Whether an edition reads the file as an agent in its place, the path being relative to the project.
fn looks_at(edition: &Dialect, path: &str) -> bool {
    let path = path.strip_prefix("./").unwrap_or(path);
    let (directory, file) = path.rsplit_once('/').unwrap_or(("", path));
    let holds = |known: &str| {
        let above = directory.strip_suffix(known);
        above.is_some_and(|above| above.is_empty() || known.starts_with('.') && above.ends_with('/'))
    };
    edition.reads(file)
        && edition.looks_at(path)
        && edition.sources.iter().any(|source| {
            let deeper = source.recursive && !source.directory.is_empty();
            source.keys.is_empty() && !source.directory.is_empty() && (deeper || holds(&source.directory))
        })
}

/// Whitespace around a value and the kind of line ends make no difference.
fn differing(agent: &HeldAgent, own: &Definition, dialect: &Dialect) -> Vec<&'static str> {
    let is = |held: &Held, own: &str| matches!(held, Held::Text(text) if text.trim() == own.trim());
    let prompt = String::from_utf8_lossy(&agent.prompt).replace("\r\n", "\n");
    let model = agent.model.as_ref().map_or("", Held::shown);
    let same = [
        ("name", is(&agent.name, &own.name)),
        ("description", is(&agent.description, &own.description)),
        ("tools", held_tools(&agent.tools) == own_tools(own, dialect)),
        ("model", model_of(model) == model_of(own_model(own))),
        (
            "prompt",
            prompt.trim() == own.system_prompt.replace("\r\n", "\n").trim(),
        ),
    ];
    same.into_iter()
        .filter(|(_, same)| !same)
        .map(|(field, _)| field)
        .collect()
}

/// The named tools; none for all.
fn held_tools(tools: &HeldTools) -> Option<Vec<String>> {
    match tools {
        HeldTools::Nothing | HeldTools::All => None,
        HeldTools::Only(names) if names.iter().any(|name| name == "*") => None,
        HeldTools::Only(names) => Some(names.clone()),
    }
}

fn own_tools(own: &Definition, dialect: &Dialect) -> Option<Vec<String>> {
    let extent = match &own.tools {
        ToolFilter::Absent => dialect.tools.absent,
        ToolFilter::Null => dialect.tools.null,
        ToolFilter::None => dialect.tools.empty,
        ToolFilter::All => Extent::All,
        ToolFilter::Only(rules) => return Some(rules.iter().map(shown).collect()),
    };
    (extent == Extent::None).then(Vec::new)
}

fn shown(rule: &ToolRule) -> String {
    match &rule.specifier {
        Some(specifier) => alloc::format!("{}({specifier})", rule.tool),
        None => rule.tool.to_string(),
    }
}

fn own_model(own: &Definition) -> &str {
    match &own.model {
        Model::Alias(model) | Model::Id(model) => model,
        Model::Absent => own.model_name.as_deref().unwrap_or_default(),
        Model::Inherit => "",
    }
}

/// The model without any form of the parent's model.
fn model_of(model: &str) -> &str {
    match model.trim() {
        "inherit" => "",
        model => model,
    }
}
