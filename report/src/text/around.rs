//! The part of long lines around a change.

use std::ops::Range;

use super::cell::{cut, width};

/// Lines before and after a change, cut to a number of columns.
pub(super) struct Around {
    /// How many lines precede them.
    pub(super) line: usize,
    pub(super) before: String,
    pub(super) after: String,
}

impl Around {
    /// The changed lines of a text. The edits are sorted.
    pub(super) fn change(text: &str, edits: &[(Range<usize>, String)], columns: usize) -> Self {
        let changed = edited(text, edits);
        let (before, after): (Vec<&str>, Vec<&str>) = (text.lines().collect(), changed.lines().collect());
        let same = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
        let rest = before[same..].iter().rev().zip(after[same..].iter().rev());
        let rest = rest.take_while(|(a, b)| a == b).count();
        // Lines that are only added or removed need one beside them.
        let shortest = before.len().min(after.len());
        let line = if same + rest == shortest {
            same.saturating_sub(1)
        } else {
            same
        };
        let (before, after) = (
            &before[line..before.len() - rest],
            &after[line..after.len() - rest],
        );
        let start = match (before, after) {
            ([before], [after]) => start(before, after, columns),
            _ => 0,
        };
        let shown = |lines: &[&str]| {
            let lines = lines.iter().map(|line| window(line, start, columns));
            lines.collect::<Vec<_>>().join("\n")
        };
        Self {
            line,
            before: shown(before),
            after: shown(after),
        }
    }
}

fn edited(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let (mut out, mut done) = (String::new(), 0);
    for (range, new) in edits {
        out.push_str(&text[done..range.start]);
        out.push_str(new);
        done = range.end;
    }
    out + &text[done..]
}

/// Where to start so that the first difference of two lines is shown with some text before it.
fn start(before: &str, after: &str, columns: usize) -> usize {
    let same = before.chars().zip(after.chars()).take_while(|(a, b)| a == b);
    let same = same.map(|(c, _)| c.len_utf8()).sum::<usize>();
    if width(&before[..same]) <= columns / 2 {
        return 0;
    }
    let before = before[..same].char_indices().rev();
    before.take(columns / 3).last().map_or(0, |(at, _)| at)
}

fn window(line: &str, start: usize, columns: usize) -> String {
    match line.get(start..).filter(|_| start > 0) {
        Some(rest) => format!("…{}", cut(rest, columns.saturating_sub(1))),
        None => cut(line, columns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, edit: (Range<usize>, &str), line: usize, before: &str, after: &str) {
        let around = Around::change(text, &[(edit.0, edit.1.to_owned())], 12);
        assert_eq!(
            (around.line, &*around.before, &*around.after),
            (line, before, after)
        );
    }

    #[test]
    fn the_change_is_shown() {
        let long = "abcdefghijklmnopqrstuvwxyz";
        check(long, (2..3, "-"), 0, "abcdefghijk…", "ab-defghijk…");
        check(long, (20..21, "-"), 0, "…qrstuvwxyz", "…qrst-vwxyz");
        check(
            &["x\n", long].concat(),
            (4..5, "日"),
            1,
            "abcdefghijk…",
            "ab日defghij…",
        );
        check(
            &[long, "\nx\n"].concat(),
            (27..27, "new\n"),
            0,
            "abcdefghijk…",
            "abcdefghijk…\nnew",
        );
        check(
            &[long, "\nx\n"].concat(),
            (26..28, ""),
            0,
            "abcdefghijk…\nx",
            "abcdefghijk…",
        );
    }
}
