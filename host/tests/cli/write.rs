//! The commands that write: what they write, what they leave alone, and what they say.

use super::world::{Run, World};

const FILE: &str = ".claude/agents/porter.md";
const PORTER: &[u8] = b"\xef\xbb\xbf---\r\nname: porter # a comment\r\ndescription: Says bye\r\nmodel: opus\r\n---\r\nmodel: \xff\r\n";

fn porter() -> World {
    World::new().file(FILE, PORTER)
}

#[track_caller]
fn refused(world: &World, arguments: &[&str], code: i32, words: &str) {
    let run = world.run(arguments);
    assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{}", run.err);
    assert!(run.err.contains(words), "{}", run.err);
}

#[track_caller]
fn done(run: Run, out: &str) {
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), out, ""));
}

#[test]
fn new_writes_an_agent_and_prints_its_path() {
    let world = World::new();
    let text = [
        "new",
        "porter",
        "--description",
        "Says: bye #1",
        "--prompt",
        "Say bye.",
    ];
    let from = "wrote .claude/agents/porter.md\nclaude-code: `porter` resolves to .claude/agents/porter.md\n";
    done(world.run(&text), from);
    let expected = "---\nname: porter\ndescription: \"Says: bye #1\"\n---\n\nSay bye.\n";
    assert_eq!(String::from_utf8_lossy(&world.bytes(FILE)), expected);
    refused(&world, &text, 2, ".claude/agents/porter.md already exists");
    assert_eq!(String::from_utf8_lossy(&world.bytes(FILE)), expected);
}

#[test]
fn new_writes_skills_and_commands() {
    let world = World::new().file(".kode/agents/k.md", "---\nname: k\ndescription: K\n---\nK.\n");
    let new = |name: &str, more: &[&str]| {
        let text = ["new", name, "--description", "Says bye", "--prompt", "Say bye."];
        world.run(&[&text, more].concat())
    };
    let skill =
        "wrote .claude/skills/bye/SKILL.md\nclaude-code: `bye` resolves to .claude/skills/bye/SKILL.md\n";
    done(new("skill:bye", &[]), skill);
    let text = "---\ndescription: Says bye\n---\n\nSay bye.\n";
    assert_eq!(
        String::from_utf8_lossy(&world.bytes(".claude/skills/bye/SKILL.md")),
        text
    );
    let nested = new("command:night/bye", &["--as", "gemini-cli"]);
    let command = "wrote .gemini/commands/night/bye.toml\n\
                   gemini-cli: `night:bye` resolves to .gemini/commands/night/bye.toml\n";
    done(nested, command);
    for (name, more, code, words) in [
        (
            "skill:bye",
            &[][..],
            2,
            ".claude/skills/bye/SKILL.md already exists",
        ),
        ("skill:", &[], 2, "is not a valid skill name"),
        ("skill:../bye", &[], 2, "is not a valid skill name"),
        ("skill:bye/SKILL.md", &[], 2, "use `bye`"),
        (
            "command:a:b",
            &["--as", "opencode"],
            2,
            "is not a valid command name",
        ),
        ("command:Say Bye", &["--as", "copilot"], 2, "use `say-bye`"),
        (
            "skill:x",
            &["--as", "kode"],
            2,
            "no rules are known for skills of kode",
        ),
        ("skill:x", &["--as", "codx"], 2, "did you mean `codex`?"),
        ("skill:x", &["--template", "tester"], 2, "templates are agents"),
        (
            "skill:x",
            &["--tools", "Read", "--as", "opencode"],
            2,
            "opencode has no `tools`",
        ),
        ("skill:x", &["--set", "licence=MIT"], 2, "did you mean `license`?"),
    ] {
        let run = new(name, more);
        assert_eq!(
            (run.code, run.out.as_str()),
            (Some(code), ""),
            "{name}: {}",
            run.err
        );
        assert!(run.err.contains(words), "{name}: {}", run.err);
    }
    let opencode = new(
        "skill:bye",
        &["--as", "opencode", "--user", "--set", "license=MIT"],
    );
    assert_eq!(opencode.code, Some(0), "{}", opencode.err);
    let several = new("skill:more", &[]);
    assert!(
        several.err.contains("--as (claude-code, opencode)"),
        "{}",
        several.err
    );
}

