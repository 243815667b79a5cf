//! Arguments that are not known to be safe.
//!
//! Every word with a leading hyphen must be a known option, also as a value or after `--`. So it does not matter if a program reads a
//! value where none is expected here.

use alloc::vec::Vec;

use super::runners::base;
use super::shell::Word;
use super::table::{self, Arity, Entry, Known};
use super::{awk, sed};

/// Sources and targets of redirections that are not files.
pub(super) const NO_FILES: &[&str] = &["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"];

const QUOTES: [char; 3] = ['\'', '"', '\\'];

/// The remote that a wildcard may match. Any other name may be a directory.
const REMOTE: &str = "origin";

/// An argument that a wildcard does not match as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Open<'w> {
    pub at: usize,
    /// The written file. Without one, a pattern must spell the argument out.
    pub path: Option<&'w str>,
    /// The option for it; none if writing is the program's job.
    pub option: Option<usize>,
    /// Whether the program changes the name, not what a link of this name leads to.
    pub is_name: bool,
}

impl Open<'_> {
    /// An argument that a pattern must spell out.
    pub(super) const fn word(at: usize) -> Self {
        Self {
            at,
            path: None,
            option: None,
            is_name: false,
        }
    }
}

/// The arguments of a command that are not known to be safe.
pub(super) fn open(words: &[Word]) -> Vec<Open<'_>> {
    let program = words.first().and_then(|word| word.literal.as_deref());
    let Some(program) = program.map(base) else {
        return Vec::new();
    };
    let Some(entry) = table::find(&[program]) else {
        return Vec::new();
    };
    let mut reader = Reader {
        words,
        program,
        path: [program].into(),
        entry,
        open: Vec::new(),
        operands: Vec::new(),
        ended: false,
        named: 0,
        lost: false,
        changes: false,
        scripted: false,
    };
    reader.read();
    reader.open
}

/// Whether a program's options are known.
pub(super) fn is_known(program: &str) -> bool {
    table::find(&[base(program)]).is_some()
}

/// Whether the options of the command that these words run are known.
pub(super) fn is_known_program(words: &[Word]) -> bool {
    let program = words.first().and_then(|word| word.literal.as_deref());
    program.is_some_and(is_known)
}

/// Whether a program accepts the option `-C` for its directory.
pub(super) fn is_told_its_directory(program: &str) -> bool {
    let option = table::find(&[base(program)]).and_then(|entry| entry.letter('C'));
    option.is_some_and(|option| !option.safe)
}

struct Reader<'w> {
    words: &'w [Word],
    program: &'w str,
    path: Vec<&'w str>,
    entry: Entry,
    open: Vec<Open<'w>>,
    operands: Vec<usize>,
    /// Whether `--` was read.
    ended: bool,
    /// The last subcommand.
    named: usize,
    /// Whether the meaning of the rest is unknown.
    lost: bool,
    /// Whether the operands are changed.
    changes: bool,
    /// Whether an option contained the script.
    scripted: bool,
}

impl<'w> Reader<'w> {
    fn read(&mut self) {
        let mut at = 1;
        if self.entry.is("%first") {
            self.spell(1);
        }
        let words = self.words;
        while let Some(word) = words.get(at) {
            at = match word.literal.as_deref() {
                _ if self.lost => self.spell(at),
                None => self.unknown(at, &word.raw),
                Some("--") if !self.ended => {
                    self.ended = true;
                    if self.entry.is("%rest") {
                        return;
                    }
                    at + 1
                }
                Some(letters) if at == 1 && self.entry.is("%tar") && !letters.starts_with('-') => {
                    self.letters(letters)
                }
                Some(text) if text.len() > 1 && text.starts_with('-') => self.option(at, text),
                Some(text) => self.operand(at, text),
            };
        }
        self.finish();
    }

    #[inline(never)]
    fn spell(&mut self, at: usize) -> usize {
        self.open.push(Open::word(at));
        at + 1
    }

    #[inline(never)]
    fn writes(&mut self, at: usize, path: Option<&'w str>, option: Option<usize>) {
        if !path.is_some_and(|path| path == "-" || NO_FILES.contains(&path)) {
            let is_name = self.entry.is("%name") && path.is_some_and(|path| !path.ends_with('/'));
            self.open.push(Open {
                at,
                path,
                option,
                is_name,
            });
        }
    }

