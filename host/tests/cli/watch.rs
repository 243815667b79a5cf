//! `watch`: what it says while files come and go, and how it ends.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::world::World;

/// Far more than a line takes. Who waits that long has found a bug.
const PATIENCE: Duration = Duration::from_secs(60);

const REVIEWER: &str = "---\nname: reviewer\ndescription: Reviews code\n---\nReview it.\n";

/// The program while it watches.
pub(crate) struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(world: &World, arguments: &[&str]) -> Self {
        Self::command(world, &[&["watch"], arguments].concat())
    }

    pub(crate) fn command(world: &World, arguments: &[&str]) -> Self {
        let mut command = world.callsheet(&[]);
        command
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let (sender, lines) = channel();
        let out = child.stdout.take().expect("it is piped");
        thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Self { child, lines }
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("it says something")
    }

    /// Reads on until a line has all of these words.
    pub(crate) fn says(&self, words: &[&str]) -> String {
        loop {
            let line = self.line();
            if words.iter().all(|word| line.contains(word)) {
                return line;
            }
        }
    }

    pub(crate) fn interrupt(mut self) -> Option<i32> {
        let kill = Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status();
        assert!(kill.expect("there is a `kill`").success());
        self.child.wait().expect("it ends").code()
    }
}

#[test]
fn every_change_of_an_agent_is_reported() {
    let world = World::new().file("README.md", "a project");
    let file = world.at(".claude/agents/team/reviewer.md");
    let watching = Watching::start(&world, &["--format", "json"]);
    assert_eq!(
        watching.line(),
        r#"{"version":1,"command":"watch","event":"watching","dialects":[]}"#
    );

    // Neither the directory nor those above it were there.
    fs::create_dir_all(file.parent().expect("it has one")).expect("directories");
    fs::write(&file, REVIEWER).expect("a file");
    let line = watching.says(&["appeared", "claude-code"]);
    assert!(
        line.contains(r#""path":".claude/agents/team/reviewer.md""#),
        "{line}"
    );

    // As editors do it: write beside, rename over.
    let beside = world.at(".claude/agents/team/.reviewer.md.swp");
    fs::write(&beside, REVIEWER.replace("Reviews", "Reads")).expect("a file");
    fs::rename(&beside, &file).expect("it is replaced");
    watching.says(&["changed", "claude-code"]);

    fs::write(&file, "---\nname: reviewer\ntools: Read\n---\nReview it.\n").expect("a file");
    let line = watching.says(&["broke", "claude-code"]);
    assert!(line.contains(r#""diagnostics":[{"#), "{line}");

    fs::write(&file, REVIEWER).expect("a file");
    watching.says(&["fixed", "claude-code"]);
    fs::rename(world.at(".claude"), world.at(".gone")).expect("it moves away");
    watching.says(&["vanished", "claude-code"]);
    fs::rename(world.at(".gone"), world.at(".claude")).expect("it comes back");
    watching.says(&["appeared", "claude-code"]);
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn text_output_has_lines_and_excerpts() {
    let world = World::new().file(".claude/agents/reviewer.md", REVIEWER);
    let mut watching = Watching::start(&world, &["--as", "claude-code"]);
    let mut greeting = String::new();
    let err = watching.child.stderr.take().expect("it is piped");
    BufReader::new(err)
        .read_line(&mut greeting)
        .expect("it says what it watches");
    // Three are built in.
    assert_eq!(greeting, "watching claude-code (4 agents); Ctrl-C ends it\n");
    let writer = "---\nname: writer\ndescription: Writes\ntools: Raed\n---\nWrite.\n";
    fs::write(world.at(".claude/agents/writer.md"), writer).expect("a file");
    assert_eq!(
        watching.line(),
        "claude-code: `writer` appeared: .claude/agents/writer.md"
    );
    watching.says(&["unknown-tool"]);
    watching.says(&["Raed"]);
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn check_runs_again_on_every_change() {
    let world = World::new().file(".claude/agents/reviewer.md", REVIEWER);
    let options = [
        "check",
        "--watch",
        "--no-home",
        "--format",
        "concise",
        "--select",
        "unknown-tool",
    ];
    let watching = Watching::command(&world, &options);
    // The first check has no findings.
    let wrong = REVIEWER.replace("---\nReview", "tools: Raed\n---\nReview");
    fs::write(world.at(".claude/agents/reviewer.md"), &wrong).expect("a file");
    watching.says(&["reviewer.md:4:8: error[unknown-tool]"]);
    fs::write(world.at("callsheet.toml"), "rules.unknown-tool = \"warning\"\n").expect("a file");
    watching.says(&["reviewer.md:4:8: warning[unknown-tool]"]);
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn an_unknown_dialect_suggests_the_nearest() {
    let run = World::new().run(&["watch", "--as", "claude-cod"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("did you mean `claude-code`"), "{}", run.err);
}
