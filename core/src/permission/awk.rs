//! Scripts of `awk`, which may run commands and write files.

/// What a script needs to do more than read and print.
const POWERS: &[&str] = &["system", "|", ">", "getline", "@"];

/// Whether a script only reads and prints.
pub(super) fn is_plain(script: &str) -> bool {
    !POWERS.iter().any(|power| script.contains(power))
}
