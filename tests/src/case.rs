//! A case: an input tree, command lines, and their expected results, in one file.
//!
//! The file begins with TOML ([`Case`]). `-- PATH --` begins each input file, `-- escaped PATH --` one with characters that cannot be
//! seen, as escapes such as `\r`. `-- expected --` is last.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Deserialize;

use crate::backend::Backend;
use crate::commands;
use crate::script::Script;

/// The modification time of every file of a case; each step is a second later.
const THEN: Duration = Duration::from_secs(1_767_225_600);

/// The beginning of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// One sentence: what is tested.
    pub about: String,
    /// The seed document and the section that requires it.
    pub seed: Option<String>,
    /// Command lines.
    #[serde(default)]
    pub run: Vec<String>,
    /// The backends that run it, if not all that can.
    backends: Option<Vec<Backend>>,
    /// Empty folders to make: `project/.git` makes a repository.
    #[serde(default)]
    make: Vec<PathBuf>,
    /// Files to make of so many zeros.
    #[serde(default)]
    zeros: BTreeMap<PathBuf, u64>,
    /// Symbolic links to make, with their targets.
    #[serde(default)]
    links: BTreeMap<PathBuf, PathBuf>,
    /// A delegation, instead of command lines.
    pub script: Option<Script>,
    /// Later changes, in order.
    #[serde(default)]
    pub step: Vec<Step>,
    /// Its file.
    #[serde(skip)]
    pub file: PathBuf,
    /// The input files, by path.
    #[serde(skip)]
    pub files: Vec<(String, Vec<u8>)>,
    /// The expected result.
    #[serde(skip)]
    pub expected: String,
}

/// Which backends can run a case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// All.
    Everywhere,
    /// All but the command line.
    Open,
    /// All but the command line: a script replaces parts of the program.
    Scripted,
    /// The command line.
    Program,
    /// The backends that the case names.
    Named(Vec<Backend>),
}

impl Reach {
    fn holds(&self, backend: Backend) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Open | Self::Scripted => backend != Backend::Cli,
            Self::Program => backend == Backend::Cli,
            Self::Named(named) => named.contains(&backend),
        }
    }
}

/// A change to the tree, and the command lines after it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    write: Option<Write>,
    remove: Option<PathBuf>,
    /// A file that gets a new modification time and keeps its bytes.
    touch: Option<PathBuf>,
    /// Command lines.
    #[serde(default)]
    pub run: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Write {
    path: PathBuf,
    text: String,
}

impl Case {
    /// Every case below `folder`, sorted: its name and the case, or the error in it.
    pub fn all(folder: &Path) -> Vec<(String, Result<Self, String>)> {
        let mut files = Vec::new();
        find(folder, &mut files);
        files.sort();
        let load = |file: PathBuf| {
            let name = file.strip_prefix(folder).unwrap_or(&file).with_extension("");
            let case = Self::load(&file).map_err(|error| format!("{}: {error}", file.display()));
            (name.to_string_lossy().replace('\\', "/"), case)
        };
        files.into_iter().map(load).collect()
    }

    fn load(file: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
        let mut sections = sections(&text).into_iter();
        let (_, head) = sections.next().expect("there is a first section");
        let mut case: Self = toml::from_str(head).map_err(|error| error.to_string())?;
        for (name, text) in sections {
            match (name, name.strip_prefix("escaped ")) {
                ("expected", _) => text.clone_into(&mut case.expected),
                (_, Some(name)) => case.files.push((name.to_owned(), unescaped(text)?)),
                _ => case.files.push((name.to_owned(), text.as_bytes().to_owned())),
            }
        }
        file.clone_into(&mut case.file);
        Ok(case)
    }

    /// Writes another expected result into its file.
    pub fn expect(&self, expected: &str) -> io::Result<()> {
        let text = fs::read_to_string(&self.file)?;
        let input = text.split_once(EXPECTED).map(|(input, _)| input);
        let input = input.unwrap_or(text.strip_suffix('\n').unwrap_or(&text));
        fs::write(&self.file, format!("{input}{EXPECTED}{expected}"))
    }

    /// Every command line, in order.
    pub fn lines(&self) -> impl Iterator<Item = &String> {
        self.run.iter().chain(self.step.iter().flat_map(|step| &step.run))
    }

    /// The backends that run it.
    pub fn backends(&self) -> Vec<Backend> {
        let reach = self.reach();
        Backend::all().filter(|backend| reach.holds(*backend)).collect()
    }

