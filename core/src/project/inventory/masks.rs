//! Commands and addresses without secrets. Unlike a finding, a mask may be wrong: it hides what is only named like a secret.

use alloc::string::String;

use crate::rules::secret::{self, MASK};

/// The text with asterisks in place of keys, passwords, what an address carries besides its path, and the values of options, variables
/// and headers that are named like a secret.
pub(super) fn masked(text: &str) -> String {
    let text = secret::without(text);
    let is_between = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`');
    let mut out = String::with_capacity(text.len());
    let mut next_is_secret = false;
    for piece in text.split_inclusive(is_between) {
        let word = piece.trim_end_matches(is_between);
        if !word.is_empty() {
            next_is_secret = push(&mut out, word, next_is_secret);
        }
        out += &piece[word.len()..];
    }
    out
}

/// Adds a word, masked. Returns whether the next one is a secret.
fn push(out: &mut String, word: &str, is_secret: bool) -> bool {
    let is_scheme = ["bearer", "basic", "token"].contains(&&*word.to_ascii_lowercase());
    if is_secret && is_scheme {
        *out += word;
        return true;
    }
    if is_secret && !word.starts_with('-') {
        *out += if is_reference(word) { word } else { MASK };
        return false;
    }
    if let Some((scheme, rest)) = word.split_once("://") {
        *out += &[scheme, "://", &address(rest)].concat();
        return false;
    }
    let parts = word.split_once('=').or_else(|| word.split_once(':'));
    if let Some((name, value)) = parts.filter(|(name, _)| is_secret_name(name)) {
        let is_shown = value.is_empty() || is_reference(value);
        *out += &word[..=name.len()];
        *out += if is_shown { value } else { MASK };
        return value.is_empty();
    }
    *out += word;
    word.starts_with('-') && is_secret_name(word)
}

/// An address after its scheme, without user, password, query and fragment.
fn address(rest: &str) -> String {
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let host = rest.find('/').unwrap_or(end).min(end);
    let user = rest[..host].rfind('@').filter(|at| !is_reference(&rest[..*at]));
    let start = if user.is_some() { MASK } else { "" };
    let tail = rest.get(end..=end).unwrap_or_default();
    let hidden = if tail.is_empty() { "" } else { MASK };
    [start, &rest[user.unwrap_or(0)..end], tail, hidden].concat()
}

/// Whether a value is a variable or a placeholder.
fn is_reference(value: &str) -> bool {
    value.starts_with(['$', '%', '<', '{'])
}

fn is_secret_name(name: &str) -> bool {
    secret::is_secret_name(&name.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn secrets_are_masked() {
        for (text, expected) in [
            ("npx -y server ${ROOT:-.}", "npx -y server ${ROOT:-.}"),
            (
                "run --api-key abc --token=abc -v",
                "run --api-key *** --token=*** -v",
            ),
            (
                "run --api-key $KEY --token=${T}",
                "run --api-key $KEY --token=${T}",
            ),
            ("run --token --verbose", "run --token --verbose"),
            ("API_TOKEN=abc run", "API_TOKEN=*** run"),
            (
                "curl -H 'Authorization: Bearer abc' x",
                "curl -H 'Authorization: Bearer ***' x",
            ),
            ("curl -H \"X-Api-Key:abc\" x", "curl -H \"X-Api-Key:***\" x"),
            ("https://u:p@host/mcp?a=b#c", "https://***@host/mcp?***"),
            ("https://host?key", "https://host?***"),
            ("https://$USER@host/a@b", "https://$USER@host/a@b"),
            ("https://", "https://"),
            ("a:b c=d", "a:b c=d"),
            ("echo sk-ant-0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r", "echo ***"),
            (
                "echo \u{e4}\u{1f600} token= \u{e4}",
                "echo \u{e4}\u{1f600} token= ***",
            ),
            ("", ""),
        ] {
            assert_eq!(masked(text), expected, "{text}");
        }
    }
}
