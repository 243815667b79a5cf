//! `export`.

use serde_json::{Value, json};

use super::formats::a2a;
use super::world::World;

fn agent(name: &str, rest: &str) -> String {
    format!("---\nname: {name}\n{rest}\n---\n\nDo what was asked.\n")
}

fn world() -> World {
    World::new()
        .file(
            ".claude/agents/code-reviewer.md",
            agent(
                "code-reviewer",
                "description: |\n  Reviews changes.\n  <example>Look at my branch</example>\ntools: Read, Grep\nmodel: sonnet",
            ),
        )
        .file(
            ".claude/agents/writer.md",
            agent("writer", "description: Writes *documents*"),
        )
}

const SERVER: [&str; 5] = ["export", "--a2a", "--agent-version", "1.2.0", "--url"];

fn cards(world: &World, more: &[&str]) -> (Value, String) {
    let run = world.run(&[&SERVER[..], more].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    (serde_json::from_str(&run.out).expect("it is JSON"), run.err)
}

#[test]
fn an_agent_has_a_card() {
    let (card, err) = cards(
        &world(),
        &[
            "https://agents.example.com/a2a",
            "--provider",
            "Example=https://example.com",
            "code-reviewer",
        ],
    );
    assert_eq!(a2a::complaints(&card), [""; 0]);
    let expected = json!({
        "name": "code-reviewer",
        "description": "Reviews changes.",
        "version": "1.2.0",
        "provider": {"organization": "Example", "url": "https://example.com"},
        "supportedInterfaces": [{
            "url": "https://agents.example.com/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0",
        }],
        "capabilities": {},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{
            "id": "code-reviewer", "name": "code-reviewer", "description": "Reviews changes.",
            "tags": ["code", "reviewer"], "examples": ["Look at my branch"],
        }],
    });
    assert_eq!(card, expected);
    assert_eq!(
        err,
        "note: not in the card of `code-reviewer`: tools, model, prompt\n"
    );
}

#[test]
fn several_agents_have_addresses_or_tenants() {
    let world = world()
        .file(".claude/agents/odd.md", agent("Odd name/ü", "description: Odd"))
        .file(
            "../home/.claude/agents/mine.md",
            agent("mine", "description: Mine"),
        );
    let (list, _) = cards(&world, &["https://a.example/{name}", "--binding", "http-json"]);
    let list = list.as_array().expect("a list");
    for card in list {
        assert_eq!(a2a::complaints(card), [""; 0]);
    }
    let urls: Vec<&Value> = list
        .iter()
        .map(|card| &card["supportedInterfaces"][0]["url"])
        .collect();
    assert_eq!(
        urls,
        [
            "https://a.example/Odd%20name%2F%C3%BC",
            "https://a.example/code-reviewer",
            "https://a.example/writer"
        ]
    );
    assert_eq!(list[0]["supportedInterfaces"][0]["protocolBinding"], "HTTP+JSON");
    let (list, _) = cards(
        &world,
        &["agents.example:443", "--binding", "grpc", "writer", "mine"],
    );
    let tenants: Vec<&Value> = [0, 1]
        .map(|at| &list[at]["supportedInterfaces"][0]["tenant"])
        .into();
    assert_eq!(tenants, ["mine", "writer"]);
    assert_eq!(a2a::complaints(&list[0]), [""; 0]);
}

#[test]
fn a_card_has_no_secrets_and_no_invisible_text() {
    let text = "description: Uses sk-ant-0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r\u{200b}\u{202e} here";
    let world = World::new().file(".claude/agents/a.md", agent("a", text));
    let (card, _) = cards(&world, &["https://a.example", "a"]);
    assert_eq!(card["description"], "Uses *** here");
    let world = World::new().file(".opencode/agents/b.md", "---\nmode: subagent\n---\n\nWork.\n");
    let (card, _) = cards(&world, &["https://a.example", "b"]);
    assert_eq!(
        (&card["description"], a2a::complaints(&card).len()),
        (&json!("b"), 0)
    );
}