    /// Why it does not run everywhere, if so. The command line keeps no catalog open; only it writes files, and prints text.
    pub fn reach(&self) -> Reach {
        let open = !self.step.is_empty() || self.lines().any(|line| commands::keeps_open(line));
        let program = self.lines().any(|line| commands::needs_the_program(line));
        let script = self.script.as_ref();
        match (&self.backends, open, program) {
            (Some(named), ..) => Reach::Named(named.clone()),
            _ if script.is_some_and(|script| !script.is_for_the_program()) => Reach::Scripted,
            (_, true, _) => Reach::Open,
            (_, _, true) => Reach::Program,
            _ => Reach::Everywhere,
        }
    }

    /// Writes its tree to a place where it may be changed.
    pub fn lay_out(&self, to: &Path) -> io::Result<()> {
        for folder in &self.make {
            fs::create_dir_all(to.join(folder))?;
        }
        for (at, bytes) in &self.files {
            let path = to.join(at);
            fs::create_dir_all(path.parent().expect("it lies in the tree"))?;
            fs::write(&path, bytes)?;
            date(&path, 0)?;
        }
        for (at, size) in &self.zeros {
            let path = to.join(at);
            fs::create_dir_all(path.parent().expect("it lies in the tree"))?;
            File::create(&path)?.set_len(*size)?;
            date(&path, 0)?;
        }
        for (at, target) in &self.links {
            let path = to.join(at);
            fs::create_dir_all(path.parent().expect("it lies in the tree"))?;
            link(target, &path)?;
        }
        Ok(())
    }
}

impl Step {
    /// Makes the change of step `number`.
    pub fn apply(&self, number: usize, tree: &Path) -> io::Result<()> {
        if let Some(write) = &self.write {
            let path = tree.join(&write.path);
            fs::create_dir_all(path.parent().expect("it lies in the tree"))?;
            fs::write(&path, &write.text)?;
            date(&path, number)?;
        }
        if let Some(path) = &self.remove {
            fs::remove_file(tree.join(path))?;
        }
        match &self.touch {
            Some(path) => date(&tree.join(path), number),
            None => Ok(()),
        }
    }
}

fn date(file: &Path, step: usize) -> io::Result<()> {
    let when = SystemTime::UNIX_EPOCH + THEN + Duration::from_secs(step as u64);
    let file = File::options().write(true).open(file)?;
    file.set_times(FileTimes::new().set_modified(when))
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn link(_to: &Path, _at: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "case") {
            files.push(path);
        }
    }
}

/// Where the expected result begins.
const EXPECTED: &str = "\n-- expected --\n";

/// The parts of a case's file, with their names; that of the first is empty.
fn sections(text: &str) -> Vec<(&str, &str)> {
    let (mut sections, mut name, mut begin, mut at) = (Vec::new(), "", 0, 0);
    for line in text.split_inclusive('\n') {
        let mark = line
            .strip_prefix("-- ")
            .and_then(|line| line.strip_suffix(" --\n"));
        if let Some(next) = mark.filter(|_| name != "expected") {
            sections.push((name, &text[begin..at]));
            (name, begin) = (next, at + line.len());
        }
        at += line.len();
    }
    sections.push((name, &text[begin..]));
    sections
}

/// A text with these escapes: `\\`, `\r`, `\n`, `\xE9` for a byte, `\u{feff}` for a character, `\{a*1000}` for a repeated text, and one at
/// the end of a line for no line break.
fn unescaped(text: &str) -> Result<Vec<u8>, String> {
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let wrong = || format!("no escape: \\{}", after.lines().next().unwrap_or_default());
        let kind = after.chars().next().ok_or_else(wrong)?;
        rest = &after[kind.len_utf8()..];
        match kind {
            '\n' => {}
            '\\' => bytes.push(b'\\'),
            'r' => bytes.push(b'\r'),
            'n' => bytes.push(b'\n'),
            'x' => {
                let (digits, after) = rest.split_at_checked(2).ok_or_else(wrong)?;
                bytes.push(u8::from_str_radix(digits, 16).map_err(|_| wrong())?);
                rest = after;
            }
            'u' => {
                let (digits, after) = rest
                    .strip_prefix('{')
                    .and_then(|rest| rest.split_once('}'))
                    .ok_or_else(wrong)?;
                let code = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
                let character = char::from_u32(code).ok_or_else(wrong)?;
                bytes.extend_from_slice(character.to_string().as_bytes());
                rest = after;
            }
            '{' => {
                let (repeated, after) = rest.split_once('}').ok_or_else(wrong)?;
                let (repeated, count) = repeated.rsplit_once('*').ok_or_else(wrong)?;
                let count = count.parse().map_err(|_| wrong())?;
                bytes.extend_from_slice(repeated.repeat(count).as_bytes());
                rest = after;
            }
            _ => return Err(wrong()),
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}
