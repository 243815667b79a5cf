//! `check --readers` and `show --readers`: what releases really do with files.

use callsheet::documents::Fate;
use callsheet::output::report::{Readers, Readings};
use callsheet::output::{concise, json_v1, text};

use super::context::Context;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

/// The matrix of these files.
pub(super) fn check(context: &mut Context, paths: Vec<String>) -> Result<Exit, Failure> {
    let (mut files, mut failed) = (Vec::new(), false);
    for path in paths {
        match readings(context, &path) {
            Ok(file) => files.push(file),
            Err(failure) => {
                context.complain(&failure);
                failed = true;
            }
        }
    }
    let readers = Readers {
        readers: context.callsheet.readers()?,
        files,
        prompts: false,
    };
    print(context, &readers, text::matrix)?;
    Ok(match failed {
        true => Exit::Trouble,
        false if readers.files.iter().any(splits) => Exit::Findings,
        false => Exit::Clean,
    })
}

/// One file.
pub(super) fn show(context: &mut Context, path: &str) -> Result<Exit, Failure> {
    let readers = Readers {
        files: vec![readings(context, path)?],
        readers: context.callsheet.readers()?,
        prompts: true,
    };
    print(context, &readers, |look, readers| {
        let tables = readers
            .files
            .iter()
            .map(|file| text::readings(look, readers, file));
        tables.collect()
    })?;
    Ok(Exit::Clean)
}

fn readings(context: &mut Context, path: &str) -> Result<Readings, Failure> {
    let contents = context.callsheet.read(path)?;
    Ok(Readings {
        path: path.to_owned(),
        seen: context.callsheet.readings(path, &contents)?,
    })
}

/// Whether some load it and some drop it. What all drop is no agent, or `check` says what is wrong with it.
fn splits(file: &Readings) -> bool {
    let any = |fate: fn(Fate) -> bool| file.seen.iter().any(|seen| fate(seen.fate));
    any(|fate| fate == Fate::Dropped) && any(|fate| matches!(fate, Fate::Loads | Fate::LoadsDifferently))
}

fn print(
    context: &mut Context,
    readers: &Readers,
    text: impl Fn(&text::Look, &Readers) -> String,
) -> Result<(), Failure> {
    let printed = match context.options.format.common() {
        Some(Format::Text) => text(&context.look, readers),
        Some(Format::Concise) => concise::readers(readers),
        Some(Format::Json) => json_v1::readers(readers),
        None => {
            let failure = Failure::trouble("this format holds findings, and readings are none");
            return Err(failure.help("`--readers` prints `--format text`, `concise` or `json`"));
        }
    };
    Ok(context.print(&printed)?)
}
