//! The known programs: the safe options and subcommands of `core/tables/commands.txt`.
//!
//! A line is a program or one of its subcommands, a colon, and tokens. `git log,show: …` is two subcommands; `git !clone` is
//! one that a pattern must spell out; a line that starts with `@` is only included by others.
//!
//! - `-abc` are three letters, `--word` is a long option, and `-#` is a number. `=` after them: they have a value. `?`: only in the
//!   same word. `*`: the value is a script. `>`: a file that is written as by a redirection. `+`: a file that the program's job is to
//!   write. `^`: the option changes the operands. `.`: it writes to the working directory. `!` before them: a pattern must spell them
//!   out.
//! - `%words`: one hyphen may also precede a word. `%sub`: the first operand is a subcommand. `%rest`: `--` starts the arguments of
//!   another program of the project. `%script`, `%repo`: the first operand is a script, a remote. `%out`: operands are written;
//!   `%name`: as names, not as what links lead to. `%one`: only the first operand is read. `%first`: the first argument must be spelled
//!   out. `%set`: `NAME=value` must be.
//!   `%plus`: so must words with a leading `+`. `%tar`: the first argument is letters. `%url`: the last part of an operand is a file.
//!   `%glob`: files may be named like options. `%far`, `%far@`: operands, or those with `@`, name programs of others, for which a pattern
//!   must spell out the subcommand.

const TABLE: &str = include_str!("../../tables/commands.txt");

/// Groups do not nest deeper than one level.
const GROUPS: usize = 2;

/// A program, or one of its subcommands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    tokens: &'static str,
    /// Whether a pattern must spell it out.
    pub unsafe_: bool,
}

/// The value of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Arity {
    Alone,
    Attached,
    Value,
    Script,
    /// A file; whether it is the program's job to write it.
    File(bool),
    /// None, but the option changes the operands.
    Changes,
    /// None, but the program writes to its directory.
    Here,
}

/// A known option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    pub arity: Arity,
    pub safe: bool,
}

/// The entry of a program or a subcommand: `["git", "log"]`.
pub(super) fn find(path: &[&str]) -> Option<Entry> {
    TABLE.lines().find_map(|line| {
        let (head, tokens) = line.split_once(": ")?;
        let unsafe_ = head.contains('!');
        let mut parts = head.split(' ');
        let fits = path.iter().all(|name| {
            let part = parts.next().unwrap_or_default().trim_start_matches('!');
            part.split(',').any(|known| known == *name)
        });
        (fits && parts.next().is_none()).then_some(Entry { tokens, unsafe_ })
    })
}

impl Entry {
    /// The entry of an unknown program.
    pub(super) const UNKNOWN: Self = Self {
        tokens: "",
        unsafe_: false,
    };

    /// Whether it has this mark.
    #[inline(never)]
    pub(super) fn is(self, mark: &str) -> bool {
        self.tokens.split(' ').any(|token| token == mark)
    }

    /// An option of one letter.
    pub(super) fn letter(self, letter: char) -> Option<Known> {
        find_token(self.tokens, GROUPS, &|token| {
            let letters = token.strip_prefix('-')?;
            let named = !letters.starts_with('-') && letters.contains(letter);
            named.then_some(())
        })
    }

    /// An option that is a word, with its hyphens.
    pub(super) fn word(self, word: &str) -> Option<Known> {
        find_token(self.tokens, GROUPS, &|token| (token == word).then_some(()))
    }
}

fn find_token(tokens: &'static str, depth: usize, fits: &dyn Fn(&str) -> Option<()>) -> Option<Known> {
    tokens.split(' ').find_map(|token| {
        if token.starts_with('@') {
            let group = find(&[token]).filter(|_| depth > 0)?;
            return find_token(group.tokens, depth - 1, fits);
        }
        let option = token.trim_start_matches('!');
        let name = option.trim_end_matches(['=', '?', '*', '>', '+', '^', '.']);
        if name.starts_with('%') {
            return None;
        }
        fits(name)?;
        let arity = match option.as_bytes()[name.len()..] {
            [b'='] => Arity::Value,
            [b'?'] => Arity::Attached,
            [b'*'] => Arity::Script,
            [b'>'] => Arity::File(false),
            [b'+'] => Arity::File(true),
            [b'^'] => Arity::Changes,
            [b'.'] => Arity::Here,
            _ => Arity::Alone,
        };
        Some(Known {
            arity,
            safe: !token.starts_with('!'),
        })
    })
}
