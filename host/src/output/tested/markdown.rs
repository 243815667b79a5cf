//! Results of test cases as Markdown, for comments and summaries.

use std::fmt::Write as _;

use super::{COMPARED, Compared, REPLAYED, Tested, TestedCase};
use crate::output::text::{clean, clean_lines};
use crate::output::transcript::fenced;

/// A table of all cases, then the problems of each.
pub fn markdown(tested: &Tested) -> String {
    let (all, passed) = (tested.cases().count(), tested.passed());
    let mut out = format!("# Agent tests: {passed} of {all} passed\n\n");
    out.push_str("| case | agent | result | tokens | cost |\n|---|---|---|---:|---:|\n");
    for case in tested.cases() {
        let (used, result) = (case.tries.figures(), case.result());
        let (id, agent) = (cell(&case.id), cell(&case.agent));
        let (tokens, cost) = (used.tokens, used.cost());
        let _ = writeln!(out, "| {id} | {agent} | {result} | {tokens} | {cost} |");
    }
    if let Some(all) = tested.compared() {
        write_comparison(&mut out, tested, &all);
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

fn write_comparison(out: &mut String, tested: &Tested, all: &Compared) {
    let _ = write!(
        out,
        "\n## {COMPARED}\n\n| case | with | passed | turns | tokens | cost |\n|---|---|---|---:|---:|---:|\n"
    );
    let cases = tested.cases();
    let cases = cases.filter_map(|case| Some((cell(&case.id), case.compared()?)));
    for (id, compared) in cases.chain([("all".to_owned(), *all)]) {
        for (name, it) in compared.rows() {
            let (passed, tries, turns, tokens) = (it.passed, it.tries, it.turns, it.tokens);
            let cost = it.cost();
            let _ = writeln!(
                out,
                "| {id} | {name} | {passed} of {tries} | {turns} | {tokens} | {cost} |"
            );
        }
    }
}

fn write_problems(out: &mut String, file: &str, case: &TestedCase) {
    let _ = write!(out, "\n## {} in {}\n", cell(&case.id), cell(file));
    let problems = case.problems();
    let lines = problems.iter().flat_map(|(which, problem)| {
        let help = problem.help.iter().map(|help| format!("help: {}", clean(help)));
        let message = format!("{which}{}", clean_lines(&problem.message));
        std::iter::once(message).chain(help)
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
