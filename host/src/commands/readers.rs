//! `check --readers` and `show --readers`: how releases read files.

use callsheet::closest::closest;
use callsheet::documents::{Fate, Reader};
use callsheet::output::report::{Readers, Readings};
use callsheet::output::text::clean;
use callsheet::output::{concise, json_v1, text};

use super::context::Context;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

/// The matrix of these files.
pub(super) fn check(context: &mut Context, paths: Vec<String>, names: &[String]) -> Result<Exit, Failure> {
    let asked = asked(context, names)?;
    let (mut files, mut failed) = (Vec::new(), false);
    for path in paths {
        match readings(context, &path, &asked) {
            Ok(file) => files.push(file),
            Err(failure) => {
                context.complain(&failure);
                failed = true;
            }
        }
    }
    let readers = Readers {
        readers: asked,
        files,
        prompts: false,
    };
    print(context, &readers, text::matrix)?;
    Ok(if failed {
        Exit::Trouble
    } else if readers.files.iter().any(splits) {
        Exit::Findings
    } else {
        Exit::Clean
    })
}

/// One file.
pub(super) fn show(context: &mut Context, path: &str, names: &[String]) -> Result<Exit, Failure> {
    let asked = asked(context, names)?;
    let readers = Readers {
        files: vec![readings(context, path, &asked)?],
        readers: asked,
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

/// The named readers, else those of the targets, else all.
fn asked(context: &mut Context, names: &[String]) -> Result<Vec<Reader>, Failure> {
    let mut readers = context.callsheet.readers()?;
    let named: Vec<&String> = names.iter().filter(|name| !name.is_empty()).collect();
    let is = |reader: &Reader, name: &str| reader.id == name || reader.dialect == name;
    for name in &named {
        if !readers.iter().any(|reader| is(reader, name)) {
            return Err(not_read(name, &readers));
        }
    }
    let targets = &context.config.checks.targets;
    if !named.is_empty() {
        readers.retain(|reader| named.iter().any(|name| is(reader, name)));
    } else if !targets.is_empty() {
        readers.retain(|reader| targets.iter().any(|name| is(reader, name)));
    }
    if readers.is_empty() {
        Err(Failure::nothing_found(format!(
            "no reader data for {}",
            targets.join(", ")
        )))
    } else {
        Ok(readers)
    }
}

fn not_read(name: &str, readers: &[Reader]) -> Failure {
    let failure = Failure::trouble(format!("no reader data for `{}`", clean(name)));
    let known = readers.iter().map(|reader| reader.id.as_str());
    let known: Vec<&str> = known
        .chain(readers.iter().map(|reader| &*reader.dialect))
        .collect();
    let failure = match closest(name, known.iter().copied()) {
        Some(near) => failure.help(format!("did you mean `{near}`?")),
        None => failure,
    };
    let ids: Vec<&str> = readers.iter().map(|reader| reader.id.as_str()).collect();
    failure.help(format!("use one of: {}", ids.join(", ")))
}

fn readings(context: &mut Context, path: &str, asked: &[Reader]) -> Result<Readings, Failure> {
    let contents = context.callsheet.read(path)?;
    let mut seen = context.callsheet.readings(path, &contents)?;
    seen.retain(|seen| asked.iter().any(|reader| reader.id == seen.reader));
    Ok(Readings {
        path: path.to_owned(),
        seen,
    })
}

/// Whether readers disagree. A file that all drop is not an agent, or `check` reports why.
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
            let failure = Failure::trouble("this format is only available for findings");
            return Err(failure.help("`--readers` prints `--format text`, `concise` or `json`"));
        }
    };
    Ok(context.print(&printed)?)
}
