//! The table of retired models as Rust.

use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use crate::text;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    evidence: String,
    date: String,
    models: Vec<[String; 3]>,
}

/// The constant `RETIRED`.
pub(crate) fn source(path: &Path) -> String {
    let table: Table =
        toml::from_str(&text(path)).unwrap_or_else(|error| panic!("retired-models.toml: {error}"));
    let dated = table.models.iter().all(|[_, since, _]| *since <= table.date);
    assert!(
        dated && !table.evidence.is_empty(),
        "retired-models.toml: some are not retired yet"
    );
    let mut out = String::from("static RETIRED: &[RetiredModel] = &[\n");
    for [begins, since, instead] in &table.models {
        writeln!(
            out,
            "RetiredModel {{ begins: {begins:?}, since: {since:?}, instead: {instead:?} }},"
        )
        .expect("text can be written to text");
    }
    out + "];\n"
}
