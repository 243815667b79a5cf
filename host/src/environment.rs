//! The environment of the programs that we start.

use std::ffi::OsString;

/// Variables that programs need to run at all. None of them contains a secret.
const HARMLESS: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "CI",
    "SYSTEMROOT",
    "COMSPEC",
    "APPDATA",
    "USERPROFILE",
];

/// Harmless variables, and those that the user names.
pub(crate) fn inherited(named: &[String]) -> Vec<(OsString, OsString)> {
    let names = HARMLESS.iter().copied().chain(named.iter().map(String::as_str));
    let variables = names.filter_map(|name| Some((name.into(), std::env::var_os(name)?)));
    variables.collect()
}
