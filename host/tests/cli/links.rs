//! Commands that would write through links of the project.
#![cfg(unix)]

use serde_json::json;

use super::worktrees::{BYPASS, QUIET, agent, calls, files, once, recording, words};

/// A pattern allows names: what a shell finds behind a link is something else.
#[test]
fn allowed_commands_do_not_write_through_links() {
    let world = files().file(
        ".claude/agents/limited.md",
        agent(
            "limited",
            "tools: Write, Bash(echo *), Bash(cd *), Bash(chdir *), Bash(tee *), Bash(rm *)\n",
        ),
    );
    std::fs::create_dir_all(world.at("docs")).expect("a directory");
    std::fs::write(world.at("../home/kept"), "").expect("a file");
    std::os::unix::fs::symlink(world.at("../home"), world.at("docs/link")).expect("it is ours");
    let refused =
        |name: &str| format!("`{name}` is a link that leads out of the project; tools cannot follow it");
    let through = "docs/link/notes";
    for (line, file) in [
        ("echo e > docs/link/notes", through),
        ("echo e > \\\ndocs/link/notes", through),
        ("'cd' docs && echo e > link/notes", through),
        ("chdir docs; echo e > link/notes", through),
        (
            "cd . && cd . && cd . && cd . && cd . && cd . && cd docs && echo e > link/notes",
            through,
        ),
        ("echo e | tee docs/link/notes", through),
        ("rm docs/link/kept", "docs/link"),
        ("echo e > docs/link/../notes", "docs/link"),
        ("rm d*/link/kept", "docs/link"),
    ] {
        let call = calls("Bash", &json!({"command": line}));
        let lines = once(&["limited"], &["Bash", "Write"], &call, &refused(file), true);
        let model = recording(&world, &lines);
        let run = world.run(&words("limited", &model, &BYPASS));
        assert_eq!(run.code, Some(0), "{line}: {}", run.err);
        assert!(!world.at("../home/notes").exists(), "{line}");
        assert!(world.at("../home/kept").exists(), "{line}");
    }
    // The link itself may go.
    let call = calls("Bash", &json!({"command": "rm docs/link"}));
    let lines = once(&["limited"], &["Bash", "Write"], &call, QUIET, false);
    let run = world.run(&words("limited", &recording(&world, &lines), &BYPASS));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(std::fs::symlink_metadata(world.at("docs/link")).is_err());
}
