//! Reads a file, with numbered lines.

use super::arguments::{Arguments, whole};
use super::limits::{LINE_CHARS, READ_LINES, RESULT_BYTES};
use super::project::{Project, shown};
use super::text::{BOM, cut, is_binary};

pub(super) fn read(project: &Project, arguments: &Arguments) -> Result<String, String> {
    let below = project.locate(arguments.path()?)?;
    let contents = project.read(&below)?.bytes;
    let name = shown(&below);
    if is_binary(&contents) {
        return Err(format!("`{name}` is a binary file of {} bytes", contents.len()));
    }
    let text = String::from_utf8_lossy(contents.strip_prefix(BOM).unwrap_or(&contents));
    let (first, count) = range(arguments)?;
    Ok(numbered(&name, &text, first, count))
}

/// The first line, from 1, and the number of lines.
fn range(arguments: &Arguments) -> Result<(usize, usize), String> {
    if let Some([first, last]) = arguments.list("view_range") {
        let first = whole(first).unwrap_or(1).max(1);
        let count = match whole(last).unwrap_or(-1) {
            last if last < 0 => READ_LINES as i64,
            last => (last - first + 1).max(1),
        };
        return Ok((first as usize, count as usize));
    }
    let first = arguments.place(&["offset", "start_line", "line"])?;
    let count = arguments.place(&["limit", "line_count"])?;
    Ok((first.unwrap_or(1).max(1), count.unwrap_or(READ_LINES).max(1)))
}

fn numbered(name: &str, text: &str, first: usize, count: usize) -> String {
    let all = text.lines().count();
    if all == 0 {
        return format!("`{name}` is empty");
    }
    if first > all {
        return format!("`{name}` has {all} lines; there is no line {first}");
    }
    let mut out = String::new();
    let mut last = first - 1;
    for (line, number) in text.lines().zip(1..).skip(first - 1).take(count) {
        if out.len() > RESULT_BYTES {
            break;
        }
        out.push_str(&format!("{number:>6}\t{}\n", cut(line, LINE_CHARS)));
        last = number;
    }
    if last < all {
        let next = last + 1;
        out.push_str(&format!(
            "[lines {first} to {last} of {all}; continue from line {next}]\n"
        ));
    }
    out.pop();
    out
}
