//! Every case on every backend that runs it. `BLESS=1` rewrites what is expected, where the backends agree.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs};

use callsheet_tests::backend::Backend;
use callsheet_tests::case::Case;
use callsheet_tests::conformance::{bless, run};
use callsheet_tests::parity::{Table, reasons};
use libtest_mimic::{Arguments, Failed, Trial};

const PROGRAM: &str = env!("CARGO_BIN_EXE_callsheet-under-test");

/// What came of the trials.
type Outcome = Arc<Mutex<Table>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let blessing = env::var_os("BLESS").is_some_and(|value| !value.is_empty() && value != "0");
    let (mut trials, mut cases) = (Vec::new(), Vec::new());
    let outcome = Outcome::default();
    for (name, case) in Case::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")) {
        match case {
            Ok(case) => cases.push((name, case)),
            Err(error) => trials.push(Trial::test(name, move || Err(error.into()))),
        }
    }
    let page = page(&cases);
    if blessing {
        fs::write(page_path(), &page).expect("the docs are ours");
    }
    trials.push(Trial::test("docs/parity.md", move || is_current(&page)));
    for (name, case) in cases {
        trials.extend(trials_of(&name, case, blessing, &outcome));
    }
    let quiet = arguments.list || blessing;
    for backend in Backend::REMOTE.into_iter().filter(|it| !quiet && !it.is_here()) {
        println!("{backend} is skipped: no driver of this name in the folder CALLSHEET_DRIVERS");
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !quiet {
        let outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
        println!("{}", outcome.markdown());
    }
    conclusion.exit_code()
}

fn trials_of(name: &str, case: Case, blessing: bool, outcome: &Outcome) -> Vec<Trial> {
    let program = PROGRAM.as_ref();
    let case = Arc::new(case);
    if blessing {
        return vec![Trial::test(name, move || {
            bless(&case, program).map_err(Failed::from)
        })];
    }
    let trial = |backend: Backend| {
        let (case, outcome, area) = (Arc::clone(&case), Arc::clone(outcome), name.to_owned());
        Trial::test(format!("{name}::{backend}"), move || {
            let ran = run(&case, backend, program);
            let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
            outcome.add(&area, backend, ran.is_ok());
            ran.map_err(Failed::from)
        })
    };
    let backends = case.backends().into_iter().filter(|backend| backend.is_here());
    backends.map(trial).collect()
}

fn page_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/parity.md")
}

/// The page with the table of the current cases.
fn page(cases: &[(String, Case)]) -> String {
    let old = fs::read_to_string(page_path()).unwrap_or_default();
    let (begin, end) = ("<!-- table -->\n", "<!-- end of the table -->");
    let above = old.split_once(begin).map_or("", |(above, _)| above);
    let below = old.split_once(end).map_or("", |(_, below)| below);
    let (table, reasons) = (Table::planned(cases).markdown(), reasons(cases));
    format!("{above}{begin}\n{table}\n{reasons}\n{end}{below}")
}

fn is_current(page: &str) -> Result<(), Failed> {
    match fs::read_to_string(page_path()) {
        Ok(text) if text == page => Ok(()),
        _ => Err("the table in docs/parity.md is old: run this suite once with BLESS=native".into()),
    }
}
