//! Conversions in small.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::*;

fn converted(text: &str, from: &str, to: &str, allow_loss: bool) -> Result<String, String> {
    let dialects = Dialects::embedded();
    match convert(
        "x/helper.md",
        text.as_bytes(),
        Some(from),
        to,
        allow_loss,
        &dialects,
    ) {
        Ok(converted) => Ok(String::from_utf8(converted.contents).expect("it is text")),
        Err(ConvertError::Refused(report)) => {
            let refused = report.iter().filter(|loss| loss.fate == Fate::Refused);
            let lines: Vec<String> = refused
                .map(|loss| alloc::format!("{}: {}", loss.field, loss.reason))
                .collect();
            Err(lines.join("\n"))
        }
        Err(other) => Err(alloc::format!("{other:?}")),
    }
}

fn agent(front: &str) -> String {
    alloc::format!("---\nname: helper\ndescription: Helps\n{front}\n---\n\nDo what was asked.\n")
}

fn tools_of(text: &str, to: &str) -> Result<String, String> {
    let text = converted(&agent(text), "claude-code", to, false)?;
    let line = text
        .lines()
        .find(|line| line.starts_with("tools:") || line.starts_with("allowed_tools:"));
    Ok(line.unwrap_or("none").to_string())
}

#[test]
fn tools_are_converted_to_the_target_names() {
    let list = "tools: Read, Grep, Glob, Bash, mcp__github__list";
    assert_eq!(
        tools_of(list, "gemini-cli").as_deref(),
        Ok("tools: [read_file, run_shell_command, grep_search, glob, mcp_github_list]")
    );
    assert_eq!(
        tools_of(list, "copilot").as_deref(),
        Ok("tools: [read, search, execute, \"github/list\"]")
    );
    assert_eq!(
        tools_of("tools: Grep", "copilot").as_deref(),
        Ok("tools: [\"search/textSearch\"]")
    );
    assert_eq!(
        tools_of("tools: Edit", "opencode"),
        Err("tools: opencode cannot let it edit files without letting it create and overwrite files".into())
    );
    assert_eq!(tools_of("tools: []", "copilot").as_deref(), Ok("tools: []"));
    assert_eq!(
        tools_of("tools: []", "qwen-code"),
        Err("tools: an empty list means all tools in qwen-code".into())
    );
    assert_eq!(tools_of("model: inherit", "copilot").as_deref(), Ok("none"));
    assert!(tools_of("tools: Read", "cursor").is_err());
    assert_eq!(
        tools_of("disallowedTools: Write, Edit", "qwen-code").as_deref(),
        Ok("none")
    );
    let denied = agent("disallowedTools: Write, Edit, NotebookEdit");
    let listed = converted(&denied, "claude-code", "copilot", false).expect("it can be listed");
    assert!(
        listed.contains("- search\n") && !listed.contains("edit"),
        "{listed}"
    );
    let all = converted(&agent(""), "claude-code", "openhands", false).expect("all are listed");
    assert!(all.contains("terminal"), "{all}");
}

#[test]
fn command_patterns_are_kept() {
    let text = agent("tools: Read, Bash(git *)\npermissionMode: acceptEdits");
    let kodelet = converted(&text, "claude-code", "kodelet", false).expect("it has patterns");
    assert!(
        kodelet.contains("allowed_commands: [\"git *\"]") || kodelet.contains("allowed_commands: [git *]"),
        "{kodelet}"
    );
    let opencode = converted(&text, "claude-code", "opencode", false).expect("it has patterns");
    assert!(opencode.contains("git *"), "{opencode}");
    assert!(converted(&text, "claude-code", "gemini-cli", false).is_err());
    let lossy = converted(&text, "claude-code", "gemini-cli", true).expect("the tool is left out");
    assert!(!lossy.contains("shell"), "{lossy}");
}

#[test]
fn hooks_and_modes_are_converted_or_refused() {
    let hooks = agent("hooks:\n  PreToolUse: []\n  Stop: [{command: x}]");
    assert!(converted(&hooks, "claude-code", "copilot", false).is_ok());
    assert!(converted(&hooks, "claude-code", "gemini-cli", false).is_err());
    assert!(converted(&hooks, "claude-code", "gemini-cli", true).is_ok());
    let plan = agent("permissionMode: plan");
    let codex = converted(&plan, "claude-code", "codex", false).expect("it has a sandbox");
    assert!(codex.contains("sandbox_mode = \"read-only\""), "{codex}");
    let gemini = converted(&plan, "claude-code", "gemini-cli", false).expect("it has a list");
    assert!(
        !gemini.contains("write_file") && gemini.contains("read_file"),
        "{gemini}"
    );
}

