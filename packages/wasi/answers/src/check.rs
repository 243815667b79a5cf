//! What is wrong with files.

use std::collections::{BTreeMap, BTreeSet};

use crate::documents::Found;
use crate::output::report::{Checked, Finding};
use crate::output::secrets;
use crate::{Failure, Project, documents, read};

/// What is wrong with the files that these dialects read, and between them.
///
/// Fails as [`Project::open`] does.
pub fn check_together(project: &Project, dialects: &[String]) -> Result<Checked, Failure> {
    let (mut files, mut findings) = (BTreeSet::new(), Vec::new());
    for dialect in dialects {
        let catalog = project.open(dialect, true)?;
        let entries = catalog.entries(true).into_iter();
        files.extend(entries.filter_map(|entry| entry.origin.path));
        findings.extend(Finding::all(
            catalog.diagnostics(),
            catalog.suppressed(),
            Some(dialect),
        ));
    }
    Ok(done(files.len(), findings))
}

/// What is wrong with each file at or below these paths, on its own. What could not be read is beside it.
///
/// Fails with [`Failure::UnknownDialect`] if the dialect is not known.
pub fn check_each(paths: &[String], dialect: Option<&str>) -> Result<(Checked, Vec<Failure>), Failure> {
    let (mut files, mut findings, mut failures) = (BTreeMap::new(), Vec::new(), Vec::new());
    for path in paths {
        if let Err(failure) = crate::exists(path) {
            failures.push(failure);
            continue;
        }
        let (found, diagnostics) = documents::discover(path);
        findings.extend(Finding::all(diagnostics, Vec::new(), None));
        let found = found.into_iter();
        files.extend(found.map(|found| (found.path.clone(), found)));
    }
    let number = files.len();
    for found in files.values() {
        match file(found, dialect.or(found.dialect.as_deref())) {
            Ok(found) => findings.extend(found),
            Err(failure @ Failure::UnknownDialect { .. }) => return Err(failure),
            Err(failure) => failures.push(failure),
        }
    }
    Ok((done(number, findings), failures))
}

fn file(found: &Found, dialect: Option<&str>) -> Result<Vec<Finding>, Failure> {
    let contents = read(&found.path)?;
    let parsed = documents::parse(&found.path, &contents, dialect, found.level)
        .map_err(|error| Failure::document(error, dialect))?;
    let findings = Finding::all(parsed.diagnostics, parsed.suppressed, Some(&parsed.dialect));
    Ok(findings.collect())
}

fn done(files: usize, findings: Vec<Finding>) -> Checked {
    let mut checked = Checked::new(files, findings);
    secrets::conceal(&mut checked, |path| read(path).ok());
    checked
}
