//! Whether a command line consists of nothing but allowed commands.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::pattern::fits;
use super::risks::risky;
use super::runners::{Runs, runs};
use super::shell::{self, Access, Redirection, Simple, Word};
use super::variables;
use crate::dialect::CommandPatterns;
use crate::limits::COMMAND_DEPTH;

/// Commands that do nothing that anyone else could notice.
const IDLE: &[&str] = &[":", "true", "false", "break", "continue"];

/// Where output may go and input come from without touching a file.
const NO_FILES: &[&str] = &["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"];

/// What a command line is held against.
pub(super) struct Commands<'a> {
    /// The patterns.
    pub patterns: &'a [String],
    /// How they are read.
    pub style: CommandPatterns,
    /// Whether a file may be read or written.
    pub file: &'a dyn Fn(Access, &str) -> bool,
}

impl Commands<'_> {
    /// Whether every command of the line is allowed; if not, why not.
    pub(super) fn allow(&self, line: &str) -> Result<(), String> {
        // A pattern without a wildcard is a line that somebody has read.
        let known = |pattern: &&String| !pattern.contains('*') && pattern.trim() == line.trim();
        if self.patterns.iter().any(|pattern| pattern.trim() == "*")
            || self.patterns.iter().find(known).is_some()
        {
            return Ok(());
        }
        self.line(line, 0)
    }

    fn line(&self, line: &str, depth: usize) -> Result<(), String> {
        if depth > COMMAND_DEPTH {
            return Err("commands run commands too deep".to_owned());
        }
        let commands = shell::split(line)?;
        commands
            .iter()
            .try_for_each(|command| self.simple(command, depth))
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
        let assignments: Vec<&Word> = command.assignments.iter().map(|(_, word)| word).collect();
        let all: Vec<&Word> = assignments.into_iter().chain(&command.words).collect();
        if self.matches(&all, command.assignments.len()) {
            return Ok(());
        }
        settable(command, variables::may_be_passed)?;
        self.words(&command.words, depth)
    }

    /// Whether a command without variables before it is allowed.
    fn words(&self, words: &[Word], depth: usize) -> Result<(), String> {
        if depth > COMMAND_DEPTH {
            return Err("commands run commands too deep".to_owned());
        }
        let Some(program) = words.first() else {
            return Ok(());
        };
        if program.literal.is_none() {
            return Err(format!("what `{}` runs is not known beforehand", program.raw));
        }
        let idle = program
            .literal
            .as_deref()
            .is_some_and(|program| IDLE.contains(&program));
        // Alone it copies what it is given.
        let copies = words.len() == 1 && program.is_bare("cat");
        if idle || copies || self.matches(&words.iter().collect::<Vec<_>>(), 0) {
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
                "`{}` runs another command, which a pattern has to name",
                program.raw
            )),
            _ => Err(refusal(words)),
        }
    }

    /// Whether a pattern allows these words, the first `program` of which set variables.
    fn matches(&self, all: &[&Word], program: usize) -> bool {
        let words: Vec<Word> = all[program..].iter().map(|word| (*word).clone()).collect();
        if words.first().is_none_or(|word| word.literal.is_none()) {
            return false;
        }
        let text = canonical(all);
        // Variables have to be written out, and what makes a command run another.
        let named = named(&words).map_or(program, |last| program + last + 1);
        let bytes = all.get(..named).map(|words| canonical(words).len());
        let fits = |pattern: &String| match bytes {
            Some(bytes) => fits(&normal(pattern), self.style, &text, bytes),
            None => normal(pattern) == text,
        };
        self.patterns.iter().any(fits)
    }

    fn redirection(&self, redirection: &Redirection) -> Result<(), String> {
        let Some(target) = redirection.target.literal.as_deref() else {
            return Err(format!(
                "where `{}` leads is not known beforehand",
                redirection.target.raw
            ));
        };
        let network = target.starts_with("/dev/tcp") || target.starts_with("/dev/udp");
        if NO_FILES.contains(&target) || !network && (self.file)(redirection.access, target) {
            return Ok(());
        }
        let what = match redirection.access {
            Access::Read => "reads",
            Access::Write => "writes to",
        };
        Err(format!("it {what} `{target}`, which this agent may not"))
    }
}

/// The last word that a pattern has to name because it decides what runs.
fn named(words: &[Word]) -> Option<usize> {
    let last = words.len().saturating_sub(1);
    let runs = match runs(words) {
        Ok(Runs::Nothing) => None,
        Ok(Runs::Unknown(last)) => {
            let inner = words.get(last..).and_then(risky);
            Some(last + inner.unwrap_or(0))
        }
        Ok(Runs::Command(inner)) if !inner.words.is_empty() => {
            // What runs another one runs that one, too.
            Some(inner.at + named(&inner.words).unwrap_or(0))
        }
        Ok(Runs::Command(_) | Runs::Line(_)) | Err(_) => Some(last),
    };
    runs.max(risky(words))
}

/// Why a command is not allowed, and what would allow it where a wildcard does not.
fn refusal(words: &[Word]) -> String {
    let all: Vec<&Word> = words.iter().collect();
    let Some(at) = risky(words) else {
        return format!("`{}` is not allowed", canonical(&all));
    };
    let (program, sign) = (&words[0].raw, &words[at]);
    match sign.literal {
        Some(_) => format!(
            "`{program}` may run or overwrite something else by `{}`: only a pattern that names it allows that, such as `{} *`",
            sign.raw,
            canonical(&all[..=at])
        ),
        None => format!(
            "`{}` may turn out to be an option by which `{program}` runs something else: write it out, or put `--` or `./` before it",
            sign.raw
        ),
    }
}

fn settable(command: &Simple, may_be: impl Fn(&str) -> bool) -> Result<(), String> {
    let wrong = command.assignments.iter().find(|(name, _)| !may_be(name));
    match wrong {
        Some((name, _)) => Err(format!("it sets the variable `{name}`")),
        None => Ok(()),
    }
}

fn canonical(words: &[&Word]) -> String {
    let words: Vec<String> = words.iter().map(|word| word.canonical()).collect();
    words.join(" ")
}

/// A pattern with its quotes and blanks as a command's would be; as it is if it is no single command.
fn normal(pattern: &str) -> String {
    if !pattern.contains(['\'', '"', '\\', '\t']) && !pattern.contains("  ") {
        return pattern.to_owned();
    }
    match shell::split(pattern).as_deref() {
        Ok([command]) if command.redirections.is_empty() => {
            let assignments = command.assignments.iter().map(|(_, word)| word);
            canonical(&assignments.chain(&command.words).collect::<Vec<_>>())
        }
        _ => pattern.to_owned(),
    }
}