#[test]
fn edit_changes_skills_and_commands() {
    let skill = "---\nname: keys\ndescription: Finds keys # all\n---\nFind $1.\n";
    let world = World::new()
        .file(".claude/skills/keys/SKILL.md", skill)
        .file(
            ".claude/agents/fix.md",
            "---\nname: fix\ndescription: Fixes\n---\nFix.\n",
        )
        .file(".claude/commands/fix.md", "Fix $ARGUMENTS.\n");
    let run = world.run(&[
        "edit",
        "keys",
        "--set",
        "disable-model-invocation=true",
        "--set",
        "allowed-tools=Read Grep",
    ]);
    let changed = "changed .claude/skills/keys/SKILL.md\n\
                   claude-code: `keys` resolves to .claude/skills/keys/SKILL.md\n";
    done(run, changed);
    let text = String::from_utf8_lossy(&world.bytes(".claude/skills/keys/SKILL.md")).into_owned();
    let expected = "---\nname: keys\ndescription: Finds keys # all\ndisable-model-invocation: true\n\
                    allowed-tools: Read Grep\n---\nFind $1.\n";
    assert_eq!(text, expected);
    // A bare name is an agent's first.
    let agent = world.run(&["edit", "fix", "--set", "description=Repairs"]);
    assert!(agent.out.contains(".claude/agents/fix.md"), "{}", agent.out);
    let command = world.run(&["edit", "command:fix", "--prompt", "Repair $ARGUMENTS."]);
    assert!(
        command.out.contains("changed .claude/commands/fix.md"),
        "{} {}",
        command.out,
        command.err
    );
    assert_eq!(world.bytes(".claude/commands/fix.md"), b"Repair $ARGUMENTS.\n");
    refused(
        &world,
        &["edit", "skill:keys", "--set", "alowed-tools=Read"],
        2,
        "did you mean `allowed-tools`?",
    );
    refused(
        &world,
        &["edit", "skill:kyes", "--set", "model=opus"],
        1,
        "did you mean `keys` (.claude/skills/keys/SKILL.md)?",
    );
    refused(
        &world,
        &["edit", "skill:fix", "--set", "model=opus"],
        1,
        "no active skill `fix`",
    );
}

#[test]
fn new_reports_shadowed_agents() {
    let world = World::new();
    let new = |place: &[&str]| world.run(&[&["new", "porter", "--template", "reviewer"], place].concat());
    assert_eq!(new(&["--user"]).code, Some(0));
    let hides = "wrote .claude/agents/porter.md\nclaude-code: `porter` now resolves to .claude/agents/porter.md; \
                 ~/.claude/agents/porter.md is shadowed\n";
    done(new(&[]), hides);
    let json = world.run(&["rm", "porter", "--yes", "--format", "json"]);
    assert!(
        json.out.contains("\"path\": \"~/.claude/agents/porter.md\""),
        "{}",
        json.out
    );
}

#[test]
fn without_a_terminal_missing_values_are_listed() {
    let world = World::new();
    refused(
        &world,
        &["new"],
        2,
        "NAME, --description, --prompt or --prompt-file",
    );
    refused(
        &world,
        &["new", "a", "--as", "kodelet"],
        2,
        "--set provider=…, --set model=…, --set max_tokens=…",
    );
    let both = World::new()
        .file(".claude/agents/a.md", "---\nname: a\ndescription: A\n---\nA.\n")
        .file(".neovate/agents/b.md", "---\nname: b\ndescription: B\n---\nB.\n");
    refused(
        &both,
        &["new", "c", "--template", "tester"],
        2,
        "--as (claude-code, neovate)",
    );
}

#[test]
fn names_cannot_be_paths() {
    let world = porter();
    for name in ["../x", "/x", "a/b", "a\\b", "..", ".hidden", "a b", "", "con"] {
        refused(
            &world,
            &["new", name, "--template", "tester"],
            2,
            "is not a valid agent name",
        );
        refused(
            &world,
            &["rename", "porter", name],
            2,
            "is not a valid agent name",
        );
    }
    refused(
        &world,
        &["new", "My Agent", "--template", "tester"],
        2,
        "use `my-agent`",
    );
}

