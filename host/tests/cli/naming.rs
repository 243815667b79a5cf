//! The commands that write, in every dialect: file names and folders.

use std::{fs, io};

use super::world::{Run, World};

/// Dialect, directory of the project, directory of the user, ending, and required fields besides a description and a prompt.
const DIALECTS: [(&str, &str, &str, &str, &[&str]); 12] = [
    ("claude-code", ".claude/agents", ".claude/agents", ".md", &[]),
    ("codex", ".codex/agents", ".codex/agents", ".toml", &[]),
    ("copilot", ".github/agents", ".copilot/agents", ".agent.md", &[]),
    ("cursor", ".cursor/agents", ".cursor/agents", ".md", &[]),
    ("gemini-cli", ".gemini/agents", ".gemini/agents", ".md", &[]),
    ("kode", ".kode/agents", ".kode/agents", ".md", &[]),
    ("kode-rs", ".kode/agents", ".kode/agents", ".md", &[]),
    (
        "kodelet",
        "agents",
        ".kodelet/agents",
        ".md",
        &[
            "--set",
            "provider=openai",
            "--set",
            "model=gpt-4.1",
            "--set",
            "max_tokens=9",
        ],
    ),
    ("neovate", ".neovate/agents", ".neovate/agents", ".md", &[]),
    (
        "opencode",
        ".opencode/agents",
        ".config/opencode/agents",
        ".md",
        &[],
    ),
    (
        "openhands",
        ".agents/agents",
        ".agents/agents",
        ".md",
        &["--tools", "read_file"],
    ),
    ("qwen-code", ".qwen/agents", ".qwen/agents", ".md", &[]),
];

#[track_caller]
fn done(run: &Run, out: &str) {
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    assert!(run.out.starts_with(out), "{}", run.out);
}

#[test]
fn agents_can_be_created_changed_and_removed_in_every_dialect() {
    for (dialect, project, user, ending, needs) in DIALECTS {
        let world = World::new();
        let run = |arguments: &[&str]| world.run(&[arguments, &["--as", dialect]].concat());
        let listed = |name: &str, description: &str| {
            let list = run(&["list", "--format", "concise"]);
            let line = format!("{project}/{name}{ending}: {dialect}: active: {name}: {description}\n");
            assert!(list.out.contains(&line), "{dialect}: {}", list.out);
        };
        let file = format!("{project}/porter{ending}");
        let new = [
            "new",
            "porter",
            "--description",
            "Says: \"bye\" #1",
            "--prompt",
            "Say bye to all of them.",
        ];
        done(
            &run(&[&new, needs].concat()),
            &format!("wrote {file}\n{dialect}: `porter` resolves to {file}\n"),
        );
        done(&run(&["check"]), "checked 1 file: nothing to report\n");
        listed("porter", "Says: \"bye\" #1");
        done(
            &run(&[
                "edit",
                "porter",
                "--set",
                "description=[Bye]: a",
                "--prompt",
                "Say bye to some of them.",
            ]),
            &format!("changed {file}\n"),
        );
        done(&run(&["check"]), "checked 1 file: nothing to report\n");
        let prompt = run(&["show", "porter", "--prompt"]);
        assert!(prompt.out.contains("Say bye to some of them."), "{}", prompt.out);
        let renamed = format!("{project}/doorman{ending}");
        done(
            &run(&["rename", "porter", "doorman"]),
            &format!(
                "renamed {file} to {renamed}\n{dialect}: `doorman` resolves to {renamed}\n{dialect}: no active agent `porter`\n"
            ),
        );
        listed("doorman", "[Bye]: a");
        done(
            &run(&["copy", "doorman", "--to", "user"]),
            &format!("copied {renamed} to ~/{user}/doorman{ending}\n"),
        );
        let copy = format!("~/{user}/doorman{ending}");
        // The one that wins is removed.
        let (removed, left) = if dialect == "copilot" {
            (copy, renamed)
        } else {
            (renamed, copy)
        };
        done(&run(&["rm", "doorman", "--yes"]), &format!("removed {removed}\n"));
        done(
            &run(&["why", "doorman"]),
            &format!("{dialect}: `doorman` is {left}\n"),
        );
    }
}

/// Variables that name a directory of a tool, and the directory of its agents there and in the home directory.
const MOVED: [(&str, &str, &str, &str); 6] = [
    ("claude-code", "CLAUDE_CONFIG_DIR", "agents", ".claude"),
    ("codex", "CODEX_HOME", "agents", ".codex"),
    ("copilot", "COPILOT_HOME", "agents", ".copilot"),
    ("gemini-cli", "GEMINI_CLI_HOME", ".gemini/agents", ""),
    ("opencode", "XDG_CONFIG_HOME", "opencode/agents", ".config"),
    ("qwen-code", "QWEN_HOME", "agents", ".qwen"),
];

