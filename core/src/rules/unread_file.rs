//! A file that no tool reads, because of its name, its extension or its folder.
//!
//! Tools select files by extension. Some do not search subfolders, and some do not read hidden files and folders (those whose names begin with a
//! dot). They do not report the files they ignore.
//!
//! ```text
//! .claude/agents/reviewer.mdc
//! .claude/agents/reviewer.MD
//! .gemini/agents/team/reviewer.md
//! .github/agents/.team/reviewer.agent.md
//! .claude/skills/team/review/SKILL.md
//! .claude/skills/review.md
//! .gemini/commands/review.md
//! ```
//!
//! A skill is a `SKILL.md` in a folder of its own. Use an extension that the tool reads. If the tool does not search subfolders, move the file
//! to the top-level folder. Rename hidden files and folders.

use alloc::format;
use alloc::string::{String, ToString};

use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::dialect::{Dialect, Dialects, Kind};
use crate::files::Files;
use crate::places::{below, file_name};

crate::diagnostic::rule! {
    name: "unread-file",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "the dialects' tables of extensions and directories",
}

/// Extensions of files that may be meant for a tool, longer ones first.
const ENDINGS: &[&str] = &[
    ".md",
    ".mdc",
    ".markdown",
    ".md.txt",
    ".mdx",
    ".yaml",
    ".yml",
    ".toml",
];

/// Whether a file may be one that the dialect does not read, this many folders below its directory. Folders of skills contain other files.
pub(crate) fn may_be(dialect: &Dialect, path: &str, folders: usize) -> bool {
    let name = file_name(path);
    match &dialect.files.name {
        Some(only) => name != only && (folders == 0 || folders == 1 && name.eq_ignore_ascii_case(only)),
        None => true,
    }
}

/// A file in a directory of `dialect` that this dialect does not read. Another dialect may read it.
pub(crate) fn find(
    files: &dyn Files,
    dialects: &Dialects,
    dialect: &Dialect,
    path: &str,
) -> Option<Diagnostic> {
    let name = file_name(path);
    // Most tools tell them apart.
    let capital = name.strip_suffix(".MD").map(|stem| [stem, ".md"].concat());
    let usual = capital.as_deref().unwrap_or(name);
    let mut stems = ENDINGS.iter().filter_map(|ending| usual.strip_suffix(ending));
    let (stem, ending) = (stems.next()?, dialect.files.extensions.first()?);
    let only = dialect.files.name.as_deref();
    let is_chat_mode = stem.ends_with(CHAT_MODE) && ending != "md";
    let is_read = dialect.reads_at(path) || !dialect.looks_at(path);
    if is_read && !is_chat_mode || !is_meant(files, path, dialect.kind) {
        return None;
    }
    let mut others = dialects.of(dialect.kind);
    let other = others.find(|other| other.reads_at(path));
    let id = &dialect.id;
    let message = match (is_chat_mode, other) {
        (true, _) => format!("{id} names `{name}` `{stem}`: chat modes are now agents"),
        (false, None) if dialect.mode_at(path).is_some() => {
            format!("`{name}` is not read: {id} does not search this folder")
        }
        (false, None) => format!("`{name}` is not read: {id} takes {}", dialect.files.words),
        (false, Some(other)) => format!(
            "`{name}` is read by {}, not by {id}, which takes {}",
            other.id, dialect.files.words
        ),
    };
    let mut diagnostic = Diagnostic::new(&RULE, Place::beginning(path), message);
    if other.is_some() && !is_chat_mode {
        diagnostic.severity = Severity::Note;
    }
    let stem = stem.strip_suffix(CHAT_MODE).unwrap_or(stem);
    let stem = usual.strip_suffix(&**ending).unwrap_or(stem).trim_matches('.');
    let folder = path.rsplit('/').nth(1).unwrap_or_default();
    let is_placed_wrongly = dialect.reads(name) && !is_chat_mode;
    diagnostic.help = Some(if let Some(only) = only {
        if name.eq_ignore_ascii_case(only) {
            format!("name it `{only}`")
        } else {
            format!("move it to a folder of its own: `{stem}/{only}`")
        }
    } else if is_placed_wrongly && !dialect.enters(folder) {
        shown_folder(folder)
    } else if is_placed_wrongly {
        "move it up to the directory itself".to_string()
    } else if ending == "toml" {
        format!("write it as `{stem}.toml` with `callsheet convert`")
    } else {
        format!("name it `{stem}.{ending}`")
    });
    Some(diagnostic)
}

/// A skill in a folder of folders, in a project directory of `dialect`, which does not search that deep.
pub(crate) fn misplaced(dialect: &Dialect, base: &str, path: &str) -> Option<Diagnostic> {
    let place = below(base, path)?;
    let is_skipped = || place.split('/').any(|folder| dialect.skips(folder));
    if dialect.kind != Kind::Skill || dialect.reads_at(place) || is_skipped() {
        return None;
    }
    let message = format!(
        "this skill is not read: {} takes {}",
        dialect.id, dialect.files.words
    );
    let mut diagnostic = Diagnostic::new(&RULE, Place::beginning(path), message);
    let folder = place.rsplit('/').nth(1).unwrap_or_default();
    diagnostic.help = Some(if dialect.enters(folder) {
        "move its folder to the directory of the skills".to_string()
    } else {
        shown_folder(folder)
    });
    Some(diagnostic)
}

fn shown_folder(hidden: &str) -> String {
    format!("name its folder `{}`", hidden.trim_start_matches('.'))
}

/// The former suffix of VS Code agents.
const CHAT_MODE: &str = ".chatmode";

/// Whether it starts like a file for a tool. Folders also contain lists and notes, and those of skills examples of their frontmatter.
fn is_meant(files: &dyn Files, path: &str, kind: Kind) -> bool {
    let bytes = files.read(path).unwrap_or_default();
    let text = core::str::from_utf8(&bytes).unwrap_or_default();
    if kind != Kind::Agent && !text.starts_with("---") {
        return false;
    }
    let mut lines = text.lines().take(LINES);
    lines.any(|line| line.starts_with("description:") || line.starts_with("description ="))
}

/// The number of lines searched for the description of an agent.
const LINES: usize = 40;
