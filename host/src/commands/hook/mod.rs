//! `hook`: checks the files that a coding agent has just changed, and tells the agent.

mod call;

use std::io::{Read as _, stdin};
use std::path::PathBuf;

use callsheet::output::concise;
use callsheet::output::report::{Checked, Finding};
use callsheet::output::text::{clean, plural};
use callsheet::types::Severity;

use self::call::Call;
use super::check;
use super::context::Context;
use crate::exit::{Exit, Failure};

/// Larger than any call.
const LONGEST: u64 = 64 << 20;

/// In bytes. Claude Code passes 10,000 characters on, Copilot CLI 10 KB.
const LONGEST_ANSWER: usize = 9_000;

pub(super) fn run(context: &mut Context) -> Result<Exit, Failure> {
    answer(context).map_err(|mut failure| {
        // After 2, Claude Code shows the error to the agent instead of the user.
        failure.exit = Exit::Findings;
        failure
    })
}

fn answer(context: &mut Context) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    let read = stdin().take(LONGEST).read_to_end(&mut text);
    read.map_err(|error| Failure::trouble(format!("cannot read standard input: {error}")))?;
    let call: Call = serde_json::from_slice(&text).map_err(|error| {
        let reason = clean(&error.to_string());
        let failure = Failure::trouble(format!(
            "standard input is not a call of a tool in JSON: {reason}"
        ));
        failure.help("a coding agent starts `callsheet hook`: see docs/editors.md")
    })?;
    let files: Vec<PathBuf> = call.files().into_iter().filter(|path| path.is_file()).collect();
    if files.is_empty() {
        return Ok(Exit::Clean);
    }
    context.configure()?;
    // What is not checked is of no interest here.
    context.options.quiet = true;
    let checked = check::of_files(context, &files)?;
    if let Some(text) = problems(&checked) {
        context.print(&format!("{}\n", call.answer(&text)))?;
    }
    Ok(Exit::Clean)
}

/// The errors and warnings, for the agent; none if there are none.
fn problems(checked: &Checked) -> Option<String> {
    let is_problem = |finding: &&Finding| finding.diagnostic.severity != Severity::Note;
    let found: Vec<&Finding> = checked.reported().filter(is_problem).collect();
    if found.is_empty() {
        return None;
    }
    let mut text = format!(
        "callsheet check: {} after this change\n",
        plural(found.len(), "problem")
    );
    for (number, finding) in found.iter().enumerate() {
        let part = problem(finding);
        if text.len() + part.len() > LONGEST_ANSWER {
            let rest = plural(found.len() - number, "more problem");
            text.push_str(&format!(
                "{rest}: `callsheet check` with the path of the file shows all\n"
            ));
            break;
        }
        text.push_str(&part);
    }
    let mut fixes = found.iter().flat_map(|finding| &finding.diagnostic.fixes);
    if fixes.any(|fix| fix.safe) {
        text.push_str("`callsheet check --fix` with the path of the file applies the safe fixes\n");
    }
    Some(text)
}

fn problem(finding: &Finding) -> String {
    let found = &finding.diagnostic;
    let mut text = concise::diagnostic(found);
    let fixes = found
        .fixes
        .iter()
        .map(|fix| (if fix.safe { "fix" } else { "unsafe fix" }, &fix.title));
    let (note, help) = (found.note.iter(), found.help.iter());
    let lines = note
        .map(|note| ("note", note))
        .chain(help.map(|help| ("help", help)));
    for (label, line) in lines.chain(fixes) {
        text.push_str(&format!("  {label}: {}\n", clean(line)));
    }
    text
}
