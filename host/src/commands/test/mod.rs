//! `test`: runs the test cases of agents.

mod attempt;
mod chosen;

use callsheet::cases::{Case, CaseFile};
use callsheet::drive::Interrupts;
use callsheet::output::tested::{self, Tested, TestedCase, TestedFile, Tries};
use callsheet::output::text::clean;
use callsheet::processes::Ending;

use self::attempt::{Runner, With};
use super::context::Context;
use crate::cli::{Output, Test};
use crate::exit::{Exit, Failure};

/// Ctrl-C.
const INTERRUPT: i32 = 2;

pub(super) fn run(context: &mut Context, command: &Test) -> Result<Exit, Failure> {
    if command.tries() > 1 && !command.is_live() {
        let failure = Failure::trouble(
            "`--tries` repeats requests to models, but a replay always gives the same answers",
        );
        return Err(failure.help("add `--live` or `--model PROVIDER:NAME`"));
    }
    if command.baseline && !command.is_live() {
        let failure = Failure::trouble("`--baseline` asks models, because recordings have no answers for it");
        return Err(failure.help("add `--live` or `--model PROVIDER:NAME`"));
    }
    let Some(files) = chosen::files(context, command)? else {
        return Ok(Exit::Trouble);
    };
    let ending = Ending::watch();
    let _guard = ending.guard();
    let interrupts = Interrupts::listen(ending)?;
    context.pause()?;
    let runner = Runner::new(context, command, &interrupts);
    let Some(tested) = all(runner, &files)? else {
        context.complain(&Failure::trouble("interrupted"));
        return Ok(Exit::Interrupted(interrupts.signal().unwrap_or(INTERRUPT)));
    };
    match context.options.format {
        Output::Json => context.print(&tested::document(&tested))?,
        Output::Junit => context.print(&tested::junit(&tested))?,
        Output::Markdown => context.print(&tested::markdown(&tested))?,
        Output::Html => context.print(&tested::html(&tested))?,
        _ => {
            context.flush()?;
            context.remark(&tested::summary(&tested));
        }
    }
    Ok(if tested.passed() == tested.cases().count() {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

/// Runs all cases; none if the user interrupts them.
fn all(mut runner: Runner<'_>, files: &[CaseFile]) -> Result<Option<Tested>, Failure> {
    let mut tested = Tested {
        is_live: runner.command.is_live(),
        files: Vec::new(),
    };
    for file in files {
        let path = file.path.to_string_lossy().into_owned();
        runner.print(|_| format!("{}\n", clean(&path)))?;
        let mut cases = Vec::new();
        for case in &file.cases {
            let Some(result) = each(&mut runner, file, case)? else {
                return Ok(None);
            };
            runner.print(|look| tested::case(look, &result))?;
            cases.push(result);
        }
        tested.files.push(TestedFile { path, cases });
    }
    Ok(Some(tested))
}

/// Runs all tries of a case, each followed by one of its baseline if requested.
fn each(runner: &mut Runner<'_>, file: &CaseFile, case: &Case) -> Result<Option<TestedCase>, Failure> {
    let mut tries = Tries::default();
    let mut baseline = runner.command.baseline.then(Tries::default);
    for _ in 0..runner.command.tries() {
        let baseline = baseline.as_mut().map(|baseline| (With::Nothing, baseline));
        for (with, tries) in [(With::Agent, &mut tries)].into_iter().chain(baseline) {
            match runner.attempt(file, case, with)? {
                Some(one) => tries.0.push(one),
                None => return Ok(None),
            }
        }
    }
    Ok(Some(TestedCase {
        id: case.id.clone(),
        agent: case.agent.clone(),
        statements: case.statements.clone(),
        tries,
        baseline,
        min_pass_rate: case.min_pass_rate.unwrap_or(runner.command.min_pass_rate()),
    }))
}
