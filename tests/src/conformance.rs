//! Runs a case on a backend and compares its outcome with the blessed one.

use std::env;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use similar::TextDiff;

use crate::backend::{Backend, cli};
use crate::case::Case;
use crate::commands::{Ran, Session};
use crate::digest;
use crate::script::{Account, Stage, by_program};

/// Runs the case on one backend; fails with a difference from what is expected, or from the whole documents of the library.
pub fn run(case: &Case, backend: Backend, program: &OsStr) -> Result<(), String> {
    let outcome = outcome(case, backend, program)?;
    let found = outcome.text();
    if case.expected != found {
        let difference = difference("expected", &case.expected, "found", &found);
        return Err(format!("{}\n{difference}", case.about));
    }
    if backend == Backend::Native || !case.backends().contains(&Backend::Native) {
        return Ok(());
    }
    let library = self::outcome(case, Backend::Native, program)?;
    if outcome.whole() == library.whole() {
        Ok(())
    } else {
        Err(differ(Backend::Native, &library, backend, &outcome))
    }
}

/// Writes what the backends agree on, or fails with their differences. With `BLESS=native` only the library runs, which
/// needs no new component; the others are compared with it later.
pub fn bless(case: &Case, program: &OsStr) -> Result<(), String> {
    let mut agreed: Option<(Backend, Outcome)> = None;
    let natively = env::var_os("BLESS").is_some_and(|value| value == "native");
    let backends = case.backends().into_iter().filter(|backend| backend.is_here());
    for backend in backends.filter(|backend| !natively || *backend == Backend::Native) {
        let outcome = outcome(case, backend, program)?;
        match &agreed {
            None => agreed = Some((backend, outcome)),
            Some((_, first)) if first.whole() == outcome.whole() => {}
            Some((first, other)) => {
                let difference = differ(*first, other, backend, &outcome);
                return Err(format!("nothing is blessed while backends differ\n{difference}"));
            }
        }
    }
    let (_, outcome) = agreed.ok_or("no backend runs it")?;
    let written = case.expect(&outcome.text());
    written.map_err(|error| error.to_string())
}

fn differ(first: Backend, one: &Outcome, second: Backend, other: &Outcome) -> String {
    difference(
        &first.to_string(),
        &one.whole(),
        &second.to_string(),
        &other.whole(),
    )
}

fn difference(old_name: &str, old: &str, new_name: &str, new: &str) -> String {
    let difference = TextDiff::from_lines(old, new);
    difference
        .unified_diff()
        .context_radius(3)
        .header(old_name, new_name)
        .to_string()
}

/// What came of a case.
enum Outcome {
    /// Of its command lines.
    Lines(Vec<Entry>),
    /// Of its script.
    Account(Box<Account>),
}

/// What came of one command line.
struct Entry {
    line: String,
    ran: Ran,
    errors: Option<String>,
}

impl Outcome {
    /// The text to review.
    fn text(&self) -> String {
        match self {
            Self::Account(account) => digest::of_value(&account.value()),
            Self::Lines(entries) => entries.iter().map(|entry| entry.text(false)).collect(),
        }
    }

    /// Everything, to compare backends.
    fn whole(&self) -> String {
        match self {
            Self::Account(account) => account.text(),
            Self::Lines(entries) => entries.iter().map(|entry| entry.text(true)).collect(),
        }
    }
}

impl Entry {
    fn new(line: &str, ran: Ran, errors: Option<String>) -> Self {
        Self {
            line: line.to_owned(),
            ran,
            errors,
        }
    }

    fn text(&self, whole: bool) -> String {
        let mut text = format!("$ {}\n", self.line);
        if self.ran.exit != 0 {
            let _ = writeln!(text, "exit {}", self.ran.exit);
        }
        let output = self.ran.output.as_deref().unwrap_or_default();
        match digest::of_document(output).filter(|_| !whole) {
            Some(digest) => text.push_str(&digest),
            None => lines(&mut text, "", output),
        }
        lines(&mut text, "! ", self.errors.as_deref().unwrap_or_default());
        text
    }
}

fn lines(text: &mut String, before: &str, of: &str) {
    for line in of.lines() {
        let _ = writeln!(text, "{before}{}", digest::shown(line));
    }
}

fn outcome(case: &Case, backend: Backend, program: &OsStr) -> Result<Outcome, String> {
    if case.script.is_some() {
        let account = match backend {
            Backend::Cli => by_program(case, program)?,
            _ => Stage::set(case, backend)?.account(),
        };
        return Ok(Outcome::Account(Box::new(account)));
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    // The temporary folder may itself be a link.
    let tree = folder.path().canonicalize().map_err(|error| error.to_string())?;
    case.lay_out(&tree)
        .map_err(|error| format!("cannot lay out the case: {error}"))?;
    let entries = match backend {
        Backend::Cli => by_process(case, program, &tree),
        _ => inside(&tree, || in_process(case, backend, &tree)),
    };
    entries.map(Outcome::Lines)
}

fn in_process(case: &Case, backend: Backend, tree: &Path) -> Result<Vec<Entry>, String> {
    let mut session = Session::new(backend);
    let mut entries = Vec::new();
    case.step
        .iter()
        .flat_map(|step| &step.run)
        .for_each(|line| session.prepare(line));
    for line in &case.run {
        entries.push(Entry::new(line, session.run(line), None));
    }
    for (number, step) in case.step.iter().enumerate() {
        let applied = step.apply(number + 1, tree);
        applied.map_err(|error| format!("cannot make the change of step {}: {error}", number + 1))?;
        for line in &step.run {
            entries.push(Entry::new(line, session.run(line), None));
        }
    }
    Ok(entries)
}

fn by_process(case: &Case, program: &OsStr, tree: &Path) -> Result<Vec<Entry>, String> {
    if !case.step.is_empty() {
        return Err("a process keeps no catalog open: steps need another backend".to_owned());
    }
    let alone = case.backends() == [Backend::Cli];
    let mut entries = Vec::new();
    for line in &case.run {
        let (ran, errors) = cli::run(program, line, tree).map_err(|error| error.to_string())?;
        // Only the program has an error stream that could be compared.
        entries.push(Entry::new(line, ran, alone.then_some(errors)));
    }
    Ok(entries)
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
