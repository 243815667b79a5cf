//! What `build` did.

use callsheet_contract::documents::Transfer;
use callsheet_contract::projects::FieldSource;

use super::clean;
use crate::built::{Built, BuiltFile, BuiltState, Origins};

/// A line for each file that differs from what its source compiles to, or did, and for each loss in one that was written.
pub fn built(built: &Built) -> String {
    let broken = built.broken.iter();
    let broken = broken.map(|source| format!("{} has errors and is not compiled\n", clean(source)));
    built.files.iter().map(line).chain(broken).collect()
}

/// Where each field of a compiled file is stated, a line for each.
pub fn origins(origins: &Origins) -> Vec<String> {
    let line = |field: &FieldSource| {
        let places = field.places.iter();
        let places: Vec<String> = places
            .map(|it| format!("{}:{}", clean(&it.path), it.start.line))
            .collect();
        format!("{}: {}", clean(&field.field), places.join(", "))
    };
    origins.fields.iter().map(line).collect()
}

/// How many files are as their sources compile.
pub fn built_summary(built: &Built) -> String {
    let counts = [
        (built.count(BuiltState::Written), "written"),
        (built.count(BuiltState::Removed), "removed"),
        (built.count(BuiltState::Unchanged), "unchanged"),
        (built.count(BuiltState::EditedLeftover), "left over"),
    ];
    let to_remove = built.count(BuiltState::Leftover);
    let others = built.files.len() - counts.iter().map(|(count, _)| count).sum::<usize>();
    let planned = [(others - to_remove, "to write"), (to_remove, "to remove")];
    let counts = counts.into_iter().chain(planned);
    let counts = counts.filter(|(count, word)| *count > 0 || *word == "unchanged");
    let counts: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
    format!("{}\n", counts.join(", "))
}

fn line(file: &BuiltFile) -> String {
    let (path, source) = (clean(&file.path), clean(&file.source));
    let reason = format!("it is no longer compiled from {source}");
    let line = match file.state {
        BuiltState::Unchanged => return String::new(),
        BuiltState::Written => format!("wrote {path}"),
        BuiltState::Removed => format!("removed {path}: {reason}"),
        BuiltState::Missing => format!("{path} is missing"),
        BuiltState::Stale => format!("{path} is out of date"),
        BuiltState::Edited => format!("{path} was edited: edit {source} instead, or use --force"),
        BuiltState::Foreign => format!("{path} was not compiled from {source}: move it, or use --force"),
        BuiltState::Refused => format!("{path} is not compiled"),
        BuiltState::Leftover => format!("{path} is left over: {reason}"),
        BuiltState::EditedLeftover => {
            format!("{path} is left over and was edited: {reason}; delete it, or use --force")
        }
    };
    let losses = file.report.iter().filter(|loss| {
        file.state == BuiltState::Written && loss.fate == Transfer::Dropped && !loss.reason.is_empty()
    });
    let losses = losses.map(|loss| format!("  dropped `{}`: {}\n", clean(&loss.field), clean(&loss.reason)));
    [format!("{line}\n")].into_iter().chain(losses).collect()
}
