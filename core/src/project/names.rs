//! Names that a definition and its file can share in every system.

/// Longer ones are refused by some reader.
const LONGEST: usize = 64;

/// What is wrong with a name, or a part of one between separators.
pub(super) fn wrong(name: &str) -> Option<&'static str> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() {
        Some("a name is required")
    } else if name.chars().count() > LONGEST {
        Some("it is longer than 64 characters")
    } else if !name.chars().all(is_plain) {
        Some("it may contain only letters, digits, `-`, `_` and `.`")
    } else if !name.starts_with(char::is_alphanumeric) || name.ends_with('.') {
        Some("it must start with a letter or a digit, and not end with a dot")
    } else if is_reserved(name) {
        Some("some systems do not allow a file of this name")
    } else {
        None
    }
}

/// Names of Windows devices, with any extension.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let numbered = ["com", "lpt"].iter().find_map(|prefix| stem.strip_prefix(prefix));
    let is_digit = |rest: &str| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit();
    matches!(&*stem, "con" | "prn" | "aux" | "nul") || numbered.is_some_and(is_digit)
}