#[cfg(unix)]
#[test]
fn links_out_of_the_project_are_refused() {
    let world = World::new();
    let outside = tempfile::tempdir().expect("a temporary directory");
    std::os::unix::fs::symlink(outside.path(), world.at(".claude")).expect("a link");
    refused(&world, &["new", "a", "--template", "tester"], 2, "leads out");
    assert_eq!(std::fs::read_dir(outside.path()).expect("it is there").count(), 0);
}

#[test]
fn an_edit_changes_only_the_given_fields() {
    let world = porter();
    let run = world.run(&[
        "edit",
        "porter",
        "--set",
        "model=sonnet",
        "--set",
        "tools=Read, Grep",
    ]);
    done(
        run,
        "changed .claude/agents/porter.md\nclaude-code: `porter` resolves to .claude/agents/porter.md\n",
    );
    let after = b"\xef\xbb\xbf---\r\nname: porter # a comment\r\ndescription: Says bye\r\ntools: Read, Grep\r\nmodel: sonnet\r\n---\r\nmodel: \xff\r\n";
    assert_eq!(world.bytes(FILE), after);
    world.run(&["edit", "porter", "--unset", "tools", "--set", "model=opus"]);
    assert_eq!(world.bytes(FILE), PORTER);
    let again = world.run(&["edit", "porter", "--set", "model=opus", "--quiet"]);
    done(again, ".claude/agents/porter.md is unchanged\n");
    let diff = world.run(&["edit", "porter", "--set", "model=sonnet", "--diff"]);
    assert!(
        diff.out.contains("-model: opus") && diff.out.contains("+model: sonnet"),
        "{}",
        diff.out
    );
    assert_eq!(world.bytes(FILE), PORTER);
}

#[test]
fn invalid_edits_change_nothing() {
    let world = porter().file(
        ".claude/agents/broken.md",
        "---\nname: broken\ndescription: a: b\n---\nX\n",
    );
    refused(
        &world,
        &["edit", "porter", "--set", "modle=x"],
        2,
        "did you mean `model`?",
    );
    refused(
        &world,
        &["edit", "porter", "--unset", "name"],
        2,
        "does not load an agent without `name`",
    );
    refused(
        &world,
        &["edit", "broken", "--set", "model=x"],
        2,
        "`callsheet check --fix .claude/agents/broken.md`",
    );
    refused(
        &world,
        &["edit", "general-purpose", "--set", "model=x"],
        2,
        "`callsheet new general-purpose --as claude-code`",
    );
    refused(
        &world,
        &["edit", "portre", "--set", "model=x"],
        1,
        "did you mean `porter` (.claude/agents/porter.md)?",
    );
    assert_eq!(world.bytes(FILE), PORTER);
}

#[test]
fn an_ambiguous_name_needs_a_dialect() {
    let text = "---\nname: a\ndescription: A\n---\nA.\n";
    let world = World::new()
        .file(".claude/agents/a.md", text)
        .file(".agents/agents/a.md", text);
    refused(
        &world,
        &["rm", "a", "--yes"],
        2,
        "`--as claude-code` or `--as openhands`",
    );
    assert_eq!(
        world.run(&["rm", "a", "--yes", "--as", "openhands"]).code,
        Some(0)
    );
    assert!(!world.at(".agents/agents/a.md").exists() && world.at(".claude/agents/a.md").exists());
}

#[test]
fn rename_moves_name_and_file() {
    let world = porter().file(
        ".claude/agents/taken.md",
        "---\nname: taken\ndescription: T\n---\nT.\n",
    );
    refused(&world, &["rename", "porter", "taken"], 2, "already");
    let run = world.run(&["rename", "porter", "doorman"]);
    done(
        run,
        "renamed .claude/agents/porter.md to .claude/agents/doorman.md\n\
         claude-code: `doorman` resolves to .claude/agents/doorman.md\nclaude-code: no active agent `porter`\n",
    );
    assert!(!world.at(FILE).exists());
    let after = world.bytes(".claude/agents/doorman.md");
    assert!(after.starts_with(b"\xef\xbb\xbf---\r\nname: doorman # a comment\r\n"));
}

/// An agent, a skill, and another agent that names both.
fn named() -> World {
    porter()
        .file(
            ".claude/agents/lead.md",
            "---\nname: lead\ndescription: Leads\ntools: Read, Agent(porter)\nskills: [keys]\n---\nLead.\n",
        )
        .file(
            ".claude/skills/keys/SKILL.md",
            "---\nname: keys\ndescription: Finds keys\n---\nSee [the list](list.md).\n",
        )
        .file(".claude/skills/keys/list.md", "Keys.\n")
}

