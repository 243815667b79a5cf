//! The check of a project: which catalogs read which files, and whose findings count.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::compose::{composed, folder};
use super::listed::{Existing, Listed};
use super::opened::Opener;
use super::references::Catalogs;
use super::secrets::Secrets;
use super::tops::{Top, tops};
use super::walk::{Ground, Owned, Wanted, passed_over, walk};
use super::{Checked, Counts, Finding, Project, Report, Request};
use crate::catalog::{Catalog, CatalogError, Relation};
use crate::compose::Build;
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::dialect::{Dialect, Dialects, Kind, Level};
use crate::document;
use crate::files::Files;
use crate::offered::Verdict;
use crate::order::{self, sorted};
use crate::places::{below, is_within};
use crate::rules;

pub(super) struct Check<'a> {
    opener: Opener<'a>,
    files: &'a Rc<dyn Files>,
    dialects: &'a Dialects,
    project: &'a Project,
    request: &'a Request,
    /// The folder of the files that are compiled.
    sources: Option<String>,
    report: Report,
    checked: BTreeMap<String, Checked>,
}

/// Checks a project, or some of its files. Fails only if a dialect is unknown, the agents given inline cannot be read, or there is nothing
/// to compile as `build` says.
pub fn check(
    files: &Rc<dyn Files>,
    dialects: &Dialects,
    project: &Project,
    request: &Request,
    build: Option<&Build>,
) -> Result<Report, CatalogError> {
    let (project, request) = &super::normalized(dialects, project, request)?;
    let files = &Listed::of(files);
    let mut check = Check::new(files, dialects, project, request);
    if let Some(build) = build {
        check.sources = folder(project, build);
        check.compose(build)?;
    }
    check.run()
}

impl<'a> Check<'a> {
    pub(super) fn new(
        files: &'a Rc<dyn Files>,
        dialects: &'a Dialects,
        project: &'a Project,
        request: &'a Request,
    ) -> Self {
        Self {
            opener: Opener {
                files,
                dialects,
                project,
                request,
            },
            files,
            dialects,
            project,
            request,
            sources: None,
            report: Report::default(),
            checked: BTreeMap::new(),
        }
    }

    pub(super) fn run(mut self) -> Result<Report, CatalogError> {
        match &self.request.dialect {
            Some(dialect) if self.request.paths.is_empty() => self.all_by(dialect)?,
            Some(dialect) => self.each_by(dialect),
            None => self.by_owners()?,
        }
        Ok(self.finish())
    }

    /// The files that one dialect reads here, regardless of their owner.
    fn all_by(&mut self, dialect: &str) -> Result<(), CatalogError> {
        for dialect in Kind::ALL
            .into_iter()
            .filter_map(|kind| self.dialects.get_for(dialect, kind).ok())
        {
            let catalog = self
                .opener
                .open(self.project.options(&dialect.id, dialect.kind, true))?;
            self.take(&catalog, dialect, |_| true);
        }
        Ok(())
    }

    /// The requested files, each read by one dialect.
    fn each_by(&mut self, dialect: &str) {
        for top in tops(&**self.files, self.dialects, self.project, &self.request.paths) {
            let ground = self.walk(&top);
            let owned = ground.owned.iter();
            let owned = owned.map(|owned| (&owned.path, (owned.owner.kind, owned.home.level())));
            let unowned = ground.unowned.iter().chain(&ground.unread);
            let unowned = unowned.map(|path| (path, (Kind::Agent, None)));
            let mut all: BTreeMap<&String, (Kind, Option<Level>)> = BTreeMap::new();
            all.extend(owned.chain(unowned));
            for (path, (kind, level)) in all {
                match self.dialects.get_for(dialect, kind) {
                    Ok(dialect) => self.file(path, dialect, level),
                    Err(_) => self.report.unowned.push(path.clone()),
                }
            }
            let settings = ground.settings.into_iter();
            for (owner, found) in settings.filter(|(owner, _)| owner.id == dialect) {
                self.add(Some(found), false, Some(owner));
            }
            self.add(ground.diagnostics, false, None);
            self.report.others.extend(ground.others);
        }
    }

