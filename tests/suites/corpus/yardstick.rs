//! What a file says, found out without any of our code: by serde_yaml where it can, else by looking at the lines.

use serde_yaml::Value;

/// A value that is to be recovered.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) key: &'static str,
    value: Reading,
}

#[derive(Debug)]
enum Reading {
    /// The YAML value is this text.
    Exactly(String),
    /// Not YAML, but a line starts with the key and continues with this.
    BeginsWith(String),
}

impl Expected {
    pub(crate) fn fits(&self, found: &str) -> bool {
        match &self.value {
            // Whether white space around a value counts is the dialect's affair.
            Reading::Exactly(text) => found.trim() == text.trim(),
            Reading::BeginsWith(text) => found.starts_with(text.as_str()),
        }
    }

    /// For the table.
    pub(crate) fn how(&self) -> &'static str {
        match (self.key, &self.value) {
            ("name", Reading::Exactly(_)) => "name by serde_yaml",
            ("name", Reading::BeginsWith(_)) => "name by its line",
            (_, Reading::Exactly(_)) => "description by serde_yaml",
            (_, Reading::BeginsWith(_)) => "description by its line",
        }
    }
}

/// The names and descriptions that some reading of the frontmatter allows.
pub(crate) fn values(text: &str) -> Vec<Expected> {
    let Some(yaml) = frontmatter(text) else {
        return Vec::new();
    };
    let keys = ["name", "description"];
    match serde_yaml::from_str::<Value>(&yaml) {
        Ok(Value::Mapping(map)) => {
            let text = |key| Some((key, map.get(key)?.as_str()?.to_owned()));
            let text = keys.into_iter().filter_map(text);
            let values = text.filter(|(_, text)| !text.trim().is_empty());
            values
                .map(|(key, text)| expected(key, Reading::Exactly(text)))
                .collect()
        }
        Ok(_) => Vec::new(),
        Err(_) => keys.into_iter().filter_map(|key| by_line(&yaml, key)).collect(),
    }
}

fn expected(key: &'static str, value: Reading) -> Expected {
    Expected { key, value }
}

/// Every value of the frontmatter by its key, if serde_yaml can read it.
pub(crate) fn mapping(text: &str) -> Option<serde_yaml::Mapping> {
    match serde_yaml::from_str(&frontmatter(text)?) {
        Ok(Value::Mapping(map)) => Some(map),
        _ => None,
    }
}

/// The text between two lines of three hyphens, the first at the start of the file.
fn frontmatter(text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let mut lines = text.trim_start().lines();
    (lines.next()?.trim_end() == "---").then_some(())?;
    let mut yaml = String::new();
    for line in lines {
        if line.trim_end() == "---" {
            return Some(yaml);
        }
        yaml.push_str(line);
        yaml.push('\n');
    }
    None
}

fn by_line(yaml: &str, key: &'static str) -> Option<Expected> {
    let rest = yaml
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    let rest = rest.trim().trim_matches(['"', '\'']);
    // A block scalar has its text on the lines below; after a quote, how much of the line is text cannot be seen here.
    let plain = !rest.is_empty() && !rest.starts_with(['|', '>']);
    let text: String = rest
        .chars()
        .take_while(|c| !matches!(c, '\\' | '"' | '\'' | '#'))
        .collect();
    plain.then(|| expected(key, Reading::BeginsWith(text.trim_end().to_owned())))
}