#[test]
fn variables_move_the_directories_of_users() -> io::Result<()> {
    for (dialect, variable, directory, replaced) in MOVED {
        let (_, _, _, ending, _) = DIALECTS
            .into_iter()
            .find(|known| known.0 == dialect)
            .expect("it is known");
        let world = World::new();
        let elsewhere = world.at("..").canonicalize()?.join("elsewhere");
        let run = |value: &std::path::Path, arguments: &[&str]| {
            let mut command = world.callsheet(&[arguments, &["--as", dialect]].concat());
            Run::from(command.env(variable, value).output().expect("the program starts"))
        };
        let new = [
            "new",
            "porter",
            "--user",
            "--description",
            "Opens doors",
            "--prompt",
            "Open every door.",
        ];
        let file = format!("${variable}/{directory}/porter{ending}");
        done(
            &run(&elsewhere, &new),
            &format!("wrote {file}\n{dialect}: `porter` resolves to {file}\n"),
        );
        assert!(
            elsewhere
                .join(directory)
                .join(format!("porter{ending}"))
                .is_file(),
            "{dialect}"
        );
        done(
            &run(&elsewhere, &["check"]),
            "checked 1 file: nothing to report\n",
        );
        done(
            &run(
                &elsewhere,
                &["edit", "porter", "--set", "description=Opens all doors"],
            ),
            &format!("changed {file}\n"),
        );
        // The tools in use are found there, too.
        let mut graph = world.callsheet(&["graph", "--format", "json"]);
        let graph = Run::from(
            graph
                .env(variable, &elsewhere)
                .output()
                .expect("the program starts"),
        );
        assert!(graph.out.contains(&file), "{dialect}: {}", graph.out);
        let place = world.home().join(replaced);
        fs::create_dir_all(&place)?;
        let old = run(&place, &new);
        let replaced = if replaced.is_empty() {
            String::new()
        } else {
            format!("{replaced}/")
        };
        done(&old, &format!("wrote ~/{replaced}{directory}/porter{ending}\n"));
        let unset = run("".as_ref(), &["why", "porter"]);
        done(
            &unset,
            &format!("{dialect}: `porter` is ~/{replaced}{directory}/porter{ending}\n"),
        );
    }
    Ok(())
}

#[test]
fn variables_count_once_in_the_project_and_also_if_it_is_the_home_directory() -> io::Result<()> {
    let world = World::new();
    let agent = |place: &std::path::Path| {
        fs::create_dir_all(place.join("agents"))?;
        fs::write(
            place.join("agents/porter.md"),
            "---\nname: porter\ndescription: Opens doors\n---\nOpen every door.\n",
        )
    };
    let (here, elsewhere) = (world.at(".claude"), world.at("elsewhere"));
    agent(&here)?;
    let why = |home: &std::path::Path, value: &std::path::Path| {
        let mut command = world.callsheet(&["why", "porter", "--as", "claude-code"]);
        let run = command.env("HOME", home).env("CLAUDE_CONFIG_DIR", value).output();
        Run::from(run.expect("the program starts")).out
    };
    let alone = why(world.home(), &here);
    assert!(alone.contains("only definition"), "{alone}");
    agent(&elsewhere)?;
    let both = why(&world.at("."), &elsewhere);
    assert!(
        both.contains("wins over $CLAUDE_CONFIG_DIR/agents/porter.md"),
        "{both}"
    );
    Ok(())
}

#[test]
fn a_template_equals_its_conversion() -> io::Result<()> {
    for (dialect, directory, _, ending, needs) in DIALECTS {
        let world = World::new();
        let original = world.run(&["new", "porter", "--template", "tester", "--as", "claude-code"]);
        assert_eq!(original.code, Some(0), "{}", original.err);
        let original = text(&world, ".claude/agents/porter.md");
        fs::remove_dir_all(world.at(".claude"))?;
        fs::write(world.at("porter.md"), &original)?;
        let convert = ["convert", "porter.md", "--as", "claude-code", "--to", dialect];
        let converted = world.run(&convert);
        let new = ["new", "porter", "--template", "tester", "--as", dialect];
        let run = world.run(&[&new, needs].concat());
        assert_eq!(run.code, Some(0), "{dialect}: {}", run.err);
        let note = "note: the agent may use all tools that you allow cursor: cursor cannot let it edit files without \
                    giving it all tools\n";
        assert_eq!(run.err, if dialect == "cursor" { note } else { "" }, "{dialect}");
        if dialect != "cursor" && needs.is_empty() {
            assert_eq!(
                text(&world, &format!("{directory}/porter{ending}")),
                converted.out,
                "{dialect}"
            );
        }
        fs::remove_file(world.at("porter.md"))?;
        done(
            &world.run(&["check", "--as", dialect]),
            "checked 1 file: nothing to report\n",
        );
    }
    Ok(())
}

