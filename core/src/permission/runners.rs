//! Commands that run other commands.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::runner_table::{OPAQUE, RUNNERS, Runner, SHELLS};
use super::shell::Word;

/// The commands that a command runs.
pub(super) enum Runs {
    /// Only itself.
    Nothing,
    /// The command that starts at this word.
    Command(Inner),
    /// These command lines.
    Line(String),
    /// Something its arguments do not show. A pattern must name all words up to this one.
    Unknown(usize),
}

/// A command among the arguments of another.
pub(super) struct Inner {
    /// Its first word.
    pub at: usize,
    /// Its words, and those appended to them.
    pub words: Vec<Word>,
    /// The variables that are set for it.
    pub variables: Vec<String>,
}

/// The name of a program without its directory.
pub(super) fn base(program: &str) -> &str {
    program.rsplit_once('/').map_or(program, |(_, base)| base)
}

/// What these words run.
pub(super) fn runs(words: &[Word]) -> Result<Runs, String> {
    let Some(program) = words.first().and_then(|word| word.literal.as_deref()) else {
        return Ok(Runs::Nothing);
    };
    let program = base(program);
    if program == "eval" {
        return literals(&words[1..]).map(Runs::Line);
    }
    if SHELLS.contains(&program) {
        return Ok(shell(words));
    }
    if OPAQUE.split(' ').any(|opaque| opaque == program) {
        // Without an operand, some of them run their input.
        let has_operand = words.iter().skip(1).any(is_operand);
        let last = if has_operand {
            first_operand(words)
        } else {
            words.len()
        };
        return Ok(Runs::Unknown(last));
    }
    let Some(runner) = RUNNERS.iter().find(|runner| runner.name == program) else {
        return Ok(Runs::Nothing);
    };
    let Some(at) = runner.command(words) else {
        return Ok(Runs::Unknown(first_operand(words)));
    };
    let (mut at, mut variables) = (at, Vec::new());
    if program == "env" {
        while let Some((name, _)) = words.get(at).and_then(|word| word.raw.split_once('=')) {
            variables.push(name.to_owned());
            at += 1;
        }
    }
    let mut inner = words[at..].to_vec();
    if program == "xargs" && !inner.is_empty() {
        // Words from the input are appended; they are unknown here.
        inner.push(Word {
            raw: "{}".to_owned(),
            literal: None,
            quoted: false,
        });
    }
    Ok(Runs::Command(Inner {
        at,
        words: inner,
        variables,
    }))
}

impl Runner {
    /// Where the command starts; none if its options are unknown.
    fn command(&self, words: &[Word]) -> Option<usize> {
        let mut at = 1;
        while let Some(word) = words.get(at) {
            let option = word.literal.as_deref()?;
            if !option.starts_with('-') {
                break;
            }
            at += 1;
            if option == "--" {
                break;
            }
            if self.valued.contains(&option) {
                words.get(at)?.literal.as_ref()?;
                at += 1;
            } else if !self.alone.iter().any(|known| matches_option(known, option)) {
                return None;
            }
        }
        let operands = words.get(at..at + self.operands)?;
        operands
            .iter()
            .all(|word| word.literal.is_some())
            .then_some(at + self.operands)
    }
}

/// Whether an option is this one, alone or with its value in the same word.
fn matches_option(known: &str, option: &str) -> bool {
    let rest = option.strip_prefix(known);
    let value = |rest: &str| known.ends_with('=') || !known.starts_with("--") && takes_number(known, rest);
    rest.is_some_and(|rest| rest.is_empty() || value(rest))
}

/// Short options take a value without a space if it is a number, or one of the letters of `stdbuf`.
fn takes_number(known: &str, rest: &str) -> bool {
    let valued = matches!(known, "-n" | "-P" | "-L" | "-i" | "-o" | "-e");
    valued && (rest.chars().all(|c| c.is_ascii_digit()) || rest == "L")
}

/// `sh -c LINE` runs the line; without `-c` a shell runs a file or its input.
fn shell(words: &[Word]) -> Runs {
    let option = words.get(1).and_then(|word| word.literal.as_deref());
    match (option, words.get(2)) {
        (Some("-c"), Some(line)) => match &line.literal {
            Some(line) if !line.starts_with(['-', '+']) => Runs::Line(line.clone()),
            _ => Runs::Unknown(2),
        },
        // The input of a shell is in no argument.
        _ if words[1..].iter().all(|word| word.raw.starts_with('-')) => Runs::Unknown(words.len()),
        _ => Runs::Unknown(first_operand(words)),
    }
}

fn literals(words: &[Word]) -> Result<String, String> {
    let texts: Option<Vec<&str>> = words.iter().map(|word| word.literal.as_deref()).collect();
    match texts {
        Some(texts) => Ok(texts.join(" ")),
        None => Err(format!("what `{}` runs is unknown", words[0].raw)),
    }
}

fn first_operand(words: &[Word]) -> usize {
    let at = words.iter().skip(1).position(is_operand);
    at.map_or(words.len().saturating_sub(1), |at| at + 1)
}

fn is_operand(word: &Word) -> bool {
    !word.raw.starts_with('-')
}
