//! Conversion of skills and commands: by path and by name, what is written, and what is refused.

use super::world::World;

const DEPLOY: &str = "---\nname: deploy\ndescription: Deploys\n---\n\nDeploy it.\n";

fn world() -> World {
    World::new()
        .file(".claude/skills/deploy/SKILL.md", DEPLOY)
        .file(".claude/skills/deploy/run.sh", "exit 1\n")
        .file(
            ".claude/commands/fix.md",
            "---\ndescription: Fixes\n---\n\nFix $ARGUMENTS.\n",
        )
}

#[track_caller]
fn written(world: &World, arguments: &[&str], path: &str, text: &str) {
    let run = world.run(arguments);
    assert_eq!(
        (run.code, &*run.out),
        (Some(0), &*format!("wrote {path}\n")),
        "{}",
        run.err
    );
    assert_eq!(String::from_utf8_lossy(&world.bytes(path)), text);
}

#[track_caller]
fn refused(world: &World, arguments: &[&str], code: i32, words: &str) {
    let run = world.run(arguments);
    assert_eq!((run.code, &*run.out), (Some(code), ""), "{}", run.err);
    assert!(run.err.contains(words), "{}", run.err);
}

#[test]
fn skills_are_written_to_folders() {
    let world = world();
    let convert = ["convert", "skill:deploy", "--to", "codex", "--write"];
    written(&world, &convert, ".codex/skills/deploy/SKILL.md", DEPLOY);
    assert!(!world.at(".codex/skills/deploy/run.sh").exists());
    refused(
        &world,
        &convert,
        2,
        ".codex/skills/deploy/SKILL.md already exists",
    );
    let report = world.run(&["convert", ".claude/skills/deploy/SKILL.md", "--to", "copilot"]);
    assert!(report.err.contains("have to be copied, too"), "{}", report.err);
}

#[test]
fn commands_are_converted_by_name() {
    let world = world();
    let skill = "---\ndescription: Fixes\n---\n\nFix $ARGUMENTS.\n";
    written(
        &world,
        &["convert", "fix", "--to", "skill:claude-code", "--write"],
        ".claude/skills/fix/SKILL.md",
        skill,
    );
    // The skill wins over the command in Claude Code.
    let convert = [
        "convert",
        ".claude/commands/fix.md",
        "--to",
        "gemini-cli",
        "--write",
    ];
    let run = world.run(&convert);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let text = String::from_utf8(world.bytes(".gemini/commands/fix.toml")).expect("it is text");
    assert_eq!(text, "description = \"Fixes\"\nprompt = \"Fix {{args}}.\"\n");
}

#[test]
fn what_cannot_be_converted_is_refused() {
    let world = world()
        .file(
            ".claude/agents/a.md",
            "---\nname: a\ndescription: A\n---\n\nDo it.\n",
        )
        .file(".claude/commands/run.md", "Look at !`ls`.\n");
    let convert = |what: &'static str, to: &'static str| ["convert", what, "--to", to, "--allow-loss"];
    refused(
        &world,
        &convert("skill:deploy", "kode"),
        1,
        "no rules are known for skills of kode",
    );
    refused(
        &world,
        &convert("deploy", "command:claude-code"),
        1,
        "a skill does not convert to a command",
    );
    refused(
        &world,
        &convert("a", "skill:codex"),
        1,
        "skills of codex run in the conversation only",
    );
    refused(
        &world,
        &convert("command:run", "opencode"),
        1,
        "opencode runs it without asking",
    );
    refused(&world, &convert("skill:nothing", "codex"), 1, "nothing");
    refused(
        &world,
        &convert("skill:deploy", "skill:codx"),
        2,
        "did you mean `codex`?",
    );
    refused(
        &world,
        &convert(".claude/commands/fix.md", "skill:codx"),
        2,
        "did you mean `skill:codex`?",
    );
}

#[test]
fn a_directory_has_files_of_every_kind() {
    let world = world().file(
        ".claude/agents/a.md",
        "---\nname: a\ndescription: A\n---\n\nDo it.\n",
    );
    let run = world.run(&["convert", ".claude", "--to", "gemini-cli", "--write"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    for path in ["agents/a.md", "skills/deploy/SKILL.md", "commands/fix.toml"] {
        assert!(world.at(&format!(".gemini/{path}")).exists(), "{path}");
    }
}

/// Advice that would not help is none.
#[test]
fn losses_are_only_offered_where_they_help() {
    let locked =
        "---\nname: locked\ndescription: Locked\ndisable-model-invocation: true\n---\n\nDeploy it.\n";
    let world = world().file(".claude/skills/locked/SKILL.md", locked);
    for (what, to, helps) in [
        ("skill:locked", "codex", true),
        ("skill:deploy", "kode", false),
        ("command:fix", "codex", false),
    ] {
        let run = world.run(&["convert", what, "--to", to]);
        assert_eq!(run.code, Some(1), "{what}: {}", run.err);
        assert_eq!(run.err.contains("--allow-loss"), helps, "{what}: {}", run.err);
    }
}
