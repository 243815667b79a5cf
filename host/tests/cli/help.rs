//! What the program says of itself to shells and to man.

use super::world::World;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn every_shell_has_a_completion_script() {
    let world = World::new();
    for shell in SHELLS {
        let run = world.run(&["completions", shell]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        assert!(
            run.out.contains("explain") && run.out.contains("baseline"),
            "{shell}"
        );
    }
    assert_eq!(world.run(&["completions", "cmd"]).code, Some(2));
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
}

#[test]
fn a_misspelled_command_suggests_the_nearest() {
    let run = World::new().run(&["man", "chek"]);
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
