//! Every case on every backend that runs it. `BLESS=1` rewrites what is expected, where the backends agree.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use callsheet_tests::backend::Backend;
use callsheet_tests::case::Case;
use callsheet_tests::conformance::{bless, run};
use libtest_mimic::{Arguments, Failed, Trial};

const PROGRAM: &str = env!("CARGO_BIN_EXE_callsheet-under-test");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let blessing = env::var_os("BLESS").is_some_and(|value| !value.is_empty() && value != "0");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let cases = Case::all(&folder).into_iter();
    let trials = cases.flat_map(|(name, case)| match case {
        Ok(case) => trials(&name, case, blessing),
        Err(error) => vec![Trial::test(name, move || Err(error.into()))],
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn trials(name: &str, case: Case, blessing: bool) -> Vec<Trial> {
    let program = OsStr::new(PROGRAM);
    let case = Arc::new(case);
    if blessing {
        return vec![Trial::test(name, move || {
            bless(&case, program).map_err(Failed::from)
        })];
    }
    let trial = |backend: Backend| {
        let case = Arc::clone(&case);
        Trial::test(format!("{name}::{backend}"), move || {
            run(&case, backend, program).map_err(Failed::from)
        })
    };
    case.backends().into_iter().map(trial).collect()
}
