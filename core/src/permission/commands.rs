//! Whether a command line consists only of allowed commands.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use super::paths::Places;
use super::pattern::{Written, fits, wildcard};
use super::place::{Place, join};
use super::runners::{Runs, base, runs};
use super::safe::{self, NO_FILES, Open};
use super::shell::{self, Access, Redirection, Simple, Word};
use super::variables;
use crate::dialect::CommandPatterns;
use crate::limits::COMMAND_DEPTH;

/// Commands without an observable effect.
const IDLE: &[&str] = &[":", "true", "false", "break", "continue"];

/// The option that sets a program's directory.
const DIRECTORY: &str = "-C";

const TOO_DEEP: &str = "commands are nested too deep";

/// The rules for a command line.
pub(super) struct Commands<'a> {
    /// The patterns.
    pub patterns: &'a [String],
    /// How they are matched.
    pub style: CommandPatterns,
    /// The project's path, if known.
    pub places: Option<Places<'a>>,
    /// Whether a file may be read or written; if not, why not.
    pub file: &'a dyn Fn(Access, &str) -> Result<(), String>,
}

impl Commands<'_> {
    /// Whether every command of the line is allowed; if not, why not.
    pub(super) fn allow(&self, line: &str) -> Result<(), String> {
        // A pattern without a wildcard allows exactly the line that its author has read. To a shell, other spaces are letters.
        let known = |pattern: &&String| !pattern.contains('*') && trimmed(pattern) == trimmed(line);
        if self.patterns.iter().any(|pattern| pattern.trim() == "*")
            || self.patterns.iter().any(|pattern| known(&pattern))
        {
            return Ok(());
        }
        let place = RefCell::new(Place::new());
        Judge { rules: self, place }.line(line, 0)
    }
}

/// A line being checked.
struct Judge<'a> {
    rules: &'a Commands<'a>,
    place: RefCell<Place>,
}

