//! A folder of the editor, with the component.

use std::path::{Path, PathBuf};

use callsheet_answers::{Project, read};
use callsheet_contract::bindings::callsheet::agents::files;
use callsheet_contract::documents::{
    self, Annotations, Converted, Dialect, DocumentError, Draft, Found, Guessed, InvalidName, KeyChange,
    NameError, Parsed, Rule, Seen,
};
use callsheet_contract::projects::{
    Build, Completions, Exception, Graph, Part, Renaming, Report, Request, Scope, Spot,
};
use callsheet_contract::types::{Edit, Kind, Level};
use callsheet_report::report::{Checked, FixedFile};
use callsheet_server::{Answers, Failure, Folder};
use callsheet_settings::{Checks, ConfigError, Known, Level as Severity};

use crate::contract::callsheet::server::buffers;

/// The configuration of a project.
const CONFIGURATION: &str = "callsheet.toml";

#[derive(Clone)]
pub(crate) struct Opened {
    project: Project,
    checks: Checks,
}

impl Opened {
    pub(crate) fn new(directory: &str) -> Self {
        Self {
            project: Project {
                name: directory.to_owned(),
                ..Project::default()
            },
            checks: Checks::default(),
        }
    }

    /// The path of a file from the folder, if it is in it.
    fn below<'a>(&self, path: &'a str) -> Option<&'a Path> {
        let below = path.strip_prefix(&*self.project.name)?.strip_prefix('/')?;
        Some(Path::new(below))
    }

    fn excludes(&self, path: &str) -> bool {
        self.below(path).is_some_and(|below| self.checks.excludes(below))
    }
}

/// Asks what the server asks of a folder when it starts, for nothing but the files that this needs.
pub(crate) fn read_ahead(directory: &str) {
    let mut opened = Opened::new(directory);
    // The server asks again, and reports the failures.
    let _ = opened.configure();
    let request = opened.request(Vec::new());
    let _ = (opened.check(&request), opened.graph());
}

fn parsed(contents: &[u8], known: &Known) -> Result<Checks, ConfigError> {
    let text = str::from_utf8(contents).map_err(|error| {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidData, error);
        ConfigError::unreadable(Path::new(CONFIGURATION), &error)
    })?;
    Checks::parse(text, known).map_err(|problem| problem.in_file(Path::new(CONFIGURATION), text))
}

fn everything() -> Request {
    Request {
        dialect: None,
        targets: Vec::new(),
        paths: Vec::new(),
    }
}

fn of_answers<T>(answer: Result<T, callsheet_answers::Failure>) -> Result<T, Failure> {
    answer.map_err(|failure| Failure::new(failure.to_string()))
}

fn of_project<T>(answer: Result<T, callsheet_contract::catalogs::CatalogError>) -> Result<T, Failure> {
    of_answers(answer.map_err(|error| callsheet_answers::Failure::catalog(error, "")))
}

fn of_document<T>(answer: Result<T, DocumentError>, found: &Found) -> Result<T, Failure> {
    let dialect = found.dialect.as_deref();
    of_answers(answer.map_err(|error| callsheet_answers::Failure::document(error, dialect)))
}

impl Answers for Opened {
    fn set_unsaved(&mut self, path: &Path, contents: Option<&[u8]>) {
        buffers::set(&path.to_string_lossy(), contents);
    }

    fn check(&mut self, request: &Request) -> Result<Report, Failure> {
        let build = self.checks.build.clone().map(|build| Build {
            project: Some(self.project.name.clone()),
            ..build
        });
        of_project(self.project.contract().check(request, build.as_ref()))
    }

    fn graph(&mut self) -> Result<Graph, Failure> {
        let project = self.project.contract();
        of_project(project.graph(&everything(), &Scope::Everything, Part::Whole))
    }
}

impl Folder for Opened {
    /// There are no threads, and all instances share the files.
    fn another(&self) -> Result<Box<dyn Answers + Send>, Failure> {
        Ok(Box::new(self.clone()))
    }

    fn configure(&mut self) -> Result<(), Failure> {
        let entries = files::list_directory(&self.project.name).unwrap_or_default();
        if entries.iter().all(|entry| entry.name != CONFIGURATION) {
            self.checks = Checks::default();
            return Ok(());
        }
        let contents = of_answers(read(&format!("{}/{CONFIGURATION}", self.project.name)))?;
        let releases = documents::readers().into_iter().map(|reader| reader.id);
        let dialects = documents::dialects(Kind::Agent).into_iter();
        let known = Known {
            rules: documents::rules().into_iter().map(|rule| rule.name).collect(),
            dialects: dialects.map(|dialect| dialect.id).chain(releases).collect(),
        };
        self.checks = parsed(&contents, &known).map_err(|error| Failure {
            message: error.to_string(),
            help: vec!["see docs/configuration.md for its format".to_owned()],
        })?;
        Ok(())
    }

    fn request(&self, paths: Vec<String>) -> Request {
        Request {
            dialect: self.checks.dialect.clone(),
            targets: self.checks.targets.clone(),
            paths,
        }
    }

