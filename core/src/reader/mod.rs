//! Readers: how a release of a product reads a file, regardless of its documentation.
//!
//! A reader is data, a file under `core/editions/`. It names behaviors, each a small function here: how the frontmatter is found
//! (`fences`), how YAML is read (`engine`), what is held of each key (`hold`, `tools`), and further checks (`checks`).

mod checks;
mod claude_code;
mod codex;
mod copilot;
mod date;
mod decimal;
mod engine;
mod fences;
mod gemini_cli;
mod hold;
mod hooks;
mod keys;
mod kind;
mod line_by_line;
mod load;
mod number;
mod opencode;
mod quoted;
mod qwen_code;
mod reading;
mod repair;
mod retry;
mod scanner;
mod show;
mod simple_lines;
mod syntax;
#[cfg(test)]
mod tests;
mod tools;
mod value;

use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use callsheet_schema::stem;

pub use crate::dialect::edition::{CatalogRule, Reader};
pub(crate) use hold::COLONS;
pub use hold::Held;
pub use reading::{HeldAgent, Reading};
pub(crate) use retry::{is_repaired, special_value};
pub use tools::HeldTools;

pub use crate::dialect::{Readers, UnknownReader};

use crate::dialect::Kind;
use crate::dialect::edition::{BadEncoding, BadYaml, Loader};
use crate::places::{file_name, folder};
use crate::source::Source;
use crate::span::Span;
use crate::verdict::Outcome;
use crate::yaml::Node;
use engine::Engine;
use fences::{Frontmatter, Split};
use keys::Keys;
use value::Value;

/// A value as JSON, with plain scalars as in YAML 1.2; none if it cannot be one.
pub(crate) fn json(node: &Node) -> Option<String> {
    let value = load::value(node, Engine::of(Loader::Core), &|_| true);
    Some(show::json(&value.ok()?))
}

/// A value as JavaScript shows it as text, with plain scalars as in YAML 1.2.
pub(crate) fn script_text(node: &Node) -> Option<String> {
    let value = load::value(node, Engine::of(Loader::Core), &|_| true);
    Some(show::script_text(&value.ok()?))
}

/// What is wrong with a hook of Copilot, if anything is.
pub(crate) fn copilot_hook(event: &str, number: usize, hook: &Node) -> Option<String> {
    let value = load::value(hook, Engine::of(Loader::Core), &|_| true).ok()?;
    copilot::check_hook_of(event, number, &value).err()
}

/// Merges the maps that a release merges into the outermost one.
pub(crate) fn merge(root: &mut Node, reader: &Reader) {
    load::merge(root, Engine::of(reader.yaml).merges);
}

/// How a reader reads a file: what it holds if it loads the file, otherwise why not.
pub fn read(path: &str, bytes: &[u8], reader: &Reader) -> Result<Reading, Outcome> {
    let file = file_name(path);
    if reader.passes_over(file) {
        return Err(Outcome::NotAnAgent("skipped by file name".to_owned()));
    }
    let source = Source::of_file(bytes);
    if reader.bad_encoding == BadEncoding::Dropped && !source.invalid.is_empty() {
        return Err(Outcome::Dropped("the file is not valid UTF-8".to_owned()));
    }
    let parsed = Parsed::of(&source, reader).map_err(Outcome::Dropped)?;
    let prompt = match reader.bad_encoding {
        // The end of the file is kept unchanged.
        BadEncoding::Kept => {
            let start = source.text.len() - parsed.body.len();
            bytes[source.stored(Span::at(start)).start.index()..].to_vec()
        }
        _ => reader.trims.trim(&parsed.body).as_bytes().to_vec(),
    };
    hold(reader, &parsed.keys(), path, prompt).map_err(Outcome::Dropped)
}

