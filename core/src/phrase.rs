//! Parts of sentences.

use alloc::format;
use alloc::string::String;

/// How many names are spelled out.
const NAMED: usize = 3;

/// Names in backticks: all of a few, otherwise the first ones and the number of others.
pub(crate) fn listed(names: &[&str]) -> String {
    let named = if names.len() > NAMED {
        &names[..NAMED - 1]
    } else {
        names
    };
    let more = names.len() - named.len();
    let mut text = String::new();
    for (at, name) in named.iter().enumerate() {
        let last = at + 1 == named.len() && more == 0;
        match (at, last) {
            (0, _) => {}
            (_, true) => text.push_str(" and "),
            (_, false) => text.push_str(", "),
        }
        text.extend(["`", name, "`"]);
    }
    match more {
        0 => text,
        _ => format!("{text} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_shortened() {
        assert_eq!(listed(&["a"]), "`a`");
        assert_eq!(listed(&["a", "b"]), "`a` and `b`");
        assert_eq!(listed(&["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(listed(&["a", "b", "c", "d"]), "`a`, `b` and 2 more");
    }
}
