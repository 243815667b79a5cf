//! Results of test cases as JUnit's XML, which pipelines show.

use std::fmt::Write as _;

use super::{Compared, Tested, TestedCase};
use crate::output::markup::escaped;

/// A suite for each file, and a test for each case.
pub fn junit(tested: &Tested) -> String {
    let (all, failed) = (tested.cases().count(), tested.cases().count() - tested.passed());
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuites name=\"callsheet test\" tests=\"{all}\" failures=\"{failed}\">"
    );
    for file in &tested.files {
        let failed = file.cases.iter().filter(|case| !case.has_passed()).count();
        let (name, tests) = (escaped(&file.path), file.cases.len());
        let _ = writeln!(
            out,
            "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failed}\">"
        );
        file.cases.iter().for_each(|case| write_case(&mut out, case));
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn write_case(out: &mut String, case: &TestedCase) {
    let (id, agent) = (escaped(&case.id), escaped(&case.agent));
    let _ = write!(out, "    <testcase name=\"{id}\" classname=\"{agent}\"");
    let (problems, compared) = (case.problems(), case.compared());
    if problems.is_empty() && compared.is_none() {
        out.push_str("/>\n");
        return;
    }
    // Of a case that passed, failed tries are shown as its output.
    let element = if case.has_passed() {
        out.push_str(">\n      <system-out>");
        "system-out"
    } else {
        let first = problems.first().map(|(_, problem)| escaped(&problem.message));
        let message = first.unwrap_or_default();
        let _ = write!(out, ">\n      <failure message=\"{message}\">");
        "failure"
    };
    if case.tries.0.len() > 1 {
        let _ = writeln!(out, "{}", case.result());
    }
    for (which, problem) in problems {
        let _ = writeln!(out, "{which}{}", escaped(&problem.message));
        for help in &problem.help {
            let _ = writeln!(out, "help: {}", escaped(help));
        }
    }
    for (name, figures) in compared.iter().flat_map(Compared::rows) {
        let _ = writeln!(out, "{name}: {figures}");
    }
    let _ = write!(out, "</{element}>\n    </testcase>\n");
}
