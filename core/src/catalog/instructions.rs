//! The instructions of the user and the project that agents get in a run.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Catalog, Project};
use crate::dialect::{Dialect, InstructionRules};
use crate::files::{FileError, FileKind, join};
use crate::frontmatter::split;
use crate::limits::{DIRECTORY_DEPTH, FILE_BYTES, IMPORT_DEPTH, INSTRUCTION_BYTES, INSTRUCTION_FILES};
use crate::markdown::html_comments;
use crate::places::{below, inside, may_have_keys, parent};
use crate::rules::missing_import;
use crate::source::Source;
use crate::span::Span;
use crate::yaml::{self, Node};

/// Instructions, and why some of them are left out.
#[derive(Default)]
pub(crate) struct Instructions {
    /// Each file after its name; empty if there are none.
    pub(crate) text: String,
    /// Files that are left out, each with the reason.
    pub(crate) ignored: Vec<String>,
}

/// The places where instructions may be. What they import is in the project, too.
pub(super) fn places(dialect: &Dialect, project: &Project) -> Vec<String> {
    let rules = &dialect.context;
    let in_each = |directory: &str, groups: &[Vec<String>]| -> Vec<String> {
        let names = groups.iter().flatten();
        let names = names.map(|name| files_of(name).map_or(&**name, |(folder, _)| folder));
        names.map(|name| at(dialect, project, directory, name)).collect()
    };
    let mut all = project
        .home
        .as_ref()
        .map_or_else(Vec::new, |home| in_each(home, &rules.home));
    for directory in directories(project) {
        all.extend(in_each(directory, &rules.project));
    }
    all.extend(rules.here.iter().map(|name| join(&project.directory, name)));
    all
}

/// A path below the home directory or one of the project.
fn at(dialect: &Dialect, project: &Project, directory: &str, path: &str) -> String {
    let is_home = project.home.as_deref() == Some(directory);
    let home = is_home.then(|| project.at_home(dialect, path)).flatten();
    home.unwrap_or_else(|| join(directory, path))
}

/// The folder of a path that stands for many files, and the ending of their names.
fn files_of(name: &str) -> Option<(&str, &str)> {
    name.split_once("/**/*")
}

/// The project and the directories above it, which come first.
fn directories(project: &Project) -> Vec<&str> {
    let above = project.ancestors.iter().rev();
    above.chain([&project.directory]).map(|path| &**path).collect()
}

impl Catalog {
    /// The instructions of the dialect; the user's own only if they are wanted.
    pub(crate) fn instructions(&self, personal: bool) -> Instructions {
        let (rules, project) = (&self.dialect.context, &self.options.project);
        let mut reader = Reader {
            catalog: self,
            personal,
            seen: BTreeSet::new(),
            is_full: false,
            out: Instructions::default(),
        };
        if let Some(home) = project.home.as_ref().filter(|_| personal) {
            reader.add_first(&rules.home, &[home]);
        }
        let directories = directories(project);
        if rules.by_directory {
            for directory in directories {
                reader.add_first(&rules.project, &[directory]);
            }
        } else {
            reader.add_first(&rules.project, &directories);
        }
        for name in &rules.here {
            reader.add_named(&project.directory, name);
        }
        reader.out
    }
}

/// Why a file is left out that fits no more.
const TOO_LONG: &str = "instructions in a first message have at most 200,000 bytes";

struct Reader<'c> {
    catalog: &'c Catalog,
    personal: bool,
    seen: BTreeSet<String>,
    /// Whether there is no more room for files.
    is_full: bool,
    out: Instructions,
}

