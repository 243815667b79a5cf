//! The rule that allows one call and no other.

use serde_json::Value;

use super::arguments::{Arguments, PATH};
use super::fetch::address;
use crate::conversation::{ToolCall, ToolSpec};

/// The entry for `allow` that covers this call, such as `Bash(git status)`; of a page, its whole host. None if an entry would cover more.
pub(super) fn rule(call: &ToolCall, specs: &[ToolSpec]) -> Option<String> {
    let tool = &call.name;
    // An entry for a tool of a server covers all of its calls.
    if tool.starts_with("mcp__") {
        return None;
    }
    let arguments = read(call, specs)?;
    let narrow = match (arguments.optional_path(), arguments.text(COMMAND)) {
        // Where it leads depends on links.
        (Some(path), _) if path.split('/').any(|part| part == "..") => return None,
        (Some(path), _) => file(path)?,
        (None, Some(line)) => command(line)?.to_owned(),
        (None, None) => host(&arguments)?,
    };
    Some(format!("{tool}({narrow})"))
}

/// What allows this call: its entry, or its tool if nothing narrows it. None if only an entry for more than the call would.
pub(super) fn entry(call: &ToolCall, specs: &[ToolSpec]) -> Option<String> {
    rule(call, specs).or_else(|| {
        if call.name.starts_with("mcp__") {
            return Some(call.name.clone());
        }
        let arguments = read(call, specs)?;
        match (arguments.optional_path(), arguments.text(COMMAND)) {
            (Some(path), _) => Some(format!("{}({})", call.name, file(path)?)),
            (None, Some(_)) => None,
            (None, None) => Some(call.name.clone()),
        }
    })
}

const COMMAND: &[&str] = &["command", "cmd"];

/// The arguments. None with a path that the tool does not take: it would seem to narrow a call that does something else.
fn read(call: &ToolCall, specs: &[ToolSpec]) -> Option<Arguments> {
    let arguments = Arguments::parse(&call.arguments).ok()?;
    let takes_path = || {
        let spec = specs.iter().find(|spec| spec.name == call.name)?;
        let schema: Value = serde_json::from_str(&spec.schema).ok()?;
        let known = schema.get("properties")?.as_object()?;
        Some(PATH.iter().any(|name| known.contains_key(*name)))
    };
    (!arguments.has(PATH) || takes_path() == Some(true)).then_some(arguments)
}

/// A command of one line that can be read: without a wildcard, a pattern covers this very line.
fn command(line: &str) -> Option<&str> {
    let line = line.trim_matches([' ', '\t', '\n']);
    (!line.is_empty() && is_readable(line)).then_some(line)
}

/// Whether a text is itself as a pattern, and on a terminal.
fn is_readable(text: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_graphic() || letter == ' ' || letter.is_alphanumeric();
    text.chars().all(|letter| is_plain(letter) && letter != '*')
}

/// The host of an address.
fn host(arguments: &Arguments) -> Option<String> {
    let url = address(arguments).ok()?;
    let host = url.host_str()?;
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
    host.chars().all(plain).then(|| format!("domain:{host}"))
}

/// A path as in rules: `/` starts at the project and `//` at the root of the file system.
fn file(path: &str) -> Option<String> {
    let root = if path.starts_with('/') { "/" } else { "" };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            // What is above the project has no entry.
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    let is_spelled = !parts.is_empty() && is_readable(path) && !path.contains('\\');
    is_spelled.then(|| format!("/{root}{}", parts.join("/")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tools::offers::offers;
    use crate::tools::tests::dialect;

    fn specs() -> Vec<ToolSpec> {
        offers(&dialect()).into_iter().map(|offer| offer.spec).collect()
    }

    #[test]
    fn a_rule_covers_exactly_one_call() {
        let specs = specs();
        for (tool, arguments, expected) in [
            ("Bash", json!({"command": "git status"}), Some("Bash(git status)")),
            (
                "Bash",
                json!({"command": " ls -la ./src "}),
                Some("Bash(ls -la ./src)"),
            ),
            ("Bash", json!({"command": "rm *"}), None),
            ("Bash", json!({"command": "a && b > c"}), Some("Bash(a && b > c)")),
            (
                "Bash",
                json!({"command": "echo 'a  b)'"}),
                Some("Bash(echo 'a  b)')"),
            ),
            ("Bash", json!({"command": "a\nb"}), None),
            ("Bash", json!({"command": "a\u{202e}b"}), None),
            ("Bash", json!({"command": ""}), None),
            ("Bash", json!({}), None),
            ("Edit", json!({"file_path": "src/a.rs"}), Some("Edit(/src/a.rs)")),
            ("Edit", json!({"file_path": "./a.rs"}), Some("Edit(/a.rs)")),
            (
                "Edit",
                json!({"file_path": "/home/me/a.rs"}),
                Some("Edit(//home/me/a.rs)"),
            ),
            ("Edit", json!({"file_path": "src/*.rs"}), None),
            ("Edit", json!({"file_path": "./[a].md"}), Some("Edit(/[a].md)")),
            ("Edit", json!({"file_path": "src/../a"}), None),
            ("Edit", json!({"file_path": "."}), None),
            ("Edit", json!({"file_path": "/"}), None),
            (
                "file_editor",
                json!({"command": "create", "path": "a"}),
                Some("file_editor(/a)"),
            ),
            ("Bash", json!({"command": "ls", "path": "a"}), None),
            ("Bash", json!({"cmd": "ls", "file": 1}), None),
            ("TaskStop", json!({"task_id": "1", "path": "a"}), None),
            (
                "WebFetch",
                json!({"url": "https://docs.example.org/", "path": "a"}),
                None,
            ),
            ("unknown", json!({"path": "a"}), None),
            (
                "WebFetch",
                json!({"url": "https://Docs.example.org/a?b"}),
                Some("WebFetch(domain:docs.example.org)"),
            ),
            ("WebFetch", json!({"url": "https://[2606:4700::1111]/"}), None),
            (
                "WebFetch",
                json!({"url": "https:evil.invalid/://example.org"}),
                None,
            ),
            ("mcp__files__delete", json!({"path": "a"}), None),
        ] {
            let call = ToolCall {
                id: String::new(),
                name: tool.into(),
                arguments: arguments.to_string(),
            };
            assert_eq!(rule(&call, &specs).as_deref(), expected, "{tool} {arguments}");
        }
    }

    #[test]
    fn no_entry_covers_more_than_the_call() {
        let specs = specs();
        for (tool, arguments, expected) in [
            ("Bash", json!({"command": "rm *"}), None),
            ("Edit", json!({"file_path": "src/*.rs"}), None),
            (
                "Edit",
                json!({"file_path": "./src/../[a].md"}),
                Some("Edit(/[a].md)"),
            ),
            ("Edit", json!({"file_path": "src/../../a"}), None),
            ("WebSearch", json!({"query": "a"}), Some("WebSearch")),
            ("WebSearch", json!({"query": "a", "path": "b"}), None),
            ("Bash", json!({"command": "rm *", "path": "b"}), None),
            (
                "mcp__files__delete",
                json!({"path": "a"}),
                Some("mcp__files__delete"),
            ),
        ] {
            let call = ToolCall {
                id: String::new(),
                name: tool.into(),
                arguments: arguments.to_string(),
            };
            assert_eq!(entry(&call, &specs).as_deref(), expected, "{tool} {arguments}");
        }
    }
}
