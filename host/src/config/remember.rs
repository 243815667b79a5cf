//! Adds to a configuration, without other changes.

use std::fs;
use std::io;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use toml_edit::{Array, DocumentMut, Item, Table, value};

use crate::files::replace::{create, replace};

/// Adds a rule to `allow` of the table `run`, and returns the text before and after. A missing file is created.
pub fn remember(file: &Path, rule: &str) -> io::Result<(Option<String>, String)> {
    let before = match fs::read_to_string(file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let after = with_rule(before.as_deref().unwrap_or_default(), rule)?;
    // The target of a link is what is read next time.
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let directory = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let directory = Dir::open_ambient_dir(directory, ambient_authority())?;
    let name = Path::new(file.file_name().ok_or(io::ErrorKind::IsADirectory)?);
    match &before {
        Some(before) => replace(&directory, name, before.as_bytes(), after.as_bytes())?,
        None => create(&directory, name, after.as_bytes())?,
    }
    Ok((before, after))
}

fn with_rule(text: &str, rule: &str) -> io::Result<String> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut document: DocumentMut = text.parse().map_err(|_| wrong("the file is not valid TOML"))?;
    let run = document.entry("run").or_insert(Item::Table(Table::new()));
    let run = run
        .as_table_like_mut()
        .ok_or_else(|| wrong("`run` is not a table"))?;
    let allow = run.entry("allow").or_insert(value(Array::new()));
    let allow = allow
        .as_array_mut()
        .ok_or_else(|| wrong("`run.allow` is not a list"))?;
    if !allow.iter().any(|known| known.as_str() == Some(rule)) {
        allow.push(rule);
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_the_file_is_kept() {
        let rule = "Bash(git status)";
        for (before, after) in [
            ("", "[run]\nallow = [\"Bash(git status)\"]\n"),
            (
                "# mine\n[rules] # all\nx = \"off\"  # why\n",
                "# mine\n[rules] # all\nx = \"off\"  # why\n\n[run]\nallow = [\"Bash(git status)\"]\n",
            ),
            (
                "[run] # here\nallow = [ \"Read\" ] # little\nenv = []\n",
                "[run] # here\nallow = [ \"Read\" , \"Bash(git status)\"] # little\nenv = []\n",
            ),
            (
                "run.allow = [\"Bash(git status)\"]\n",
                "run.allow = [\"Bash(git status)\"]\n",
            ),
        ] {
            assert_eq!(with_rule(before, rule).unwrap(), after);
        }
        for before in ["[run", "run = 1", "run.allow = 1"] {
            assert!(with_rule(before, rule).is_err(), "{before}");
        }
    }

    #[test]
    fn a_file_is_created_or_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("callsheet.toml");
        assert_eq!(remember(&file, "A").unwrap().0, None);
        assert_eq!(
            remember(&file, "B").unwrap().0.as_deref(),
            Some("[run]\nallow = [\"A\"]\n")
        );
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "[run]\nallow = [\"A\", \"B\"]\n"
        );
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
