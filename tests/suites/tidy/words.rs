//! Words that texts avoid because plainer ones exist: in documents, comments and quoted texts.

use super::{NOTHING, files};

/// The words and phrases, in lower case.
const AVOIDED: &[&str] = &[
    "anew",
    "are gone",
    "everybody",
    "go before",
    "goes before",
    "goes on",
    "gravest",
    "heed",
    "heeded",
    "heeds",
    "in force",
    "in-force",
    "is gone",
    "lead nowhere",
    "leads nowhere",
    "lend",
    "lends",
    "lent",
    "likewise",
    "made out",
    "mend",
    "mended",
    "mending",
    "mends",
    "nobody",
    "of which",
    "once more",
    "passed over",
    "somebody",
    "stand in",
    "stands in",
    "taken for",
    "thereby",
    "to go on",
    "what is said",
    "whatsoever",
    "whoever",
];

/// The files that are checked, by their endings.
const CHECKED: &[&str] = &[
    ".css", ".html", ".md", ".mjs", ".py", ".rs", ".toml", ".ts", ".wit",
];

/// Parts of paths that are not checked, and why.
const APART: &[(&str, &str)] = &[
    ("/component/", "generated when the component is built"),
    ("/callsheet-command/", "generated when the component is built"),
    ("/callsheet-editor/", "generated when the component is built"),
    ("core/builtins/", "agents of products, as they are published"),
    ("examples/", "agents whose texts are in the recordings of runs"),
    ("tests/data/", "inputs"),
    ("tests/suites/tidy/words.rs", "lists the words"),
];

/// Quoted texts that are not checked, and why.
const QUOTED: &[(&str, &str)] = &[
    ("Good evening, whoever you are.", "an answer of the mock server"),
    ("nobody knows", "a request that the mock server does not know"),
    ("provider: nobody", "an unknown provider"),
];

/// The text of a line without code: all of a comment or document, otherwise quotations of more than one word.
fn prose(path: &str, line: &str) -> String {
    let line = line.trim_start();
    let marks = ["//", "/*", "* ", "# ", "\"\"\""];
    let is_document = [".md", ".html"].iter().any(|ending| path.ends_with(ending));
    let text = if is_document || marks.iter().any(|mark| line.starts_with(mark)) {
        line.split('`').step_by(2).collect::<Vec<_>>().join(" . ")
    } else {
        let comment = line.split_once(" // ").map(|(_, comment)| comment);
        let quoted = line.split('"').skip(1).step_by(2);
        let quoted = quoted.filter(|text| text.contains(' '));
        let parts: Vec<&str> = quoted.chain(comment).collect();
        let parts = parts.join(" . ");
        parts.split('`').step_by(2).collect::<Vec<_>>().join(" . ")
    };
    let mut plain = String::from(" ");
    for c in text.chars() {
        match c {
            '-' | '_' | '\'' => plain.push(c),
            c if c.is_alphanumeric() => plain.extend(c.to_lowercase()),
            c if c.is_whitespace() => plain.push(' '),
            _ => plain.push_str(" . "),
        }
    }
    plain + " "
}

#[test]
fn texts_use_plain_words() {
    let mut found = files("");
    found.retain(|(path, _)| CHECKED.iter().any(|ending| path.ends_with(ending)));
    for (part, _) in APART.iter().filter(|(part, _)| !part.starts_with('/')) {
        assert!(found.iter().any(|(path, _)| path.starts_with(part)), "{part}");
    }
    found.retain(|(path, _)| !APART.iter().any(|(part, _)| path.contains(part)));
    for (text, _) in QUOTED {
        assert!(found.iter().any(|(_, file)| file.contains(text)), "{text}");
    }
    let hits = found.iter().flat_map(|(path, text)| {
        text.lines().zip(1..).filter_map(move |(line, number)| {
            let kept = QUOTED
                .iter()
                .fold(line.to_owned(), |line, (text, _)| line.replace(text, ""));
            let plain = prose(path, &kept);
            let word = AVOIDED.iter().find(|word| plain.contains(&format!(" {word} ")))?;
            Some(format!("{path}:{number}: {word}"))
        })
    });
    assert_eq!(hits.collect::<Vec<_>>(), NOTHING);
}
