//! Results of test cases as text.

use std::fmt::Write as _;

use super::{Compared, REPLAYED, Tested, TestedCase, amount};
use crate::output::text::{Look, clean, clean_lines};

/// A line for a case, and its problems.
pub fn case(look: &Look, case: &TestedCase) -> String {
    let (id, agent) = (clean(&case.id), clean(&case.agent));
    let word = if case.has_passed() { "pass" } else { "fail" };
    let mut out = format!("  {}  {id} ({agent})", look.heading(word));
    if case.tries.0.len() > 1 {
        let _ = write!(out, ": {}", case.result());
    }
    out.push('\n');
    for (which, problem) in case.problems() {
        let message = clean_lines(&problem.message)
            .trim_end()
            .replace('\n', "\n        ");
        let _ = writeln!(out, "        {which}{message}");
        for help in &problem.help {
            let _ = writeln!(out, "        help: {}", clean(help));
        }
    }
    for line in case.compared().iter().flat_map(lines) {
        let _ = writeln!(out, "        {line}");
    }
    out
}

/// A line for the agent, and one for the baseline.
fn lines(compared: &Compared) -> [String; 2] {
    compared
        .rows()
        .map(|(name, figures)| format!("{:10}{figures}", format!("{name}:")))
}

/// The counts, and what they mean.
pub fn summary(tested: &Tested) -> String {
    let (all, passed) = (tested.cases().count(), tested.passed());
    let mut out = format!("{passed} passed, {} failed", all - passed);
    let statements: usize = tested.cases().map(|case| case.statements.len()).sum();
    if statements > 0 {
        let noun = if statements == 1 {
            "statement"
        } else {
            "statements"
        };
        let _ = write!(out, "; {statements} {noun} not checked");
    }
    if tested.is_live {
        let used = tested.figures();
        let _ = write!(out, "; {} tokens", used.tokens);
        if used.cost > 0 {
            let _ = write!(out, ", cost {}", amount(used.cost));
        }
        for line in tested.compared().iter().flat_map(lines) {
            let _ = write!(out, "\n{line}");
        }
    } else {
        let _ = write!(out, "\n{REPLAYED}");
    }
    out
}
