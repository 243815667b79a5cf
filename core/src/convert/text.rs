//! What products replace in the text of a skill or a command: arguments, variables, and commands and files by what they contain.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::dialect::Dialect;

/// A part of a text, and what it is replaced by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part<'a> {
    /// Nothing.
    Text,
    /// All arguments.
    Arguments,
    /// One argument; the first has the number 0.
    Argument(usize),
    /// The argument that was declared by this name.
    Named(&'a str),
    /// What the user is asked for by this name.
    Asked(&'a str),
    /// What the product knows by this name.
    Variable(&'a str),
    /// The output of a command.
    Command(&'a str),
    /// The contents of a file.
    File(&'a str),
}

/// A part of a text as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) written: &'a str,
    pub(super) part: Part<'a>,
}

/// The longest path of a file without a closing sign.
const PATH: usize = 256;

/// Names of values, and their order.
pub(super) type Names<'a> = BTreeMap<&'a str, usize>;

/// A text in pieces, as a product reads it. `names` are those of declared arguments.
pub(super) fn pieces<'a>(text: &'a str, dialect: &Dialect, names: &Names<'_>) -> Vec<Piece<'a>> {
    let mut reader = Reader {
        dialect,
        names,
        unclosed: Vec::new(),
    };
    let (mut pieces, mut from, mut at) = (Vec::new(), 0, 0);
    while let Some(next) = text[at..].find(['$', '{', '!', '`', '@']) {
        at += next;
        let Some((part, length)) = reader.part(&text[..at], &text[at..]) else {
            at += 1;
            continue;
        };
        pieces.extend(plain(&text[from..at]));
        from = at + length;
        pieces.push(Piece {
            written: &text[at..from],
            part,
        });
        at = from;
    }
    pieces.extend(plain(&text[from..]));
    pieces
}

fn plain(written: &str) -> Option<Piece<'_>> {
    let part = Part::Text;
    (!written.is_empty()).then_some(Piece { written, part })
}

struct Reader<'a> {
    dialect: &'a Dialect,
    names: &'a Names<'a>,
    /// What does not end in the rest of the text, so that it is searched only once.
    unclosed: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    /// What a text begins with, and its length.
    fn part<'t>(&mut self, before: &str, rest: &'t str) -> Option<(Part<'t>, usize)> {
        let call = &self.dialect.call;
        if let Some(word) = call.arguments.as_deref().filter(|word| rest.starts_with(word)) {
            return all_arguments(call.names, before, &rest[word.len()..], word.len());
        }
        if let Some(found) = self.asked(rest).or_else(|| self.dollar(before, rest)) {
            return Some(found);
        }
        for [open, close] in &call.commands {
            // A block begins on a line of its own.
            let is_placed = !open.starts_with('`') || before.is_empty() || before.ends_with('\n');
            if let Some(inner) = rest.strip_prefix(&**open).filter(|_| is_placed) {
                let inner = self
                    .inner(inner, close)
                    .filter(|inner| !inner.trim().is_empty())?;
                return Some((Part::Command(inner), open.len() + inner.len() + close.len()));
            }
        }
        let [open, close] = call.files.as_ref()?;
        let inner = rest.strip_prefix(&**open)?;
        let inner = if close.is_empty() {
            bare_path(before, inner)?
        } else {
            self.inner(inner, close)
                .filter(|inner| !inner.trim().is_empty())?
        };
        Some((Part::File(inner), open.len() + inner.len() + close.len()))
    }

    fn asked<'t>(&mut self, rest: &'t str) -> Option<(Part<'t>, usize)> {
        let [open, close] = self.dialect.call.asked.as_ref()?;
        let inner = self.inner(rest.strip_prefix(&**open)?, close)?;
        let name = inner.split(':').next().unwrap_or_default();
        Some((Part::Asked(name), open.len() + inner.len() + close.len()))
    }

    /// What begins with a dollar sign and is not all arguments.
    fn dollar<'t>(&self, before: &str, rest: &'t str) -> Option<(Part<'t>, usize)> {
        let rest = rest.strip_prefix('$')?;
        if let Some(inner) = rest.strip_prefix('{') {
            let name = word(inner);
            let is_known = self.dialect.variables.iter().any(|known| known == name);
            let is_closed = inner[name.len()..].starts_with('}');
            return (is_known && is_closed).then_some((Part::Variable(name), name.len() + "${}".len()));
        }
        if self.dialect.call.names && is_escaped(before) {
            return None;
        }
        let name = word(rest);
        let part = match self.dialect.call.first.zip(name.parse::<usize>().ok()) {
            Some((first, number)) => Part::Argument(number.checked_sub(first)?),
            None if self.dialect.call.names && self.names.contains_key(name) => Part::Named(name),
            None => return None,
        };
        Some((part, name.len() + "$".len()))
    }

    /// The text before what closes it. Braces within braces are closed first.
    fn inner<'t>(&mut self, text: &'t str, close: &'a str) -> Option<&'t str> {
        if self.unclosed.contains(&close) {
            return None;
        }
        let end = if close == "}" {
            closing_brace(text)
        } else {
            text.find(close)
        };
        if end.is_none() {
            self.unclosed.push(close);
        }
        text.get(..end?)
    }
}

