//! The tables of models, permission modes and efforts as Rust constants.

use std::collections::BTreeMap;
use std::path::Path;

use callsheet_schema::Canonical;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::text;

#[derive(Deserialize)]
struct Models {
    evidence: String,
    date: String,
    providers: Vec<(String, String)>,
    forms: BTreeMap<String, Form>,
    model: Vec<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    style: Style,
    takes: Vec<String>,
    #[serde(default)]
    inherit: bool,
}

/// The variants of the library's own enumeration.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Style {
    Bare,
    Named,
    Pair,
    Provider,
}

#[derive(Deserialize)]
struct Permissions {
    evidence: String,
    date: String,
    guards: Vec<Canonical>,
    mode: Vec<Mode>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Mode {
    id: String,
    words: String,
    #[serde(default)]
    reads_only: bool,
    #[serde(flatten)]
    names: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct Efforts {
    evidence: String,
    date: String,
    words: Vec<String>,
}

/// The constants of the three tables.
pub(crate) fn source(folder: &Path, dialects: &[&str]) -> String {
    let models: Models = read(folder, "models.toml");
    let permissions: Permissions = read(folder, "permissions.toml");
    let efforts: Efforts = read(folder, "efforts.toml");
    for evidence in [&models.evidence, &permissions.evidence, &efforts.evidence] {
        assert!(!evidence.is_empty(), "a table without evidence");
    }
    for date in [&models.date, &permissions.date, &efforts.date] {
        assert_eq!(date.len(), "2026-11-21".len(), "`{date}` is not a date");
    }
    for dialect in dialects {
        assert!(
            models.forms.contains_key(*dialect),
            "models.toml: {dialect} has no form"
        );
    }
    let columns = models.model.iter().flat_map(BTreeMap::keys);
    for dialect in columns.chain(permissions.mode.iter().flat_map(|mode| mode.names.keys())) {
        assert!(dialects.contains(&&**dialect), "a table has a column `{dialect}`");
    }
    let forms: String = models
        .forms
        .iter()
        .map(|(dialect, form)| {
            format!(
                "Form {{ dialect: {dialect:?}, style: Style::{:?}, takes: &{:?}, inherit: {} }},\n",
                form.style, form.takes, form.inherit
            )
        })
        .collect();
    let rows: String = models
        .model
        .iter()
        .map(|row| format!("&{:?},\n", pairs(row)))
        .collect();
    let modes: String = permissions
        .mode
        .iter()
        .map(|mode| {
            let names: String = mode
                .names
                .iter()
                .map(|(dialect, names)| format!("({dialect:?}, &{names:?}), "))
                .collect();
            let (id, words, reads_only) = (&mode.id, &mode.words, mode.reads_only);
            format!("Mode {{ id: {id:?}, words: {words:?}, reads_only: {reads_only}, names: &[{names}] }},\n")
        })
        .collect();
    let guards = permissions
        .guards
        .iter()
        .map(|guard| format!("Canonical::{guard:?}"));
    let guards = guards.collect::<Vec<_>>().join(", ");
    format!(
        "static PROVIDERS: &[(&str, &str)] = &{:?};\nstatic FORMS: &[Form] = &[\n{forms}];\n\
         static MODELS: &[&[(&str, &str)]] = &[\n{rows}];\nstatic GUARDS: &[Canonical] = &[{guards}];\n\
         static MODES: &[Mode] = &[\n{modes}];\nstatic EFFORTS: &[&str] = &{:?};\n",
        models.providers, efforts.words
    )
}

fn pairs(row: &BTreeMap<String, String>) -> Vec<(&str, &str)> {
    row.iter().map(|(dialect, name)| (&**dialect, &**name)).collect()
}

fn read<T: DeserializeOwned>(folder: &Path, file: &str) -> T {
    toml::from_str(&text(&folder.join(file))).unwrap_or_else(|error| panic!("{file}: {error}"))
}
