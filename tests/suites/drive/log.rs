//! What a long session costs, and what is left of its file after accidents.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use callsheet::delegation::Ending;
use callsheet::drive::{Options, Saved, Saver, Silent, block_on, drive};
use callsheet_tests::long::{self, Asked, Long};

use super::about;

/// Drives a long session that is saved, and gives what it was asked.
fn saved_long(turns: usize, path: &Path) -> Vec<Asked> {
    let long = Arc::new(Long::new(turns));
    let (mut session, _catalog) = long.session();
    let options = Options {
        saver: Some(Saver::create(path, about()).expect("no such file yet")),
        ..Options::default()
    };
    let (models, tools) = (Arc::clone(&long), Arc::clone(&long));
    let driven = drive(&mut session, models, tools, options, Arc::new(Silent));
    let ended = block_on(driven).expect("there are threads").expect("it ends");
    let outcome = ended.outcome.expect("it ended");
    assert_eq!((outcome.ending, &*outcome.text), (Ending::Answer, "On it."));
    long.asked()
}

/// Earlier messages are neither copied for the next request nor written again for the next step.
#[test]
fn a_turn_writes_only_new_messages() {
    const TURNS: usize = 120;
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("session");
    #[cfg(target_os = "linux")]
    let before = long::written();
    let asked = saved_long(TURNS, &path);
    #[cfg(target_os = "linux")]
    {
        let (written, new) = (long::written() - before, (TURNS * long::RESULT) as u64);
        assert!(written <= 3 * new, "{written} bytes were written for {new}");
        assert!(written >= new / 2, "this thread writes them");
    }
    let first = asked[0].first;
    for (turn, asked) in asked.iter().enumerate() {
        assert_eq!(asked.messages, 2 + 2 * turn);
        assert_eq!(asked.first, first, "turn {turn} has a copy");
    }
    let mut saved = Saved::load(&path).expect("it is whole");
    let (_, mut catalog) = Long::new(1).session();
    let mut session = saved.restore(&mut catalog).expect("it comes to the same");
    let messages = session.messages(0, 0).expect("it does not trap");
    assert_eq!(messages.len(), 1 + 2 * TURNS);
}

/// After a kill or a power failure, the last record may be incomplete; every earlier state can be resumed.
#[test]
fn an_unfinished_record_is_ignored() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("session");
    saved_long(4, &path);
    let bytes = fs::read(&path).expect("it was saved");
    let (_, mut catalog) = Long::new(1).session();
    let mut turns = std::collections::BTreeSet::new();
    let whole = bytes.len() - bytes.len() / 5;
    for length in (whole / 8..bytes.len()).step_by(997).chain([bytes.len() - 1]) {
        fs::write(&path, &bytes[..length]).expect("the folder is ours");
        // What is cut in its first record was never in the file's place.
        let Ok(mut saved) = Saved::load(&path) else {
            continue;
        };
        let mut session = saved.restore(&mut catalog).expect("it comes to the same");
        turns.insert(session.usage().expect("it does not trap").turns);
        let glance = callsheet::drive::Glance::at(&path).expect("its head is whole");
        assert_eq!(glance.about, about());
    }
    assert_eq!(turns.into_iter().collect::<Vec<_>>(), [1, 2, 3, 4]);
}

/// Damaged records in the middle are never skipped.
#[test]
fn a_damaged_record_is_an_error() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("session");
    saved_long(4, &path);
    let bytes = fs::read(&path).expect("it was saved");
    for part in 1..8 {
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 8 * part] ^= 1;
        fs::write(&path, &damaged).expect("the folder is ours");
        let error = Saved::load(&path).expect_err("it is damaged").to_string();
        assert!(error.contains("a checksum does not match"), "{error}");
    }
}