    fn leave_out(&self, report: &mut Report) {
        report.files.retain(|file| !self.excludes(&file.path));
        report.others.retain(|path| !self.excludes(path));
        report
            .findings
            .retain(|found| !self.excludes(&found.diagnostic.primary.place.path));
    }

    fn configured(&self, report: Report) -> Checked {
        let mut checked = Checked::new(report);
        for finding in &mut checked.findings {
            let path = finding.diagnostic.primary.place.path.clone();
            self.checks
                .apply(finding, || self.below(&path).map(Path::to_owned));
        }
        checked
    }

    fn is_off(&self, rule: &str, path: &str) -> bool {
        let level = self.checks.level(rule, || self.below(path).map(Path::to_owned));
        level == Some(Severity::Off)
    }

    fn locate(&mut self, name: &str) -> Option<PathBuf> {
        let is_here = name
            .strip_prefix(&*self.project.name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        is_here.then(|| PathBuf::from(name))
    }

    fn read(&mut self, name: &str) -> Result<Vec<u8>, Failure> {
        of_answers(read(name))
    }

    fn dialects(&mut self, kind: Kind) -> Result<Vec<Dialect>, Failure> {
        Ok(documents::dialects(kind))
    }

    fn rules(&mut self) -> Result<Vec<Rule>, Failure> {
        Ok(documents::rules())
    }

    fn guess(&mut self, contents: &[u8]) -> Result<Option<Guessed>, Failure> {
        let project = self.project.contract();
        let kinds = [Kind::Agent, Kind::Skill, Kind::Command].into_iter();
        let in_use: Vec<String> = kinds.flat_map(|kind| project.in_use(kind)).collect();
        Ok(documents::guess(contents, &in_use))
    }

    fn parse(&mut self, found: &Found, contents: &[u8]) -> Result<Parsed, Failure> {
        let parsed = documents::parse(&found.path, contents, found.dialect.as_deref(), found.level);
        of_document(parsed, found)
    }

    fn annotate(&mut self, found: &Found, contents: &[u8]) -> Result<Annotations, Failure> {
        let shown = documents::annotate(&found.path, contents, found.dialect.as_deref(), found.level);
        of_document(shown, found)
    }

    fn suppress(
        &mut self,
        found: &Found,
        contents: &[u8],
        rule: &str,
        at: u32,
    ) -> Result<Option<Edit>, Failure> {
        let dialect = found.dialect.as_deref();
        let edit = documents::suppress(&found.path, contents, rule, at, dialect);
        of_document(edit, found)
    }

    fn readings(&mut self, path: &str, contents: &[u8]) -> Result<Vec<Seen>, Failure> {
        let below = self.below(path).and_then(Path::to_str);
        Ok(documents::readings(below.unwrap_or(path), contents))
    }

    fn complete(&mut self, spot: &Spot) -> Result<Completions, Failure> {
        of_project(self.project.contract().complete(spot))
    }

    fn fix(&mut self, request: &Request, exceptions: &[Exception]) -> Result<Vec<FixedFile>, Failure> {
        let fixed = self.project.contract().fix(request, false, exceptions);
        Ok(of_project(fixed)?.into_iter().map(FixedFile::from).collect())
    }

    fn rename(&mut self, path: &str, to: &str) -> Result<Renaming, Failure> {
        of_project(self.project.contract().rename(path, to))
    }

    fn convert(
        &mut self,
        path: &str,
        contents: &[u8],
        dialect: &str,
        to: &str,
    ) -> Result<Converted, Failure> {
        let converted = documents::convert(path, contents, Some(dialect), to, false);
        converted.map_err(|_| Failure::new(format!("{path} cannot be converted to {to}")))
    }

    fn name_file(&mut self, name: &str, dialect: &str) -> Result<Result<String, InvalidName>, Failure> {
        let error = match documents::name_file(name, dialect) {
            Ok(file) => return Ok(Ok(file)),
            Err(NameError::Invalid(invalid)) => return Ok(Err(invalid)),
            Err(NameError::UnknownDialect(nearest)) => DocumentError::UnknownDialect(nearest),
            Err(NameError::Other(reason)) => DocumentError::Other(reason),
        };
        of_answers(Err(callsheet_answers::Failure::document(error, Some(dialect))))
    }

    fn render(&mut self, draft: &Draft, dialect: &str) -> Result<String, Failure> {
        let rendered = documents::render(draft, dialect);
        of_answers(rendered.map_err(|error| callsheet_answers::Failure::write(error, dialect)))
    }

    fn revise(
        &mut self,
        contents: &[u8],
        dialect: &str,
        changes: &[KeyChange],
    ) -> Result<Vec<Edit>, Failure> {
        let edits = documents::revise(contents, dialect, changes, None);
        of_answers(edits.map_err(|error| callsheet_answers::Failure::write(error, dialect)))
    }

    fn own_directory(&mut self, dialect: &str, kind: Kind, level: Level) -> Result<Option<String>, Failure> {
        of_answers(self.project.own_directory(dialect, kind, level))
    }
}
