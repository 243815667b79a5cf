//! Names that an agent and its file can share.

use callsheet_contract::documents::{Dialect, DialectKey, Identity};
use callsheet_contract::types::Kind;
use callsheet_report::text::{clean, noun};

use super::host::Failure;

/// Longer ones are refused by some reader.
const LONGEST: usize = 64;

/// Whether a new agent may have this name, which its file has too: letters, digits, and `-`, `_` and `.` within.
///
/// Fails with the problem and a similar valid name, if there is one.
pub fn check_name(name: &str) -> Result<(), (String, Option<String>)> {
    wrong(name).map_or(Ok(()), |wrong| Err((wrong.to_owned(), suggestion(name))))
}

/// The same for a dialect, whose names may have several parts.
///
/// Fails with the problem, and a similar valid name as help.
pub fn check_for(dialect: &Dialect, kind: Kind, name: &str) -> Result<(), Failure> {
    let mut endings = dialect.endings.iter().filter(|ending| !ending.is_empty());
    if let Some(stem) = endings.find_map(|ending| name.strip_suffix(&**ending)) {
        return Err(refused(
            kind,
            name,
            "the extension is added automatically",
            Some(stem.to_owned()),
        ));
    }
    let check = |part: &str| check_name(part).map_err(|(wrong, near)| refused(kind, part, &wrong, near));
    match dialect.identity {
        Identity::FileName | Identity::Dashes | Identity::Folder => check(name),
        Identity::Path => name.split('/').try_for_each(check),
        Identity::Colons => name.split(['/', ':']).try_for_each(check),
    }
}

/// The file of a new agent, below the directory of its dialect.
pub fn file_of(dialect: &Dialect, name: &str) -> String {
    let ending = dialect.endings.first().map_or("", String::as_str);
    match dialect.identity {
        Identity::Colons => format!("{}{ending}", name.replace(':', "/")),
        _ => format!("{name}{ending}"),
    }
}

/// The required fields of a dialect, besides the name, the description and the prompt.
pub fn required(dialect: &Dialect) -> impl Iterator<Item = &DialectKey> {
    let prompt = dialect.prompt_key.as_deref();
    let asked = move |key: &&DialectKey| {
        !matches!(&*key.canonical, "name" | "description") && prompt != Some(&*key.canonical)
    };
    dialect.keys.iter().filter(|key| key.required).filter(asked)
}

fn refused(kind: Kind, name: &str, wrong: &str, near: Option<String>) -> Failure {
    let help = near.into_iter().map(|near| format!("use `{}`", clean(&near)));
    Failure {
        message: format!("`{}` is not a valid {} name: {wrong}", clean(name), noun(kind)),
        help: help.collect(),
    }
}

fn wrong(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("a name is required")
    } else if name.chars().count() > LONGEST {
        Some("it is longer than 64 characters")
    } else if !name.chars().all(is_plain) {
        Some("it may contain only letters, digits, `-`, `_` and `.`")
    } else if !name.starts_with(char::is_alphanumeric) || name.ends_with('.') {
        Some("it must start with a letter or a digit, and not end with a dot")
    } else if is_reserved(name) {
        Some("some systems do not allow a file of this name")
    } else {
        None
    }
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// Names of Windows devices, with any extension.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let numbered = |prefix| {
        let rest = stem.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.len() == 1 && rest.chars().all(|c| c.is_ascii_digit()))
    };
    matches!(&*stem, "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// A valid name from the words of a text, if there is one.
pub(super) fn suggestion(name: &str) -> Option<String> {
    let words = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-").to_lowercase();
    wrong(&joined).is_none().then_some(joined)
}

#[cfg(test)]
mod tests {
    use super::check_name;

    #[test]
    fn names_are_validated() {
        for name in [
            "reviewer",
            "code-reviewer",
            "r2_d2",
            "v1.2",
            "\u{fc}ber",
            "Reviewer",
        ] {
            assert_eq!(check_name(name), Ok(()));
        }
        let near = |name| check_name(name).expect_err("it is no name").1;
        assert_eq!(near("My Agent!").as_deref(), Some("my-agent"));
        assert_eq!(near("../x").as_deref(), Some("x"));
        assert_eq!(near("a/b\\c").as_deref(), Some("a-b-c"));
        for name in ["", "..", "con", "nul.x", &"x".repeat(65)] {
            assert_eq!(near(name).filter(|near| near != "nul-x"), None, "{name}");
        }
    }
}
