//! Parses a `callsheet:` comment.

use super::{Ignore, Ignores};
use crate::span::Span;
use crate::yaml::MARK;

/// Reads the comment with the text in `words`, which applies to these `lines`. Other comments are skipped.
pub(super) fn read(text: &str, words: Span, lines: &dyn Fn() -> Span, ignores: &mut Ignores) {
    let start = words.start.index() + (words.of(text).len() - words.of(text).trim_start().len());
    let words = Span::new(start, start + words.of(text).trim().len());
    let Some(order) = words.of(text).strip_prefix(MARK) else {
        return;
    };
    if ignores.is_full() {
        return;
    }
    let order = order.trim_start();
    let (list, lines) = match order.strip_prefix("ignore-file") {
        Some(list) => (Some(list), None),
        None => (order.strip_prefix("ignore"), Some(lines())),
    };
    let list = list.and_then(|list| Some(list.strip_prefix('[')?.split_once(']')?.0));
    let Some(list) = list.filter(|list| !list.trim().is_empty()) else {
        ignores.garbled.push(words);
        return;
    };
    // The first bracket, since only known words may precede it.
    let mut start = words.start.index() + words.of(text).find('[').map_or(0, |bracket| bracket + 1);
    for part in list.split(',') {
        let name = part.trim();
        let at = start + (part.len() - part.trim_start().len());
        start += part.len() + ",".len();
        if !name.is_empty() && !ignores.is_full() {
            let span = Span::new(at, at + name.len());
            ignores.ignores.push(Ignore::new(name, span, lines));
        }
    }
}