impl Reader<'_> {
    /// Adds the files of the group that counts.
    fn add_first(&mut self, groups: &[Vec<String>], directories: &[&str]) {
        let is_there = |path: &str| self.catalog.files.read(path) != Err(FileError::NotFound);
        let decides = |group: &&Vec<String>| {
            let mut names = group.iter().filter(|name| files_of(name).is_none());
            names.any(|name| {
                directories
                    .iter()
                    .any(|directory| is_there(&self.at(directory, name)))
            })
        };
        let group = groups.iter().find(decides).or(groups.last());
        for directory in directories {
            for name in group.into_iter().flatten() {
                self.add_named(directory, name);
            }
        }
    }

    fn at(&self, directory: &str, path: &str) -> String {
        let project = &self.catalog.options.project;
        at(&self.catalog.dialect, project, directory, path)
    }

    /// Adds what a name stands for in a directory.
    fn add_named(&mut self, directory: &str, name: &String) {
        let rules = &self.catalog.dialect.context;
        if !self.personal && rules.personal.contains(name) {
            return;
        }
        let is_home = self.catalog.options.project.home.as_deref() == Some(directory);
        let imports = (rules.imports.contains(name) && !is_home).then_some(0);
        match files_of(name) {
            Some((folder, ending)) => {
                self.add_folder(directory, &self.at(directory, folder), ending, imports, 0)
            }
            None => self.add(directory, self.at(directory, name), imports),
        }
    }

    /// Adds the files of a folder with this ending, by their names.
    fn add_folder(
        &mut self,
        directory: &str,
        folder: &str,
        ending: &str,
        imports: Option<usize>,
        depth: usize,
    ) {
        let files = Rc::clone(&self.catalog.files);
        for entry in files.list(folder).unwrap_or_default() {
            let path = join(folder, &entry.name);
            match entry.kind {
                FileKind::Directory if depth < DIRECTORY_DEPTH => {
                    self.add_folder(directory, &path, ending, imports, depth + 1)
                }
                FileKind::File if entry.name.ends_with(ending) => self.add(directory, path, imports),
                _ => {}
            }
        }
    }

    /// Adds a file, and what it imports if it may: `imports` is the number of imports that led to it.
    fn add(&mut self, directory: &str, path: String, imports: Option<usize>) {
        let is_import = imports.is_some_and(|depth| depth > 0);
        if self.is_full || self.seen.contains(&path) {
            return;
        }
        let read = self
            .catalog
            .files
            .read(&path)
            .and_then(|bytes| match bytes.len() {
                0..=FILE_BYTES => Ok(bytes),
                size => Err(FileError::TooLarge(size as u64)),
            });
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(FileError::NotFound) => return,
            // An import may be any word.
            Err(_) if is_import => return,
            Err(error) => return self.leave_out(&path, &error.words()),
        };
        let source = Source::of_file(&bytes);
        if is_import && !source.invalid.is_empty() {
            return;
        }
        if self.seen.len() >= INSTRUCTION_FILES {
            self.is_full = true;
            let name = self.catalog.seen_from_project(&path);
            let what = [
                "the instructions in `",
                &name,
                "` and the files after it: at most 200 are read",
            ]
            .concat();
            return self.out.ignored.push(what);
        }
        let dialect = Rc::clone(&self.catalog.dialect);
        let place = below(directory, &path).unwrap_or_default();
        let mut rules = dialect.instructions.iter();
        let rules = rules.find(|rules| rules.has(place));
        let Some(text) = applied(rules, &source.text) else {
            return;
        };
        self.write(&path, text);
        let folder = parent(place);
        self.seen.insert(path.clone());
        if let Some(depth) = imports.filter(|depth| *depth < IMPORT_DEPTH) {
            // Each costs a look at the files.
            let words = missing_import::words(text).into_iter().take(INSTRUCTION_FILES);
            for (word, _) in words {
                // Those outside of the project need the user's consent.
                if let Some(path) = imported(directory, folder, word) {
                    self.add(directory, path, Some(depth + 1));
                }
            }
        }
    }

    fn write(&mut self, path: &str, text: &str) {
        let hides_comments = self.catalog.dialect.context.hides_comments;
        let text = if hides_comments {
            without_comments(text).into()
        } else {
            Cow::Borrowed(text)
        };
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let name = self.catalog.seen_from_project(path);
        if self.out.text.len() + text.len() > INSTRUCTION_BYTES {
            return self.leave_out(path, TOO_LONG);
        }
        for part in ["\n\nContents of ", &name, ":\n\n", text] {
            self.out.text.push_str(part);
        }
    }

    fn leave_out(&mut self, path: &str, reason: &str) {
        let name = self.catalog.seen_from_project(path);
        let what = ["the instructions in `", &name, "`, as ", reason].concat();
        self.out.ignored.push(what);
    }
}

