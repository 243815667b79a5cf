//! How readers read files: which ones load them, and why others do not.

use callsheet_contract::documents::{Fate, Held, HeldTools, Reader, Seen};

use super::cell::{brief, clean, wrap};
use super::look::Look;
use super::table::{Column, Last, Table};
use crate::report::{Readers, Readings};

/// Many files: a mark for each reader that searches any of them, then the reasons.
pub fn matrix(look: &Look, readers: &Readers) -> String {
    if readers.files.is_empty() {
        return "nothing to check: no file there may be an agent\n".to_owned();
    }
    let looks = |reader: &&Reader| {
        let mut seen = readers.files.iter().filter_map(|file| seen_by(file, reader));
        seen.any(|seen| seen.fate != Fate::NotLookedAt)
    };
    let columns: Vec<&Reader> = readers.readers.iter().filter(looks).collect();
    if columns.is_empty() {
        return format!("{}\n", unmeasured());
    }
    let mut out = look.heading("Readers:\n");
    for (number, reader) in columns.iter().enumerate() {
        out.push_str(&format!(
            "  {}  {}{}\n",
            number + 1,
            clean(&reader.id),
            doubt(look, reader)
        ));
    }
    out.push('\n');
    for file in &readers.files {
        let row: Vec<Option<&Seen>> = columns.iter().map(|reader| seen_by(file, reader)).collect();
        let marks: Vec<String> = row.iter().map(|seen| mark(look, *seen)).collect();
        out.push_str(&format!("  {}  {}\n", marks.join(" "), clean(&file.path)));
        let seen: Vec<&Seen> = row.into_iter().flatten().collect();
        out.push_str(&remarks(look, &seen, 2 * columns.len() + 3));
    }
    let legend = "\n+ loads   ~ loads, with differences   x dropped   . not searched";
    let is_unknown = |file: &Readings| columns.iter().any(|reader| seen_by(file, reader).is_none());
    let unknown = if readers.files.iter().any(is_unknown) {
        "   ? not measured\n"
    } else {
        "\n"
    };
    out.push_str(&look.faint([legend, unknown].concat()));
    out
}

/// What a reader does with a file; none if it is not known for files of this kind.
fn seen_by<'a>(file: &'a Readings, reader: &Reader) -> Option<&'a Seen> {
    file.seen.iter().find(|seen| seen.reader == reader.id)
}

/// One file: each reader with its reason, and the differences it holds.
pub fn readings(look: &Look, readers: &Readers, file: &Readings) -> String {
    const COLUMNS: [Column; 2] = [Column::new("READER", 16, 0), Column::new("WHAT IT DOES", 16, 1)];
    let row = |reader: &Reader| {
        let seen = seen_by(file, reader)?;
        let mut lines = vec![format!("{}{}", verdict(seen), doubt(look, reader))];
        if let Some(agent) = &seen.agent {
            for field in &seen.differs {
                lines.push(format!("{field}: {}", held(field, agent, look)));
            }
        }
        Some(vec![clean(&reader.id), lines.join("\n")])
    };
    if file.seen.is_empty() {
        return format!("{}\n", unmeasured());
    }
    let table = Table {
        columns: &COLUMNS,
        rows: readers.readers.iter().filter_map(row).collect(),
        last: Last::Wrap,
    };
    format!("{}\n{}", look.heading(clean(&file.path)), table.render(look))
}

fn unmeasured() -> &'static str {
    "no reader of these files is measured; `callsheet check` checks them by the documentation of their tools"
}

fn doubt(look: &Look, reader: &Reader) -> String {
    if reader.measured {
        String::new()
    } else {
        look.faint(" (documented, not measured)")
    }
}

fn mark(look: &Look, seen: Option<&Seen>) -> String {
    match seen.map(|seen| seen.fate) {
        Some(Fate::Loads) => look.good("+"),
        Some(Fate::LoadsDifferently) => look.doubtful("~"),
        Some(Fate::Dropped) => look.bad("x"),
        Some(Fate::NotLookedAt) => look.faint("."),
        None => look.faint("?"),
    }
}

/// Why readers drop a file, or the differences they hold, grouped by result; empty if there is nothing to report.
fn remarks(look: &Look, seen: &[&Seen], indent: usize) -> String {
    let is_well =
        |seen: &Seen| matches!(seen.fate, Fate::Loads | Fate::NotLookedAt) && seen.reason.is_empty();
    let mut minds: Vec<(String, Vec<String>)> = Vec::new();
    for seen in seen.iter().filter(|seen| !is_well(seen)) {
        let verdict = verdict(seen);
        match minds.iter_mut().find(|(known, _)| *known == verdict) {
            Some((_, readers)) => readers.push(clean(&seen.reader)),
            None => minds.push((verdict, vec![clean(&seen.reader)])),
        }
    }
    let mut out = String::new();
    for (verdict, readers) in minds {
        let text = format!("{}: {verdict}", readers.join(", "));
        for line in wrap(&text, look.width.saturating_sub(indent + 2)) {
            out.push_str(&format!("{:indent$}  {line}\n", ""));
        }
    }
    out
}

fn verdict(seen: &Seen) -> String {
    let reason = clean(&seen.reason);
    match seen.fate {
        Fate::Loads if reason.is_empty() => "loads".to_owned(),
        Fate::Loads => format!("listed, but cannot be called: {reason}"),
        Fate::LoadsDifferently if reason.is_empty() => {
            format!("loads, with different {}", listed(&seen.differs))
        }
        Fate::LoadsDifferently => format!(
            "listed with different {}, but cannot be called: {reason}",
            listed(&seen.differs)
        ),
        Fate::Dropped => format!("dropped: {reason}"),
        Fate::NotLookedAt => "does not search there".to_owned(),
    }
}

fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [words @ .., last] => format!("{} and {last}", words.join(", ")),
    }
}

fn held(field: &str, agent: &callsheet_contract::documents::HeldAgent, look: &Look) -> String {
    let shown = |held: &Held| match &*held.kind {
        "text" if held.value.is_empty() => "empty".to_owned(),
        "text" => brief(&held.value, look.width),
        kind => format!("{} ({kind})", brief(&held.value, look.width)),
    };
    match field {
        "name" => shown(&agent.name),
        "description" => shown(&agent.description),
        "model" => agent.model.as_ref().map_or("none of its own".to_owned(), shown),
        "tools" => match &agent.tools {
            HeldTools::Nothing | HeldTools::All => "all".to_owned(),
            HeldTools::Only(names) if names.is_empty() => "none".to_owned(),
            HeldTools::Only(names) => brief(&names.join(" | "), look.width),
        },
        _ if agent.prompt.trim().is_empty() => "empty".to_owned(),
        _ => brief(&agent.prompt, look.width),
    }
}