#[test]
fn rename_changes_references() {
    let world = named();
    let run = world.run(&["rename", "porter", "doorman"]);
    done(
        run,
        "renamed .claude/agents/porter.md to .claude/agents/doorman.md\nchanged .claude/agents/lead.md\n\
         claude-code: `doorman` resolves to .claude/agents/doorman.md\nclaude-code: no active agent `porter`\n",
    );
    let lead = world.bytes(".claude/agents/lead.md");
    assert!(String::from_utf8_lossy(&lead).contains("Agent(doorman)"));
}

#[test]
fn a_renamed_skill_moves_with_its_folder() {
    let world = named();
    let run = world.run(&["rename", "skill:keys", "locks"]);
    done(
        run,
        "renamed .claude/skills/keys/SKILL.md to .claude/skills/locks/SKILL.md\nchanged .claude/agents/lead.md\n\
         claude-code: `locks` resolves to .claude/skills/locks/SKILL.md\nclaude-code: no active skill `keys`\n",
    );
    assert_eq!(world.bytes(".claude/skills/locks/list.md"), b"Keys.\n");
    assert!(!world.at(".claude/skills/keys").exists());
    let lead = world.bytes(".claude/agents/lead.md");
    assert!(String::from_utf8_lossy(&lead).contains("skills: [locks]"));
}

#[test]
fn rename_shows_a_diff() {
    let world = named();
    let run = world.run(&["rename", "porter", "doorman", "--diff"]);
    assert_eq!(run.code, Some(0));
    let start = "rename .claude/agents/porter.md to .claude/agents/doorman.md\n--- .claude/agents/lead.md\n";
    assert!(run.out.starts_with(start), "{}", run.out);
    assert!(
        run.out
            .contains("\n-tools: Read, Agent(porter)\n+tools: Read, Agent(doorman)\n")
    );
    assert_eq!(world.bytes(FILE), PORTER);
}

#[cfg(unix)]
#[test]
fn a_failed_rename_changes_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let world = named();
    let lead = world.bytes(".claude/agents/lead.md");
    let locked = world.at(FILE);
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o444)).expect("its mode is set");
    refused(&world, &["rename", "porter", "doorman"], 2, "it is read-only");
    assert_eq!(world.bytes(".claude/agents/lead.md"), lead);
    assert_eq!(world.bytes(FILE), PORTER);
    assert!(!world.at(".claude/agents/doorman.md").exists());
}

#[test]
fn rm_asks_first() {
    let world = porter();
    refused(&world, &["rm", "porter"], 2, "add `--yes` to confirm");
    assert_eq!(world.bytes(FILE), PORTER);
    done(
        world.run(&["rm", "porter", "-y"]),
        "removed .claude/agents/porter.md\nclaude-code: no active agent `porter`\n",
    );
    assert!(!world.at(FILE).exists());
}

#[test]
fn copies_are_identical() {
    let world = porter();
    let run = world.run(&["copy", "porter", "--to", "user"]);
    done(
        run,
        "copied .claude/agents/porter.md to ~/.claude/agents/porter.md\n\
         claude-code: `porter` still resolves to .claude/agents/porter.md, which wins over this file\n",
    );
    std::fs::create_dir(world.at("shared")).expect("a directory");
    let run = world.run(&["copy", "porter", "--to", "shared/"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(0), "copied .claude/agents/porter.md to shared/porter.md\n")
    );
    assert_eq!(world.bytes("shared/porter.md"), PORTER);
    refused(&world, &["copy", "porter", "--to", "project"], 2, "already");
    refused(
        &world,
        &["copy", "porter", "--to", "nowhere"],
        2,
        "directory not found: nowhere",
    );
}