impl Judge<'_> {
    fn line(&self, line: &str, depth: usize) -> Result<(), String> {
        if depth > COMMAND_DEPTH {
            return Err(TOO_DEEP.to_owned());
        }
        self.place.borrow_mut().enter(line);
        let commands = shell::split(line)?;
        for command in &commands {
            self.simple(command, depth)?;
            let words = innermost(&command.words)?;
            self.place.borrow_mut().follow(&words, self.rules.places);
            if self.place.borrow().is_lost() {
                return Err("`cd` in a line with a loop may lead anywhere".to_owned());
            }
        }
        Ok(())
    }

    fn simple(&self, command: &Simple, depth: usize) -> Result<(), String> {
        for redirection in &command.redirections {
            self.redirection(redirection)?;
        }
        for name in &command.variables {
            if !variables::may_be_set(name) {
                return Err(format!("it sets the variable `{name}`"));
            }
        }
        if command.words.is_empty() {
            return settable(command, variables::may_be_set);
        }
        let assignments: Vec<Word> = command.assignments.iter().map(|(_, word)| word.clone()).collect();
        let moved = self.place.borrow().moved();
        let count = assignments.len();
        let all: Vec<Word> = assignments.into_iter().chain(command.words.clone()).collect();
        if !moved && self.matches(&all, count) {
            return Ok(());
        }
        settable(command, variables::may_be_passed)?;
        self.words(&command.words, depth)
    }

    /// Whether a command without preceding variables is allowed, in any directory.
    fn words(&self, words: &[Word], depth: usize) -> Result<(), String> {
        if !is_told_its_directory(words) {
            return self.one(words, depth);
        }
        let place = self.place.borrow().clone();
        let Some(others) = place.others() else {
            return Err(format!(
                "the directory in which `{}` runs is unknown",
                words[0].raw
            ));
        };
        for other in others {
            let told = [DIRECTORY, other].map(|text| Word {
                raw: text.to_owned(),
                literal: Some(text.to_owned()),
                quoted: false,
            });
            let words = [&words[..1], &told, &words[1..]].concat();
            if !self.matches(&words, 0) {
                return Err(self.refusal(&words));
            }
        }
        self.one(words, depth)
    }

    fn one(&self, words: &[Word], depth: usize) -> Result<(), String> {
        if depth > COMMAND_DEPTH {
            return Err(TOO_DEEP.to_owned());
        }
        let Some(program) = words.first() else {
            return Ok(());
        };
        if program.literal.is_none() {
            return Err(format!("what `{}` runs is unknown", program.raw));
        }
        let idle = program
            .literal
            .as_deref()
            .is_some_and(|program| IDLE.contains(&program));
        // Without arguments, `cat` copies its input.
        let copies = words.len() == 1 && program.is_bare("cat");
        if idle || copies || self.matches(words, 0) {
            return Ok(());
        }
        match runs(words)? {
            Runs::Line(line) => self.line(&line, depth + 1),
            // Without a command it only redirects.
            Runs::Command(inner) if inner.words.is_empty() && program.is_bare("exec") => Ok(()),
            Runs::Command(inner) if !inner.words.is_empty() => {
                match inner
                    .variables
                    .iter()
                    .find(|name| !variables::may_be_passed(name))
                {
                    Some(name) => Err(format!("it sets the variable `{name}`")),
                    None => self.words(&inner.words, depth + 1),
                }
            }
            Runs::Unknown(_) => Err(format!(
                "`{}` runs another command, which a pattern must name",
                program.raw
            )),
            _ => Err(self.refusal(words)),
        }
    }

    /// Whether a pattern allows these words, whose first `program` words set variables.
    fn matches(&self, all: &[Word], program: usize) -> bool {
        let words = &all[program..];
        if words.first().is_none_or(|word| word.literal.is_none()) {
            return false;
        }
        let open = self.open(words, 0);
        let line = Line::new(all);
        let rules = self.rules;
        rules.patterns.iter().any(|pattern| {
            let pattern = normal(pattern);
            let Some(written) = fits(&pattern, rules.style, &line.text) else {
                return false;
            };
            let spelled = |at: usize| line.spells(written, at.saturating_add(program));
            // The pattern must spell out variables and the program.
            let named = line.ends[program] <= written.first
                || program == 0 && names_program(&pattern, words, &open, &spelled);
            let may_write = |open: &Open| self.may_write(open, open.option.is_none_or(spelled));
            named && open.iter().all(|open| spelled(open.at) || may_write(open))
        })
    }

    /// The words that a wildcard does not match as they are, and those that decide what runs.
    fn open<'w>(&self, words: &'w [Word], depth: usize) -> Vec<Open<'w>> {
        if words.is_empty() {
            return Vec::new();
        }
        if depth > COMMAND_DEPTH {
            return [Open::word(usize::MAX)].into();
        }
        let (last, inner) = match runs(words) {
            Ok(Runs::Nothing) => return safe::open(words),
            Ok(Runs::Unknown(last)) => (last, words.get(last..).filter(|_| last > 0)),
            Ok(Runs::Command(inner)) if !inner.words.is_empty() => (inner.at, words.get(inner.at..)),
            Ok(Runs::Command(_) | Runs::Line(_)) | Err(_) => (words.len() - 1, None),
        };
        let mut open: Vec<Open<'w>> = (0..=last).map(Open::word).collect();
        let inner = inner.unwrap_or_default();
        // Its directory and added arguments are checked with it alone.
        let added = words[0].literal.as_deref().map(base) == Some("xargs") && safe::is_known_program(inner);
        if added || is_told_its_directory(inner) && self.place.borrow().moved() {
            open.push(Open::word(usize::MAX));
        }
        for found in self.open(inner, depth + 1) {
            let at = found.at.saturating_add(last);
            let option = found.option.map(|option| option + last);
            open.push(Open { at, option, ..found });
        }
        open
    }

    /// Whether the files that a program writes are allowed; `own` if writing is its job, or a pattern allows it.
    fn may_write(&self, open: &Open, own: bool) -> bool {
        let access = if open.is_name {
            Access::Name
        } else if own {
            Access::Own
        } else {
            Access::Write
        };
        let path = open.path.filter(|path| is_plain(path));
        path.is_some_and(|path| self.file(access, path).is_ok())
    }

    /// Whether a file may be accessed, from any directory it may be named in.
    fn file(&self, access: Access, path: &str) -> Result<(), String> {
        (self.rules.file)(access, path)?;
        if path.starts_with('/') {
            return Ok(());
        }
        let place = self.place.borrow();
        let Some(others) = place.others() else {
            return Err(format!("the directory of `{path}` is unknown"));
        };
        let mut all = others.iter().map(|other| join(other, path));
        all.try_for_each(|path| (self.rules.file)(access, &path))
    }

    fn redirection(&self, redirection: &Redirection) -> Result<(), String> {
        let Some(target) = redirection.target.literal.as_deref() else {
            return Err(format!("where `{}` leads is unknown", redirection.target.raw));
        };
        if NO_FILES.contains(&target) {
            return Ok(());
        }
        if target.starts_with("/dev/tcp") || target.starts_with("/dev/udp") {
            Err(format!("`{target}` is a connection"))
        } else {
            self.file(redirection.access, target)
        }
    }

    /// Why a command is not allowed, and what would allow it where a wildcard does not.
    fn refusal(&self, words: &[Word]) -> String {
        let line = Line::new(words);
        let rules = self.rules;
        let mut patterns = rules.patterns.iter();
        let fit = patterns.any(|pattern| fits(&normal(pattern), rules.style, &line.text).is_some());
        let open = self.open(words, 0);
        let refused = open
            .iter()
            .filter(|open| !self.may_write(open, open.option.is_none()));
        let last = refused.max_by_key(|open| open.at).filter(|_| fit);
        let Some((open, word)) = last.and_then(|open| Some((open, words.get(open.at)?))) else {
            return format!("`{}` is not allowed", line.text);
        };
        if let Some(Err(reason)) = open.path.map(|path| self.file(Access::Own, path)) {
            return reason;
        }
        let at = open.option.unwrap_or(open.at);
        let program = &words[0].raw;
        if word.literal.is_none() {
            return format!(
                "`{}` may become an option of `{program}`: write it out, or put `--` or `./` before it",
                word.raw
            );
        }
        let word = &words[at];
        let rest = if at + 1 < words.len() { " *" } else { "" };
        let pattern = &line.text[..line.ends[at]];
        format!(
            "`{}` is not known to be safe for `{program}`; the pattern `{pattern}{rest}` would allow it",
            word.raw
        )
    }
}

