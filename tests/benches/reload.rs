//! The time from a write until the catalog has its new answer.

use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use callsheet::Callsheet;
use callsheet::watch::Watch;
use callsheet_tests::generate;

use super::table::Table;

const CHANGES: usize = 500;

/// The systems that Callsheet replaces allow ten times that.
const BOUND: f64 = 50.0;

pub(crate) fn measure(table: &mut Table) {
    let folder = tempfile::tempdir().expect("there is room for the files");
    generate::write(folder.path(), 100, false).expect("the files can be written");
    let file = folder.path().join(".claude/agents/newcomer.md");
    let heard = listen(folder.path().to_string_lossy().into_owned());
    let mut times: Vec<Duration> = (0..CHANGES)
        .map(|number| {
            let text = format!("---\nname: newcomer\ndescription: Number {number}\n---\nDo it.\n");
            let start = Instant::now();
            fs::write(&file, text).expect("the file can be written");
            let end = heard.recv_timeout(Duration::from_secs(60));
            end.expect("the change is reported").duration_since(start)
        })
        .collect();
    times.sort_unstable();
    let milliseconds = |at: usize| times[at].as_secs_f64() * 1e3;
    table.report(
        "from a write to the new answer, median of 500",
        milliseconds(CHANGES / 2),
        " ms",
    );
    table.at_most(
        "from a write to the new answer, 99th percentile of 500",
        milliseconds(CHANGES * 99 / 100),
        BOUND,
        " ms",
    );
}

/// When each new answer was available.
fn listen(project: String) -> Receiver<Instant> {
    let builder = Callsheet::builder().project(project).without_home();
    let mut callsheet = builder.build().expect("the project is there");
    let mut watch = Watch::start(&mut callsheet, Some(vec!["claude-code".into()])).expect("it listens");
    let (sender, heard) = channel();
    thread::spawn(move || {
        while let Ok(Some(_)) = watch.wait(&mut callsheet) {
            if sender.send(Instant::now()).is_err() {
                return;
            }
        }
    });
    heard
}
