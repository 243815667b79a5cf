//! Names and descriptions that another dialect accepts.

use alloc::string::String;

use crate::dialect::{Form, Key, Verdict};

/// The name, or the closest that the key accepts.
pub(super) fn fitting(name: &str, key: &Key) -> String {
    if takes(key, name) {
        return name.into();
    }
    let longest = key.longest.map_or(usize::MAX, |longest| longest as usize);
    let short: String = slug(name).chars().take(longest).collect();
    let short = short.trim_end_matches('-');
    if takes(key, short) {
        return short.into();
    }
    let longer: String = alloc::format!("{short}-agent");
    if takes(key, &longer) { longer } else { short.into() }
}

/// Whether a key accepts a name.
fn takes(key: &Key, name: &str) -> bool {
    let length = name.encode_utf16().count();
    let bounded = key.longest.is_none_or(|longest| length <= longest as usize)
        && key
            .shortest
            .is_none_or(|shortest| name.chars().count() >= shortest as usize);
    let lines = !(key.single_line && name.contains(['\n', '\r']));
    let formed = match key.form {
        Some(form) if key.other_form != Verdict::Fine => form.holds(name),
        _ => true,
    };
    let free = !key.none_of.iter().any(|word| word.eq_ignore_ascii_case(name));
    bounded && lines && formed && free
}

/// A name that is safe as a file name everywhere.
pub(crate) fn for_file(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let safe =
        !name.is_empty() && name.len() <= 100 && name.chars().all(plain) && !name.starts_with(['.', '_']);
    if safe && !name.ends_with('.') {
        name.into()
    } else {
        slug(name)
    }
}

/// In lowercase with hyphens; `agent` if nothing is left.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().take(200) {
        match c.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() => slug.push(c),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    let slug: String = slug.chars().take(64).collect();
    let slug = slug.trim_end_matches('-');
    if Form::Kebab.holds(slug) {
        slug.into()
    } else {
        "agent".into()
    }
}

/// Text on one line and no longer than the key accepts.
pub(super) fn text_for(text: &str, key: &Key) -> String {
    let mut text: String = if key.single_line {
        text.split_whitespace().collect::<alloc::vec::Vec<_>>().join(" ")
    } else {
        text.into()
    };
    if key.unescapes {
        text = text.replace("\\n", " ");
    }
    let Some(longest) = key.longest.map(|longest| longest as usize) else {
        return text;
    };
    if text.encode_utf16().count() <= longest {
        return text;
    }
    let mut length = 1;
    let fits = |c: &char| {
        length += c.len_utf16();
        length <= longest
    };
    let mut cut: String = text.chars().take_while(fits).collect();
    cut.truncate(cut.trim_end().len());
    cut.push('\u{2026}');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_valid_file_names() {
        assert_eq!(for_file("code-reviewer"), "code-reviewer");
        assert_eq!(for_file("../x y"), "x-y");
        assert_eq!(for_file("\u{43f}"), "agent");
        assert_eq!(for_file(""), "agent");
        assert_eq!(for_file("_draft"), "draft");
    }
}
