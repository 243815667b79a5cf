//! The targets of redirections in a command line.

use super::project::Project;

/// Separators of words.
const BETWEEN: &str = " \t\n;&|()<>";

/// Why a line is not run: a redirection leads through a link of the project, so the component checked another file.
pub(super) fn through_link(project: &Project, line: &str) -> Option<String> {
    let mut directories = vec![String::new()];
    for target in words_after(line, |before| {
        before.split(|c| BETWEEN.contains(c)).next_back() == Some("cd")
    }) {
        let deeper: Vec<String> = directories.iter().map(|from| joined(from, &target)).collect();
        directories.extend(deeper);
        directories.truncate(64);
    }
    let targets = words_after(line, |before| {
        before.ends_with(['>', '|', '&']) && before.contains('>')
    });
    let mut paths = targets.flat_map(|target| {
        let from = directories.iter();
        from.map(|directory| joined(directory, &target))
            .collect::<Vec<_>>()
    });
    paths.find_map(|path| project.link(&path))
}

/// Words that follow such text, without their quotes. Quotes before them are ignored: an extra word does no harm.
fn words_after(line: &str, comes: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    let starts = line.char_indices().filter(move |(at, c)| {
        let before = line[..*at].trim_end_matches([' ', '\t']);
        let first = before.len() == *at || !line[..*at].ends_with(|c| !BETWEEN.contains(c));
        first && !BETWEEN.contains(*c) && comes(before)
    });
    starts
        .map(|(at, _)| word(&line[at..]))
        .collect::<Vec<_>>()
        .into_iter()
}

fn word(text: &str) -> String {
    let (mut word, mut quote) = (String::new(), None);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            ('\\', None | Some('"')) => word.extend(rest.next()),
            (c, None) if BETWEEN.contains(c) => break,
            _ => word.push(c),
        }
    }
    word
}

fn joined(directory: &str, path: &str) -> String {
    if path.starts_with('/') || directory.is_empty() {
        path.to_owned()
    } else {
        format!("{directory}/{path}")
    }
}
