//! Sessions in files: read, refused, damaged, owned.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use callsheet::delegation::{Ending, Outcome};
use callsheet::drive::{Options, Saved, Saver, Silent, block_on, drive};

use super::{Hosted, Scripted, about};

#[test]
fn only_the_user_can_read_saved_sessions() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("session");
    let mut hosted = Hosted::script("flow");
    let options = Options {
        saver: Some(Saver::create(&path, about()).expect("no such file yet")),
        ..Options::default()
    };
    let world = Scripted::new(&hosted.stage, Duration::ZERO);
    hosted.run(&world, options);
    let left: Vec<_> = fs::read_dir(folder.path()).expect("it is there").collect();
    assert_eq!(left.len(), 1, "nothing else is left");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(&path).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert!(Saved::load(&path).is_ok());
}

#[test]
fn other_files_are_not_sessions() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("session");
    for (text, expected) in [
        ("", "it is not a Callsheet session"),
        ("\0\n\n\n", "it is not a Callsheet session"),
        ("callsheet-session 1\n{}\n", "its format is 1, and this version"),
        (
            "callsheet-session 9 a 1 00000000\n{}\n",
            "its format is 9, and this version",
        ),
        ("callsheet-session 3 a 1 b\n{}\n", "a checksum does not match"),
        ("callsheet-session 3 a b\n{}\n", "its first line cannot be read"),
        (
            "callsheet-session 2 a 1 00000000\n{}\n",
            "its checksum does not match",
        ),
        (
            "callsheet-session 2 a b 00000000\n{}\n",
            "its first line cannot be read",
        ),
    ] {
        fs::write(&path, text).expect("the folder is ours");
        let error = Saved::load(&path).expect_err("it is invalid").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// `sessions` has a file of each format since the second. An unsupported format is refused by its number.
#[test]
fn sessions_of_other_versions_are_read_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    let Hosted { mut catalog, .. } = Hosted::script("flow");
    for file in ["format-2.session", "format-3.session"] {
        let mut saved = Saved::load(&folder.join(file)).expect("it is whole");
        assert_eq!(saved.about.dialect, "claude-code");
        assert_eq!(saved.about.limits.tokens, Some(10));
        let mut session = saved.restore(&mut catalog).expect("it is of this version");
        assert!(
            matches!(
                session.outcome(),
                Ok(Some(Outcome {
                    ending: Ending::Bound(_),
                    ..
                }))
            ),
            "{file}"
        );
        session.go_on(None, None).expect("it can go on");
    }
}

/// A session that stopped at its deadline, in a file.
fn stopped(path: &Path) -> Hosted {
    let mut hosted = Hosted::script("deadline");
    let world = Scripted::new(&hosted.stage, Duration::from_secs(600));
    let options = Options {
        deadline: Some(100),
        saver: Some(Saver::create(path, about()).expect("no such file yet")),
        ..Options::default()
    };
    hosted.run(&world, options);
    hosted
}

#[test]
fn every_damaged_bit_is_detected() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("session");
    stopped(&path);
    let bytes = fs::read(&path).expect("it was saved");
    assert!(Saved::load(&path).is_ok());
    for at in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, damaged).expect("the folder is ours");
        let read = Saved::load(&path);
        // The name and the number of the owner are not checked.
        let is_stamp = bytes[..at].iter().all(|byte| *byte != b'\n');
        assert!(
            read.is_err() || is_stamp,
            "the change of byte {at} was not noticed"
        );
    }
}

#[test]
fn a_session_has_one_owner() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("session");
    stopped(&path);
    let refused = Saver::create(&path, about()).expect_err("it exists");
    assert!(
        refused.to_string().contains("the file already exists"),
        "{refused}"
    );
    let first = Saver::resume(&path).expect("it is not locked");
    let refused = Saver::resume(&path).expect_err("it has an owner").to_string();
    let holder = "another call of this process is using it";
    assert!(refused.contains(holder), "{refused}");
    drop(first);
    assert!(Saver::resume(&path).is_ok());
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
}

/// If a lock is lost, the owner's number prevents overwriting what another owner wrote.
#[test]
fn a_replaced_owner_cannot_write() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("session");
    let Hosted {
        mut catalog, stage, ..
    } = stopped(&path);
    let world = Scripted::new(&stage, Duration::ZERO);
    let mut go_on = |(mut saved, saver): (Saved, Saver)| {
        let mut session = saved.restore(&mut catalog).expect("it is a snapshot");
        let options = Options {
            saver: Some(saver),
            ..Options::default()
        };
        let (models, tools) = (Arc::clone(&world), Arc::clone(&world));
        let driven = drive(&mut session, models, tools, options, Arc::new(Silent));
        block_on(driven).expect("there are threads")
    };
    let old = Saver::resume(&path).expect("it is not locked");
    fs::remove_file(folder.path().join("session.lock")).expect("it is locked");
    let new = Saver::resume(&path).expect("the lock was lost");
    assert!(go_on(new).is_ok());
    let refused = go_on(old).expect_err("it was replaced").to_string();
    assert!(
        refused.contains("another process has resumed the session"),
        "{refused}"
    );
}
