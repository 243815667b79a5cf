//! Receives file-system events of directories.

use std::path::Path;
use std::sync::mpsc::Sender;

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{Config, ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher};

use super::ground::{Ground, Places, to_watch};
use crate::{Error, Result};

/// A message to a watch.
#[derive(Debug)]
pub(super) enum Signal {
    /// Something changed; `structural` if places may have appeared or vanished.
    Changed { structural: bool },
    /// No further events will arrive.
    Failed(Error),
    /// A request to end.
    Stop,
}

/// Listens until it is dropped.
pub(super) struct Events(#[expect(dead_code, reason = "held for its end")] Option<RecommendedWatcher>);

impl Events {
    /// Listens to nothing.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// Reports events in these places to `sender`.
    pub(super) fn listen(grounds: &[Ground], sender: Sender<Signal>) -> Result<Self> {
        let heard = Places::of(grounds);
        let tell = move |result: notify::Result<Event>| {
            let signal = match result {
                Ok(event) => changed(&event, &heard),
                Err(error) => Some(Signal::Failed(failure(&error, None))),
            };
            // The watch may have ended.
            signal.map(|signal| sender.send(signal));
        };
        // Links are not followed: `Followed::linked` lists their targets.
        let config = Config::default().with_follow_symlinks(false);
        let watcher = RecommendedWatcher::new(tell, config);
        let mut watcher = watcher.map_err(|error| failure(&error, None))?;
        for (path, below) in to_watch(grounds) {
            let mode = if below {
                RecursiveMode::Recursive
            } else {
                RecursiveMode::NonRecursive
            };
            match watcher.watch(path, mode) {
                Err(error) if !is_passable(&error) => return Err(failure(&error, Some(path))),
                _ => {}
            }
        }
        Ok(Self(Some(watcher)))
    }
}

/// Whether the error only means that a place is missing, which the catalog reports.
fn is_passable(error: &notify::Error) -> bool {
    use std::io::ErrorKind::{NotFound, PermissionDenied};
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => matches!(error.kind(), NotFound | PermissionDenied),
        _ => false,
    }
}

fn failure(error: &notify::Error, path: Option<&Path>) -> Error {
    let reason = match &error.kind {
        ErrorKind::MaxFilesWatch => {
            "the system cannot watch more directories; on Linux `fs.inotify.max_user_watches` sets the limit"
                .to_owned()
        }
        _ => error.to_string(),
    };
    Error::Watch {
        path: path.map(|path| path.to_string_lossy().into_owned()),
        reason,
    }
}

fn changed(event: &Event, places: &Places) -> Option<Signal> {
    // First: a check reads every file.
    writes(&event.kind).then_some(())?;
    let mut heard = event.need_rescan();
    let mut structural = heard;
    for path in &event.paths {
        heard |= places.concern(path);
        structural |= is_structural(&event.kind, path, places);
    }
    heard.then_some(Signal::Changed { structural })
}

/// Reads are ignored: the catalog itself reads.
fn writes(kind: &EventKind) -> bool {
    !matches!(kind, EventKind::Access(access) if *access != AccessKind::Close(AccessMode::Write))
}

/// Whether a relevant directory, or the path to one, may have been replaced.
fn is_structural(kind: &EventKind, path: &Path, places: &Places) -> bool {
    let moves = matches!(
        kind,
        EventKind::Create(_)
            | EventKind::Remove(_)
            | EventKind::Modify(ModifyKind::Name(_) | ModifyKind::Metadata(_) | ModifyKind::Any)
    );
    moves && (places.are_at_or_below(path) || path.is_dir() || path.is_symlink())
}
