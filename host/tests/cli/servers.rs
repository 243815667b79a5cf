//! MCP servers: which are started, and which agents get their tools.

use serde_json::{Value, json};

use super::world::{Run, World};

/// A server that leaves a trace when started, and names its owner when it rings.
const BELL: &str = concat!("touch started\n", include_str!("../stub.sh"));

const RING: &str = "mcp__bell__ring";

fn json_file(whose: &str) -> String {
    let bell = json!({"command": "sh", "args": ["bell.sh"], "env": {"WHOSE": whose}});
    json!({"mcpServers": {"bell": bell}}).to_string()
}

fn toml_file(whose: &str) -> String {
    format!("[mcp.servers.bell]\ncommand = \"sh\"\nargs = [\"bell.sh\"]\nenv.WHOSE = \"{whose}\"\n")
}

fn agent(name: &str, keys: &str) -> String {
    format!("---\nname: {name}\ndescription: Is {name}\n{keys}---\nYou are {name}.\n")
}

const OWN: &str =
    "mcpServers:\n  - bell:\n      command: sh\n      args: [bell.sh]\n      env:\n        WHOSE: its own\n";

/// A project with an agent that has a bell, as far as there is one.
fn world() -> World {
    World::new().file("bell.sh", BELL).file(
        ".claude/agents/porter.md",
        agent("porter", "tools: mcp__bell__ring\n"),
    )
}

fn line(agent: &[&str], tools: &[&str], said: &[Value], answer: &Value) -> String {
    let system = json!({"role": "system", "text": format!("You are {}.", agent.last().expect("an agent"))});
    let messages = [&[system][..], said].concat();
    json!({"agent": agent, "model": "any", "tools": tools, "messages": messages, "answer": answer})
        .to_string()
}

fn says(text: &str) -> Value {
    json!({"text": text, "input-tokens": 1, "output-tokens": 1})
}

fn calls(name: &str, arguments: &Value) -> Value {
    let call = json!({"id": "1", "name": name, "arguments": arguments.to_string()});
    json!({"calls": [call], "input-tokens": 1, "output-tokens": 1})
}

/// The model's answer to a tool result.
fn after(task: &str, called: &Value, result: &str) -> [Value; 3] {
    [
        json!({"role": "user", "text": task}),
        json!({"role": "assistant", "calls": called["calls"]}),
        json!({"role": "tool", "text": result, "answers": "1"}),
    ]
}

/// An agent rings, and hears the owner of the bell.
fn ringing(agent: &[&str], tools: &[&str], whose: &str) -> Vec<String> {
    let rings = calls(RING, &json!({}));
    let heard = format!("ding {whose}");
    let task = json!({"role": "user", "text": "Ring"});
    vec![
        line(agent, tools, &[task], &rings),
        line(agent, tools, &after("Ring", &rings, &heard), &says("It rang.")),
    ]
}

fn run(world: &World, name: &str, lines: &[String]) -> Run {
    run_with(world, name, lines, &[])
}

fn run_with(world: &World, name: &str, lines: &[String], flags: &[&str]) -> Run {
    let recording = format!("{{\"callsheet-recording\":1}}\n{}\n", lines.join("\n"));
    std::fs::write(world.at("replay.jsonl"), recording).expect("a file");
    let words = [
        "run",
        name,
        "Ring",
        "--as",
        "claude-code",
        "--model",
        "replay:replay.jsonl",
        "--allow",
        RING,
    ];
    world.run(&[&words, flags].concat())
}

/// It rings, and it is this one's bell that does.
fn rings(world: &World, whose: &str) -> Run {
    let run = run(world, "porter", &ringing(&["porter"], &[RING], whose));
    assert_eq!((run.code, &*run.out), (Some(0), "It rang.\n"), "{}", run.err);
    run
}

