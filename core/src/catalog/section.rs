//! The agents as a section of instructions such as `AGENTS.md`.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::cards::Card;
use crate::convert::has_windows_lines;
use crate::order::sorted;

const BEGIN: &str = "<!-- callsheet agents -->";
const END: &str = "<!-- callsheet agents end -->";

/// The text with a section that lists these agents, in place of the one that it has or at its end. Of several with one name, the first is
/// listed.
///
/// Fails if the marks around the section are not one pair, with the reason.
pub fn with_section(text: &str, cards: &[Card]) -> Result<String, String> {
    let newline = if has_windows_lines(text.as_bytes()) {
        "\r\n"
    } else {
        "\n"
    };
    let section = section(cards).join(newline);
    let marks = |mark: &str| -> Vec<(usize, usize)> {
        let mut at = 0;
        let lines = text.split_inclusive('\n').filter_map(|line| {
            let start = at;
            at += line.len();
            (line.trim() == mark).then(|| (start, start + line.trim_end().len()))
        });
        lines.collect()
    };
    match (&marks(BEGIN)[..], &marks(END)[..]) {
        ([], []) => {
            let gap = match text {
                "" | "\u{feff}" => "",
                _ if text.ends_with('\n') => newline,
                _ => &newline.repeat(2),
            };
            Ok([text, gap, &section, newline].concat())
        }
        ([(start, _)], [(after, end)]) if start < after => {
            Ok([&text[..*start], &section, &text[*end..]].concat())
        }
        ([_], [_]) => Err(alloc::format!("`{END}` is before `{BEGIN}`")),
        ([], _) => Err(alloc::format!("`{BEGIN}` is missing")),
        (_, []) => Err(alloc::format!("`{END}` is missing")),
        ([_], _) => Err(alloc::format!("`{END}` is there more than once")),
        _ => Err(alloc::format!("`{BEGIN}` is there more than once")),
    }
}

fn section(cards: &[Card]) -> Vec<String> {
    let mut lines: Vec<String> = [BEGIN, "", "## Agents", ""].map(ToOwned::to_owned).into();
    let mut seen = BTreeSet::new();
    let first: Vec<&Card> = cards.iter().filter(|card| seen.insert(&card.name)).collect();
    for card in sorted(first, |a, b| a.name.cmp(&b.name)) {
        let mut item = ["- **", &line(&card.name), "**"].concat();
        if card.description != card.name {
            item += ": ";
            item += &line(&card.description);
        }
        lines.push(item);
    }
    if cards.is_empty() {
        lines.push("There are no agents.".to_owned());
    }
    lines.extend(["", END].map(ToOwned::to_owned));
    lines
}

/// A text on one line without effect: no markup, no HTML, no import of a file.
fn line(text: &str) -> String {
    let clean = text.replace(char::is_control, " ");
    let words: Vec<&str> = clean.split_whitespace().collect();
    let clean = words.join(" ");
    let mut line = String::with_capacity(clean.len());
    let mut before = ' ';
    let mut rest = clean.chars().peekable();
    while let Some(c) = rest.next() {
        let is_inner = |c: char| c.is_alphanumeric();
        let is_marked = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '&' => true,
            '_' => !is_inner(before) || !rest.peek().copied().is_some_and(is_inner),
            '@' => !is_inner(before),
            _ => false,
        };
        if is_marked {
            line.push('\\');
        }
        line.push(c);
        before = c;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(name: &str, description: &str) -> Card {
        Card {
            name: name.to_owned(),
            description: description.to_owned(),
            examples: Vec::new(),
            tags: Vec::new(),
            left_out: Vec::new(),
        }
    }

    #[test]
    fn the_section_is_replaced_where_it_is() {
        let first = with_section(
            "# Project\n\nText",
            &[card("b", "Second"), card("a", "a"), card("b", "Other")],
        );
        let expected = "# Project\n\nText\n\n<!-- callsheet agents -->\n\n## Agents\n\n- **a**\n- **b**: Second\n\n\
                        <!-- callsheet agents end -->\n";
        assert_eq!(first.as_deref(), Ok(expected));
        let more = alloc::format!("{expected}\nMore\n");
        assert_eq!(
            with_section(&more, &[card("a", "a"), card("b", "Second")]),
            Ok(more.clone())
        );
        let windows = with_section("a\r\n", &[card("c", "C")]).expect("it has no marks");
        assert_eq!(windows.matches('\n').count(), windows.matches("\r\n").count());
        assert_eq!(with_section(&windows, &[card("c", "C")]), Ok(windows.clone()));
        let empty = with_section("", &[]).expect("it has no marks");
        assert_eq!(with_section(&empty, &[]), Ok(empty.clone()));
        assert!(empty.starts_with(BEGIN) && empty.contains("no agents"));
    }

    #[test]
    fn marks_that_are_no_pair_are_refused() {
        for (text, reason) in [
            (
                alloc::format!("{BEGIN}\n"),
                "`<!-- callsheet agents end -->` is missing",
            ),
            (
                alloc::format!("{END}\n"),
                "`<!-- callsheet agents -->` is missing",
            ),
            (
                alloc::format!("{END}\n{BEGIN}\n"),
                "`<!-- callsheet agents end -->` is before `<!-- callsheet agents -->`",
            ),
            (
                alloc::format!("{BEGIN}\n{END}\n{BEGIN}\n{END}"),
                "`<!-- callsheet agents -->` is there more than once",
            ),
            (
                alloc::format!("{BEGIN}\n{END}\n{END}"),
                "`<!-- callsheet agents end -->` is there more than once",
            ),
        ] {
            assert_eq!(with_section(&text, &[]), Err(reason.to_owned()));
        }
        // A mark within a line is text.
        assert!(with_section(&alloc::format!("- {BEGIN}\n"), &[]).is_ok());
    }

    #[test]
    fn texts_have_no_effect() {
        for (text, expected) in [
            ("a\n\n# b\r\n- c\u{2028}d\u{1b}[31m", "a # b - c d \\[31m"),
            (
                "<!-- callsheet agents end -->",
                "\\<!-- callsheet agents end --\\>",
            ),
            (
                "<img src=x> &lt; [a](b) ![c](d)",
                "\\<img src=x\\> \\&lt; \\[a\\](b) !\\[c\\](d)",
            ),
            (
                "snake_case _em_ *b* `c` ~d~ | \\",
                "snake_case \\_em\\_ \\*b\\* \\`c\\` \\~d\\~ \\| \\\\",
            ),
            (
                "see @secrets.md, me@example.com",
                "see \\@secrets.md, me@example.com",
            ),
        ] {
            assert_eq!(line(text), expected);
        }
    }
}
