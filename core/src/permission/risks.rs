//! Arguments by which a command runs or overwrites something else.

use super::risk_table::{ENDED, NAMING, RISKY, TELLING, VALUED};
use super::runners::base;
use super::sed;
use super::shell::Word;

/// The last argument that makes a command do what its other arguments do not tell, or that may turn out to.
pub(super) fn risky(words: &[Word]) -> Option<usize> {
    let program = base(words.first()?.literal.as_deref()?);
    let program = if program.ends_with("awk") { "awk" } else { program };
    let own = signs(program, "");
    if own.is_empty() {
        return None;
    }
    let operand = operand(words);
    let parted = RISKY
        .iter()
        .any(|(of, command, _)| *of == program && !command.is_empty());
    // What the options after a command mean is that command's affair.
    let command = words.get(operand).and_then(|word| word.literal.as_deref());
    let later = [signs(program, "*"), signs(program, command.unwrap_or_default())];
    let names = !parted || command.is_none_or(|command| !NAMING.contains(&command));
    let tells = parted && command.is_some_and(|command| TELLING.contains(&command));
    let risky = |at: usize, word: &Word| {
        let Some(text) = &word.literal else {
            if tells && at > operand && takes_text(&words[at - 1]) && quoted(&word.raw).is_some() {
                return false;
            }
            let filled = word.raw.contains(['$', '`', '{']) && own.iter().any(|sign| sign.starts_with('*'));
            return parted && at == operand || filled || may_be_option(&word.raw, names);
        };
        match parted && at > operand {
            true => later.into_iter().flatten().any(|sign| is_sign(sign, text)),
            false => {
                let here = |sign: &&&str| at == operand || sign.starts_with(['-', '*']);
                let letters = program == "tar" && at == 1 && !text.starts_with('-');
                let text = if letters { &*["-", text].concat() } else { text };
                own.iter().filter(here).any(|sign| is_sign(sign, text))
            }
        }
    };
    let arguments = words
        .iter()
        .enumerate()
        .take(end_of_options(program, words))
        .skip(1);
    let found = arguments.filter(|(at, word)| risky(*at, word)).map(|(at, _)| at);
    let script = (program == "sed").then(|| sed::unproven(words)).flatten();
    found.chain(script).max()
}

/// What is known of a program, or of one of its commands.
fn signs(program: &str, command: &str) -> &'static [&'static str] {
    let known = RISKY
        .iter()
        .find(|(of, its, _)| *of == program && *its == command);
    known.map_or(&[], |(.., signs)| signs)
}

/// The first argument that is no option and no option's value. Of some programs it is a command.
fn operand(words: &[Word]) -> usize {
    let texts = words
        .iter()
        .map(|word| word.literal.as_deref().unwrap_or(&word.raw));
    let mut is_value = true;
    for (at, text) in texts.enumerate() {
        if !is_value && !text.starts_with('-') {
            return at;
        }
        is_value = !is_value && VALUED.contains(&text);
    }
    words.len()
}

/// Where the options end: at a `--` that cannot be the value of the option before it, for programs that stop there.
fn end_of_options(program: &str, words: &[Word]) -> usize {
    let ends = |at: &usize| {
        let before = words[at - 1].literal.as_deref();
        words[*at].is_bare("--") && before.is_some_and(|before| !before.starts_with('-'))
    };
    let end = || (1..words.len()).find(ends);
    ENDED
        .contains(&program)
        .then(end)
        .flatten()
        .unwrap_or(words.len())
}

fn is_sign(sign: &str, argument: &str) -> bool {
    if let Some(part) = sign.strip_prefix('*') {
        return argument.contains(part) && !argument.starts_with('-');
    }
    if !sign.starts_with('-') {
        return argument == sign;
    }
    let long = argument.starts_with("--");
    let name = argument.split('=').next().unwrap_or_default();
    // Long options may be shortened.
    let shortened = long && name.len() > 2 && sign.starts_with(name);
    // Letters may stand together after one hyphen.
    let together = match sign.as_bytes() {
        [b'-', letter] => argument.starts_with('-') && !long && argument.as_bytes().contains(letter),
        _ => false,
    };
    argument.starts_with(sign) || shortened || together
}

/// Whether the shell may make an option of a word: not if it begins with plain text and stays one word. It may be a file's name,
/// where `names` may be options.
fn may_be_option(raw: &str, names: bool) -> bool {
    match quoted(raw) {
        Some(inner) => inner.starts_with(['-', '$', '`']),
        None => raw.contains(['$', '`', '{']) || names && raw.starts_with(['*', '?', '[']),
    }
}

/// What stands between double quotes, if that is all of a word.
fn quoted(raw: &str) -> Option<&str> {
    let rest = raw.strip_prefix('"')?;
    rest.strip_suffix('"').filter(|inner| !inner.contains('"'))
}

/// Whether the next word is this one's value: `-m`, `-am` or `--message`.
fn takes_text(option: &Word) -> bool {
    let option = option.literal.as_deref().unwrap_or_default();
    option == "--message"
        || option.starts_with('-') && !option.starts_with("--") && option.find('m') == Some(option.len() - 1)
}
