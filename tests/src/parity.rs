//! Which cases run on which backend, as a table: the expected runs for the documents, and the results after a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::backend::Backend;
use crate::case::{Case, Reach};

/// Numbers by area, the first part of a case's name, and backend.
#[derive(Default)]
pub struct Table {
    areas: BTreeMap<String, BTreeMap<Backend, Count>>,
    program_only: BTreeMap<String, usize>,
}

#[derive(Clone, Copy, Default)]
struct Count {
    cases: usize,
    failed: usize,
}

impl Table {
    /// A case that runs on a backend, and whether it ends as expected.
    pub fn add(&mut self, name: &str, backend: Backend, passed: bool) {
        let row = self.areas.entry(area(name)).or_default();
        let count = row.entry(backend).or_default();
        count.cases += 1;
        count.failed += usize::from(!passed);
    }

    /// The expected runs.
    pub fn planned(cases: &[(String, Case)]) -> Self {
        let mut table = Self::default();
        for (name, case) in cases {
            let backends = case.backends();
            for backend in &backends {
                table.add(name, *backend, true);
            }
            if backends == [Backend::Cli] {
                *table.program_only.entry(area(name)).or_default() += 1;
            }
        }
        table
    }

    /// As Markdown; `2/3` where one of three failed.
    pub fn markdown(&self) -> String {
        let mut text = String::from("| area |");
        for backend in Backend::all() {
            let _ = write!(text, " {backend} |");
        }
        text.push_str(" program only |\n| --- |");
        text.push_str(&" ---: |".repeat(Backend::all().count() + 1));
        text.push('\n');
        for (area, row) in &self.areas {
            let program_only = self.program_only.get(area).copied().unwrap_or_default();
            line(&mut text, area, row, program_only);
        }
        line(
            &mut text,
            "**all**",
            &self.sums(),
            self.program_only.values().sum(),
        );
        text
    }

    fn sums(&self) -> BTreeMap<Backend, Count> {
        let mut sums = BTreeMap::<Backend, Count>::new();
        for (backend, count) in self.areas.values().flatten() {
            let sum = sums.entry(*backend).or_default();
            sum.cases += count.cases;
            sum.failed += count.failed;
        }
        sums
    }
}

fn area(name: &str) -> String {
    name.split('/').next().unwrap_or(name).to_owned()
}

fn line(text: &mut String, name: &str, row: &BTreeMap<Backend, Count>, program_only: usize) {
    let _ = write!(text, "| {name} |");
    for backend in Backend::all() {
        let _ = match row.get(&backend).copied().unwrap_or_default() {
            Count { cases: 0, .. } => write!(text, " |"),
            Count { cases, failed: 0 } => write!(text, " {cases} |"),
            Count { cases, failed } => write!(text, " {}/{cases} |", cases - failed),
        };
    }
    let program_only = Some(program_only).filter(|count| *count > 0);
    let _ = writeln!(
        text,
        " {}|",
        program_only.map(|count| format!("{count} ")).unwrap_or_default()
    );
}

/// What does not run everywhere, and why, as a list.
pub fn reasons(cases: &[(String, Case)]) -> String {
    let mut reaches = BTreeMap::<Reach, Vec<&str>>::new();
    for (name, case) in cases {
        reaches.entry(case.reach()).or_default().push(name);
    }
    let mut text = String::new();
    for (reach, names) in reaches {
        let Some(why) = why(&reach) else { continue };
        let _ = writeln!(text, "- {} {why}", names.len());
    }
    text
}

fn why(reach: &Reach) -> Option<&'static str> {
    match reach {
        Reach::Everywhere => None,
        Reach::Open => {
            Some("keep a catalog open, or call what has no word on the command line: all but `cli` run them.")
        }
        Reach::Scripted => Some(
            "bring tools, a prompt, a clock or trust of their own, where the program has others: all but `cli` run them.",
        ),
        Reach::Program => {
            Some("write or fix files, print for people, or ask what only the program knows: `cli` runs them.")
        }
        Reach::Named(_) => Some("pin what the program says on its error stream: `cli` runs them."),
    }
}