#[test]
fn converting_to_the_same_dialect_changes_nothing() {
    let odd = "\u{feff}---\r\nname: x\n---";
    let dialects = Dialects::embedded();
    for dialect in dialects.iter() {
        let same = convert(
            "a/x.md",
            odd.as_bytes(),
            Some(&dialect.id),
            &dialect.id,
            false,
            &dialects,
        );
        assert_eq!(same.expect("nothing can fail").contents, odd.as_bytes());
    }
}

#[test]
fn line_endings_are_kept() {
    let lines = agent("tools: Read, Grep").replace('\n', "\r\n");
    for to in ["kode", "neovate", "opencode", "copilot"] {
        let text = converted(&lines, "claude-code", to, true).expect("it can be converted");
        assert_eq!(
            text.matches('\n').count(),
            text.matches("\r\n").count(),
            "{text:?}"
        );
        assert!(text.ends_with("\r\n\r\nDo what was asked.\r\n"), "{text:?}");
    }
    let mixed = lines.replacen("\r\n", "\n", 1);
    let text = converted(&mixed, "claude-code", "kode", true).expect("it can be converted");
    assert!(text.starts_with("---\nname: helper\n"), "{text:?}");
}

#[test]
fn subfolders_are_kept_if_the_target_searches_them() {
    let dialects = Dialects::embedded();
    let text = b"---\nname: a\ndescription: D\n---\nDo it.\n";
    for (path, from, to, file) in [
        (
            ".claude/agents/team/eu/a.md",
            "claude-code",
            "codex",
            "team/eu/a.toml",
        ),
        (
            "packages/b/.claude/agents/team/a.md",
            "claude-code",
            "codex",
            "team/a.toml",
        ),
        (".claude/agents/a.md", "claude-code", "codex", "a.toml"),
        ("elsewhere/team/a.md", "claude-code", "codex", "a.toml"),
        (".claude/agents/team/a.md", "claude-code", "gemini-cli", "a.md"),
        // There the folders would be a part of the name.
        (".claude/agents/team/a.md", "claude-code", "opencode", "a.md"),
    ] {
        let converted = convert(path, text, Some(from), to, false, &dialects).expect("it can be said");
        assert_eq!(converted.file, file, "{path} to {to}");
    }
}

fn from_rulesync(text: &str, to: &str) -> Result<(String, String), String> {
    let path = "project/.rulesync/subagents/helper.md";
    match convert(path, text.as_bytes(), None, to, false, &Dialects::embedded()) {
        Ok(converted) => Ok((
            converted.file,
            String::from_utf8(converted.contents).expect("it is text"),
        )),
        Err(ConvertError::Unusable(reason)) => Err(reason),
        Err(ConvertError::Refused(report)) => {
            let last = report.last().expect("it says why");
            Err(alloc::format!("{}: {}", last.field, last.reason))
        }
        Err(other) => Err(alloc::format!("{other:?}")),
    }
}

#[test]
fn a_section_of_rulesync_becomes_the_file_of_its_tool() {
    let text =
        agent("claudecode: {tools: [Read], model: ~, x-team: core}\ncodexcli: {sandbox_mode: read-only}");
    let (file, claude) = from_rulesync(&text, "claude-code").expect("it converts");
    assert_eq!(file, "helper.md");
    let keys = "name: helper\ndescription: Helps\ntools:\n  - Read\nx-team: core";
    assert_eq!(claude, alloc::format!("---\n{keys}\n---\n\nDo what was asked.\n"));
    let (file, codex) = from_rulesync(&text, "codex").expect("it converts");
    assert_eq!(file, "helper.toml");
    assert_eq!(
        codex,
        "name = \"helper\"\ndescription = \"Helps\"\nsandbox_mode = \"read-only\"\ndeveloper_instructions = \"Do what was asked.\"\n"
    );
    let (file, _) = from_rulesync(&text, "copilot").expect("it converts");
    assert_eq!(file, "helper.agent.md");
}

#[test]
fn what_rulesync_does_not_read_is_not_converted() {
    let of = |front: &str| from_rulesync(&agent(front), "claude-code").expect_err("it fails");
    assert_eq!(of("claudecode: [Read]"), "`claudecode` is a list, not a map");
    assert_eq!(of("claudecode: {a: 1, a: 2}"), "duplicate key `a`");
    assert_eq!(of("targets: [cursor]"), "targets: `claudecode` is not among them");
    assert_eq!(of("targets: claudecode"), "`targets` is not a list");
    assert_eq!(
        of("claudecode: {<<: {tools: Read}}"),
        "its frontmatter merges maps with `<<`"
    );
    assert_eq!(of("? [a]\n: b"), "a key of its frontmatter is not text");
    let of = |text: &str| from_rulesync(text, "claude-code").expect_err("it fails");
    assert_eq!(of("---\ndescription: Helps\n---\n"), "it has no `name`");
    assert_eq!(of("---\nname: 1\n---\n"), "`name` is a number, not text");
    assert_eq!(of("---\n- name\n---\n"), "it has no `name`");
    assert_eq!(of("name"), "it has no frontmatter between two lines of `---`");
    assert_eq!(
        from_rulesync(&agent("x: y"), "kodelet").expect_err("it fails"),
        "file: it is not known what rulesync writes for kodelet"
    );
}

