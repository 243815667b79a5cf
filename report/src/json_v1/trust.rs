//! Trusted files.

use serde::Serialize;

use crate::report;

#[derive(Serialize)]
pub(super) struct Trust<'a> {
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    trusted: bool,
    stakes: Vec<Stake<'a>>,
}

#[derive(Serialize)]
struct Stake<'a> {
    what: &'a str,
    value: &'a str,
}

impl<'a> From<&'a [report::Trusted]> for Trust<'a> {
    fn from(files: &'a [report::Trusted]) -> Self {
        let stake = |(what, value): &'a (&'static str, String)| Stake { what, value };
        let file = |file: &'a report::Trusted| File {
            path: &file.path,
            trusted: file.trusted,
            stakes: file.stakes.iter().map(stake).collect(),
        };
        Self {
            files: files.iter().map(file).collect(),
        }
    }
}
