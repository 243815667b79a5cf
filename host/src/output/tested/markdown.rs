//! Results of test cases as Markdown, for comments and summaries.

use std::fmt::Write as _;

use super::{REPLAYED, Tested, TestedCase, amount};
use crate::output::text::{clean, clean_lines};
use crate::output::transcript::fenced;

/// A table of all cases, then the problems of each.
pub fn markdown(tested: &Tested) -> String {
    let (all, passed) = (tested.cases().count(), tested.passed());
    let mut out = format!("# Agent tests: {passed} of {all} passed\n\n");
    out.push_str("| case | agent | result | tokens | cost |\n|---|---|---|---:|---:|\n");
    for case in tested.cases() {
        let (tokens, cost) = case.used();
        let (id, agent) = (cell(&case.id), cell(&case.agent));
        let _ = writeln!(
            out,
            "| {id} | {agent} | {} | {tokens} | {} |",
            case.result(),
            if cost > 0 { amount(cost) } else { String::new() }
        );
    }
    for file in &tested.files {
        let cases = file.cases.iter().filter(|case| !case.problems().is_empty());
        cases.for_each(|case| write_problems(&mut out, &file.path, case));
    }
    if !tested.is_live {
        let _ = write!(out, "\n{REPLAYED}\n");
    }
    out
}

fn write_problems(out: &mut String, file: &str, case: &TestedCase) {
    let _ = write!(out, "\n## {} in {}\n", cell(&case.id), cell(file));
    let problems = case.problems();
    let lines = problems.iter().flat_map(|(_, problem)| {
        let help = problem.help.iter().map(|help| format!("help: {}", clean(help)));
        std::iter::once(clean_lines(&problem.message)).chain(help)
    });
    // What a model wrote must not become markup.
    let _ = write!(out, "\n{}\n", fenced(&lines.collect::<Vec<_>>().join("\n")));
}

/// As it is, in a cell.
fn cell(text: &str) -> String {
    let text = clean(text);
    let special = |it: char| it.is_ascii_punctuation() && !matches!(it, '-' | '.' | '/' | ',');
    text.chars().fold(String::new(), |mut out, it| {
        if special(it) {
            out.push('\\');
        }
        out.push(it);
        out
    })
}
