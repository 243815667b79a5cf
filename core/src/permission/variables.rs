//! Variables that may be set for a command, or by a line, without changing what runs.

/// Variables of the environment that only change how something looks or how much it says.
const HARMLESS: &[&str] = &[
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "FORCE_COLOR",
    "LANG",
    "LANGUAGE",
    "LINES",
    "NODE_ENV",
    "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "TERM",
    "TZ",
];

/// Variables of lower-case letters that shells themselves use.
const OF_SHELLS: &[&str] = &[
    "argv",
    "cdpath",
    "fignore",
    "fpath",
    "histchars",
    "mailpath",
    "manpath",
    "path",
    "prompt",
    "psvar",
    "signals",
    "status",
    "watch",
];

/// Whether a command may be given this variable.
pub(super) fn may_be_passed(name: &str) -> bool {
    HARMLESS.contains(&name) || name.starts_with("LC_")
}

/// Whether the line may set this variable for itself. Variables of lower-case letters are not in the environment of what it
/// runs, or nothing there heeds them.
pub(super) fn may_be_set(name: &str) -> bool {
    let own = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    may_be_passed(name) || own && !OF_SHELLS.contains(&name)
}