/// Whether one backslash ends a text, which keeps the variable after it. Measured with Claude Code 2.1.332.
fn is_escaped(before: &str) -> bool {
    before.ends_with('\\') && !before.ends_with("\\\\")
}

/// All arguments, or one of them if names of arguments are read.
fn all_arguments<'t>(names: bool, before: &str, after: &str, length: usize) -> Option<(Part<'t>, usize)> {
    if !names {
        return Some((Part::Arguments, length));
    }
    if is_escaped(before) || !word(after).is_empty() {
        return None;
    }
    let inner = after.strip_prefix('[').unwrap_or_default();
    let digits = word(inner);
    let number = digits
        .parse()
        .ok()
        .filter(|_| inner[digits.len()..].starts_with(']'));
    Some(match number {
        Some(number) => (Part::Argument(number), length + digits.len() + "[]".len()),
        None => (Part::Arguments, length),
    })
}

/// The letters, digits and underscores that a text begins with.
fn word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The path of a file with an extension. Without one, it may be anything that has an `@`.
fn bare_path<'t>(before: &str, text: &'t str) -> Option<&'t str> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '`' | '_');
    if before.ends_with(is_part) {
        return None;
    }
    let is_end = |letter: char| letter.is_whitespace() || "`\"'()<>,;:!?*".contains(letter);
    let mut letters = text.char_indices().take(PATH);
    let end = letters.find(|(_, letter)| is_end(*letter)).map(|(at, _)| at);
    let end = end.or_else(|| (text.len() <= PATH).then_some(text.len()))?;
    let path = text[..end].trim_end_matches('.');
    let (_, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    extension.chars().all(char::is_alphanumeric).then_some(path)
}

fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.match_indices(['{', '}']) {
        match (letter, depth) {
            ("{", _) => depth += 1,
            (_, 0) => return Some(at),
            _ => depth -= 1,
        }
    }
    None
}

/// Writes what one product replaces as another one does.
pub(super) struct Spelling<'a> {
    pub(super) source: &'a Dialect,
    pub(super) target: &'a Dialect,
    /// The declared arguments.
    pub(super) names: &'a Names<'a>,
    /// What the user is asked for in the source.
    pub(super) asked: &'a Names<'a>,
}

impl Spelling<'_> {
    /// Whether what the user was asked for is declared instead.
    pub(super) fn declares(&self) -> bool {
        self.target.call.names && !self.source.call.names
    }

    /// The spelling of a piece in the target; none if it replaces nothing like it.
    pub(super) fn of(&self, piece: &Piece<'_>) -> Option<String> {
        let to = &self.target.call;
        let ask = |name: String| {
            let [open, close] = to.asked.as_ref()?;
            Some(format!("{open}{name}{close}"))
        };
        match piece.part {
            Part::Text => Some(piece.written.to_string()),
            Part::Arguments => to.arguments.clone().or_else(|| ask("arguments".into())),
            Part::Argument(at) => self
                .numbered(at)
                .or_else(|| ask(format!("argument{}", at.saturating_add(1)))),
            Part::Named(name) if to.names => Some(["$", name].concat()),
            Part::Named(name) => {
                let at = self.names.get(name)?;
                self.numbered(*at).or_else(|| ask(name.into()))
            }
            Part::Asked(_) if to.asked.is_some() => Some(piece.written.into()),
            Part::Asked(name) if self.declares() && self.asked.contains_key(name) => {
                Some(["$", name].concat())
            }
            Part::Asked(_) => to.arguments.clone().filter(|_| self.asked.len() == 1),
            Part::Variable(name) => {
                let is_known = self.target.variables.iter().any(|known| known == name);
                is_known.then(|| piece.written.into())
            }
            Part::Command(command) => {
                let command = self.command(command)?;
                let is_same = |[open, close]: &&[String; 2]| {
                    piece.written.starts_with(&**open) && piece.written.ends_with(&**close)
                };
                if let Some([open, close]) = to.commands.iter().find(is_same) {
                    return Some(format!("{open}{command}{close}"));
                }
                let (command, [open, close]) = (command.trim(), to.commands.first()?);
                holds(command, close).then(|| format!("{open}{command}{close}"))
            }
            Part::File(path) => {
                let [open, close] = to.files.as_ref()?;
                let is_bare = close.is_empty();
                let fits = if is_bare {
                    bare_path("", path) == Some(path)
                } else {
                    holds(path, close)
                };
                fits.then(|| format!("{open}{path}{close}"))
            }
        }
    }

    fn numbered(&self, at: usize) -> Option<String> {
        let first = self.target.call.first?;
        Some(format!("${}", at.checked_add(first)?))
    }

    /// A command with the target's arguments.
    fn command(&self, command: &str) -> Option<String> {
        let mut written = String::new();
        for piece in pieces(command, self.source, self.names) {
            match piece.part {
                Part::Command(_) | Part::File(_) => written.push_str(piece.written),
                _ => written.push_str(&self.of(&piece)?),
            }
        }
        Some(written)
    }
}