#[test]
fn an_edit_changes_the_prompt() {
    let world = porter();
    let run = world.run(&["edit", "porter", "--prompt", "- Say\n- bye.", "--quiet"]);
    done(run, "changed .claude/agents/porter.md\n");
    let after = b"\xef\xbb\xbf---\r\nname: porter # a comment\r\ndescription: Says bye\r\nmodel: opus\r\n---\r\n- Say\r\n- bye.\r\n";
    assert_eq!(world.bytes(FILE), after);
    let world = world.file("prompt.txt", "Say nothing.\r\n");
    let run = world.run(&["edit", "porter", "--prompt-file", "prompt.txt", "--quiet"]);
    done(run, "changed .claude/agents/porter.md\n");
    assert!(world.bytes(FILE).ends_with(b"---\r\nSay nothing.\r\n"));
    let diff = world.run(&["edit", "porter", "--prompt", "Say it.", "--diff"]);
    assert!(
        diff.out.contains("-Say nothing.") && diff.out.contains("+Say it."),
        "{}",
        diff.out
    );
    refused(
        &world,
        &["edit", "porter", "--prompt-file", "none.txt"],
        2,
        "cannot read none.txt",
    );
}

#[test]
fn a_prompt_can_come_from_standard_input() {
    use std::io::Write as _;
    use std::process::Stdio;

    let world = porter();
    for arguments in [
        ["edit", "porter", "--prompt", "-"],
        ["edit", "porter", "--prompt-file", "-"],
    ] {
        let mut child = world
            .callsheet(&arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("it is piped");
        write!(input, "{}", arguments[2]).expect("it is read");
        drop(input);
        assert!(child.wait().expect("it ends").success());
        let end = format!("---\r\n{}\r\n", arguments[2]);
        assert!(world.bytes(FILE).ends_with(end.as_bytes()));
    }
}

#[test]
fn without_a_terminal_no_editor_opens() {
    let world = porter();
    refused(
        &world,
        &["edit", "porter"],
        2,
        "no changes are given for `porter`",
    );
    refused(
        &world,
        &["edit", "porter", "--diff"],
        2,
        "`callsheet edit porter` opens your editor",
    );
    let new = ["new", "a", "--template", "tester", "--edit"];
    refused(&world, &new, 2, "not a terminal: cannot open an editor");
}

#[test]
fn new_findings_are_reported_after_writing() {
    let world = World::new();
    let new = [
        "new",
        "porter",
        "--template",
        "reviewer",
        "--tools",
        "Read, Foo",
        "--model",
        "sonnnet",
    ];
    let run = world.run(&new);
    let note = "note: `callsheet check .claude/agents/porter.md` now reports unknown-model, unknown-tool\n";
    assert_eq!((run.code, run.err.as_str()), (Some(0), note));
    let run = world.run(&["edit", "porter", "--set", "color=red"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let run = world.run(&["edit", "porter", "--set", "model=sonnett"]);
    assert!(run.err.contains(" now reports unknown-model"), "{}", run.err);
}

#[test]
fn a_name_with_an_extension_is_refused() {
    let world = World::new();
    let new = ["new", "porter.md", "--template", "reviewer"];
    refused(&world, &new, 2, "help: use `porter`");
}

#[test]
fn a_plugin_of_the_repository_is_changed_and_an_installed_one_is_not() {
    let agent = |name: &str| format!("---\nname: {name}\ndescription: Helps.\n---\n\nHelp.\n");
    let world = World::new()
        .file(
            ".claude-plugin/plugin.json",
            r#"{"name": "kit", "description": "Tools"}"#,
        )
        .file("agents/helper.md", agent("helper"));
    let plugins = world.home().join("plugins");
    std::fs::create_dir_all(&plugins).expect("it is ours");
    std::fs::write(plugins.join("packer.md"), agent("packer")).expect("it is ours");
    done(
        world.run(&["edit", "kit:helper", "--set", "model=opus"]),
        "changed agents/helper.md\nclaude-code: `kit:helper` resolves to agents/helper.md\n",
    );
    done(
        world.run(&["rename", "kit:helper", "kit:aide"]),
        "renamed agents/helper.md to agents/aide.md\nclaude-code: `kit:aide` resolves to agents/aide.md\n\
         claude-code: no active agent `kit:helper`\n",
    );
    done(
        world.run(&["copy", "kit:aide", "--to", "project"]),
        "copied agents/aide.md to .claude/agents/aide.md\nclaude-code: `aide` resolves to .claude/agents/aide.md\n",
    );
    let given = format!("box={}", plugins.display());
    let edit = ["edit", "box:packer", "--set", "model=opus", "--plugin", &given];
    refused(&world, &edit, 2, "belongs to a plugin");
}
