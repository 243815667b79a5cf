//! Definitions in the cells of tables.

use callsheet_contract::catalogs::{Entry, Standing};
use callsheet_contract::types::{Kind, ModelChoice, Origin, ToolFilter, ToolRule};

use super::cell::{brief, clean};
use super::look::Look;
use super::table::{Column, Last, Table};
use crate::words;

/// Active definitions, one per line.
pub(super) fn active(look: &Look, entries: &[&Entry]) -> String {
    const COLUMNS: [Column; 5] = [
        Column::new("NAME", 20, 4),
        Column::new("MODEL", 7, 1),
        Column::new("TOOLS", 7, 0),
        Column::of_paths("SOURCE", 16, 2),
        Column::new("DESCRIPTION", 16, 3),
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

/// Definitions with their standing, their place and the whole reason.
pub(super) fn standings(look: &Look, entries: &[&Entry]) -> String {
    const COLUMNS: [Column; 2] = [Column::new("NAME", 20, 0), Column::new("WHERE AND WHY", 16, 1)];
    let row = |entry: &&Entry| {
        let place = format!("{}: {}", standing(entry.standing), whereabouts(&entry.origin));
        vec![
            brief(&entry.name, look.width),
            format!("{place}\n{}", clean(&entry.reason)),
        ]
    };
    let rows = entries.iter().map(row).collect();
    Table {
        columns: &COLUMNS,
        rows,
        last: Last::Wrap,
    }
    .render(look)
}

/// The file, or the source without one.
pub(super) fn whereabouts(origin: &Origin) -> String {
    clean(origin.path.as_deref().unwrap_or(&origin.source))
}

/// The standing in words.
pub(super) fn standing(standing: Standing) -> String {
    match standing {
        Standing::Active => "active".to_owned(),
        other => words::standing(other).replace('-', " "),
    }
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

/// The noun for what a file defines.
pub fn noun(value: Kind) -> &'static str {
    match value {
        Kind::Agent => "agent",
        Kind::Skill => "skill",
        Kind::Command => "command",
    }
}
