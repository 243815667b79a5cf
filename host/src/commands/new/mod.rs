//! `new`: writes a new agent, from the command line or by questions on the terminal.

mod answers;
mod template;
mod wizard;

use callsheet::output::report::Written;
use callsheet::types::Level;

use self::answers::Answers;
use super::context::Context;
use super::written::{Watch, directory, new_name, not_made};
use crate::cli::New;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: New) -> Result<Exit, Failure> {
    let mut answers = Answers::start(context, command)?;
    let missing = answers.missing();
    let asked = !missing.is_empty() && context.asks();
    if asked {
        wizard::ask(context, &mut answers)?;
    } else if !missing.is_empty() {
        let failure = Failure::trouble(format!(
            "nobody can be asked, and this is missing: {}",
            missing.join(", ")
        ));
        return Err(failure.help(
            "such as `callsheet new reviewer --description \"Reviews code\" --prompt \"Review it.\"`, or `--template reviewer`",
        ));
    }
    new_name(answers.name())?;
    let draft = answers.draft()?;
    let dialect = answers.dialect.id.clone();
    let text = context.callsheet.render(&draft, &dialect).map_err(not_said)?;
    let level = if answers.user { Level::User } else { Level::Project };
    let path = format!("{}/{}.md", directory(context, &dialect, level)?, answers.name());
    if asked && !wizard::preview(context, &path, &text)? {
        context.remark("nothing was written");
        return Ok(Exit::Findings);
    }
    let watch = Watch::start(context, &dialect)?;
    context
        .callsheet
        .create(&path, text.as_bytes())
        .map_err(not_made)?;
    let written = Written {
        command: "new",
        path: Some(path),
        from: None,
        changed: true,
        now: Vec::new(),
    };
    watch.finish(context, written, &[answers.name()])
}

fn not_said(error: callsheet::Error) -> Failure {
    match Failure::from(error) {
        failure if failure.exit == Exit::Trouble => failure.help("nothing was written"),
        failure => failure,
    }
}