/// A file of a kind, converted: its text, or what was refused.
fn called(path: &str, text: &str, to: &str, allow_loss: bool) -> Result<String, String> {
    let dialects = Dialects::embedded();
    match convert(path, text.as_bytes(), None, to, allow_loss, &dialects) {
        Ok(converted) => {
            let text = String::from_utf8(converted.contents).expect("it is text");
            Ok(alloc::format!(
                "{}/{}\n{text}",
                converted.directory,
                converted.file
            ))
        }
        Err(ConvertError::Refused(report)) => {
            let refused = report.iter().filter(|loss| loss.fate == Fate::Refused);
            let lines: Vec<String> = refused
                .map(|loss| alloc::format!("{}: {}", loss.field, loss.reason))
                .collect();
            Err(lines.join("\n"))
        }
        Err(other) => Err(alloc::format!("{other:?}")),
    }
}

#[test]
fn commands_become_skills() {
    let fix =
        "---\ndescription: Fixes\nallowed-tools: Bash(git log *)\n---\n\nFix $ARGUMENTS after !`git log`.\n";
    assert_eq!(
        called(".claude/commands/fix.md", fix, "skill:claude-code", false).as_deref(),
        Ok(
            ".claude/skills/fix/SKILL.md\n---\ndescription: Fixes\nallowed-tools: Bash(git log *)\n---\n\nFix $ARGUMENTS after !`git log`.\n"
        )
    );
    assert_eq!(
        called(".claude/commands/fix.md", fix, "opencode", false),
        Err("allowed-tools: opencode has no list of tools that may be used without asking".into())
    );
    let commit = "prompt = \"Commit {{args}}.\"\n";
    assert_eq!(
        called(".gemini/commands/git/commit.toml", commit, "skill:copilot", false).as_deref(),
        Ok(
            ".github/skills/git-commit/SKILL.md\n---\nname: git-commit\ndisable-model-invocation: true\n---\n\nCommit {{args}}.\n"
        )
    );
    assert_eq!(
        called(".gemini/commands/git/commit.toml", commit, "opencode", false).as_deref(),
        Ok(".opencode/commands/git/commit.md\n---\n---\n\nCommit $ARGUMENTS.\n")
    );
    assert!(called(".gemini/commands/a.toml", commit, "skill:codex", false).is_err());
    assert_eq!(
        called(".claude/agents/a.md", &agent(""), "skill:codex", true),
        Err("kind: skills of codex run in the conversation only".into())
    );
    assert_eq!(
        called(".claude/skills/a/SKILL.md", &agent(""), "kode", true),
        Err("kind: no rules are known for skills of kode".into())
    );
}

#[test]
fn commands_in_a_text_run_nowhere_else() {
    for (path, text, to) in [
        (
            ".codex/skills/a/SKILL.md",
            &*agent("").replace("asked", "!`asked`"),
            "claude-code",
        ),
        (
            ".gemini/commands/a.toml",
            "prompt = \"Look at !{ls}.\"",
            "opencode",
        ),
        (
            ".gemini/commands/a.toml",
            "prompt = \"Look at !`ls`.\"",
            "opencode",
        ),
        (".claude/commands/a.md", "Look at !`ls`.", "opencode"),
    ] {
        let refused = called(path, text, to, true);
        assert!(
            refused.as_ref().is_err_and(|error| error.contains("run")),
            "{path}: {refused:?}"
        );
    }
    let approved = "---\nallowed-tools: Bash(git log *)\n---\nLook at !`git log -1`.";
    let kept = called(".claude/commands/a.md", approved, "opencode", true);
    assert!(kept.is_ok_and(|text| text.ends_with("Look at !`git log -1`.\n")));
}

#[test]
fn line_ends_that_are_escaped_become_those_of_the_file() {
    let role = "name = \"helper\"\r\ndescription = \"Helps\"\r\ndeveloper_instructions = \"One.\\nTwo.\"\r\n";
    let converted = converted(role, "codex", "claude-code", false);
    assert!(converted.is_ok_and(|text| text.ends_with("One.\r\nTwo.\r\n")));
}