/// The path that a word names, if it is below the directory and is not likely to have keys.
fn imported(directory: &str, folder: &str, word: &str) -> Option<String> {
    let name = word.split('#').next().unwrap_or_default();
    let name = name.trim_end_matches(|c: char| c.is_ascii_punctuation());
    if name.is_empty() || name.starts_with(['/', '~']) {
        return None;
    }
    let path = inside(directory, &join(folder, name))?;
    (!may_have_keys(&path)).then_some(path)
}

/// What instructions say for all files; none if they are for some.
fn applied<'t>(rules: Option<&InstructionRules>, text: &'t str) -> Option<&'t str> {
    let Some((rules, patterns)) = rules.and_then(|rules| Some((rules, rules.patterns.as_ref()?))) else {
        return Some(text);
    };
    let parts = split(text, 0);
    let Some(frontmatter) = &parts.frontmatter else {
        return Some(text);
    };
    let read = yaml::read(frontmatter.yaml.of(text), frontmatter.yaml.start.index()).ok();
    let root = read.and_then(|document| document.root);
    let value = root.as_ref().and_then(|root| root.get(patterns));
    let is_for_all = |value: &Node| {
        value
            .as_text()
            .is_some_and(|text| rules.everywhere.iter().any(|all| all == text))
    };
    value.is_none_or(is_for_all).then(|| parts.body.of(text))
}

/// Comments in lines of their own are for people.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut from, mut before) = (0, None);
    for (comment, _) in html_comments(text, Span::new(0, text.len()), "<!--") {
        let (start, end) = (comment.start.index(), comment.end.index());
        // Each line is read for its first comment only: it may have very many.
        let between = before.replace(start).and_then(|before| text.get(before..start));
        if start < from || between.is_some_and(|between| !between.contains('\n')) {
            continue;
        }
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        if !text[line..start].trim().is_empty() {
            continue;
        }
        let rest = text[end..].split('\n').next().unwrap_or_default();
        if !rest.trim().is_empty() {
            continue;
        }
        out.push_str(&text[from..line.max(from)]);
        let after = text[end + rest.len()..].trim_start_matches('\n');
        from = text.len() - after.len();
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_in_lines_of_their_own_are_left_out() {
        for (text, expected) in [
            ("<!-- a -->", ""),
            ("a\n\n<!-- b -->\n\nc", "a\n\nc"),
            ("a\n\n  <!-- b -->  \nc", "a\n\nc"),
            ("a\n\n<!-- b\nc -->\n\nd", "a\n\nd"),
            ("a <!-- b -->\n", "a <!-- b -->\n"),
            ("<!-- a --> b\n", "<!-- a --> b\n"),
            ("<!-- a --><!-- b -->\n", "<!-- a --><!-- b -->\n"),
            ("<!-- a\n--><!-- b -->\nc", "<!-- a\n--><!-- b -->\nc"),
            ("<!-- a -->\n<!-- b -->\nc", "c"),
            (
                "`<!-- a -->`\n\n```\n<!-- b -->\n```\n",
                "`<!-- a -->`\n\n```\n<!-- b -->\n```\n",
            ),
            ("<!-- a\n", "<!-- a\n"),
        ] {
            assert_eq!(without_comments(text), expected, "{text:?}");
        }
    }

    #[test]
    fn many_comments_in_a_line_take_linear_time() {
        let text = "<!---->".repeat(100_000);
        assert_eq!(without_comments(&text), text);
    }
}
