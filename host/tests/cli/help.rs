//! What the program says of itself to shells and to man.

use super::world::World;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn every_shell_has_a_completion_script() {
    let world = World::new();
    for shell in SHELLS {
        let run = world.run(&["completions", shell]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        assert!(run.out.contains("CALLSHEET_COMPLETE"), "{shell}: {}", run.out);
    }
    assert_eq!(world.run(&["completions", "cmd"]).code, Some(2));
}

/// What a shell offers for the last word.
fn offered(world: &World, words: &[&str]) -> Vec<String> {
    let mut arguments = vec!["--", "callsheet"];
    arguments.extend(words);
    let mut command = world.callsheet(&arguments);
    command.env("CALLSHEET_COMPLETE", "fish");
    let output = command.output().expect("the program starts");
    assert!(output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    let values = text.lines().filter_map(|line| line.split('\t').next());
    values.map(String::from).collect()
}

#[test]
fn shells_complete_commands_dialects_rules_and_agents() {
    let agent = "---\nname: porter\ndescription: D\n---\nCarry.\n";
    let world = World::new().file(".claude/agents/porter.md", agent);
    assert_eq!(offered(&world, &["expl"]), ["explain"]);
    assert_eq!(offered(&world, &["check", "--baseli"]), ["--baseline"]);
    assert_eq!(offered(&world, &["list", "--as", "codex"])[0], "codex");
    assert!(offered(&world, &["dialects", "kode@"]).contains(&"kode@2.0.2".to_owned()));
    assert_eq!(offered(&world, &["explain", "shadow"]), ["shadowed"]);
    let second = offered(&world, &["check", "--select", "shadowed,unknown-to"]);
    assert_eq!(second, ["shadowed,unknown-tool"]);
    for command in ["show", "why", "tools", "run", "edit", "rename", "rm", "copy"] {
        assert_eq!(offered(&world, &[command, "por"]), ["porter"], "{command}");
    }
    // An agent without a file can be shown, but not changed.
    assert_eq!(offered(&world, &["show", "Expl"]), ["Explore"]);
    assert!(offered(&world, &["rm", "Expl"]).is_empty());
    let world = world
        .file(
            ".claude/skills/pack/SKILL.md",
            "---\nname: pack\ndescription: D\n---\nPack.\n",
        )
        .file("other/.kode/agents/pilot.md", agent.replace("porter", "pilot"));
    for command in ["show", "why", "edit", "rename", "convert"] {
        assert_eq!(offered(&world, &[command, "skill:"]), ["skill:pack"], "{command}");
    }
    assert_eq!(offered(&world, &["show", "--project", "other", "pi"]), ["pilot"]);
    assert!(offered(&world, &["--as", "codex", "show", "por"]).is_empty());
    for command in ["why", "convert", "trust"] {
        assert_eq!(offered(&world, &[command, "oth"]), ["other/"], "{command}");
    }
    // Without agents, or with a broken project, nothing is offered, and nothing is said.
    assert!(offered(&World::new(), &["show", "por"]).is_empty());
}

#[test]
fn only_the_main_help_has_the_options_of_every_command() {
    let world = World::new();
    assert!(world.run(&["--help"]).out.contains("--no-home"));
    for command in [
        &["list", "--help"][..],
        &["help", "check"],
        &["sessions", "show", "--help"],
    ] {
        let help = world.run(command).out;
        assert!(!help.contains("--no-home"), "{help}");
        assert!(
            help.ends_with("Options for every command: callsheet --help\n"),
            "{help}"
        );
    }
    assert_eq!(
        world.run(&["list", "--no-home"]).code,
        world.run(&["--no-home", "list"]).code
    );
}

#[test]
fn every_command_has_a_man_page() {
    let world = World::new();
    let help = world.run(&["--help"]).out;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let mut count = 0;
    for line in commands.take_while(|line| !line.is_empty()) {
        // Continued text below is indented deeper.
        let Some(name) = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')) else {
            continue;
        };
        let name = name.split(' ').next().unwrap_or_default();
        let page = world.run(&["man", name]).out;
        assert!(
            page.contains(&format!("\n.TH callsheet\\-{name} 1"))
                || page.contains(&format!("\n.TH callsheet-{name} 1")),
            "{page}"
        );
        count += 1;
    }
    assert!(count > 8, "{help}");
    assert!(world.run(&["man"]).out.contains("\n.TH callsheet 1"));
    let nested = world.run(&["man", "sessions", "show"]).out;
    assert!(nested.contains("callsheet\\-sessions\\-show"), "{nested}");
}

#[test]
fn a_misspelled_command_suggests_the_nearest() {
    let world = World::new();
    let inner = world.run(&["man", "sessions", "shows"]);
    assert!(inner.err.contains("did you mean `show`?"), "{}", inner.err);
    assert!(inner.err.contains("callsheet sessions --help"), "{}", inner.err);
    let run = world.run(&["man", "chek"]);
    let expected = "error: unknown command `chek`; did you mean `check`?\n\
                    help: run `callsheet --help` for the list\n";
    assert_eq!((run.code, run.err.as_str()), (Some(2), expected));
}

#[test]
fn help_is_also_a_command() {
    let world = World::new();
    for (asked, option) in [
        (&["help"][..], &["--help"][..]),
        (&["help", "check"], &["check", "--help"]),
    ] {
        let (asked, option) = (world.run(asked), world.run(option));
        assert_eq!((asked.code, asked.err.as_str()), (Some(0), ""));
        assert_eq!(asked.out, option.out);
    }
}
