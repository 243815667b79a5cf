//! Results of test cases as text.

use std::fmt::Write as _;

use super::{REPLAYED, Tested, TestedCase, amount};
use crate::output::text::{Look, clean, clean_lines};

/// A line for a case, and its problems.
pub fn case(look: &Look, case: &TestedCase) -> String {
    let (id, agent) = (clean(&case.id), clean(&case.agent));
    let word = if case.has_passed() { "pass" } else { "fail" };
    let mut out = format!("  {}  {id} ({agent})", look.heading(word));
    if case.tries.len() > 1 {
        let _ = write!(out, ": {}", case.result());
    }
    out.push('\n');
    for (number, problem) in case.problems() {
        let which = match case.tries.len() {
            1 => String::new(),
            _ => format!("try {number}: "),
        };
        let message = clean_lines(&problem.message)
            .trim_end()
            .replace('\n', "\n        ");
        let _ = writeln!(out, "        {which}{message}");
        for help in &problem.help {
            let _ = writeln!(out, "        help: {}", clean(help));
        }
    }
    out
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
        let used = tested.cases().map(TestedCase::used);
        let (tokens, cost) = used.fold((0, 0), |sum: (u64, u64), it| {
            (sum.0.saturating_add(it.0), sum.1.saturating_add(it.1))
        });
        let _ = write!(out, "; {tokens} tokens");
        if cost > 0 {
            let _ = write!(out, ", cost {}", amount(cost));
        }
    } else {
        let _ = write!(out, "\n{REPLAYED}");
    }
    out
}