/// The keys of the frontmatter as a reader sees it; none if it cannot be read.
pub(crate) fn frontmatter_keys(bytes: &[u8], reader: &Reader) -> Vec<String> {
    let source = Source::of_file(bytes);
    let parsed = Parsed::of(&source, reader).map(|parsed| parsed.value);
    let entries = parsed.as_ref().map(Value::entries).unwrap_or_default();
    let texts = entries.iter().filter_map(|(key, _)| key.text());
    texts.map(ToOwned::to_owned).collect()
}

/// Why a reader cannot read the frontmatter as it is, if so.
pub(crate) fn frontmatter_error(bytes: &[u8], reader: &Reader) -> Option<String> {
    let strict = Reader {
        bad_yaml: BadYaml::Dropped,
        ..reader.clone()
    };
    Parsed::of(&Source::of_file(bytes), &strict).err()
}

fn hold(reader: &Reader, keys: &Keys<'_>, path: &str, prompt: Vec<u8>) -> Result<Reading, String> {
    let stem = match reader.kind {
        Kind::Skill => folder(path),
        _ => stem(path),
    };
    let stem = stem.strip_suffix(&*reader.inner_ending).unwrap_or(stem);
    let body = String::from_utf8_lossy(&prompt).into_owned();
    let nothing = || Held::Text(String::new());
    let agent = HeldAgent {
        name: hold::text(&reader.name, keys, stem, &body)?.unwrap_or_else(nothing),
        description: hold::text(&reader.description, keys, stem, &body)?.unwrap_or_else(nothing),
        tools: tools::hold(&reader.tools, keys)?,
        denied: match &reader.denied {
            Some(rule) => tools::hold(rule, keys)?,
            None => HeldTools::Nothing,
        },
        model: hold::text(&reader.model, keys, stem, &body)?,
        color: hold::text(&reader.color, keys, stem, &body)?,
        prompt,
    };
    if !reader.empty_body.is_empty() && agent.prompt.is_empty() {
        return Err(reader.empty_body.clone());
    }
    let texts = keys.value.entries().iter().filter_map(|(key, _)| key.text());
    let mut reading = Reading {
        outcome: Outcome::Loads,
        agent,
        keys: texts.map(ToOwned::to_owned).collect(),
    };
    for check in &reader.checks {
        checks::apply(check, keys, &mut reading)?;
    }
    Ok(reading)
}

/// A file in two parts, the first one parsed.
struct Parsed<'text> {
    root: Option<Node>,
    value: Value,
    body: Cow<'text, str>,
}

/// Whether Codex's types do not fit the frontmatter of a skill.
fn is_mistyped(value: &Value) -> bool {
    let mut texts = ["name", "description"].iter().filter_map(|key| value.get(key));
    texts.any(|text| matches!(text, Value::List(_) | Value::Map(_)))
        || value
            .get("metadata")
            .is_some_and(|it| codex::check_metadata("metadata", it).is_err())
}