#[test]
fn wrong_arguments_are_refused() {
    let world = world();
    for (arguments, code, message) in [
        (&["export"][..], 2, "--a2a"),
        (&["export", "--a2a", "--agents-md"], 2, "cannot be used with"),
        (&["export", "--a2a"], 2, "--url"),
        (
            &["export", "--a2a", "--url", "https://a.example"],
            2,
            "--agent-version",
        ),
        (
            &["export", "--a2a", "--agent-version", "1", "--url", "a.example"],
            2,
            "https://HOST",
        ),
        (
            &["export", "--a2a", "--agent-version", "1", "--url", "file:///a"],
            2,
            "https://HOST",
        ),
        (
            &[
                "export",
                "--a2a",
                "--agent-version",
                "1",
                "--url",
                "https://u:p@a.example",
            ],
            2,
            "https://HOST",
        ),
        (
            &[
                "export",
                "--a2a",
                "--agent-version",
                "1",
                "--url",
                "https://a.example/ b",
            ],
            2,
            "https://HOST",
        ),
        (
            &[
                "export",
                "--a2a",
                "--agent-version",
                " ",
                "--url",
                "https://a.example",
            ],
            2,
            "it is empty",
        ),
        (
            &[
                "export",
                "--a2a",
                "--agent-version",
                "1",
                "--url",
                "https://a.example",
                "--provider",
                "Me",
            ],
            2,
            "NAME=URL",
        ),
        (
            &[
                "export",
                "--a2a",
                "--agent-version",
                "1",
                "--url",
                "https://a.example",
                "writerr",
            ],
            1,
            "did you mean `writer` (.claude/agents/writer.md)?",
        ),
        (
            &["export", "--agents-md", "--url", "https://a.example"],
            2,
            "--a2a",
        ),
        (&["export", "--agents-md", "--check"], 2, "--write"),
        (&["export", "--agents-md", "absent"], 1, "absent"),
    ] {
        let run = world.run(arguments);
        assert_eq!((run.code, &*run.out), (Some(code), ""), "{arguments:?}");
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
    }
    let run = World::new().run(&[
        "export",
        "--a2a",
        "--agent-version",
        "1",
        "--url",
        "https://a.example",
    ]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("no agents in the project's folders"),
        "{}",
        run.err
    );
}

#[test]
fn the_list_is_replaced_in_its_file() {
    let world = world().file("AGENTS.md", "# Project\r\n\r\nText\r\n");
    let write = ["export", "--agents-md", "--write", "AGENTS.md"];
    let check = [&write[..], &["--check"]].concat();
    let run = world.run(&check);
    assert_eq!((run.code, &*run.out), (Some(1), ""));
    assert!(
        run.err.contains("the list of agents in AGENTS.md is out of date"),
        "{}",
        run.err
    );
    assert_eq!(world.bytes("AGENTS.md"), b"# Project\r\n\r\nText\r\n");
    let run = world.run(&write);
    assert_eq!((run.code, &*run.out), (Some(0), "wrote AGENTS.md\n"));
    let text = String::from_utf8(world.bytes("AGENTS.md")).expect("it is text");
    let expected = "# Project\n\nText\n\n<!-- callsheet agents -->\n\n## Agents\n\n- **code-reviewer**: Reviews changes.\n\
                    - **writer**: Writes \\*documents\\*\n\n<!-- callsheet agents end -->\n";
    assert_eq!(text, expected.replace('\n', "\r\n"));
    for arguments in [&write[..], &check] {
        let run = world.run(arguments);
        assert_eq!((run.code, &*run.out), (Some(0), "AGENTS.md is up to date\n"));
    }
    std::fs::remove_file(world.at(".claude/agents/writer.md")).expect("it is there");
    assert_eq!(world.run(&check).code, Some(1));
    assert_eq!(world.run(&write).code, Some(0));
    assert!(!String::from_utf8_lossy(&world.bytes("AGENTS.md")).contains("writer"));
}

#[test]
fn a_new_file_has_only_the_list() {
    let world = world();
    let printed = world.run(&["export", "--agents-md"]);
    assert_eq!(
        world
            .run(&["export", "--agents-md", "--write", "docs/AGENTS.md"])
            .code,
        Some(0)
    );
    assert_eq!(world.bytes("docs/AGENTS.md"), printed.out.as_bytes());
}

#[test]
fn files_that_cannot_have_a_list_stay() {
    for (contents, message) in [
        (&b"<!-- callsheet agents -->\n"[..], "is missing"),
        (
            b"<!-- callsheet agents end -->\n<!-- callsheet agents -->\n",
            "is before",
        ),
        (b"\xff\n", "is not valid UTF-8"),
    ] {
        let world = world().file("AGENTS.md", contents);
        let run = world.run(&["export", "--agents-md", "--write", "AGENTS.md"]);
        assert_eq!(run.code, Some(2), "{}", run.err);
        assert!(run.err.contains(message), "{}", run.err);
        assert_eq!(world.bytes("AGENTS.md"), contents);
    }
    let run = world().run(&["export", "--agents-md", "--write", ".claude"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
}

#[test]
fn other_folders_make_no_difference_to_the_list() {
    let before = world().run(&["export", "--agents-md"]).out;
    let home = world()
        .file(
            "../home/.claude/agents/writer.md",
            agent("writer", "description: Mine"),
        )
        .file(
            "../home/.claude/agents/other.md",
            agent("other", "description: Other"),
        )
        .file(".claude/agents/broken.md", "---\nname: [\n---\n");
    assert_eq!(home.run(&["export", "--agents-md"]).out, before);
}

#[test]
fn copies_of_an_agent_are_listed_once() {
    let world = world().file(
        ".opencode/agents/writer.md",
        "---\ndescription: Another\n---\n\nWrite.\n",
    );
    let run = world.run(&["export", "--agents-md"]);
    assert_eq!(run.out.matches("**writer**").count(), 1, "{}", run.out);
}
