//! Definitions in the cells of tables.

use super::cell::{brief, clean};
use super::look::Look;
use super::table::{Column, Last, Table};
use crate::bindings::exports::callsheet::agents::catalogs::{Entry, Standing};
use crate::bindings::exports::callsheet::agents::types::{ModelChoice, Origin, ToolFilter, ToolRule};
use crate::output::words;

/// Definitions in force, one a line.
pub(super) fn in_force(look: &Look, entries: &[&Entry]) -> String {
    const COLUMNS: [Column; 5] = [
        Column::new("NAME", 14, 4),
        Column::new("MODEL", 6, 1),
        Column::new("TOOLS", 8, 0),
        Column::of_paths("SOURCE", 16, 2),
        Column::new("DESCRIPTION", 22, 3),
    ];
    let row = |entry: &&Entry| {
        vec![
            brief(&entry.name, look.width),
            brief(&model(&entry.model), look.width),
            brief(&tools(&entry.tools), look.width),
            clean(&entry.origin.source),
            brief(&entry.description, look.width),
        ]
    };
    Table {
        columns: &COLUMNS,
        rows: entries.iter().map(row).collect(),
        last: Last::Cut,
    }
    .render(look)
}

/// Definitions with their standing and the whole reason for it.
pub(super) fn standings(look: &Look, entries: &[&Entry]) -> String {
    const COLUMNS: [Column; 4] = [
        Column::new("NAME", 12, 1),
        Column::new("STANDING", 8, 2),
        Column::of_paths("WHERE", 12, 3),
        Column::new("REASON", 16, 4),
    ];
    let row = |entry: &&Entry| {
        let name = brief(&entry.name, look.width);
        vec![
            name,
            standing(entry.standing),
            whereabouts(&entry.origin),
            clean(&entry.reason),
        ]
    };
    Table {
        columns: &COLUMNS,
        rows: entries.iter().map(row).collect(),
        last: Last::Wrap,
    }
    .render(look)
}

/// The file, or what there is instead of one.
pub(super) fn whereabouts(origin: &Origin) -> String {
    clean(origin.path.as_deref().unwrap_or(&origin.source))
}

/// The standing in words.
pub(super) fn standing(standing: Standing) -> String {
    words::standing(standing).replace('-', " ")
}

/// The model in a word.
pub(super) fn model(model: &ModelChoice) -> String {
    match model {
        ModelChoice::Absent => "default".to_owned(),
        ModelChoice::Inherit => "inherit".to_owned(),
        ModelChoice::Alias(name) | ModelChoice::Id(name) => name.clone(),
    }
}

/// The tools in a few words.
pub(super) fn tools(filter: &ToolFilter) -> String {
    match filter {
        ToolFilter::Absent => "default".to_owned(),
        ToolFilter::Null => "null".to_owned(),
        ToolFilter::None => "none".to_owned(),
        ToolFilter::All => "all".to_owned(),
        ToolFilter::Only(rules) => rules.iter().map(rule).collect::<Vec<_>>().join(", "),
    }
}

/// A tool as it is written in a list.
pub(super) fn rule(rule: &ToolRule) -> String {
    match &rule.specifier {
        Some(specifier) => format!("{}({specifier})", rule.tool),
        None => rule.tool.clone(),
    }
}