    /// Reads an option, and returns where its value ends.
    fn option(&mut self, at: usize, text: &'w str) -> usize {
        let number = text[1..].chars().all(|c| c.is_ascii_digit());
        if number && self.entry.letter('#').is_some() {
            return at + 1;
        }
        if !text.starts_with("--") && !self.entry.is("%words") {
            return self.bundle(at, &text[1..]);
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if matches!(text, "--help" | "--version") {
            return at + 1;
        }
        match self.entry.word(name) {
            Some(known) => self.take(at, known, value),
            None if value.is_some() => self.spell(at),
            None => self.stranger(at),
        }
    }

    /// An unknown option takes an unknown number of words.
    fn stranger(&mut self, at: usize) -> usize {
        let ordered = ["%sub", "%script", "%one", "%repo"];
        self.lost = ordered.iter().any(|mark| self.entry.is(mark));
        self.spell(at)
    }

    /// Letters after one hyphen.
    fn bundle(&mut self, at: usize, letters: &'w str) -> usize {
        for (index, letter) in letters.char_indices() {
            let Some(known) = self.entry.letter(letter).filter(|_| letter != '#') else {
                return self.stranger(at);
            };
            let rest = &letters[index + letter.len_utf8()..];
            match known.arity {
                Arity::Alone | Arity::Here => drop(self.take(at, known, None)),
                _ => return self.take(at, known, (!rest.is_empty()).then_some(rest)),
            }
        }
        at + 1
    }

    /// Letters without a hyphen, as in `tar`: their values follow in order.
    fn letters(&mut self, letters: &str) -> usize {
        let mut next = 2;
        for letter in letters.chars() {
            match self.entry.letter(letter) {
                Some(known) if matches!(known.arity, Arity::Alone | Arity::Here) => {
                    self.take(1, known, None);
                }
                Some(known) => {
                    self.value(next, None, 1, known.arity);
                    next += 1;
                }
                None => drop(self.spell(1)),
            }
        }
        next
    }

    fn take(&mut self, at: usize, known: Known, attached: Option<&'w str>) -> usize {
        if !known.safe {
            self.spell(at);
        }
        match known.arity {
            Arity::Alone | Arity::Attached => at + 1,
            Arity::Changes => {
                self.changes = true;
                at + 1
            }
            // Its directory is checked even if a pattern spells out the option.
            Arity::Here => {
                self.writes(usize::MAX, Some("."), None);
                at + 1
            }
            arity => {
                let own = attached.is_some();
                self.value(at + usize::from(!own), attached, at, arity);
                at + 1 + usize::from(!own)
            }
        }
    }

    fn value(&mut self, at: usize, attached: Option<&'w str>, option: usize, arity: Arity) {
        self.scripted |= arity == Arity::Script;
        let words = self.words;
        let Some(word) = words.get(at) else { return };
        let text = attached.or(word.literal.as_deref());
        match (arity, text) {
            (Arity::File(own), path) => {
                if attached.is_none() && path.is_some_and(may_be_missing) {
                    self.spell(at);
                }
                self.writes(at, path, (!own).then_some(option));
            }
            (_, Some(text)) if attached.is_none() && may_be_missing(text) => drop(self.spell(at)),
            (Arity::Script, Some(script)) if self.is_plain(script) => {}
            (Arity::Value, Some(_)) => {}
            (Arity::Value, None) if quoted(&word.raw).is_some() => {}
            _ => drop(self.spell(at)),
        }
    }

    fn operand(&mut self, at: usize, text: &'w str) -> usize {
        if self.entry.is("%sub") {
            self.subcommand(at, text);
            return at + 1;
        }
        let count = self.operands.len();
        self.operands.push(at);
        let refused = self.entry.is("%one") && count > 0
            || self.entry.is("%set") && text.contains(['=', '$'])
            || self.entry.is("%plus") && text.starts_with('+')
            || self.entry.is("%repo") && count == 0 && !is_remote(text)
            || self.entry.is("%url") && !names_its_file(text);
        if refused {
            self.spell(at);
        }
        if self.entry.is("%far") || self.entry.is("%far@") && text.contains('@') {
            self.spell(self.named);
        }
        if self.entry.is("%out") && !(self.entry.is("%repo") && count == 0) {
            self.writes(at, Some(text), None);
        }
        if self.entry.is("%url") {
            self.writes(at, text.rsplit('/').next(), None);
        }
        at + 1
    }

    fn subcommand(&mut self, at: usize, name: &'w str) {
        self.path.push(name);
        let found = table::find(&self.path).filter(|_| !self.ended);
        if found.is_none_or(|entry| entry.unsafe_) {
            self.spell(at);
        }
        self.entry = found.unwrap_or(Entry::UNKNOWN);
        self.named = at;
        if self.entry.is("%first") && at + 1 < self.words.len() {
            self.spell(at + 1);
        }
    }

    /// A word that the shell expands.
    fn unknown(&mut self, at: usize, raw: &'w str) -> usize {
        let entry = self.entry;
        let ordered = entry.is("%sub")
            || entry.is("%one")
            || entry.is("%url")
            || entry.is("%set") && raw.contains(['$', '`', '{'])
            || self.operands.is_empty() && (entry.is("%repo") || entry.is("%script") && !self.scripted);
        self.lost |= entry.is("%sub");
        let operand = self.ended && !entry.is("%words") && !raw.trim_start_matches(QUOTES).starts_with('-');
        if ordered || !operand && may_be_option(raw, !entry.is("%glob")) {
            self.spell(at);
        }
        if entry.is("%far") || entry.is("%far@") {
            self.spell(self.named);
        }
        if entry.is("%out") {
            let stars = !raw.contains(['$', '`', '{', '?', '[', '~', '<', '\'', '"', '\\']);
            self.writes(at, stars.then_some(raw), None);
        }
        self.operands.push(at);
        at + 1
    }

    fn finish(&mut self) {
        if self.entry.is("%out") {
            self.spilled();
        }
        if !self.entry.is("%script") {
            return;
        }
        let mut files = core::mem::take(&mut self.operands);
        if !self.scripted && !files.is_empty() {
            let script = files.remove(0);
            let text = self.words[script].literal.as_deref();
            if !text.is_some_and(|script| self.is_plain(script)) {
                self.spell(script);
            }
        }
        let words = self.words;
        files.retain(|_| self.changes);
        for file in files {
            self.writes(file, words[file].literal.as_deref(), None);
        }
    }

    /// The contents of a directory keep their names, which are unknown: they are not copied into the project's own directory.
    fn spilled(&mut self) {
        let words = self.words;
        let text = |at: usize| words[at].literal.as_deref().unwrap_or_default();
        let Some((target, sources)) = self.operands.split_last() else {
            return;
        };
        let here = text(*target).trim_start_matches(['.', '/']).is_empty();
        // An absolute path may be the project's.
        let slash = here || text(*target).starts_with('/') && self.program == "rsync";
        let contents = |at: &&usize| {
            let source = text(**at);
            slash && source.ends_with('/') || source.ends_with("/.")
        };
        if here || text(*target).starts_with('/') {
            let spilled = sources.iter().find(contents).copied();
            self.open.extend(spilled.map(Open::word));
        }
    }

    fn is_plain(&self, script: &str) -> bool {
        match self.program {
            "sed" => sed::is_plain(script),
            "curl" => !script.starts_with('@') && !script.contains("%output"),
            "git" => !script.contains("subtree"),
            _ => awk::is_plain(script),
        }
    }
}

/// Whether a program may read the next word as an option, not as a value of the previous one.
fn may_be_missing(value: &str) -> bool {
    let second = value.strip_prefix('-').and_then(|rest| rest.chars().next());
    second.is_some_and(|second| !second.is_ascii_digit())
}

/// Whether a downloaded file has the name that its address ends with.
fn names_its_file(url: &str) -> bool {
    let web = url.starts_with("http://") || url.starts_with("https://");
    !url.contains(['%', '#', ';', '*', '[']) && (web || !url.contains('?'))
}

/// Whether this is a repository on another machine, or a common name of one.
fn is_remote(text: &str) -> bool {
    let url = ["https://", "http://", "ssh://", "git://"];
    let short = text
        .split_once(':')
        .is_some_and(|(host, path)| host.contains('@') && !host.contains('/') && !path.starts_with(':'));
    text == REMOTE || short || url.iter().any(|scheme| text.starts_with(scheme))
}

/// Whether the shell may expand a word to an option: not if it starts with plain text and stays one word. It may be a file name if
/// `names` may be options.
fn may_be_option(raw: &str, names: bool) -> bool {
    match quoted(raw) {
        Some(inner) => inner.starts_with(['-', '$', '`']),
        None => {
            let text = raw.trim_start_matches(QUOTES);
            raw.contains(['$', '`', '{'])
                || text.starts_with('-')
                || names && text.starts_with(['*', '?', '['])
        }
    }
}

/// The text between double quotes, if that is the whole word.
fn quoted(raw: &str) -> Option<&str> {
    let rest = raw.strip_prefix('"')?;
    rest.strip_suffix('"').filter(|inner| !inner.contains('"'))
}
