//! The hook of coding agents: what it is told, and what it tells.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::world::World;

const BROKEN: &str = "---\nname: porter\ndescription: Carries: all of it\ncolour: red\n---\nCarry.\n";
const AGENT: &str = ".claude/agents/porter.md";

fn world() -> World {
    World::new()
        .file(AGENT, BROKEN)
        .file(
            ".claude/agents/fine.md",
            "---\nname: fine\ndescription: Rests\n---\nRest.\n",
        )
        .file("src/main.rs", "fn main() {}\n")
        .file("notes.md", BROKEN)
}

fn fed(mut command: Command, input: &str) -> Output {
    let pipe = Stdio::piped;
    let mut child = command
        .stdin(pipe())
        .stdout(pipe())
        .stderr(pipe())
        .spawn()
        .expect("the program starts");
    // One that does not read its input is part of what is tested.
    let _ = child
        .stdin
        .take()
        .expect("it is a pipe")
        .write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

/// The exit status, and both outputs.
fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn hook(world: &World, input: &Value) -> (Option<i32>, String, String) {
    said(&fed(world.callsheet(&["hook"]), &input.to_string()))
}

/// As Claude Code 2.1 sends it.
fn edited(world: &World, path: &str) -> Value {
    let path = world.at(path).to_string_lossy().into_owned();
    json!({
        "session_id": "abc123",
        "transcript_path": "/home/user/.claude/projects/x/abc123.jsonl",
        "cwd": world.at(""),
        "permission_mode": "default",
        "hook_event_name": "PostToolUse",
        "tool_name": "Edit",
        "tool_input": { "file_path": path, "old_string": "a", "new_string": "b", "replace_all": false },
        "tool_response": { "filePath": path, "success": true },
        "tool_use_id": "toolu_01ABC123",
        "duration_ms": 12,
    })
}

/// As Copilot CLI sends it.
fn changed(world: &World, arguments: &Value) -> Value {
    json!({
        "sessionId": "abc123",
        "timestamp": 1_764_000_000_000_u64,
        "cwd": world.at(""),
        "toolName": "edit",
        "toolArgs": arguments,
        "toolResult": { "resultType": "success", "textResultForLlm": "File updated" },
    })
}

/// What the agent reads.
fn context(world: &World, input: &Value) -> String {
    let (code, out, err) = hook(world, input);
    assert_eq!((code, &*err), (Some(0), ""));
    let answer: Value = serde_json::from_str(&out).expect("the answer is JSON");
    let context = match input.get("hook_event_name") {
        Some(event) => {
            assert_eq!(answer["hookSpecificOutput"]["hookEventName"], *event);
            &answer["hookSpecificOutput"]["additionalContext"]
        }
        None => &answer["additionalContext"],
    };
    context.as_str().expect("it is a text").to_owned()
}

fn assert_silent(world: &World, input: &Value) {
    assert_eq!(
        hook(world, input),
        (Some(0), String::new(), String::new()),
        "{input}"
    );
}

#[test]
fn an_agent_reads_what_is_wrong_with_the_file_that_it_changed() {
    let world = world();
    let told = context(&world, &edited(&world, AGENT));
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "callsheet check: 2 problems after this change");
    let problem = |rule: &str| {
        let start = |line: &&&str| line.starts_with(AGENT) && line.contains(rule);
        assert_eq!(lines.iter().filter(start).count(), 1, "{told}");
    };
    problem(":3:21: warning[unquoted-value]: ");
    problem(":4:1: warning[misspelt-key]: ");
    assert!(lines.contains(&"  fix: Quote the value"), "{told}");
    assert!(
        lines[lines.len() - 1].contains("`callsheet check --fix`"),
        "{told}"
    );
}

#[test]
fn every_form_of_a_call_names_its_file() {
    let world = world();
    let path = world.at(AGENT).to_string_lossy().into_owned();
    let expected = context(&world, &edited(&world, AGENT));
    let patch = format!("*** Begin Patch\n*** Update File: {AGENT}\n@@\n-a\n+b\n*** End Patch\n");
    for arguments in [
        json!({ "path": path, "old_str": "a", "new_str": "b" }),
        json!({ "path": AGENT, "file_text": BROKEN }),
        json!({ "filePath": path }),
        json!(json!({ "path": path }).to_string()),
        json!(patch),
        json!(patch.replace('\n', "\r\n")),
    ] {
        assert_eq!(
            context(&world, &changed(&world, &arguments)),
            expected,
            "{arguments}"
        );
    }
    // The working directory of the session, not that of the hook.
    let mut call = changed(&world, &json!({ "path": "agents/porter.md" }));
    call["cwd"] = json!(world.at(".claude"));
    assert_eq!(context(&world, &call), expected);
}

#[test]
fn other_files_and_other_calls_are_not_mentioned() {
    let world = world();
    for path in [
        ".claude/agents/fine.md",
        "src/main.rs",
        "notes.md",
        ".claude/agents/gone.md",
        ".claude/agents",
    ] {
        assert_silent(&world, &edited(&world, path));
    }
    for arguments in [
        json!({}),
        json!(null),
        json!([AGENT]),
        json!({ "path": 1 }),
        json!({ "command": "cat .claude/agents/porter.md" }),
        json!("{"),
        json!("*** Delete File: .claude/agents/porter.md"),
        json!({ "path": "$(touch pwned); touch pwned" }),
        json!({ "path": "x".repeat(100_000) }),
        json!({ "path": "\0" }),
    ] {
        assert_silent(&world, &changed(&world, &arguments));
    }
    assert!(!world.at("pwned").exists());
    assert_silent(
        &world,
        &json!({ "hook_event_name": "SessionStart", "source": "startup" }),
    );
}