#[test]
fn new_opencode_agents_are_subagents_with_permissions() -> io::Result<()> {
    let world = World::new();
    let new = [
        "new",
        "porter",
        "--as",
        "opencode",
        "--description",
        "D",
        "--prompt",
        "P",
        "--tools",
    ];
    for (tools, expected) in [
        (
            "read, write",
            "permission:\n  \"*\": deny\n  read: allow\n  edit: ask\n",
        ),
        (
            "read, their_tool",
            "permission:\n  \"*\": deny\n  read: allow\n  their_tool: ask\n",
        ),
        ("", "permission:\n  \"*\": deny\n"),
        ("*", ""),
    ] {
        assert_eq!(world.run(&[&new[..], &[tools]].concat()).code, Some(0));
        let text = text(&world, ".opencode/agents/porter.md");
        assert_eq!(
            text,
            format!("---\nname: porter\ndescription: D\nmode: subagent\n{expected}---\n\nP\n")
        );
        fs::remove_file(world.at(".opencode/agents/porter.md"))?;
    }
    Ok(())
}

#[test]
fn a_release_writes_like_its_dialect() {
    let world = World::new();
    let new = ["new", "porter", "--template", "tester", "--as", "kode@2.0.2"];
    done(&world.run(&new), "wrote .kode/agents/porter.md\n");
    let unknown = world.run(&["new", "porter", "--template", "tester", "--as", "kode@1"]);
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown.err.contains("unknown dialect `kode@1`"),
        "{}",
        unknown.err
    );
}

#[test]
fn opencode_names_can_include_directories() {
    let world = World::new();
    let run = |arguments: &[&str]| world.run(&[arguments, &["--as", "opencode"]].concat());
    done(
        &run(&["new", "team/porter", "--template", "tester"]),
        "wrote .opencode/agents/team/porter.md\n",
    );
    let moved = "renamed .opencode/agents/team/porter.md to .opencode/agents/door/man.md\n";
    done(&run(&["rename", "team/porter", "door/man"]), moved);
    let copied = "copied .opencode/agents/door/man.md to ~/.config/opencode/agents/door/man.md\n";
    done(&run(&["copy", "door/man", "--to", "user"]), copied);
    let refused = run(&["new", "team/../../porter", "--template", "tester"]);
    assert!(
        refused
            .err
            .contains("`team/../../porter` is not a valid agent name"),
        "{}",
        refused.err
    );
}

#[test]
fn agents_named_after_their_file_need_no_name() {
    let text = "---\ndescription: D\n---\nGo.\n";
    let world = World::new().file(".cursor/agents/a.md", text);
    done(
        &world.run(&["rename", "a", "b", "--as", "cursor"]),
        "renamed .cursor/agents/a.md to .cursor/agents/b.md\n",
    );
    assert_eq!(world.bytes(".cursor/agents/b.md"), text.as_bytes());
    let shown = "---\nname: Any words\ndescription: D\n---\nGo.\n";
    let world = World::new().file(".github/agents/a.agent.md", shown);
    let run = |arguments: &[&str]| world.run(&[arguments, &["--as", "copilot"]].concat());
    done(
        &run(&["edit", "a", "--set", "name=Other words"]),
        "changed .github/agents/a.agent.md\n",
    );
    done(
        &run(&["rename", "a", "b"]),
        "renamed .github/agents/a.agent.md to .github/agents/b.agent.md\n",
    );
    assert!(
        String::from_utf8_lossy(&world.bytes(".github/agents/b.agent.md")).contains("name: Other words\n")
    );
}

#[test]
fn a_prompt_can_be_set_as_a_field() {
    let world = World::new();
    let new = [
        "new",
        "porter",
        "--as",
        "codex",
        "--description",
        "D",
        "--set",
        "developer_instructions=Go.",
    ];
    done(&world.run(&new), "wrote .codex/agents/porter.toml\n");
    let twice = world.run(&[&new[..], &["--prompt", "Come."]].concat());
    assert_eq!(twice.code, Some(2));
    assert!(
        twice
            .err
            .contains("`developer_instructions` is the prompt, which is set twice"),
        "{}",
        twice.err
    );
}

fn text(world: &World, path: &str) -> String {
    String::from_utf8(world.bytes(path)).expect("new files are text")
}

#[test]
fn a_new_name_may_have_its_kind() {
    let skill = "---\nname: brew\ndescription: Brews the tea\n---\nBrew it.\n";
    let world = World::new().file(".claude/skills/brew/SKILL.md", skill);
    let run = world.run(&["rename", "skill:brew", "skill:boil"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(world.at(".claude/skills/boil/SKILL.md").is_file());
}

#[test]
fn a_path_in_place_of_a_name_is_explained() {
    let file = ".claude/agents/porter.md";
    let world = World::new().file(file, "---\nname: porter\ndescription: Says bye\n---\nSay bye.\n");
    for command in ["show", "tools", "rm"] {
        let run = world.run(&[command, file]);
        assert_eq!(run.code, Some(1), "{}", run.err);
        let help = "help: the agent in this file is called `porter`\n";
        assert!(run.err.ends_with(help), "{command}: {}", run.err);
    }
}