/// Whether a path is a file of this machine that no program renames, without a way back through a link.
fn is_plain(path: &str) -> bool {
    let mut down = path.split('/').skip_while(|part| matches!(*part, "." | ".."));
    !path.contains([':', '#']) && down.all(|part| part != "..")
}

/// Words as patterns see them, and where each ends.
struct Line {
    text: String,
    ends: Vec<usize>,
}

impl Line {
    fn new(words: &[Word]) -> Self {
        let (mut text, mut ends) = (String::new(), Vec::new());
        for word in words {
            if !ends.is_empty() {
                text.push(' ');
            }
            text.push_str(&word.canonical());
            ends.push(text.len());
        }
        Self { text, ends }
    }

    /// Whether the pattern spells out the whole word.
    fn spells(&self, written: Written, at: usize) -> bool {
        let Some(end) = self.ends.get(at) else {
            return false;
        };
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        *end <= written.first || start + written.last >= self.text.len()
    }
}

/// Whether a pattern with a star in the program's name matches this program: one in a project directory, or one whose arguments the
/// pattern spells out. It does not match programs that run others.
fn names_program(pattern: &str, words: &[Word], open: &[Open<'_>], spelled: &dyn Fn(usize) -> bool) -> bool {
    let head = pattern.split(' ').next().unwrap_or_default();
    let name = words[0].literal.as_deref().unwrap_or_default();
    let parts = |path: &str| {
        path.rsplit_once('/')
            .map(|(directory, file)| (directory.to_owned(), file.to_owned()))
    };
    let same = match (parts(head), parts(name)) {
        (None, None) => wildcard(head, name),
        (Some((directory, file)), Some((there, name))) => {
            directory == there && !directory.contains('*') && wildcard(&file, &name)
        }
        _ => false,
    };
    let own = head.contains('/') && !head.starts_with('/') && !safe::is_known(name);
    let runs_nothing = matches!(runs(words), Ok(Runs::Nothing));
    let arguments = own || (1..words.len()).all(spelled);
    head.contains('*') && same && runs_nothing && arguments && (own || open.iter().all(|open| open.at > 0))
}

/// The command that finally runs, through all that run others.
fn innermost(words: &[Word]) -> Result<Vec<Word>, String> {
    let mut words = words.to_vec();
    for _ in 0..=COMMAND_DEPTH {
        match runs(&words) {
            Ok(Runs::Command(inner)) => words = inner.words,
            _ => return Ok(words),
        }
    }
    Err(TOO_DEEP.to_owned())
}

/// Whether an option sets the program's directory, so that a `cd` before it has no effect.
fn is_told_its_directory(words: &[Word]) -> bool {
    let program = words.first().and_then(|word| word.literal.as_deref());
    program.is_some_and(safe::is_told_its_directory)
}

fn settable(command: &Simple, may_be: impl Fn(&str) -> bool) -> Result<(), String> {
    let wrong = command.assignments.iter().find(|(name, _)| !may_be(name));
    match wrong {
        Some((name, _)) => Err(format!("it sets the variable `{name}`")),
        None => Ok(()),
    }
}

fn trimmed(line: &str) -> &str {
    line.trim_matches([' ', '\t', '\n'])
}

/// A pattern with its quotes and spaces normalized like a command's; unchanged if it is not a single command. `git*` means `git *`: it
/// matches no other program.
fn normal(pattern: &str) -> String {
    let pattern = pattern.trim();
    if let Some(program) = pattern.strip_suffix('*')
        && !program.is_empty()
        && !program.contains(['*', ' ', ':'])
        && !program.ends_with('/')
    {
        return format!("{program} *");
    }
    if !pattern.contains(['\'', '"', '\\', '\t']) && !pattern.contains("  ") {
        return pattern.to_owned();
    }
    match shell::split(pattern).as_deref() {
        Ok([command]) if command.redirections.is_empty() => {
            let assignments = command.assignments.iter().map(|(_, word)| word.clone());
            Line::new(&assignments.chain(command.words.clone()).collect::<Vec<_>>()).text
        }
        _ => pattern.to_owned(),
    }
}