#[test]
fn the_configuration_applies() {
    let excluded = world().file("callsheet.toml", "exclude = [\".claude\"]\n");
    assert_silent(&excluded, &edited(&excluded, AGENT));
    let off = world().file(
        "callsheet.toml",
        "[rules]\nmisspelt-key = \"off\"\nunquoted-value = \"note\"\n",
    );
    assert_silent(&off, &edited(&off, AGENT));
}

#[test]
fn a_failure_is_for_the_user() {
    let world = world();
    for input in ["", "{", "[]", "\"text\"", "{\"cwd\": 1}"] {
        let (code, out, err) = said(&fed(world.callsheet(&["hook"]), input));
        assert_eq!((code, &*out), (Some(1), ""), "{input}: {err}");
        assert!(
            err.starts_with("error: standard input is not a call of a tool in JSON"),
            "{err}"
        );
    }
    let world = world.file("callsheet.toml", "[rules\n");
    let (code, out, err) = hook(&world, &edited(&world, AGENT));
    assert_eq!((code, &*out), (Some(1), ""));
    assert!(err.contains("callsheet.toml"), "{err}");
    // It does not matter for other files.
    assert_silent(&world, &edited(&world, "gone.md"));
}

#[test]
fn long_answers_are_cut_and_have_no_secrets() {
    let secret = |number: u32| format!("ghp_{number}a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6Q");
    let secrets: String = (100..400).map(|number| secret(number) + "\n").collect();
    let text = format!("---\nname: porter\ndescription: Carries\n---\n{secrets}");
    let world = world().file(AGENT, text);
    let told = context(&world, &edited(&world, AGENT));
    assert!(told.len() < 10_000, "{}", told.len());
    assert!(told.contains("more problems: `callsheet check`"), "{told}");
    assert!(!told.contains(&secret(100)[..12]), "{told}");
}

/// The folder of the plugin.
fn plugin() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors/claude-code")
}

/// The commands for an event in a file of the plugin.
fn commands(file: &str, event: &str, key: &str) -> Vec<String> {
    let text = std::fs::read_to_string(plugin().join(file)).expect("the plugin has this file");
    let hooks: Value = serde_json::from_str(&text).expect("it is JSON");
    let entries = hooks["hooks"][event].as_array().expect("the event has hooks");
    let nested = entries.iter().flat_map(|entry| match entry["hooks"].as_array() {
        Some(hooks) => hooks.clone(),
        None => vec![entry.clone()],
    });
    let command = |hook: Value| hook[key].as_str().expect("it has a command").to_owned();
    nested.map(command).collect()
}

#[test]
fn the_plugin_has_no_findings() {
    let world = World::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = folder.canonicalize().expect("it is the repository");
    for path in ["editors/claude-code", ".claude-plugin"] {
        let path = folder.join(path).to_string_lossy().into_owned();
        let run = world.run(&["check", "--format", "concise", &path]);
        assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{path}: {}", run.err);
    }
}

#[test]
fn mistakes_in_the_plugin_would_be_found() {
    let read = |path: &str| std::fs::read_to_string(plugin().join(path)).expect("the plugin has this file");
    let (manifest, hooks) = (".claude-plugin/plugin.json", "hooks/hooks.json");
    let world = World::new()
        .file(
            manifest,
            read(manifest).replace("\"callsheet\"", "\"call sheet\""),
        )
        .file(hooks, read(hooks).replace("PostToolUse", "PostTolUse"));
    let found = world.run(&["check", "--format", "concise"]).out;
    assert!(found.contains("error[invalid-manifest]"), "{found}");
    assert!(found.contains("warning[unknown-hook]"), "{found}");
}

#[cfg(unix)]
#[test]
fn the_plugin_runs_the_hook_or_says_once_that_it_cannot() {
    let world = world();
    let shell = |command: &str, path: &Path, input: &Value| {
        let mut shell = Command::new("/bin/sh");
        shell
            .args(["-c", command])
            .current_dir(world.at(""))
            .env("PATH", path)
            .env("HOME", world.at("home"));
        said(&fed(shell, &input.to_string()))
    };
    let program = Path::new(env!("CARGO_BIN_EXE_callsheet"))
        .parent()
        .expect("it is in a folder");
    let without = world.at("");
    for (file, start, after, key) in [
        ("hooks/hooks.json", "SessionStart", "PostToolUse", "command"),
        ("hooks/copilot.json", "sessionStart", "postToolUse", "bash"),
    ] {
        let calls = match key {
            "command" => edited(&world, AGENT),
            _ => changed(&world, &json!({ "path": AGENT })),
        };
        for command in commands(file, start, key) {
            let (code, out, err) = shell(&command, &without, &json!({}));
            assert_eq!((code, &*err), (Some(0), ""), "{file}");
            let answer: Value = serde_json::from_str(&out).expect("the answer is JSON");
            let text = answer
                .as_object()
                .and_then(|answer| answer.values().next()?.as_str());
            assert!(text.is_some_and(|text| text.contains("is not on PATH")), "{out}");
            assert_eq!(
                shell(&command, program, &json!({})),
                (Some(0), String::new(), String::new())
            );
        }
        for command in commands(file, after, key) {
            assert_eq!(
                shell(&command, &without, &calls),
                (Some(0), String::new(), String::new()),
                "{file}"
            );
            let (code, out, err) = shell(&command, program, &calls);
            assert_eq!((code, &*err), (Some(0), ""), "{file}");
            assert!(out.contains("misspelt-key"), "{file}: {out}");
        }
    }
}
