//! Texts with placeholders, and texts that are too long.

use alloc::format;
use alloc::string::String;

/// Fills in the placeholders. Placeholders within values are left alone.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let named = values.iter().find_map(|(name, value)| {
            let after = rest.strip_prefix('{')?.strip_prefix(name)?.strip_prefix('}')?;
            Some((value, after))
        });
        match named {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            None => {
                out.push('{');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The start of a text that is too long, with a notice.
pub(super) fn cut(mut text: String, bytes: u32) -> String {
    let limit = bytes as usize;
    if text.len() <= limit {
        return text;
    }
    let length = text.len();
    let end = (0..=limit)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    text.truncate(end);
    text.push_str(&format!(
        "\n[cut: the first {end} of {length} bytes; the limit is `result-bytes`]"
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filled_values_are_not_filled_again() {
        assert_eq!(fill("{a} {b} {c} {", &[("a", "{b}"), ("b", "2")]), "{b} 2 {c} {");
    }

    #[test]
    fn text_is_cut_between_characters() {
        assert!(cut("äöü".into(), 3).starts_with("ä\n[cut: the first 2 of 6 bytes"));
        assert_eq!(cut("äöü".into(), 6), "äöü");
    }
}
