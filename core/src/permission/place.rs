//! The directories that commands of a line may run in.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::paths::Places;
use super::shell::Word;

/// With more directories than this, the directory counts as unknown.
const MOST: usize = 16;

/// Every directory that `cd` may have led to, since it may have failed or run in a subshell.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Besides the project. None if unknown.
    others: Option<Vec<String>>,
    loops: bool,
}

impl Place {
    /// The project alone.
    pub(super) fn new() -> Self {
        Self {
            others: Some(Vec::new()),
            loops: false,
        }
    }

    /// Scans a line as a whole.
    pub(super) fn enter(&mut self, line: &str) {
        let mut words = line.split(|c: char| !c.is_ascii_alphanumeric());
        self.loops |= words.any(|word| word == "do");
    }

    /// Whether commands that were already checked may run again in another directory.
    pub(super) fn is_lost(&self) -> bool {
        self.loops && self.moved()
    }

    /// Every directory but the project; none if unknown.
    pub(super) fn others(&self) -> Option<&[String]> {
        self.others.as_deref()
    }

    /// Whether a command may run outside of the project directory.
    pub(super) fn moved(&self) -> bool {
        self.others().is_none_or(|others| !others.is_empty())
    }

    /// The directories after this command.
    pub(super) fn follow(&mut self, words: &[Word], places: Option<Places<'_>>) {
        let Some(program) = words.first().and_then(|word| word.literal.as_deref()) else {
            return;
        };
        if !matches!(program, "cd" | "chdir" | "pushd" | "popd") {
            return;
        }
        let target = match &words[1..] {
            [word] if program != "popd" => word.literal.as_deref(),
            _ => None,
        };
        let target = target.filter(|target| !target.starts_with(['-', '+']) && !target.is_empty());
        self.others = self.others.take().zip(target).and_then(|(others, target)| {
            let mut all = others.clone();
            let target = target.trim_start_matches("./");
            let from = others.iter().map(|other| join(other, target));
            for directory in [target.to_string()].into_iter().chain(from) {
                let is_project = places.is_some_and(|places| is_project(places, &directory));
                if !is_project && !matches!(&*directory, "" | ".") && !all.contains(&directory) {
                    all.push(directory);
                }
            }
            (all.len() <= MOST).then_some(all)
        });
    }
}

/// A path relative to a directory.
pub(super) fn join(directory: &str, path: &str) -> String {
    if path.starts_with(['/', '~']) {
        path.to_string()
    } else {
        format!("{}/{path}", directory.trim_end_matches('/'))
    }
}

fn is_project(places: Places<'_>, directory: &str) -> bool {
    let found = places.resolve(directory);
    found.is_some() && found == places.resolve(places.root)
}
