//! Changes of files: planned, shown and applied.

use std::io;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::arguments::Arguments;
use super::edit::{edited, edits};
use super::limits::{COMPARED_BYTES, FILE_BYTES};
use super::notebook;
use super::offers::Ability;
use super::project::{Project, shown};
use super::text::{head, is_binary};
use crate::files::replace::{create, replace};
use crate::lent::FileChange;
use crate::output::text::plural;
use crate::{config, trust};

/// Files that control what agents may do and what is started: a tool that could write them could do anything.
const GUARDED: &[&str] = &[config::FILE, ".mcp.json"];

/// A file before and after a change.
pub(super) struct Change {
    below: PathBuf,
    /// None if the file does not exist yet.
    before: Option<Vec<u8>>,
    after: Vec<u8>,
    /// Whether an editor has the file with other changes.
    is_unsaved: bool,
}

impl Change {
    /// The change of a call.
    pub(super) fn plan(project: &Project, ability: Ability, arguments: &Arguments) -> Result<Self, String> {
        let below = project.locate(arguments.path()?)?;
        refuse_guarded(&below)?;
        let name = shown(&below);
        let there = project.root().path(&below).symlink_metadata().is_ok();
        let read = there.then(|| project.read(&below)).transpose()?;
        let is_unsaved = read.as_ref().is_some_and(|read| read.is_unsaved);
        let before = read.map(|read| read.bytes);
        let known = || {
            before
                .as_deref()
                .ok_or_else(|| format!("file `{name}` not found"))
        };
        let refused = |reason| format!("`{name}`: {reason}");
        let after = match ability {
            Ability::Edit => edited(known()?, &edits(arguments)?).map_err(refused)?,
            Ability::Notebook => notebook::edited(known()?, arguments).map_err(refused)?,
            _ => arguments
                .demand(&["content", "contents", "file_text", "text"])?
                .as_bytes()
                .to_vec(),
        };
        if after.len() as u64 > FILE_BYTES {
            return Err(format!("`{name}` would be larger than {} MB", FILE_BYTES >> 20));
        }
        Ok(Self {
            below,
            before,
            after,
            is_unsaved,
        })
    }

    /// Applies the change, and describes it.
    pub(super) fn make(project: &Project, ability: Ability, arguments: &Arguments) -> Result<String, String> {
        let _alone = project.writing();
        let change = Self::plan(project, ability, arguments)?;
        let name = shown(&change.below);
        change
            .put(project)
            .map_err(|error| format!("`{name}` cannot be written: {error}"))?;
        Ok(match (&change.before, change.difference()) {
            (None, _) => format!("`{name}` was created: {}", plural(change.after.len(), "byte")),
            (Some(_), difference) if difference.is_empty() => format!("`{name}` is unchanged"),
            (Some(_), difference) => head(format!("`{name}` was changed:\n{difference}")),
        })
    }

    fn put(&self, project: &Project) -> io::Result<()> {
        match &self.before {
            // Otherwise the user would have to choose between both changes.
            Some(_) if self.is_unsaved => project
                .rewrite(&self.below, &self.after)
                .map_err(io::Error::other),
            Some(before) => {
                let (directory, name) = project.root().holder(&self.below)?;
                replace(&directory, Path::new(&name), before, &self.after)
            }
            None => {
                let (directory, name) = project.root().room_for(&self.below)?;
                create(&directory, Path::new(&name), &self.after)
            }
        }
    }

    /// Both texts. None if they are not compared.
    pub(super) fn as_text(&self, project: &Project) -> Option<FileChange> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        self.is_compared().then(|| FileChange {
            path: project.path().join(&self.below),
            before: self.before.as_deref().map(text),
            after: text(&self.after),
        })
    }

    /// Whether both are text, and short enough to compare.
    fn is_compared(&self) -> bool {
        let before = self.before.as_deref().unwrap_or_default();
        let size = before.len() + self.after.len();
        size <= COMPARED_BYTES && !is_binary(before) && !is_binary(&self.after)
    }

    /// The unified diff.
    pub(super) fn difference(&self) -> String {
        let before = self.before.as_deref().unwrap_or_default();
        if !self.is_compared() {
            let name = shown(&self.below);
            return format!(
                "`{name}`: {} instead of {}\n",
                plural(self.after.len(), "byte"),
                before.len()
            );
        }
        let (before, after) = (
            String::from_utf8_lossy(before),
            String::from_utf8_lossy(&self.after),
        );
        let name = shown(&self.below);
        let old = self.before.as_ref().map_or("/dev/null", |_| &*name);
        TextDiff::from_lines(&*before, &*after)
            .unified_diff()
            .header(old, &name)
            .to_string()
    }
}

fn refuse_guarded(below: &Path) -> Result<(), String> {
    let is = |part: &std::ffi::OsStr, name: &str| part.eq_ignore_ascii_case(name);
    if below.iter().any(|part| is(part, ".git")) {
        return Err("tools for files never write in `.git`".into());
    }
    let named = |name: &str| below.file_name().is_some_and(|last| is(last, name));
    let trusted = below.ends_with(Path::new(trust::DIRECTORY).join(trust::FILE));
    if GUARDED.iter().any(|name| named(name)) || trusted {
        let name = shown(below);
        Err(format!(
            "`{name}` controls what agents may do: only the user may change it"
        ))
    } else {
        Ok(())
    }
}