/// Whether a text can stand before what closes it.
fn holds(text: &str, close: &str) -> bool {
    if close == "}" {
        closing_brace(&[text, close].concat()) == Some(text.len())
    } else {
        !text.contains(close)
    }
}

/// What the user is asked for, if a declared argument can have the name.
pub(super) fn asked<'a>(pieces: &[Piece<'a>]) -> Names<'a> {
    let mut names = Names::new();
    for piece in pieces {
        if let Part::Asked(name) = piece.part
            && word(name) == name
            && !name.is_empty()
        {
            let at = names.len();
            names.entry(name).or_insert(at);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::dialect::{Dialects, Kind};

    fn parts(id: &str, text: &'static str) -> Vec<Part<'static>> {
        let dialects = Dialects::embedded();
        let dialect = dialects.get_for(id, Kind::Command).expect("it has commands");
        let pieces = pieces(text, dialect, &Names::from([("file", 0)]));
        let whole: String = pieces.iter().map(|piece| piece.written).collect();
        assert_eq!(whole, text);
        let parts = pieces.iter().map(|piece| piece.part);
        parts.filter(|part| *part != Part::Text).collect()
    }

    #[test]
    fn each_product_replaces_something_else() {
        use Part::{Argument, Arguments, Asked, Command, File, Named, Variable};
        for (id, text, expected) in [
            (
                "claude-code",
                "$ARGUMENTS \\$ARGUMENTS $ARGUMENTSX",
                vec![Arguments],
            ),
            (
                "claude-code",
                "$0 $ARGUMENTS[2] $file $files",
                vec![Argument(0), Argument(2), Named("file")],
            ),
            (
                "claude-code",
                "${CLAUDE_PROJECT_DIR} ${CLAUDE_SKILL_DIR} ${HOME} {{args}}",
                vec![Variable("CLAUDE_PROJECT_DIR")],
            ),
            ("claude-code", "!`git log` !`` !{ls}", vec![Command("git log")]),
            ("claude-code", "a\n```!\nls\n```\n", vec![Command("\nls\n")]),
            (
                "claude-code",
                "Read @src/a.rs, @agent-x, a@b.cd, @x/y, @README.md.",
                vec![File("src/a.rs"), File("README.md")],
            ),
            ("opencode", "$1 $0 $ARGUMENTS $file", vec![Argument(0), Arguments]),
            (
                "gemini-cli",
                "{{args}} !{echo {a} } @{b c.md} $1 !{open",
                vec![Arguments, Command("echo {a} "), File("b c.md")],
            ),
            (
                "copilot",
                "${input:name:Your name} ${selection} ${other} $1",
                vec![Asked("name"), Variable("selection")],
            ),
        ] {
            assert_eq!(parts(id, text), expected, "{id}: {text}");
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        for (id, part) in [
            ("gemini-cli", "!{@{"),
            ("copilot", "${input:"),
            ("claude-code", "@/"),
            ("claude-code", "$ARGUMENTS["),
            ("claude-code", "```!\n!`"),
        ] {
            let dialects = Dialects::embedded();
            let dialect = dialects.get_for(id, Kind::Command).expect("it has commands");
            let text = part.repeat(200_000);
            assert!(!pieces(&text, dialect, &Names::new()).is_empty());
        }
    }
}
