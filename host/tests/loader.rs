//! The loader, used as the Agent System Specification shows it.
#![allow(
    clippy::unwrap_used,
    reason = "a test that unwraps says why it failed by where it failed"
)]

use std::fs;
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use callsheet::loader::{Agent, AgentLoader, ToolFilter};
use callsheet::{Callsheet, Error, Place};
use tempfile::TempDir;

/// The specification's example, whose tools and model are quoted there.
const REVIEWER: &str = r#"---
name: code-reviewer
description: "Reviews code for best practices and potential issues"
tools: ["FileRead", "Grep", "Bash"]
model: "claude-sonnet"
---

You are an expert code reviewer.
"#;

/// Nothing here ever waits.
fn now<T>(answer: impl Future<Output = T>) -> T {
    match pin!(answer).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => panic!("the loader waited"),
    }
}

fn loader(world: &TempDir) -> AgentLoader {
    let place = |name, path: &str| Place::new(name, world.path().join(path));
    AgentLoader::with(
        Callsheet::builder()
            .project(place(".", "project"))
            .home(place("~", "home")),
    )
}

fn world() -> TempDir {
    let world = TempDir::new().unwrap();
    for directory in [
        "project/.kode/agents",
        "project/.claude/agents",
        "home/.claude/agents",
    ] {
        fs::create_dir_all(world.path().join(directory)).unwrap();
    }
    write(&world, "project/.kode/agents/code-reviewer.md", REVIEWER);
    world
}

fn write(world: &TempDir, path: impl AsRef<Path>, text: &str) {
    fs::write(world.path().join(path), text).unwrap();
}

#[test]
fn an_agent_has_the_content_of_its_file() {
    let world = world();
    let agent = now(loader(&world).get_agent("code-reviewer")).unwrap();
    let expected = Agent {
        name: "code-reviewer".into(),
        description: "Reviews code for best practices and potential issues".into(),
        tools: ToolFilter::Specific(vec!["FileRead".into(), "Grep".into(), "Bash".into()]),
        model: Some("claude-sonnet".into()),
        system_prompt: "\nYou are an expert code reviewer.\n".into(),
    };
    assert_eq!(agent, expected);
}

#[test]
fn changes_are_seen_on_the_next_call() {
    let world = world();
    let mut loader = loader(&world);
    let before = now(loader.load_agents()).unwrap().len();
    let other = REVIEWER.replace("code-reviewer", "other");
    write(&world, "home/.claude/agents/other.md", &other);
    assert_eq!(now(loader.load_agents()).unwrap().len(), before + 1);
    write(
        &world,
        "home/.claude/agents/other.md",
        &other.replace("expert", "experienced"),
    );
    assert!(
        now(loader.get_agent("other"))
            .unwrap()
            .system_prompt
            .contains("experienced")
    );
    fs::remove_file(world.path().join("home/.claude/agents/other.md")).unwrap();
    assert!(matches!(
        now(loader.get_agent("other")),
        Err(Error::NoSuchAgent { broken: None, .. })
    ));
}

#[test]
fn the_project_wins_over_the_home_directory() {
    let world = world();
    write(
        &world,
        "home/.claude/agents/code-reviewer.md",
        &REVIEWER.replace("expert", "mere"),
    );
    assert!(
        now(loader(&world).get_agent("code-reviewer"))
            .unwrap()
            .system_prompt
            .contains("expert")
    );
}

#[test]
fn a_broken_file_is_reported_and_the_others_load() {
    let world = world();
    write(
        &world,
        "project/.kode/agents/broken.md",
        "---\nname: broken\ntools: [\n---\nPrompt\n",
    );
    let mut loader = loader(&world);
    let failure = now(loader.get_agent("broken")).unwrap_err().to_string();
    assert!(failure.contains(".kode/agents/broken.md"), "{failure}");
    now(loader.get_agent("code-reviewer")).unwrap();
}
