//! Long sessions: the cost of a late turn compared with an early one, and the bytes written.

use std::sync::Arc;
use std::time::Duration;

use callsheet::drive::{About, Options, Saver, Silent, block_on, drive};
use callsheet_tests::long::{Asked, Long, RESULT};

use super::sessions::resident;
use super::table::Table;

const TURNS: usize = 500;

/// Turns around a place, whose median counts: now and then a whole state is written.
const AROUND: usize = 20;

pub(crate) fn measure(table: &mut Table) {
    for saved in [false, true] {
        let (asked, written, peak) = run(saved);
        let (early, late) = (turn(&asked, 100), turn(&asked, TURNS - AROUND));
        let name = if saved { "saved" } else { "not saved" };
        table.report(
            &format!("a turn after 100 with 50 KB each, {name}"),
            early.as_secs_f64() * 1e3,
            " ms",
        );
        table.at_most(
            &format!("a turn after {} with 50 KB each, {name}", TURNS - AROUND),
            late.as_secs_f64() / early.as_secs_f64(),
            1.5,
            " × a turn after 100",
        );
        table.at_most(
            &format!("{TURNS} such turns, {name}: memory of the process"),
            peak as f64 / 1e6,
            150.0,
            " MB",
        );
        if saved {
            let new = (TURNS * RESULT) as f64;
            table.at_most("bytes written for each new byte", written as f64 / new, 3.0, " ×");
        }
    }
}

fn run(saved: bool) -> (Vec<Asked>, u64, u64) {
    let folder = tempfile::tempdir().expect("there is room");
    let long = Arc::new(Long::new(TURNS));
    let (mut session, _catalog) = long.session();
    let saver = Saver::create(&folder.path().join("session"), About::default());
    let options = Options {
        saver: saved.then(|| saver.expect("no such file yet")),
        ..Options::default()
    };
    let (models, tools) = (Arc::clone(&long), Arc::clone(&long));
    let before = written();
    let driven = drive(&mut session, models, tools, options, Arc::new(Silent));
    let ended = block_on(driven).expect("there are threads");
    assert!(ended.expect("it ends").outcome.is_some());
    (long.asked(), written() - before, resident())
}

#[cfg(target_os = "linux")]
fn written() -> u64 {
    callsheet_tests::long::written()
}

#[cfg(not(target_os = "linux"))]
fn written() -> u64 {
    0
}

/// The median time from one request to the next.
fn turn(asked: &[Asked], at: usize) -> Duration {
    let around = &asked[at - AROUND..at + AROUND];
    let mut times: Vec<Duration> = around.windows(2).map(|pair| pair[1].at - pair[0].at).collect();
    times.sort_unstable();
    times[times.len() / 2]
}
