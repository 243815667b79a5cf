//! Scripts of `sed`, which may run commands and write files.

use core::iter::Peekable;
use core::str::Chars;

/// Whether a script consists only of addresses, and commands that print, delete and replace.
pub(super) fn is_plain(script: &str) -> bool {
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

/// Skips the next unescaped delimiter. Fails at a bracket whose end is ambiguous: `[]/]` and `[^]/]` continue, and a delimiter within
/// brackets ends the text only for some versions.
fn until(rest: &mut Peekable<Chars<'_>>, delimiter: char) -> bool {
    let mut open = false;
    while let Some(c) = rest.next() {
        match c {
            _ if c == delimiter => return !open,
            '\n' => return false,
            '\\' => drop(rest.next()),
            '[' if open && matches!(rest.peek(), Some('.' | '=' | ':')) => {
                let is_skipped = is_class(rest);
                if !is_skipped {
                    return false;
                }
            }
            '[' => {
                open = true;
                rest.next_if_eq(&'^');
                rest.next_if_eq(&']');
            }
            ']' => open = false,
            _ => {}
        }
    }
    false
}

/// Skips a class such as `:alpha:]`, which does not end the brackets around it.
fn is_class(rest: &mut Peekable<Chars<'_>>) -> bool {
    let starts = rest.next() == Some(':');
    while rest.next_if(char::is_ascii_lowercase).is_some() {}
    starts && rest.next() == Some(':') && rest.next() == Some(']')
}
