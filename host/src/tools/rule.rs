//! The rule that allows one call and no other.

use super::arguments::Arguments;
use super::fetch::address;
use crate::conversation::ToolCall;

/// The entry for `allow` that covers this call, such as `Bash(git status)`; of a page, its whole host. None if an entry would cover more.
pub(super) fn rule(call: &ToolCall) -> Option<String> {
    let tool = &call.name;
    // An entry for a tool of a server covers all of its calls.
    if tool.starts_with("mcp__") {
        return None;
    }
    let arguments = Arguments::parse(&call.arguments).ok()?;
    let narrow = match (arguments.optional_path(), arguments.text(&["command", "cmd"])) {
        (Some(path), _) => file(path)?,
        (None, Some(line)) => command(line)?.to_owned(),
        (None, None) => host(&arguments)?,
    };
    Some(format!("{tool}({narrow})"))
}

/// A command without characters that are special in a pattern or a shell.
fn command(line: &str) -> Option<&str> {
    let line = line.trim();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || " -_./=:@+%".contains(letter);
    let one_blank = !line.contains("  ");
    (!line.is_empty() && one_blank && line.chars().all(plain)).then_some(line)
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
    let plain = |letter: char| letter.is_alphanumeric() || " -_./@+".contains(letter);
    let steps_up = path.split('/').any(|part| part == "..");
    let path = path.strip_prefix("./").unwrap_or(path);
    let all = path.is_empty() || path.chars().all(|letter| matches!(letter, '.' | '/'));
    (!steps_up && !all && path.chars().all(plain)).then(|| format!("/{path}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rule_covers_exactly_one_call() {
        for (tool, arguments, expected) in [
            ("Bash", json!({"command": "git status"}), Some("Bash(git status)")),
            (
                "Bash",
                json!({"command": " ls -la ./src "}),
                Some("Bash(ls -la ./src)"),
            ),
            ("Bash", json!({"command": "rm *"}), None),
            ("Bash", json!({"command": "a && b"}), None),
            ("Bash", json!({"command": "echo $HOME"}), None),
            ("Bash", json!({"command": "echo 'a  b'"}), None),
            ("Bash", json!({"command": "a\nb"}), None),
            ("Bash", json!({"command": "a) b"}), None),
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
            ("Edit", json!({"file_path": "src/../a"}), None),
            ("Edit", json!({"file_path": "."}), None),
            ("Edit", json!({"file_path": "/"}), None),
            (
                "editor",
                json!({"command": "create", "path": "a"}),
                Some("editor(/a)"),
            ),
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
            assert_eq!(rule(&call).as_deref(), expected, "{tool} {arguments}");
        }
    }
}
