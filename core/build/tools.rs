//! The table of tools as Rust constants, which need no code to be read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use callsheet_schema::Canonical;
use serde::Deserialize;

use crate::text;

#[derive(Deserialize)]
struct Table {
    rights: Vec<Right>,
    #[serde(flatten)]
    vocabularies: BTreeMap<String, Vocabulary>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Right {
    id: String,
    words: String,
    #[serde(default)]
    implies: Vec<String>,
    #[serde(default)]
    within: Vec<String>,
    #[serde(default)]
    changes_nothing: bool,
    #[serde(default)]
    acts: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Vocabulary {
    evidence: String,
    date: String,
    #[serde(default)]
    mcp: Option<Mcp>,
    #[serde(default)]
    any_case: bool,
    #[serde(default)]
    specifiers: bool,
    #[serde(default)]
    bounds: Option<Canonical>,
    #[serde(default)]
    aliases_in: String,
    #[serde(default)]
    old_names: String,
    #[serde(default)]
    more: String,
    #[serde(default)]
    bounded: Vec<Vec<String>>,
    #[serde(default)]
    kept: Vec<String>,
    #[serde(default)]
    settings: Vec<String>,
    #[serde(default)]
    switches: Vec<(Canonical, String, String, String)>,
    tools: Vec<Vec<String>>,
    #[serde(default)]
    aliases: Vec<Vec<String>>,
    #[serde(default)]
    renamed: Vec<Vec<String>>,
    #[serde(default)]
    retired: Vec<Vec<String>>,
}

/// The variants of the library's own enumeration.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Mcp {
    DoubleUnderscore,
    PrefixedUnderscore,
    Underscore,
    Slash,
}

/// The constants `RIGHTS` and `VOCABULARIES`, a text each.
pub(crate) fn sources(path: &Path, dialects: &[&str]) -> (String, String) {
    let table: Table = toml::from_str(&text(path)).unwrap_or_else(|error| panic!("tools.toml: {error}"));
    let without: Vec<&&str> = dialects
        .iter()
        .filter(|dialect| !table.vocabularies.contains_key(**dialect))
        .collect();
    assert!(without.is_empty(), "tools.toml has no tools of {without:?}");
    assert!(
        table.rights.len() < 64,
        "tools.toml: rights are the bits of a number"
    );
    let mut rights = String::from("static RIGHTS: &[Right] = &[\n");
    for right in &table.rights {
        let implies = table.bits(&right.implies);
        let within = table.bits(&right.within);
        let (id, words, changes_nothing, acts) = (&right.id, &right.words, right.changes_nothing, right.acts);
        push(
            &mut rights,
            format_args!(
                "Right {{ id: {id:?}, words: {words:?}, implies: Rights({implies}), within: Rights({within}), changes_nothing: {changes_nothing}, acts: {acts} }},\n"
            ),
        );
    }
    rights.push_str("];\nimpl Rights {\n");
    for (bit, Right { id, words, .. }) in table.rights.iter().enumerate() {
        let name = id.replace('-', "_").to_uppercase();
        push(
            &mut rights,
            format_args!("/// To {words}.\npub const {name}: Self = Self(1 << {bit});\n"),
        );
    }
    rights.push_str("}\n");
    let mut out = String::from("static VOCABULARIES: &[Vocabulary] = &[\n");
    for (dialect, vocabulary) in &table.vocabularies {
        table.vocabulary(&mut out, dialect, vocabulary);
    }
    out.push_str("];\n");
    (rights, out)
}

impl Table {
    fn vocabulary(&self, out: &mut String, dialect: &str, vocabulary: &Vocabulary) {
        let (evidence, date, any_case) = (&vocabulary.evidence, &vocabulary.date, vocabulary.any_case);
        let specifiers = vocabulary.specifiers;
        let bounds = match vocabulary.bounds {
            Some(field) => format!("Some(Canonical::{field:?})"),
            None => "None".to_owned(),
        };
        let (aliases_in, old_names) = (&vocabulary.aliases_in, &vocabulary.old_names);
        let more = &vocabulary.more;
        let bounded = vocabulary.bounded.iter();
        let bounded: String = bounded
            .map(|row| format!("({:?}, Rights({})), ", row[0], self.bits(&row[1..])))
            .collect();
        let (kept, settings) = (self.bits(&vocabulary.kept), self.bits(&vocabulary.settings));
        let switches = vocabulary.switches.iter();
        let switches: String = switches
            .map(|(field, right, on, off)| {
                let right = self.bits(std::slice::from_ref(right));
                format!("Switch {{ field: Canonical::{field:?}, right: Rights({right}), on: {on:?}, off: {off:?} }}, ")
            })
            .collect();
        let mcp = match &vocabulary.mcp {
            Some(style) => format!("Some(McpStyle::{style:?})"),
            None => "None".to_owned(),
        };
        push(
            out,
            format_args!(
                "Vocabulary {{ dialect: {dialect:?}, evidence: {evidence:?}, date: {date:?}, mcp: {mcp}, any_case: {any_case}, specifiers: {specifiers}, bounds: {bounds}, bounded: &[{bounded}], kept: Rights({kept}), settings: Rights({settings}), switches: &[{switches}], aliases_in: {aliases_in:?}, old_names: {old_names:?}, more: {more:?}, tools: &[\n"
            ),
        );
        let mut names = BTreeSet::new();
        let mut tool = |name: &str, standing: String, rights: u64| {
            assert!(
                names.insert(name.to_owned()),
                "tools.toml: {dialect} has `{name}` twice"
            );
            push(
                out,
                format_args!("Tool {{ name: {name:?}, standing: {standing}, rights: Rights({rights}) }},\n"),
            );
        };
        for row in &vocabulary.tools {
            tool(&row[0], "Standing::Current".to_owned(), self.bits(&row[1..]));
        }
        for (rows, standing) in [(&vocabulary.aliases, "Alias"), (&vocabulary.renamed, "Renamed")] {
            for row in rows {
                tool(
                    &row[0],
                    format!("Standing::{standing}({:?})", row[1]),
                    self.of(vocabulary, row),
                );
            }
        }
        for row in &vocabulary.retired {
            let now = (!row[1].is_empty()).then_some(&row[1]);
            tool(
                &row[0],
                format!("Standing::Retired({now:?})"),
                self.of(vocabulary, row),
            );
        }
        out.push_str("] },\n");
    }

    /// The rights of an old name: its own, else those of the new one.
    fn of(&self, vocabulary: &Vocabulary, row: &[String]) -> u64 {
        if row.len() > 2 || row[1].is_empty() {
            return self.bits(&row[2..]);
        }
        let new = vocabulary.tools.iter().find(|tool| tool[0] == row[1]);
        let new = new.unwrap_or_else(|| panic!("tools.toml: `{}` resolves to no tool", row[0]));
        self.bits(&new[1..])
    }

    fn bits(&self, ids: &[String]) -> u64 {
        ids.iter().fold(0, |bits, id| {
            let at = self.rights.iter().position(|right| right.id == *id);
            bits | 1 << at.unwrap_or_else(|| panic!("tools.toml: unknown right `{id}`"))
        })
    }
}

fn push(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    out.write_fmt(arguments).expect("text can be written to text");
}
