//! Scripts of `sed`, which may run commands and write files.

use core::iter::Peekable;
use core::str::Chars;

use super::shell::Word;

/// The first argument that holds a script, or may, of which it is not certain that it only prints and replaces.
pub(super) fn unproven(words: &[Word]) -> Option<usize> {
    let (mut script, mut given) = (None, false);
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let text = word.literal.as_deref().unwrap_or(&word.raw);
        let long = text.split_once('=').filter(|(option, _)| is_expression(option));
        let holds = match long {
            Some((_, script)) => Some((at, is_plain(script) && word.literal.is_some())),
            None if takes_script(text) => {
                at += 1;
                let next = words.get(at).and_then(|word| word.literal.as_deref());
                Some((at.min(words.len() - 1), next.is_some_and(is_plain)))
            }
            None => None,
        };
        match holds {
            Some((at, false)) => return Some(at),
            Some(_) => given = true,
            // A script may stand behind the letter.
            None if text.starts_with('-') && !text.starts_with("--") && text.contains('e') => {
                return Some(at);
            }
            None if !text.starts_with('-') => script = script.or(Some(at)),
            None => {}
        }
        at += 1;
    }
    let script = script.filter(|_| !given)?;
    let plain = words[script].literal.as_deref().is_some_and(is_plain);
    (!plain).then_some(script)
}

/// Whether the next argument is a script.
fn takes_script(option: &str) -> bool {
    let letters = option.starts_with('-') && !option.starts_with("--");
    letters && option.find('e') == Some(option.len() - 1) || is_expression(option)
}

/// Long options may be shortened.
fn is_expression(option: &str) -> bool {
    option.len() > 2 && "--expression".starts_with(option)
}

/// Whether a script consists of nothing but addresses, and commands that print, delete and replace.
fn is_plain(script: &str) -> bool {
    let mut rest = script.chars().peekable();
    while let Some(c) = rest.next() {
        let plain = match c {
            '/' => until(&mut rest, '/'),
            's' | 'y' => replaces(&mut rest),
            'q' | 'p' | 'd' | 'D' | 'P' | 'g' | 'G' | 'h' | 'H' | 'x' | 'n' | 'N' | '=' => true,
            _ => c.is_ascii_digit() || " \t\n;{},$!~+".contains(c),
        };
        if !plain {
            return false;
        }
    }
    true
}

fn replaces(rest: &mut Peekable<Chars<'_>>) -> bool {
    let delimiter = rest.next().filter(char::is_ascii_punctuation);
    let Some(delimiter) = delimiter.filter(|c| *c != '\\') else {
        return false;
    };
    if !until(rest, delimiter) || !until(rest, delimiter) {
        return false;
    }
    while rest
        .next_if(|c| c.is_ascii_digit() || "gpIiMm".contains(*c))
        .is_some()
    {}
    rest.peek().is_none_or(|c| " \t\n;}".contains(*c))
}

/// Goes behind the next delimiter that is not escaped. Not if a bracket is open there: some go on then, and some do not.
fn until(rest: &mut Peekable<Chars<'_>>, delimiter: char) -> bool {
    let mut open = false;
    while let Some(c) = rest.next() {
        match c {
            _ if c == delimiter => return !open,
            '\n' => return false,
            '\\' => drop(rest.next()),
            '[' => open = true,
            ']' => open = false,
            _ => {}
        }
    }
    false
}