impl<'text> Parsed<'text> {
    fn of(source: &'text Source<'_>, reader: &Reader) -> Result<Self, String> {
        let text: &str = &source.text;
        let mut split = fences::split(text, reader.fences);
        let engine = Engine::of(reader.yaml);
        let known = |key: &str| reader.knows(key);
        let parse = |split: &Split<'_>| match &split.frontmatter {
            Frontmatter::None => Ok((None, Value::Null)),
            Frontmatter::Refused(reason) => Err(reason.clone()),
            Frontmatter::Whole(yaml) => syntax::parse(yaml, engine, &known),
            Frontmatter::Toml(toml) => syntax::parse_toml(toml, engine),
            Frontmatter::Yaml(yaml)
                if reader.bad_encoding == BadEncoding::Kept && is_broken(source, yaml) =>
            {
                Err("invalid UTF-8".to_owned())
            }
            Frontmatter::Yaml(yaml) => syntax::parse(yaml, engine, &known),
            Frontmatter::Json(json) => syntax::parse_json(json, engine),
        };
        let parse_again = |text: &str| {
            let split = fences::split(text, reader.fences);
            parse(&split).map(|parsed| (parsed, split.body.into_owned()))
        };
        let parsed = match (parse(&split), reader.bad_yaml, &split.frontmatter) {
            (Err(_), BadYaml::Ignored, _) => Ok((None, Value::Null)),
            (Err(first), BadYaml::Quoted, Frontmatter::Yaml(yaml)) => {
                syntax::parse(&retry::quoted(yaml), engine, &known)
                    .map_err(|_| format!("the frontmatter is not valid YAML: {first}"))
            }
            (parsed, BadYaml::UpToComments, Frontmatter::Yaml(yaml))
                if parsed.as_ref().map_or(true, |(_, value)| is_mistyped(value)) =>
            {
                let again = retry::up_to_comments(yaml).map(|yaml| syntax::parse(&yaml, engine, &known));
                again.and_then(Result::ok).map_or(parsed, Ok)
            }
            (Ok((_, value)), BadYaml::NameAndDescription, Frontmatter::Yaml(yaml))
                if ["name", "description"]
                    .iter()
                    .any(|key| value.get(key).and_then(Value::text).is_none()) =>
            {
                Ok((None, simple_lines::values(yaml)))
            }
            (Err(_), BadYaml::NameAndDescription, Frontmatter::Yaml(yaml)) => {
                Ok((None, simple_lines::values(yaml)))
            }
            (Ok((_, value)), BadYaml::LineByLine, Frontmatter::Yaml(yaml))
                if !matches!(value, Value::Map(_)) =>
            {
                Ok((None, line_by_line::values(yaml)))
            }
            (Err(_), BadYaml::LineByLine, Frontmatter::Yaml(yaml)) => Ok((None, line_by_line::values(yaml))),
            (Err(first), BadYaml::InBlocks, _) if first != fences::PROGRAM => {
                let changed = retry::in_blocks(text);
                if changed == text {
                    // A failed first attempt is cached as a file without frontmatter.
                    split.body = Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text));
                    Ok((None, Value::Null))
                } else {
                    let (parsed, body) = parse_again(&changed).map_err(|_| first)?;
                    split.body = Cow::Owned(body);
                    Ok(parsed)
                }
            }
            (Err(first), BadYaml::Repaired, _) => {
                let (parsed, body) = repair::repaired(text)
                    .and_then(|text| parse_again(&text).ok())
                    .ok_or(first)?;
                split.body = Cow::Owned(body);
                Ok(parsed)
            }
            (parsed, ..) => parsed,
        };
        let (root, value) = parsed?;
        let mut parsed = Self {
            root,
            value,
            body: split.body,
        };
        match split.frontmatter {
            Frontmatter::Whole(_) => parsed.take_prompt()?,
            Frontmatter::Toml(_) => {
                let prompt = parsed.value.get("developer_instructions").and_then(Value::text);
                parsed.body = Cow::Owned(prompt.unwrap_or_default().to_owned());
            }
            _ => {}
        }
        Ok(parsed)
    }

    /// A file that is all YAML has its prompt among the keys.
    fn take_prompt(&mut self) -> Result<(), String> {
        let prompt = self
            .value
            .get("system_prompt")
            .or_else(|| self.value.get("systemPrompt"));
        let named = |key: &str| {
            self.value
                .get(key)
                .is_some_and(|value| value.untagged().text().is_some())
        };
        if let Some(missing) = ["name", "description"].into_iter().find(|key| !named(key)) {
            return Err(format!("Missing required field: '{missing}'"));
        }
        let prompt = prompt.and_then(|value| value.untagged().text());
        self.body = Cow::Owned(
            prompt
                .ok_or("Missing required field: 'system_prompt'")?
                .to_string(),
        );
        Ok(())
    }

    fn keys(&self) -> Keys<'_> {
        Keys {
            value: &self.value,
            root: self.root.as_ref(),
        }
    }
}

/// Whether a part of the text was invalid UTF-8.
fn is_broken(source: &Source<'_>, part: &str) -> bool {
    !source.invalid.is_empty() && part.contains(char::REPLACEMENT_CHARACTER)
}
