//! Findings of real projects, drawn at random, to be judged by hand: `cargo xtask sample`.

mod disk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::{env, fs};

use callsheet_core::diagnostic::Severity;
use callsheet_core::dialect::Dialects;
use callsheet_core::files::Files;
use callsheet_core::project::{Finding, Project, Request, check};

use self::disk::Disk;

/// As many of each rule and severity: one wrong one in twenty shows.
const DRAWN: usize = 100;

/// A finding, and where it is.
struct Found {
    project: PathBuf,
    finding: Finding,
    /// The line that it points at.
    line: String,
}

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let directory = arguments.next().unwrap_or_default();
    match run(&directory, arguments.next().as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}

/// Prints the findings that are drawn: the same ones at every run over the same projects.
fn run(directory: &str, rule: Option<&str>) -> Result<(), String> {
    let read = fs::read_dir(directory).map_err(|error| format!("cannot read {directory}: {error}"))?;
    let mut projects: Vec<PathBuf> = read
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    projects.sort();
    let dialects = Dialects::embedded();
    let mut found: BTreeMap<(&'static str, Severity), Vec<Found>> = BTreeMap::new();
    let mut files = 0;
    for project in &projects {
        files += collect(project, &dialects, &mut found)?;
    }
    println!("{files} files of {} projects\n", projects.len());
    for ((name, severity), mut all) in found {
        if rule.is_some_and(|rule| rule != name) {
            continue;
        }
        let total = all.len();
        draw(&mut all);
        println!("== {name} {severity:?}: {} of {total}", all.len());
        all.iter().for_each(print);
        println!();
    }
    Ok(())
}

fn collect(
    project: &Path,
    dialects: &Dialects,
    found: &mut BTreeMap<(&'static str, Severity), Vec<Found>>,
) -> Result<usize, String> {
    let here = Project {
        directory: ".".to_owned(),
        ..Project::default()
    };
    let files: Rc<dyn Files> = Rc::new(Disk(project.to_owned()));
    let report = check(&files, dialects, &here, &Request::default(), None);
    let report = report.map_err(|error| format!("{}: {error:?}", project.display()))?;
    for finding in report.findings {
        let place = &finding.diagnostic.primary.place;
        let contents = files.read(&place.path).unwrap_or_default();
        let text = String::from_utf8_lossy(&contents);
        let line = text
            .lines()
            .nth(place.start.line.saturating_sub(1) as usize)
            .unwrap_or_default();
        let line: String = line.trim().chars().take(160).collect();
        let key = (finding.diagnostic.rule, finding.diagnostic.severity);
        found.entry(key).or_default().push(Found {
            project: project.to_owned(),
            finding,
            line,
        });
    }
    Ok(report.files.len())
}

/// Leaves a part, as if it were shuffled: by a hash of where each stands.
fn draw(all: &mut Vec<Found>) {
    all.sort_by_cached_key(|found| {
        let place = &found.finding.diagnostic.primary.place;
        hash(&format!(
            "{}{}{}{}",
            found.project.display(),
            place.path,
            place.start.line,
            place.start.column
        ))
    });
    all.truncate(DRAWN);
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn print(found: &Found) {
    let diagnostic = &found.finding.diagnostic;
    let place = &diagnostic.primary.place;
    println!(
        "{}/{}:{}: {} {:?}\n    {}\n    | {}",
        found.project.file_name().unwrap_or_default().to_string_lossy(),
        place.path,
        place.start.line,
        diagnostic.message,
        found.finding.dialects,
        diagnostic.primary.text,
        found.line,
    );
}
