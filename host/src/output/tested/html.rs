//! Results of test cases as one HTML page.

use std::fmt::Write as _;

use super::{COMPARED, Compared, REPLAYED, Tested, TestedCase};
use crate::output::markup::{self, escaped};
use crate::output::text::{clean, clean_lines};

const STYLE: &str = "\
.cases { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .375rem .75rem .375rem 0; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; }
tr.failed td:nth-child(3) { color: var(--bad); font-weight: bold; }
section { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: .75rem 1rem; }
section h2, td { overflow-wrap: anywhere; }
";

/// A table of all cases, then the problems of each.
pub fn html(tested: &Tested) -> String {
    let (all, passed) = (tested.cases().count(), tested.passed());
    let mut out = markup::head(&format!("Agent tests: {passed} of {all} passed"), STYLE);
    if !tested.is_live {
        let _ = writeln!(out, "<p>{REPLAYED}</p>");
    }
    out.push_str(
        "<main>\n<div class=\"cases\">\n<table>\n<tr><th>Case</th><th>Agent</th><th>Result</th>\
         <th class=\"number\">Tokens</th><th class=\"number\">Cost</th></tr>\n",
    );
    tested.cases().for_each(|case| write_row(&mut out, case));
    out.push_str("</table>\n</div>\n");
    if let Some(all) = tested.compared() {
        write_comparison(&mut out, tested, &all);
    }
    for file in &tested.files {
        let cases = file.cases.iter().filter(|case| !case.problems().is_empty());
        cases.for_each(|case| write_problems(&mut out, &file.path, case));
    }
    out.push_str("</main>\n");
    out.push_str(markup::END);
    out
}

fn write_row(out: &mut String, case: &TestedCase) {
    let used = case.tries.figures();
    let (tokens, cost) = (used.tokens, used.cost());
    let (id, agent) = (shown(&case.id), shown(&case.agent));
    let class = if case.has_passed() { "passed" } else { "failed" };
    let _ = writeln!(
        out,
        "<tr class=\"{class}\"><td>{id}</td><td>{agent}</td><td>{}</td><td class=\"number\">{tokens}</td>\
         <td class=\"number\">{cost}</td></tr>",
        case.result()
    );
}

fn write_comparison(out: &mut String, tested: &Tested, all: &Compared) {
    let _ = write!(
        out,
        "<h2>{COMPARED}</h2>\n<div class=\"cases\">\n<table>\n<tr><th>Case</th><th>With</th><th>Passed</th>\
         <th class=\"number\">Turns</th><th class=\"number\">Tokens</th><th class=\"number\">Cost</th></tr>\n"
    );
    let cases = tested.cases();
    let cases = cases.filter_map(|case| Some((shown(&case.id), case.compared()?)));
    for (id, compared) in cases.chain([("all".to_owned(), *all)]) {
        for (name, it) in compared.rows() {
            let (passed, tries, turns, tokens) = (it.passed, it.tries, it.turns, it.tokens);
            let cost = it.cost();
            let _ = writeln!(
                out,
                "<tr><td>{id}</td><td>{name}</td><td>{passed} of {tries}</td><td class=\"number\">{turns}</td>\
                 <td class=\"number\">{tokens}</td><td class=\"number\">{cost}</td></tr>"
            );
        }
    }
    out.push_str("</table>\n</div>\n");
}

fn write_problems(out: &mut String, file: &str, case: &TestedCase) {
    let _ = writeln!(out, "<section>\n<h2>{} in {}</h2>", shown(&case.id), shown(file));
    for (which, problem) in case.problems() {
        let message = escaped(&clean_lines(&problem.message));
        let _ = writeln!(out, "<pre>{which}{message}</pre>");
        for help in &problem.help {
            let _ = writeln!(out, "<p>Help: {}</p>", shown(help));
        }
    }
    out.push_str("</section>\n");
}

fn shown(text: &str) -> String {
    escaped(&clean(text))
}
