//! Variables that may be set without changing what runs.

/// Environment variables that only change the format or amount of output.
const HARMLESS: &[&str] = &[
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "FORCE_COLOR",
    "LANG",
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

/// Lowercase variables that shells themselves use.
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

/// Whether a command may get this variable.
pub(super) fn may_be_passed(name: &str) -> bool {
    HARMLESS.contains(&name) || name.starts_with("LC_")
}

/// Whether the line may set this variable. Lowercase variables are not in the environment of the commands it runs, or are ignored
/// there.
pub(super) fn may_be_set(name: &str) -> bool {
    let own = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    may_be_passed(name) || own && !OF_SHELLS.contains(&name)
}
