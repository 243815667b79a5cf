//! `check --repos`.

mod print;
mod said;

use self::said::{Said, said};
use super::chosen::Chosen;
use crate::cli::{Check, Output};
use crate::commands::context::Context;
use crate::commands::repos::{self, Done};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Check) -> Result<Exit, Failure> {
    if !matches!(
        context.options.format,
        Output::Text | Output::Concise | Output::Json
    ) {
        let failure = Failure::trouble("`--repos` prints text, concise lines or JSON");
        return Err(failure.help("for another format, check each repository on its own"));
    }
    let chosen = Chosen::of(context, command)?;
    let Check {
        target,
        no_ignore,
        select,
        ignore,
        severity,
        ..
    } = command;
    let asked = format!("check {target:?} {no_ignore} {select:?} {ignore:?} {severity:?}");
    let work = |opened: &mut _| said(opened, command, &chosen);
    let done = repos::all(context, &command.many, &asked, target, work)?;
    print::all(context, &done)?;
    repos::remark(context, &command.many, &done);
    Ok(exit(&done, command))
}

fn exit(done: &[Done<Said>], command: &Check) -> Exit {
    let said = || done.iter().filter_map(Done::said);
    if said().count() < done.len() {
        Exit::Trouble
    } else if command.exit_zero || said().all(|said| said.errors + said.warnings == 0) {
        Exit::Clean
    } else {
        Exit::Findings
    }
}
