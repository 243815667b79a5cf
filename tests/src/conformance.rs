//! Runs a case on a backend and compares its outcome with the blessed one.

use std::env;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde_json::json;
use similar::TextDiff;

use crate::backend::{Backend, cli};
use crate::case::Case;
use crate::commands::{Ran, Session};
use crate::script::{Stage, by_program};

/// Runs the case on one backend; fails with a difference.
pub fn run(case: &Case, backend: Backend, program: &OsStr) -> Result<(), String> {
    let outcome = outcome(case, backend, program)?;
    let expected = fs::read_to_string(case.expected()).map_err(|_| {
        let shown = case.expected();
        format!("{} is missing: run with BLESS=1, then review it", shown.display())
    })?;
    match expected == outcome {
        true => Ok(()),
        false => Err(format!(
            "{}\n{}",
            case.about,
            difference("expected", &expected, "found", &outcome)
        )),
    }
}

/// Writes what the backends agree on, or fails with their differences. With `BLESS=native` only the library runs, which
/// needs no new component; the others are compared with it later.
pub fn bless(case: &Case, program: &OsStr) -> Result<(), String> {
    let mut agreed: Option<(Backend, String)> = None;
    let natively = env::var_os("BLESS").is_some_and(|value| value == "native");
    let backends = case.backends().into_iter().filter(|backend| backend.is_here());
    for backend in backends.filter(|backend| !natively || *backend == Backend::Native) {
        let outcome = outcome(case, backend, program)?;
        match &agreed {
            None => agreed = Some((backend, outcome)),
            Some((_, text)) if *text == outcome => {}
            Some((first, text)) => {
                let difference = difference(&first.to_string(), text, &backend.to_string(), &outcome);
                return Err(format!("nothing is blessed while backends differ\n{difference}"));
            }
        }
    }
    let (_, text) = agreed.ok_or("no backend runs it")?;
    fs::write(case.expected(), text).map_err(|error| error.to_string())
}

fn difference(old_name: &str, old: &str, new_name: &str, new: &str) -> String {
    let difference = TextDiff::from_lines(old, new);
    difference
        .unified_diff()
        .context_radius(3)
        .header(old_name, new_name)
        .to_string()
}

/// The outcome of the case's command lines, as a file to compare.
fn outcome(case: &Case, backend: Backend, program: &OsStr) -> Result<String, String> {
    if case.script.is_some() {
        let account = match backend {
            Backend::Cli => by_program(case, program)?,
            _ => Stage::set(case, backend)?.account(),
        };
        return Ok(account.text());
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    // The temporary folder may itself be a link.
    let tree = folder.path().canonicalize().map_err(|error| error.to_string())?;
    case.lay_out(&tree)
        .map_err(|error| format!("cannot lay out the case: {error}"))?;
    match backend {
        Backend::Cli => by_process(case, program, &tree),
        _ => inside(&tree, || in_process(case, backend, &tree)),
    }
}

fn in_process(case: &Case, backend: Backend, tree: &Path) -> Result<String, String> {
    let mut session = Session::new(backend);
    let mut report = Report::default();
    case.step
        .iter()
        .flat_map(|step| &step.run)
        .for_each(|line| session.prepare(line));
    for line in &case.run {
        report.add(line, &session.run(line), None);
    }
    for (number, step) in case.step.iter().enumerate() {
        let applied = step.apply(number + 1, tree);
        applied.map_err(|error| format!("cannot make the change of step {}: {error}", number + 1))?;
        for line in &step.run {
            report.add(line, &session.run(line), None);
        }
    }
    Ok(report.end())
}

fn by_process(case: &Case, program: &OsStr, tree: &Path) -> Result<String, String> {
    if !case.step.is_empty() {
        return Err("a process keeps no catalog open: steps need another backend".to_owned());
    }
    let alone = case.backends() == [Backend::Cli];
    let mut report = Report::default();
    for line in &case.run {
        let (ran, errors) = cli::run(program, line, tree).map_err(|error| error.to_string())?;
        // Only the program has an error stream that could be compared.
        report.add(line, &ran, alone.then_some(&*errors));
    }
    Ok(report.end())
}

/// Works in a directory. Threads share the working directory, so they take turns.
fn inside<T>(directory: &Path, work: impl FnOnce() -> T) -> T {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    env::set_current_dir(directory).expect("the directory was just made");
    let done = work();
    env::set_current_dir(env!("CARGO_MANIFEST_DIR")).expect("the package is there");
    done
}

/// The list in `expected.json`. Documents are unchanged in it, only indented.
#[derive(Default)]
struct Report {
    entries: Vec<String>,
}

impl Report {
    fn add(&mut self, line: &str, ran: &Ran, errors: Option<&str>) {
        let mut entry = String::from("  {\n");
        let _ = writeln!(entry, "    \"run\": {},", json!(line));
        let _ = write!(
            entry,
            "    \"exit\": {},\n    \"output\": {}",
            ran.exit,
            output(ran)
        );
        if let Some(errors) = errors {
            let _ = write!(entry, ",\n    \"errors\": {}", lines(errors));
        }
        entry.push_str("\n  }");
        self.entries.push(entry);
    }

    fn end(self) -> String {
        format!("[\n{}\n]\n", self.entries.join(",\n"))
    }
}

fn output(ran: &Ran) -> String {
    match &ran.output {
        None => "null".to_owned(),
        Some(text) if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() => {
            indented(text.trim_end())
        }
        Some(text) => lines(text),
    }
}

fn lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    indented(&serde_json::to_string_pretty(&lines).expect("strings are JSON"))
}

fn indented(json: &str) -> String {
    json.replace('\n', "\n    ")
}
