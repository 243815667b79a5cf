//! What is wrong with files.

use crate::output::report::Checked;
use crate::projects::{self, Request};
use crate::{Failure, Project};

/// Checks a project, or the files and directories of it that the request names.
///
/// Fails with [`Failure::UnknownDialect`] if a dialect is unknown and with [`Failure::BadInline`] if the agents given cannot be
/// read.
pub fn check(project: &Project, request: &Request) -> Result<Checked, Failure> {
    let report = projects::check(&project.contract(), request);
    let asked = request.dialect.iter().chain(&request.targets);
    let asked: Vec<&str> = asked.map(String::as_str).collect();
    report
        .map(Checked::new)
        .map_err(|error| Failure::catalog(error, &asked.join(", ")))
}
