//! Checks files.

use callsheet_contract::projects::{Build, Request};
use callsheet_report::report::Checked;

use crate::{Failure, Project};

/// Checks a project, or the requested files and directories in it, and with `build` how its files extend others.
///
/// Fails with [`Failure::UnknownDialect`] for an unknown dialect, and with [`Failure::BadInline`] if the inline agents cannot
/// be read.
pub fn check(project: &Project, request: &Request, build: Option<&Build>) -> Result<Checked, Failure> {
    let report = project.contract().check(request, build);
    let build = build
        .into_iter()
        .flat_map(|build| build.dialect.iter().chain(&build.targets));
    let asked = request.dialect.iter().chain(&request.targets).chain(build);
    let asked: Vec<&str> = asked.map(String::as_str).collect();
    report
        .map(Checked::new)
        .map_err(|error| Failure::catalog(error, &asked.join(", ")))
}
