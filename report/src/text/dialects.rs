//! The dialects.

use callsheet_contract::documents::{Dialect, DialectKey, DialectSource, Reader};
use callsheet_contract::types::Level;

use super::cell::{clean, wrap};
use super::look::Look;
use super::table::{Column, Last, Table};
use crate::words;

/// Every dialect, one per line.
pub fn dialects(look: &Look, dialects: &[Dialect]) -> String {
    const COLUMNS: [Column; 3] = [
        Column::new("NAME", 12, 2),
        Column::new("PRODUCT", 36, 0),
        Column::new("PROJECT DIRECTORIES", 14, 1),
    ];
    let row = |dialect: &Dialect| {
        vec![
            clean(&dialect.id),
            clean(&dialect.title),
            project_directories(dialect),
        ]
    };
    let rows = dialects.iter().map(row).collect();
    Table {
        columns: &COLUMNS,
        rows,
        last: Last::Wrap,
    }
    .render(look)
}

/// Everything about one dialect and its releases.
pub fn dialect(look: &Look, dialect: &Dialect, releases: &[Reader]) -> String {
    let mut out = format!("{}: {}\n", look.heading(&dialect.id), clean(&dialect.title));
    statement(&mut out, look, "Evidence", &dialect.evidence);
    statement(&mut out, look, "Equal names", &dialect.clash);
    statement(&mut out, look, "Files", &dialect.file_names);
    out.push_str(&format!(
        "\n{}\n{}",
        look.heading("Sources, in documented order"),
        sources(look, dialect)
    ));
    out.push_str(&format!(
        "\n{}\n{}",
        look.heading("Fields"),
        keys(look, &dialect.keys)
    ));
    if !releases.is_empty() {
        let rows = releases.iter().map(|release| {
            vec![
                clean(&release.id),
                clean(&release.title),
                basis(release).to_owned(),
            ]
        });
        const COLUMNS: [Column; 3] = [
            Column::new("RELEASE", 12, 2),
            Column::new("PRODUCT", 20, 0),
            Column::new("RULES FROM", 12, 1),
        ];
        let table = Table {
            columns: &COLUMNS,
            rows: rows.collect(),
            last: Last::Wrap,
        };
        out.push_str(&format!("\n{}\n{}", look.heading("Releases"), table.render(look)));
    }
    out
}

/// How the rules of one release are known.
pub fn release(look: &Look, release: &Reader) -> String {
    let mut out = format!("{}: {}\n", look.heading(&release.id), clean(&release.title));
    statement(&mut out, look, "Dialect", &release.dialect);
    statement(&mut out, look, "Rules from", basis(release));
    statement(&mut out, look, "Evidence", &release.evidence);
    out
}

fn basis(release: &Reader) -> &'static str {
    if release.measured {
        "running it"
    } else {
        "documents"
    }
}

fn project_directories(dialect: &Dialect) -> String {
    let project = dialect
        .sources
        .iter()
        .filter(|source| source.level == Level::Project);
    let mut directories: Vec<String> = Vec::new();
    for source in project {
        let directory = clean(&source.directory);
        // A file of settings has several kinds of agents.
        if !directories.contains(&directory) {
            directories.push(directory);
        }
    }
    directories.join(" ")
}

fn statement(out: &mut String, look: &Look, title: &str, text: &str) {
    const MARGIN: usize = 15;
    let lines = wrap(&clean(text), look.width.saturating_sub(MARGIN));
    for (number, line) in lines.iter().enumerate() {
        let title = if number == 0 { title } else { "" };
        out.push_str(&format!("  {title:<13}{line}\n"));
    }
}

fn sources(look: &Look, dialect: &Dialect) -> String {
    const COLUMNS: [Column; 2] = [Column::new("KIND", 12, 0), Column::new("DIRECTORY", 12, 1)];
    let row = |source: &DialectSource| vec![words::level(source.level).to_owned(), clean(&source.directory)];
    Table {
        columns: &COLUMNS,
        rows: dialect.sources.iter().map(row).collect(),
        last: Last::Wrap,
    }
    .render(look)
}

fn keys(look: &Look, keys: &[DialectKey]) -> String {
    const COLUMNS: [Column; 4] = [
        Column::new("FIELD", 12, 3),
        Column::new("ALSO SPELLED", 8, 0),
        Column::new("REQUIRED", 8, 1),
        Column::new("DEFAULT", 16, 2),
    ];
    let row = |key: &DialectKey| {
        let (first, rest) = key
            .spellings
            .split_first()
            .map_or((&key.canonical, &[][..]), |(first, rest)| (first, rest));
        let required = if key.required { "yes" } else { "no" };
        vec![
            clean(first),
            clean(&rest.join(", ")),
            required.to_owned(),
            clean(&key.default),
        ]
    };
    Table {
        columns: &COLUMNS,
        rows: keys.iter().map(row).collect(),
        last: Last::Wrap,
    }
    .render(look)
}
