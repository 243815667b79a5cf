//! `new`: creates an agent, a skill or a command, from the command line or interactively.

mod answers;
mod template;
mod wizard;

use callsheet::output::report::Written;
use callsheet::types::Level;

use self::answers::Answers;
use super::context::Context;
use super::written::{self, Naming, Watch, directory, not_made};
use super::{editor, kinds};
use crate::cli::New;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: New) -> Result<Exit, Failure> {
    let edit = command.edit;
    if edit && !context.asks() {
        let failure = Failure::trouble("not a terminal: cannot open an editor");
        return Err(failure.help("omit `--edit`, and set everything on the command line"));
    }
    let mut answers = Answers::start(context, command)?;
    let missing = answers.missing();
    let asked = !missing.is_empty() && context.asks();
    if asked {
        wizard::ask(context, &mut answers)?;
    } else if !missing.is_empty() {
        let failure = Failure::trouble(format!("not a terminal; missing {}", missing.join(", ")));
        return Err(failure.help(
            "such as `callsheet new reviewer --description \"Reviews code\" --prompt \"Review it.\"`, or `--template reviewer`",
        ));
    }
    let naming = Naming {
        dialect: answers.dialect.clone(),
        kind: context.kind,
    };
    let file = naming.file(context, answers.name())?;
    let dialect = answers.dialect.id.clone();
    let rules = kinds::dialect(context.kind, &dialect);
    let (text, unlimited) = answers.text(&mut context.callsheet, &rules).map_err(not_said)?;
    let level = if answers.user { Level::User } else { Level::Project };
    let path = directory(context, &dialect, level)?;
    let path = format!("{path}/{file}");
    let contents = match (edit, asked) {
        (true, _) => editor::revise(context, &path, &rules, text.as_bytes())?,
        (false, true) if !wizard::preview(context, &path, &text)? => None,
        (false, _) => Some(text.into_bytes()),
    };
    let Some(contents) = contents else {
        context.remark("nothing was written");
        return Ok(Exit::Findings);
    };
    let watch = Watch::start(context, &dialect)?;
    context.callsheet.create(&path, &contents).map_err(not_made)?;
    let parsed = context.callsheet.parse(&path, &contents, Some(&rules))?;
    written::remark(context, &path, &[], &parsed.diagnostics);
    // The name may have changed in the editor.
    let name = parsed
        .agent
        .map_or_else(|| answers.name().to_owned(), |agent| agent.name);
    let written = Written {
        command: "new",
        path: Some(path),
        from: None,
        changed: true,
        also: Vec::new(),
        now: Vec::new(),
    };
    if let Some(reason) = unlimited {
        context.remark(&format!(
            "note: the agent may use all tools that you allow {dialect}: {reason}"
        ));
    }
    watch.finish(context, written, &[&name])
}

fn not_said(error: callsheet::Error) -> Failure {
    match Failure::from(error) {
        failure if failure.exit == Exit::Trouble => failure.help("nothing was written"),
        failure => failure,
    }
}
