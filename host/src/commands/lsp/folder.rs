//! A folder on the disk, with the component and the configuration.

use std::path::{Path, PathBuf};

use callsheet::Callsheet;
use callsheet::config::Skips;
use callsheet::documents::{
    Annotations, Converted, Dialect, Draft, Found, Guessed, InvalidName, KeyChange, Parsed, Rule, Seen,
};
use callsheet::fix::{FixedFile, Which};
use callsheet::output::report::Checked;
use callsheet::projects::{Build, Completions, Exception, Graph, Renaming, Report, Request, Spot};
use callsheet::types::{Edit, Kind, Level};
use callsheet_server::{Answers, Failure, Folder};

use crate::commands::check;
use crate::commands::context::Context;
use crate::commands::sources;
use crate::exit;

pub(super) struct Opened(Context);

impl Opened {
    pub(super) fn new(context: Context) -> Self {
        Self(context)
    }
}

/// Another instance of the component, with the sources of the project.
struct Another {
    callsheet: Callsheet,
    build: Option<Build>,
}

fn asked<T>(answer: callsheet::Result<T>) -> Result<T, Failure> {
    answer.map_err(|error| exit::Failure::from(error).into())
}

fn set_unsaved(callsheet: &mut Callsheet, path: &Path, contents: Option<&[u8]>) {
    match contents {
        Some(contents) => {
            // A path that cannot be read leads to no tool.
            let _ = callsheet.set_unsaved(path, contents.to_owned());
        }
        None => callsheet.forget_unsaved(path),
    }
}

impl Answers for Another {
    fn set_unsaved(&mut self, path: &Path, contents: Option<&[u8]>) {
        set_unsaved(&mut self.callsheet, path, contents);
    }

    fn check(&mut self, request: &Request) -> Result<Report, Failure> {
        asked(self.callsheet.check(request, self.build.as_ref()))
    }

    fn graph(&mut self) -> Result<Graph, Failure> {
        asked(self.callsheet.graph())
    }
}

impl Answers for Opened {
    fn set_unsaved(&mut self, path: &Path, contents: Option<&[u8]>) {
        set_unsaved(&mut self.0.callsheet, path, contents);
    }

    fn check(&mut self, request: &Request) -> Result<Report, Failure> {
        let build = sources::of_project(&self.0);
        asked(self.0.callsheet.check(request, build.as_ref()))
    }

    fn graph(&mut self) -> Result<Graph, Failure> {
        asked(self.0.callsheet.graph())
    }
}

impl Folder for Opened {
    fn another(&self) -> Result<Box<dyn Answers + Send>, Failure> {
        Ok(Box::new(Another {
            callsheet: self.0.another()?,
            build: sources::of_project(&self.0),
        }))
    }

    fn configure(&mut self) -> Result<(), Failure> {
        Ok(self.0.configure()?)
    }

    fn request(&self, paths: Vec<String>) -> Request {
        Request {
            dialect: self.0.options.dialect.clone(),
            targets: self.0.config.checks.targets.clone(),
            paths,
        }
    }

    fn leave_out(&self, report: &mut Report) {
        let skips = Skips::new(&self.0.config, &[]);
        report.files.retain(|file| skips.of(&file.path).is_none());
        report.others.retain(|path| skips.of(path).is_none());
        report
            .findings
            .retain(|found| skips.of(&found.diagnostic.primary.place.path).is_none());
    }

    fn configured(&self, report: Report) -> Checked {
        check::configured(report, &self.0.config)
    }

    fn is_off(&self, rule: &str, path: &str) -> bool {
        self.0.config.is_off(rule, path)
    }

    fn locate(&mut self, name: &str) -> Option<PathBuf> {
        self.0.callsheet.system_path(name)
    }

    fn read(&mut self, name: &str) -> Result<Vec<u8>, Failure> {
        asked(self.0.callsheet.read(name))
    }

    fn dialects(&mut self, kind: Kind) -> Result<Vec<Dialect>, Failure> {
        asked(self.0.callsheet.dialects_for(kind))
    }

    fn rules(&mut self) -> Result<Vec<Rule>, Failure> {
        asked(self.0.callsheet.rules())
    }

    fn guess(&mut self, contents: &[u8]) -> Result<Option<Guessed>, Failure> {
        asked(self.0.callsheet.guess(contents))
    }

    fn parse(&mut self, found: &Found, contents: &[u8]) -> Result<Parsed, Failure> {
        asked(self.0.callsheet.parse_found(found, contents))
    }

    fn annotate(&mut self, found: &Found, contents: &[u8]) -> Result<Annotations, Failure> {
        asked(self.0.callsheet.annotate(found, contents))
    }

    fn suppress(
        &mut self,
        found: &Found,
        contents: &[u8],
        rule: &str,
        at: u32,
    ) -> Result<Option<Edit>, Failure> {
        asked(self.0.callsheet.suppress(found, contents, rule, at))
    }

    fn readings(&mut self, path: &str, contents: &[u8]) -> Result<Vec<Seen>, Failure> {
        asked(self.0.callsheet.readings(path, contents))
    }

    fn complete(&mut self, spot: &Spot) -> Result<Completions, Failure> {
        asked(self.0.callsheet.complete(spot))
    }

    fn fix(&mut self, request: &Request, exceptions: &[Exception]) -> Result<Vec<FixedFile>, Failure> {
        asked(self.0.callsheet.fix(request, Which::Safe, exceptions))
    }

    fn rename(&mut self, path: &str, to: &str) -> Result<Renaming, Failure> {
        asked(self.0.callsheet.rename(path, to))
    }

    fn convert(
        &mut self,
        path: &str,
        contents: &[u8],
        dialect: &str,
        to: &str,
    ) -> Result<Converted, Failure> {
        asked(self.0.callsheet.convert(path, contents, Some(dialect), to, false))
    }

    fn name_file(&mut self, name: &str, dialect: &str) -> Result<Result<String, InvalidName>, Failure> {
        asked(self.0.callsheet.name_file(name, dialect))
    }

    fn render(&mut self, draft: &Draft, dialect: &str) -> Result<String, Failure> {
        asked(self.0.callsheet.render(draft, dialect))
    }

    fn revise(
        &mut self,
        contents: &[u8],
        dialect: &str,
        changes: &[KeyChange],
    ) -> Result<Vec<Edit>, Failure> {
        asked(self.0.callsheet.revise(contents, dialect, changes, None))
    }

    fn own_directory(&mut self, dialect: &str, kind: Kind, level: Level) -> Result<Option<String>, Failure> {
        asked(self.0.callsheet.own_directory_for(dialect, kind, level))
    }
}
