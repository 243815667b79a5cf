//! Hears what happens in directories. Bursts come as one.

use std::path::Path;
use std::sync::mpsc::Sender;
use std::time::Duration;

use notify_debouncer_full::notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify_debouncer_full::notify::{Config, ErrorKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, DebouncedEvent, Debouncer, NoCache, new_debouncer_opt};

use super::ground::{Ground, to_watch};
use crate::{Error, Result};

/// Long enough for an editor that writes, renames and removes; short enough to seem immediate.
const BURST: Duration = Duration::from_millis(16);

/// How often it is looked whether a burst is over.
const TICK: Duration = Duration::from_millis(8);

/// What wakes a watch.
#[derive(Debug)]
pub(super) enum Signal {
    /// Something happened; `structural` if places may have come or gone.
    Changed { structural: bool },
    /// Nothing more will be heard.
    Failed(Error),
    /// Somebody wants it to end.
    Stop,
}

/// Listens until it is dropped.
pub(super) struct Events(
    #[expect(dead_code, reason = "held for its end")] Option<Debouncer<RecommendedWatcher, NoCache>>,
);

impl Events {
    /// Listens to nothing.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// Tells `sender` of what happens in these grounds.
    pub(super) fn listen(grounds: &[Ground], sender: Sender<Signal>) -> Result<Self> {
        let heard = grounds.to_vec();
        let tell = move |result: DebounceEventResult| {
            let signal = match result {
                Ok(events) => changed(&events, &heard),
                Err(errors) => errors.first().map(|error| Signal::Failed(failure(error, None))),
            };
            // A watch that is gone does not want to know.
            signal.map(|signal| sender.send(signal));
        };
        // Links are not followed: `Followed::linked` names the directories that they lead to.
        let config = Config::default().with_follow_symlinks(false);
        let mut debouncer = new_debouncer_opt(BURST, Some(TICK), tell, NoCache, config)
            .map_err(|error| failure(&error, None))?;
        for (path, below) in to_watch(grounds) {
            let mode = match below {
                true => RecursiveMode::Recursive,
                false => RecursiveMode::NonRecursive,
            };
            match debouncer.watch(path, mode) {
                Err(error) if !is_passable(&error) => return Err(failure(&error, Some(path))),
                _ => {}
            }
        }
        Ok(Self(Some(debouncer)))
    }
}

/// Whether it only means that there is nothing to be seen: the catalog finds the same, and says so.
fn is_passable(error: &notify_debouncer_full::notify::Error) -> bool {
    use std::io::ErrorKind::{NotFound, PermissionDenied};
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => matches!(error.kind(), NotFound | PermissionDenied),
        _ => false,
    }
}

fn failure(error: &notify_debouncer_full::notify::Error, path: Option<&Path>) -> Error {
    let reason = match &error.kind {
        ErrorKind::MaxFilesWatch => {
            "the system watches no more directories; on Linux `fs.inotify.max_user_watches` says how many"
                .to_owned()
        }
        _ => error.to_string(),
    };
    Error::Watch {
        path: path.map(|path| path.to_string_lossy().into_owned()),
        reason,
    }
}

fn changed(events: &[DebouncedEvent], grounds: &[Ground]) -> Option<Signal> {
    let mut signal = None;
    for event in events.iter().filter(|event| writes(&event.kind)) {
        let mut heard = event.need_rescan();
        let mut structural = heard;
        for path in &event.paths {
            heard |= grounds.iter().any(|ground| ground.concerns(path));
            structural |= is_structural(&event.kind, path, grounds);
        }
        let before = matches!(signal, Some(Signal::Changed { structural: true }));
        if heard {
            signal = Some(Signal::Changed {
                structural: structural || before,
            });
        }
    }
    signal
}

/// Reading is no news: the catalog itself does it.
fn writes(kind: &EventKind) -> bool {
    !matches!(kind, EventKind::Access(access) if *access != AccessKind::Close(AccessMode::Write))
}

/// Whether a directory that matters, or a way to one, may be another than before.
fn is_structural(kind: &EventKind, path: &Path, grounds: &[Ground]) -> bool {
    let moves = matches!(
        kind,
        EventKind::Create(_)
            | EventKind::Remove(_)
            | EventKind::Modify(ModifyKind::Name(_) | ModifyKind::Metadata(_) | ModifyKind::Any)
    );
    let on_the_way = || grounds.iter().any(|ground| ground.path.starts_with(path));
    let leads = || path.is_dir() || path.is_symlink();
    moves && (on_the_way() || leads())
}
