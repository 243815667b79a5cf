//! Results of test cases as JSON, described in `docs/testing.md`.

use serde::Serialize;

use super::{Problem, Tested, TestedCase, Tries, Try};
use crate::output::json;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    command: &'static str,
    /// `replay` or `live`.
    mode: &'static str,
    passed: usize,
    failed: usize,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    cases: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct Case<'a> {
    id: &'a str,
    agent: &'a str,
    passed: bool,
    /// The part of the tries that must pass.
    min_pass_rate: f64,
    #[serde(flatten)]
    runs: Runs<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Runs<'a>>,
    statements: &'a [String],
}

#[derive(Serialize)]
struct Runs<'a> {
    /// The part that passed.
    pass_rate: f64,
    tries: Vec<Attempt<'a>>,
}

#[derive(Serialize)]
struct Attempt<'a> {
    passed: bool,
    problems: Vec<Objection<'a>>,
    answer: &'a str,
    turns: u32,
    tokens: u64,
    cost: u64,
}

#[derive(Serialize)]
struct Objection<'a> {
    message: &'a str,
    help: &'a [String],
}

/// The document that `test` prints.
pub fn document(tested: &Tested) -> String {
    let passed = tested.passed();
    let files = tested.files.iter().map(|file| File {
        path: &file.path,
        cases: file.cases.iter().map(Case::from).collect(),
    });
    json::pretty(&Document {
        version: 1,
        command: "test",
        mode: if tested.is_live { "live" } else { "replay" },
        passed,
        failed: tested.cases().count() - passed,
        files: files.collect(),
    })
}

impl<'a> From<&'a TestedCase> for Case<'a> {
    fn from(case: &'a TestedCase) -> Self {
        Self {
            id: &case.id,
            agent: &case.agent,
            passed: case.has_passed(),
            min_pass_rate: case.min_pass_rate.get(),
            runs: Runs::from(&case.tries),
            baseline: case.baseline.as_ref().map(Runs::from),
            statements: &case.statements,
        }
    }
}

impl<'a> From<&'a Tries> for Runs<'a> {
    fn from(tries: &'a Tries) -> Self {
        Self {
            pass_rate: tries.pass_rate(),
            tries: tries.0.iter().map(Attempt::from).collect(),
        }
    }
}

impl<'a> From<&'a Try> for Attempt<'a> {
    fn from(it: &'a Try) -> Self {
        let used = it.usage.as_ref();
        let tokens =
            |usage: &crate::delegation::Usage| usage.input_tokens.saturating_add(usage.output_tokens);
        Self {
            passed: it.problems.is_empty(),
            problems: it.problems.iter().map(Objection::from).collect(),
            answer: &it.answer,
            turns: used.map_or(0, |usage| usage.turns),
            tokens: used.map_or(0, tokens),
            cost: used.map_or(0, |usage| usage.cost),
        }
    }
}

impl<'a> From<&'a Problem> for Objection<'a> {
    fn from(problem: &'a Problem) -> Self {
        Self {
            message: &problem.message,
            help: &problem.help,
        }
    }
}