    fn walk(&self, top: &Top) -> Ground<'a> {
        let home = self.project.home.as_deref();
        walk(&**self.files, self.dialects, home, &top.directory, &top.wanted)
    }

    /// Every file by its owner, and by the targets.
    fn by_owners(&mut self) -> Result<(), CatalogError> {
        for top in tops(&**self.files, self.dialects, self.project, &self.request.paths) {
            let ground = self.walk(&top);
            self.ground(&top, ground)?;
        }
        Ok(())
    }

    fn ground(&mut self, top: &Top, ground: Ground<'a>) -> Result<(), CatalogError> {
        let mut owners: BTreeMap<&str, &Dialect> = BTreeMap::new();
        owners.extend(ground.owned.iter().map(|owned| (&*owned.path, owned.owner)));
        for owned in ground.owned.iter().filter(|owned| owned.is_alone()) {
            self.file(&owned.path, owned.owner, owned.home.level());
        }
        let used = self.opener.used(top);
        let catalogs = Catalogs::open(&self.opener, top, &ground, &used)?;
        let used = used.into_iter().map(|(_, id)| id).collect();
        self.alone(top, &catalogs);
        for opened in &catalogs.all {
            let (dialect, catalog) = (opened.dialect, &opened.catalog);
            let is_target = self.request.targets.contains(&dialect.id);
            let is_judge = |path: &str| is_target || opened.judges(path, &owners);
            self.take(catalog, dialect, |path| {
                top.wanted.covers(path) && opened.is_about(path, top) && is_judge(path)
            });
        }
        self.without_places(&ground.owned);
        self.readers(top, &ground.owned, &used);
        for (owner, found) in ground.settings {
            self.add(Some(found), false, Some(owner));
        }
        for named in ground.names {
            let is_missing =
                named.relation == Relation::RunsIn && catalogs.verdict(&named) == Verdict::Missing;
            let found = is_missing.then(|| rules::unknown_agent::in_settings(named.place, &named.name));
            self.add(found, false, named.owner);
        }
        let is_source = |path: &String| {
            self.sources
                .as_ref()
                .is_some_and(|folder| is_within(path, folder))
        };
        let unowned: Vec<String> = ground
            .unowned
            .into_iter()
            .filter(|path| !is_source(path))
            .collect();
        let passed_over = passed_over(&top.directory, &unowned);
        self.add(ground.diagnostics, false, None);
        self.add(passed_over, false, None);
        // A file that is its own top is not among the wanted ones below it.
        let is_named = |path: &String| {
            (top.wanted.names(path) || *path == top.directory) && !ground.others.contains(path)
        };
        let named = unowned.into_iter().filter(is_named);
        self.report.unowned.extend(named);
        self.report.others.extend(ground.others);
        Ok(())
    }

    /// What is wrong with how files extend and include others.
    fn compose(&mut self, build: &Build) -> Result<(), CatalogError> {
        let mut wanted = Wanted::default();
        self.request.paths.iter().for_each(|path| wanted.add(path));
        let is_about = |path: &str| wanted.covers(path);
        // Otherwise every edit of another file would read all sources.
        if !self.sources.as_ref().is_none_or(|folder| wanted.touches(folder)) {
            return Ok(());
        }
        let made = composed(&**self.files, self.dialects, self.project, build)?;
        for source in made.sources.into_iter().filter(|source| is_about(&source.path)) {
            self.checked.entry(source.path.clone()).or_insert(Checked {
                path: source.path,
                kind: Kind::Agent,
                dialects: Vec::new(),
                level: Level::Project,
                in_project: true,
            });
        }
        let is_meant = |found: &Diagnostic| is_about(&found.primary.place.path);
        self.add(made.findings.into_iter().filter(is_meant), false, None);
        self.add(made.suppressed.into_iter().filter(is_meant), true, None);
        Ok(())
    }

    /// The findings about what the files without a catalog name.
    fn alone(&mut self, top: &Top, catalogs: &Catalogs<'a>) {
        let mut existing = Existing::new(&**self.files, &top.directory);
        for file in &catalogs.alone {
            let (found, suppressed) = file.findings(&mut existing);
            self.add(found, false, Some(file.owner));
            self.add(suppressed, true, Some(file.owner));
        }
    }

    /// Targets that read files from anywhere.
    fn without_places(&mut self, owned: &[Owned<'_>]) {
        for target in &self.request.targets {
            for owned in owned {
                let reader = self.dialects.get_for(target, owned.owner.kind).ok();
                if let Some(reader) = reader.filter(|reader| !reader.has_places()) {
                    self.file(&owned.path, reader, owned.home.level());
                }
            }
        }
    }

    /// One note for each file that tools besides its owner read differently.
    fn readers(&mut self, top: &Top, owned: &[Owned<'_>], used: &BTreeSet<&str>) {
        for owned in owned {
            let seen = below(&top.directory, &owned.path).unwrap_or(&owned.path);
            let others = used.iter().filter(|id| {
                **id != owned.owner.id && !self.request.targets.iter().any(|target| target == **id)
            });
            let kind = owned.owner.kind;
            let others = others.filter_map(|id| self.dialects.get_for(id, kind).ok());
            let others: Vec<_> = others.filter(|other| other.reads_at(seen)).collect();
            if others.is_empty() {
                continue;
            }
            let Ok(bytes) = self.files.read(&owned.path) else {
                continue;
            };
            let problems = |dialect: &Dialect| {
                let read = document::read(&owned.path, &bytes, None, dialect, self.dialects);
                let is_problem = |found: &Diagnostic| found.severity != Severity::Note;
                let found = read.diagnostics.into_iter().filter(is_problem);
                let mut problems = BTreeSet::new();
                problems.extend(found.map(|found| (found.rule, found.severity, found.primary.place.span)));
                (problems, read.outcome.loads())
            };
            let (own, is_loaded) = problems(owned.owner);
            let (mut ids, mut lost, mut count) = (Vec::new(), Vec::new(), 0);
            for other in others {
                let (found, loads) = problems(other);
                let more = found.difference(&own).count();
                count += more;
                ids.extend((more > 0).then_some(&*other.id));
                lost.extend((more > 0 && is_loaded && !loads).then_some(&*other.id));
            }
            if !ids.is_empty() {
                let finding = also_read(&owned.path, &ids, &lost, count);
                self.add(Some(finding), false, Some(owned.owner));
            }
        }
    }

    /// The catalog's findings in the `meant` places.
    fn take(&mut self, catalog: &Catalog, dialect: &Dialect, meant: impl Fn(&str) -> bool) {
        for entry in catalog.entries(true) {
            if let Some(path) = entry.origin.path.filter(|path| meant(path)) {
                self.count(&path, dialect, entry.origin.level);
            }
        }
        let is_meant = |diagnostic: &Diagnostic| meant(&diagnostic.primary.place.path);
        let (left, suppressed) = catalog.findings();
        self.add(left.into_iter().filter(is_meant), false, Some(dialect));
        self.add(suppressed.into_iter().filter(is_meant), true, Some(dialect));
    }

    fn count(&mut self, path: &str, dialect: &Dialect, level: Level) {
        let in_project = !self.request.paths.is_empty() || self.is_in_project(path);
        let checked = self.checked.entry(path.to_string()).or_insert_with(|| Checked {
            path: path.to_string(),
            kind: dialect.kind,
            dialects: Vec::new(),
            level,
            in_project,
        });
        if !checked.dialects.contains(&dialect.id) {
            checked.dialects.push(dialect.id.clone());
        }
    }

    /// One file on its own.
    fn file(&mut self, path: &str, dialect: &Dialect, level: Option<Level>) {
        let bytes = match self.files.read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = format!("the file cannot be read: {}", error.words());
                let diagnostic =
                    Diagnostic::new(&rules::unreadable_file::RULE, Place::beginning(path), message);
                return self.add(Some(diagnostic), false, Some(dialect));
            }
        };
        self.count(path, dialect, level.unwrap_or(Level::Project));
        let document = document::read_alone(path, &bytes, dialect, level, self.dialects);
        self.add(document.diagnostics, false, Some(dialect));
        self.add(document.suppressed, true, Some(dialect));
    }

    fn add(
        &mut self,
        diagnostics: impl IntoIterator<Item = Diagnostic>,
        suppressed: bool,
        dialect: Option<&Dialect>,
    ) {
        let finding = |diagnostic: Diagnostic| Finding {
            in_project: !self.request.paths.is_empty() || self.is_in_project(&diagnostic.primary.place.path),
            diagnostic,
            dialects: dialect.map(|dialect| dialect.id.clone()).into_iter().collect(),
            suppressed,
        };
        let found: Vec<Finding> = diagnostics.into_iter().map(finding).collect();
        self.report.findings.extend(found);
    }

    /// Whether a path is in the project, not in the home directory or an administrator's.
    fn is_in_project(&self, path: &str) -> bool {
        let longest = |places: &mut dyn Iterator<Item = &str>| {
            let around = places.filter(|place| is_within(path, place));
            around
                .map(|place| if place == "." { 0 } else { place.len() })
                .max()
        };
        let project = &self.project;
        let given = project.plugins.iter().map(|plugin| &*plugin.directory);
        let given = given.chain(project.directories.iter().map(|directory| &**directory));
        let own = project
            .ancestors
            .iter()
            .map(|ancestor| &**ancestor)
            .chain([&*project.directory]);
        let policies = self.dialects.every().flat_map(|dialect| &dialect.sources);
        let policies = policies.filter(|source| source.level == Level::Policy);
        let others = policies
            .map(|source| &*source.directory)
            .chain(project.home.as_deref());
        longest(&mut own.chain(given)) >= longest(&mut { others })
    }

    fn finish(mut self) -> Report {
        let mut findings = joined(self.report.findings);
        let secrets = Secrets::of(&findings, &**self.files);
        secrets.conceal(&mut findings, &**self.files);
        let (suppressed, findings): (Vec<Finding>, Vec<Finding>) =
            findings.into_iter().partition(|finding| finding.suppressed);
        self.report.counts = Counts::of(&findings);
        (self.report.findings, self.report.suppressed) = (findings, suppressed);
        self.report.files = self.checked.into_values().collect();
        self.report.unowned = order::names(self.report.unowned);
        self.report.others = order::names(self.report.others);
        self.report
    }
}

