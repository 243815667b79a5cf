//! Annotations for GitHub, as workflow commands on standard output.

use callsheet_contract::types::{Place, Severity};

use super::report::{Checked, Finding};
use super::text::visible;

/// One command for each finding.
pub fn annotations(checked: &Checked) -> String {
    checked.reported().map(annotation).collect()
}

fn annotation(finding: &Finding) -> String {
    let diagnostic = &finding.diagnostic;
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = &diagnostic.primary.place;
    format!(
        "::{command} file={},{},title={}::{}\n",
        property(&place.path),
        range(place),
        property(&diagnostic.rule),
        data(&diagnostic.message),
    )
}

/// GitHub accepts columns only for a range within one line.
fn range(place: &Place) -> String {
    let (start, end) = (place.start, place.end);
    if start.line == end.line {
        format!(
            "line={},col={},endLine={},endColumn={}",
            start.line, start.column, end.line, end.column
        )
    } else {
        format!("line={},endLine={}", start.line, end.line)
    }
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

fn data(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            _ => out.push(visible(character)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn workflow_commands_are_escaped() {
        assert_eq!(data("100%: a,\r\n::b\x1b"), "100%25: a,%0D%0A::b␛");
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
    }
}
