//! The rules and their pages.

use callsheet_contract::documents::{FixAvailability, Rule};

use super::cell::{clean, clean_lines, wrap};
use super::look::Look;
use super::table::{Column, Last, Table};
use crate::pages::Page;
use crate::words;

/// Every rule, one per line.
pub fn rules(look: &Look, rules: &[Rule]) -> String {
    const COLUMNS: [Column; 4] = [
        Column::new("RULE", 20, 3),
        Column::new("SEVERITY", 8, 1),
        Column::new("FIX", 6, 0),
        Column::new("WHAT IT FINDS", 24, 2),
    ];
    let row = |rule: &Rule| {
        let fix = match rule.fix {
            FixAvailability::None => "",
            fix => words::fix(fix),
        };
        let summary = clean(&rule.summary);
        vec![
            clean(&rule.name),
            words::severity(rule.severity).to_owned(),
            fix.to_owned(),
            summary.trim_end_matches('.').to_owned(),
        ]
    };
    let table = Table {
        columns: &COLUMNS,
        rows: rules.iter().map(row).collect(),
        last: Last::Wrap,
    };
    format!(
        "{}\nRun `callsheet explain RULE` for details.\n",
        table.render(look)
    )
}

/// The page of a rule.
pub fn rule(look: &Look, rule: &Rule) -> String {
    let mut out = format!("{}: {}\n", look.heading(clean(&rule.name)), clean(&rule.summary));
    let fix = match rule.fix {
        FixAvailability::None => "by hand",
        FixAvailability::UnsafeFix => "by `check --fix --unsafe-fixes`; review the result",
        FixAvailability::SafeFix => "by `check --fix`",
    };
    statement(&mut out, look, "Severity", words::severity(rule.severity));
    statement(&mut out, look, "Fix", fix);
    let known = Page::of(&rule.name);
    statement(&mut out, look, "Evidence", known.evidence);
    out.push_str(&page(look, known.text));
    out
}

fn statement(out: &mut String, look: &Look, title: &str, text: &str) {
    const MARGIN: usize = 12;
    for (number, line) in wrap(&clean(text), look.width.saturating_sub(MARGIN))
        .iter()
        .enumerate()
    {
        let title = if number == 0 { title } else { "" };
        out.push_str(&format!("{}{line}\n", look.faint(format!("  {title:<10}"))));
    }
}

/// The page after its summary line: text is wrapped, code is indented.
fn page(look: &Look, page: &str) -> String {
    let text = clean_lines(page);
    let mut page = Layout {
        columns: look.width.min(WIDEST),
        out: String::new(),
        paragraph: Vec::new(),
    };
    let mut in_code = false;
    for line in text.lines().skip(1) {
        if line.starts_with("```") {
            page.end_paragraph();
            in_code = !in_code;
        } else if in_code || line.is_empty() {
            page.end_paragraph();
            page.out.push_str(format!("    {line}").trim_end());
            page.out.push('\n');
        } else {
            if line.starts_with(ITEM) {
                page.end_paragraph();
            }
            page.paragraph.push(line);
        }
    }
    page.end_paragraph();
    page.out
}

/// Longer lines of text are hard to read.
const WIDEST: usize = 100;

/// The prefix of a list item.
const ITEM: &str = "- ";

struct Layout<'a> {
    columns: usize,
    out: String,
    paragraph: Vec<&'a str>,
}

impl Layout<'_> {
    fn end_paragraph(&mut self) {
        if self.paragraph.is_empty() {
            return;
        }
        let text = self
            .paragraph
            .drain(..)
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" ");
        let indent = if text.starts_with(ITEM) { ITEM.len() } else { 0 };
        for (number, line) in wrap(&text, self.columns.saturating_sub(indent))
            .iter()
            .enumerate()
        {
            let margin = if number == 0 { "" } else { &"  "[..indent] };
            self.out.push_str(&format!("{margin}{line}\n"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_wraps_text_but_not_code() {
        let look = Look {
            links: false,
            color: false,
            width: 16,
        };
        let text = "Summary.\n\nSome words that\ngo on.\n\n```yaml\na: a line that is long\n\nb: 1\n```\n\n- one that is long\n- two\n";
        let expected = "\nSome words that\ngo on.\n\n    a: a line that is long\n\n    b: 1\n\n\
                        - one that is\n  long\n- two\n";
        assert_eq!(page(&look, text), expected);
    }
}