/// The note about tools that read a file differently, and those among them that do not load it.
fn also_read(path: &str, readers: &[&str], lost: &[&str], differences: usize) -> Diagnostic {
    let unit = if differences == 1 {
        "difference"
    } else {
        "differences"
    };
    let mut message = format!("also read by {}: {differences} {unit}", readers.join(", "));
    if !lost.is_empty() {
        message.push_str(&format!("; not loaded by {}", lost.join(", ")));
    }
    let mut diagnostic = Diagnostic::new(&rules::also_read::RULE, Place::beginning(path), message);
    diagnostic.help =
        Some("see them with `check --readers`, or check for these tools, too, with `--target`".to_string());
    diagnostic
}

/// Sorted by place; identical findings of several dialects are merged.
fn joined(findings: Vec<Finding>) -> Vec<Finding> {
    let findings = sorted(findings, |a, b| a.order().cmp(&b.order()));
    let mut joined: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        match joined.last_mut() {
            Some(last) if last.order() == finding.order() => {
                for dialect in finding.dialects {
                    if !last.dialects.contains(&dialect) {
                        last.dialects.push(dialect);
                    }
                }
            }
            _ => joined.push(finding),
        }
    }
    joined
}

impl Finding {
    fn order(&self) -> (&str, crate::span::Span, Severity, &str, &str, bool) {
        let found = &self.diagnostic;
        let place = &found.primary.place;
        (
            &place.path,
            place.span,
            found.severity,
            found.rule,
            &found.message,
            self.suppressed,
        )
    }
}