fn trust(world: &World, file: &str) {
    let run = world.run(&["trust", file, "--yes"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
}

/// What a file asks for and does not get is listed with its tools.
#[test]
fn tools_lists_ignored_parts_of_a_file() {
    let keys = "tools: Read\nisolation: remote\nbackground: true\nmemory: user\nskills: [knots]\n\
        hooks:\n  Stop:\n    - hooks: [{type: command, command: x}]\n";
    let world = World::new().file(".claude/agents/porter.md", agent("porter", keys));
    let run = world.run(&["tools", "porter"]);
    let ignored = [
        "Ignored: the hook on `Stop`, as hooks never run",
        "Ignored: the skill `knots`, as it was not found",
        "Ignored: `porter` requires isolation `remote`, which runs do not support",
    ];
    for line in ignored {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
    let json = world.run(&["tools", "porter", "--format", "json"]);
    let json: Value = serde_json::from_str(&json.out).expect("it is JSON");
    assert_eq!(
        json["ignored"].as_array().map(Vec::len),
        Some(ignored.len()),
        "{json}"
    );
}

#[test]
fn untrusted_servers_are_not_started() {
    for (file, text) in [
        (".mcp.json", json_file("x")),
        ("callsheet.toml", toml_file("x")),
        (".claude/agents/porter.md", agent("porter", OWN)),
    ] {
        let world = world().file(file, &text);
        let named = match file {
            ".claude/agents/porter.md" => "porter",
            _ => file,
        };
        let said = format!("{file} are ignored; `callsheet trust {named}` enables them");
        // A trusted file is no longer trusted after a change.
        for again in [false, true] {
            if again {
                trust(&world, file);
                let changed = text.replace("bell.sh", "./bell.sh");
                std::fs::write(world.at(file), changed).expect("a file");
            }
            let run = run(&world, "porter", &ringing(&["porter"], &[RING], "x"));
            assert_eq!(run.code, Some(5), "{file}: {}", run.err);
            assert!(run.err.contains(&said), "{file}: {}", run.err);
            assert!(!world.at("started").exists(), "{file}");
        }
    }
}

#[test]
fn project_servers_are_started() {
    let world = world().file(".mcp.json", json_file("the project's"));
    trust(&world, ".mcp.json");
    rings(&world, "the project's");
}

#[test]
fn configured_servers_win_over_project_servers() {
    let world = world()
        .file("callsheet.toml", toml_file("the user's"))
        .file(".mcp.json", json_file("the project's"));
    trust(&world, "callsheet.toml");
    rings(&world, "the user's");
    trust(&world, ".mcp.json");
    let run = rings(&world, "the user's");
    let said = ".mcp.json: the server `bell` is not started: callsheet.toml has another one of this name";
    assert!(run.err.contains(said), "{}", run.err);
    // Without the configuration there is only the other.
    let tools = world.run(&["tools", "porter", "--no-config", "--format", "concise"]);
    assert!(tools.out.contains(&format!("{RING}: granted")), "{}", tools.out);
}

/// An agent with these keys, which calls one that brings a bell along.
fn led(keys: &str) -> World {
    let world = world()
        .file(".claude/agents/lead.md", agent("lead", keys))
        .file(".claude/agents/porter.md", agent("porter", OWN));
    trust(&world, "porter");
    world
}

/// The caller's tool lists do not affect them: the caller has no access to these servers.
#[test]
fn an_agent_has_its_own_servers() {
    for keys in [
        "tools: Agent, mcp__bell__ring\n",
        "tools: Agent\n",
        "disallowedTools: mcp__bell, Bash, Glob, Grep, Read, Write, Edit, NotebookEdit, WebFetch, TodoWrite, TaskOutput, TaskStop, SendMessage\n",
    ] {
        delegated(&led(keys));
    }
}

fn delegated(world: &World) {
    let task = json!({"description": "Ring it", "prompt": "Ring", "subagent_type": "porter"});
    let delegates = calls("Agent", &task);
    let user = json!({"role": "user", "text": "Ring"});
    let tools = ["Agent", "mcp__bell__a_b", "mcp__bell__die", RING];
    let mut lines = ringing(&["lead", "porter"], &tools, "its own");
    lines.push(line(&["lead"], &["Agent"], &[user], &delegates));
    let answered = after("Ring", &delegates, "It rang.");
    lines.push(line(&["lead"], &["Agent"], &answered, &says("Porter did it.")));
    let run = run(world, "lead", &lines);
    assert_eq!(
        (run.code, &*run.out),
        (Some(0), "Porter did it.\n"),
        "{}",
        run.err
    );
    assert!(!run.err.contains("ignored"), "{}", run.err);
    for (name, has) in [("lead", false), ("porter", true)] {
        let tools = world.run(&["tools", name, "--format", "concise"]);
        assert_eq!(tools.out.contains(RING), has, "{name}: {}", tools.out);
    }
}

/// A rule for a server's read-only tools permits those and no others.
#[test]
fn read_only_tools_may_be_allowed_together() {
    let lead = agent("lead", "tools: mcp__bell\n");
    let world = world()
        .file(".mcp.json", json_file("the file's"))
        .file(".claude/agents/lead.md", lead);
    trust(&world, ".mcp.json");
    let both = json!({"text": "", "calls": [
        {"id": "1", "name": RING, "arguments": "{}"}, {"id": "2", "name": "mcp__bell__a_b", "arguments": "{}"},
    ], "input-tokens": 1, "output-tokens": 1});
    let tools = ["mcp__bell__a_b", "mcp__bell__die", RING];
    let user = json!({"role": "user", "text": "Ring"});
    let recording = line(&["lead"], &tools, &[user], &both);
    std::fs::write(
        world.at("replay.jsonl"),
        format!("{{\"callsheet-recording\":1}}\n{recording}\n"),
    )
    .expect("a file");
    let run = |allow: &str| {
        world
            .run(&[
                "run",
                "lead",
                "Ring",
                "--model",
                "replay:replay.jsonl",
                "--allow",
                allow,
            ])
            .err
    };
    for (allow, is_rung) in [
        ("mcp__bell(read-only)", true),
        ("mcp__other(read-only)", false),
        ("mcp__bell(readonly)", false),
    ] {
        let said = run(allow);
        assert_eq!(
            !said.contains(&format!("lead: {RING} is denied")),
            is_rung,
            "{allow}: {said}"
        );
        assert!(said.contains("lead: mcp__bell__a_b is denied"), "{allow}: {said}");
    }
}

/// With permissions limited to the caller's, an agent cannot use its own servers.
#[test]
fn attenuation_removes_an_agents_own_servers() {
    let task = json!({"description": "Ring it", "prompt": "Ring", "subagent_type": "porter"});
    let delegates = calls("Agent", &task);
    let user = json!({"role": "user", "text": "Ring"});
    let lines = [
        line(&["lead"], &["Agent"], std::slice::from_ref(&user), &delegates),
        line(&["lead", "porter"], &["Agent"], &[user], &calls(RING, &json!({}))),
    ];
    let run = run_with(&led("tools: Agent\n"), "lead", &lines, &["--attenuate"]);
    let said = format!("lead/porter: {RING} is denied: `{RING}` is not one of this agent's tools");
    assert!(run.err.contains(&said), "{}", run.err);
}

#[test]
fn calls_to_another_agents_server_are_refused() {
    let lead = agent("lead", "tools: mcp__bell\n");
    let world = world()
        .file(".claude/agents/lead.md", lead)
        .file(".claude/agents/porter.md", agent("porter", OWN));
    trust(&world, "porter");
    let rings = calls(RING, &json!({}));
    let user = json!({"role": "user", "text": "Ring"});
    let run = run(&world, "lead", &[line(&["lead"], &[], &[user], &rings)]);
    assert!(
        run.err
            .contains(&format!("lead: {RING} is denied: unknown tool `{RING}`")),
        "{}",
        run.err
    );
}

#[test]
fn trust_shows_what_would_run() {
    let world = world().file(".claude/agents/porter.md", agent("porter", OWN));
    let run = world.run(&["trust", "porter", "--yes"]);
    assert!(
        run.out.contains("bell: run `sh bell.sh` with WHOSE"),
        "{}",
        run.out
    );
}

#[test]
fn mistakes_in_the_configuration_are_reported() {
    for (text, said) in [
        (
            "[mcp.server.bell]\n",
            "unknown key `server`; did you mean `servers`?",
        ),
        (
            "[mcp.servers.bell]\ncomand = \"x\"\n",
            "unknown key `comand`; did you mean `command`?",
        ),
        (
            "[mcp.servers.bell]\n",
            "callsheet.toml:1:14: the server `bell` cannot be reached: it has neither a `command` nor a `url`",
        ),
        (
            "[mcp.servers.bell]\ncommand = \"x\"\nurl = \"https://x\"\n",
            "it must have either a `command` or a `url`",
        ),
        (
            "[mcp.servers.bell]\ntype = \"pigeon\"\nurl = \"x\"\n",
            "unknown type `pigeon`",
        ),
        ("[mcp.servers.bell]\ncommand = 7\n", "callsheet.toml:2:11: "),
    ] {
        let run = world().file("callsheet.toml", text).run(&["list"]);
        assert_eq!(run.code, Some(2), "{text}: {}", run.err);
        assert!(run.err.contains(said), "{text}: {}", run.err);
    }
}

#[test]
fn kodelet_agents_are_listed_as_tools() {
    let agent = |name: &str, tools: &str| {
        format!(
            "---\nname: {name}\ndescription: Is {name}\nprovider: anthropic\nmodel: x\nmax_tokens: 9\n{tools}---\nBe it.\n"
        )
    };
    let world = World::new()
        .file(
            "agents/porter.md",
            agent("porter", "allowed_tools: [file_read, bellboy]\n"),
        )
        .file("agents/bellboy.md", agent("bellboy", "allowed_tools: []\n"))
        .file("agents/cook.md", agent("cook", "allowed_tools: []\n"));
    let tools = world.run(&["tools", "porter", "--as", "kodelet", "--format", "concise"]);
    for line in ["bellboy: granted: ", "cook: denied: ", "file_read: granted: "] {
        assert!(tools.out.contains(line), "{line}: {}{}", tools.out, tools.err);
    }
    assert!(
        !tools.out.contains("subagent") && !tools.out.contains("coordinator"),
        "{}",
        tools.out
    );
    let task = world.run(&["task", "Ring", "--as", "kodelet"]);
    assert_eq!(task.code, Some(2));
    assert!(
        task.err.contains("no model is set for the coordinator"),
        "{}",
        task.err
    );
}

/// A project whose agent searches the web with the bell.
fn searching(tool: &str) -> World {
    let takes_a_query = BELL.replace(
        r#""name":"ring","inputSchema":{"type":"object""#,
        r#""name":"ring","inputSchema":{"type":"object","properties":{"query":{"type":"string"}}"#,
    );
    let config = format!("{}[run]\nweb_search = \"{tool}\"\n", toml_file("found"));
    let world = World::new()
        .file("bell.sh", takes_a_query)
        .file("callsheet.toml", config)
        .file(".claude/agents/porter.md", agent("porter", "tools: WebSearch\n"));
    trust(&world, "callsheet.toml");
    world
}

#[test]
fn a_server_searches_the_web() {
    let world = searching(RING);
    let search = calls("WebSearch", &json!({"query": "bells"}));
    let recorded = |result: &str| {
        let task = json!({"role": "user", "text": "Ring"});
        let last = after("Ring", &search, result);
        [
            line(&["porter"], &["WebSearch"], &[task], &search),
            line(&["porter"], &["WebSearch"], &last, &says("There are bells.")),
        ]
    };
    let found = run_with(
        &world,
        "porter",
        &recorded("ding found"),
        &["--allow", "WebSearch"],
    );
    assert_eq!(
        (found.code, &*found.out),
        (Some(0), "There are bells.\n"),
        "{}",
        found.err
    );
    // The permission for the server's tool is not one to search.
    let denied = run(&world, "porter", &recorded("ding found"));
    assert!(denied.err.contains("WebSearch"), "{}", denied.err);
    assert_ne!(denied.code, Some(0), "{}", denied.err);
}

#[test]
fn a_search_that_no_server_does_stops_the_run() {
    for tool in ["mcp__bell__other", "mcp__bell__die", "bell"] {
        let run = run(&searching(tool), "porter", &[]);
        assert_eq!(run.code, Some(2), "{}", run.err);
        assert!(run.err.contains("agents cannot search the web: "), "{}", run.err);
    }
    let world = World::new()
        .file("callsheet.toml", "[run]\nweb_search = \"mcp__bell__ring\"\n")
        .file(".claude/agents/porter.md", agent("porter", "tools: WebSearch\n"));
    trust(&world, "callsheet.toml");
    let run = run(&world, "porter", &[]);
    assert!(
        run.err.contains("no server has the tool `mcp__bell__ring`"),
        "{}",
        run.err
    );
}
