//! Opens a file in the user's editor.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use callsheet::output::concise;
use callsheet::output::text::clean;
use callsheet::types::Severity;
use dialoguer::Select;

use super::context::Context;
use crate::exit::Failure;

/// The edited contents; none if the user discards them. Contents that would not load are only used if the user confirms.
pub(super) fn revise(
    context: &mut Context,
    path: &str,
    dialect: &str,
    contents: &[u8],
) -> Result<Option<Vec<u8>>, Failure> {
    // A copy: the original is kept until the user confirms.
    let directory = tempfile::tempdir().map_err(|error| not_copied(&error))?;
    let file = path.rsplit('/').next().unwrap_or(path);
    let copy = directory.path().join(file);
    fs::write(&copy, contents).map_err(|error| not_copied(&error))?;
    loop {
        context.pause()?;
        open(&editor(), &copy)?;
        let after = fs::read(&copy).map_err(|error| not_copied(&error))?;
        if after == contents || loads(context, path, dialect, &after)? {
            return Ok(Some(after));
        }
        let choice = ["edit it again", "discard the changes", "write it anyway"];
        let chosen = context.ask(|theme| {
            let select = Select::with_theme(theme).with_prompt("It would not load. What now?");
            select.items(choice).default(0).interact_opt()
        })?;
        match chosen {
            0 => {}
            1 => return Ok(None),
            _ => return Ok(Some(after)),
        }
    }
}

/// Whether the dialect would load it. If not, prints why.
fn loads(context: &mut Context, path: &str, dialect: &str, contents: &[u8]) -> Result<bool, Failure> {
    let parsed = context.callsheet.parse(path, contents, Some(dialect))?;
    if !parsed.loads {
        let grave = |found: &&callsheet::types::Diagnostic| found.severity == Severity::Error;
        for found in parsed.diagnostics.iter().filter(grave) {
            context.remark(concise::diagnostic(found).trim_end());
        }
    }
    Ok(parsed.loads)
}

/// The configured editor, otherwise the system's default.
fn editor() -> String {
    let stated = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| env::var(name).ok());
    let mut stated = stated.filter(|editor| !editor.trim().is_empty());
    let usual = if cfg!(windows) { "notepad" } else { "vi" };
    stated.next().unwrap_or_else(|| usual.to_owned())
}

/// Waits for the editor.
fn open(editor: &str, file: &Path) -> Result<(), Failure> {
    let failed = |what: String| {
        let failure = Failure::trouble(format!("the editor `{}` {what}", clean(editor)));
        failure.help("nothing was written; set `VISUAL` or `EDITOR` to your editor")
    };
    let status = command(editor, file).status();
    let status = status.map_err(|error| failed(format!("cannot be started: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(failed(format!("failed: {status}")))
    }
}

/// The variables contain a command line with arguments, such as `code --wait`.
#[cfg(unix)]
fn command(editor: &str, file: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{editor} \"$@\""), editor])
        .arg(file);
    command
}

#[cfg(not(unix))]
fn command(editor: &str, file: &Path) -> Command {
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(editor));
    command.args(words).arg(file);
    command
}

fn not_copied(error: &io::Error) -> Failure {
    Failure::trouble(format!("cannot write or read a copy for the editor: {error}"))
}
