//! Reads the files of a large directory ahead, while the component works on those before.

use std::collections::VecDeque;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use cap_std::fs::Dir;
use crossbeam_channel::{Receiver, bounded};

use super::contents::whole;
use super::names::Target;
use super::root::{self, Root};
use crate::bindings::callsheet::agents::files::{Entry, Kind};

/// Reading fewer files takes no longer than starting a thread.
const WORTHWHILE: usize = 256;
/// So many files that are read as listed make it likely that the others are next.
const EXPECTED: usize = 16;
/// So many listed files may be left out in between.
const SKIPPED: usize = 16;
/// Files are passed on together: waking the other thread for one takes as long as reading it.
const BATCH: usize = 32;
/// Batches that may wait.
const BATCHES: usize = 2;
/// Larger files are read when they are asked for: at most 3 MB wait.
const LARGEST: u64 = 32 * 1024;

/// A file that was read ahead, with its contents if it is small and readable.
type Read = (String, Option<Vec<u8>>);

/// The last large directory that was listed.
pub(super) struct Ahead {
    directory: Target,
    /// Its files in the order of the listing.
    names: Vec<String>,
    /// The one after the last that was read.
    next: usize,
    /// The number of files that were read as listed.
    in_order: usize,
    reader: Option<Reader>,
}

impl Ahead {
    /// None if the directory is small, or if nothing can run beside the component.
    pub(super) fn of(directory: Target, entries: &[Entry]) -> Option<Self> {
        let names = entries.iter().filter(|entry| entry.kind == Kind::File);
        let names: Vec<String> = names.map(|entry| entry.name.clone()).collect();
        let is_parallel = thread::available_parallelism().is_ok_and(|cores| cores > NonZero::<usize>::MIN);
        (is_parallel && names.len() >= WORTHWHILE).then_some(Self {
            directory,
            names,
            next: 0,
            in_order: 0,
            reader: None,
        })
    }

    /// Whether this is the path of a file in the directory.
    pub(super) fn is_of(&self, root: &Arc<Root>, below: &Path) -> bool {
        Arc::ptr_eq(root, &self.directory.0) && below.parent() == Some(&self.directory.1)
    }

    /// The contents of the file that is asked for, if they were read ahead.
    pub(super) fn take(
        &mut self,
        name: &str,
        open: impl FnOnce() -> Option<Dir>,
        most: u64,
    ) -> Option<Vec<u8>> {
        let mut following = self.names[self.next..].iter().take(SKIPPED);
        match following.position(|known| known == name) {
            Some(skipped) => {
                self.next += skipped + 1;
                self.in_order += 1;
            }
            None => {
                let found = self.names.binary_search_by(|known| known.as_str().cmp(name));
                self.next = found.map_or(self.names.len(), |at| at + 1);
                (self.in_order, self.reader) = (0, None);
            }
        }
        if self.reader.is_none() && self.in_order == EXPECTED {
            let names = self.names[self.next..].to_vec();
            self.reader = open().map(|directory| Reader::start(directory, names, name, most));
            return None;
        }
        self.reader.as_mut()?.take(name)
    }
}

/// The other thread. It ends when nothing receives from it.
struct Reader {
    batches: Receiver<Vec<Read>>,
    batch: VecDeque<Read>,
}

impl Reader {
    /// Reads the files that have the ending of this one.
    fn start(directory: Dir, names: Vec<String>, like: &str, most: u64) -> Self {
        let ending = Path::new(like).extension().map(ToOwned::to_owned);
        let (sender, batches) = bounded(BATCHES);
        thread::spawn(move || {
            let is_alike = |name: &String| Path::new(name).extension() == ending.as_deref();
            let names: Vec<String> = names.into_iter().filter(is_alike).collect();
            for names in names.chunks(BATCH) {
                let read = |name: &String| (name.clone(), small(&directory, name, most));
                if sender.send(names.iter().map(read).collect()).is_err() {
                    return;
                }
            }
        });
        Self {
            batches,
            batch: VecDeque::new(),
        }
    }

    /// The contents of this file. Those before it are not asked for.
    fn take(&mut self, name: &str) -> Option<Vec<u8>> {
        for _ in 0..=SKIPPED {
            if self.batch.is_empty() {
                self.batch = self.batches.recv().ok()?.into();
            }
            if self.batch.front()?.0.as_str() > name {
                return None;
            }
            let (read, contents) = self.batch.pop_front()?;
            if read == name {
                return contents;
            }
        }
        None
    }
}

/// The contents of a small file. A link may stay within the root: that is decided when it is asked for.
fn small(directory: &Dir, name: &str, most: u64) -> Option<Vec<u8>> {
    let file = root::open_file(directory, Path::new(name)).ok()?;
    let is_small = file.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST);
    is_small.then(|| whole(file, most).ok()).flatten()
}
