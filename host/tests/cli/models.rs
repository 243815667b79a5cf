//! Models that cannot be asked are found before anything is begun.

use super::world::World;

const AGENT: &str = "---\nname: porter\ndescription: Says bye\ntools: []\n---\nSay bye.\n";

#[test]
fn nothing_starts_without_a_model() {
    let world = World::new()
        .file(".claude/agents/porter.md", AGENT)
        .file("old.jsonl", "old");
    for (model, said) in [
        (None, "no model is set: use `--model provider:name`"),
        (
            Some("anthropic:x"),
            "anthropic:x needs an API key: set the environment variable ANTHROPIC_API_KEY",
        ),
        (
            Some("antropic:x"),
            "unknown provider `antropic`; did you mean `anthropic`?",
        ),
        (Some("haiku"), "model alias `haiku` is not mapped"),
        (Some("who-knows"), "unknown provider of model `who-knows`"),
    ] {
        let mut arguments = vec![
            "run",
            "porter",
            "Go",
            "--record",
            "old.jsonl",
            "--snapshot",
            "kept",
        ];
        arguments.extend(model.iter().flat_map(|model| ["--model", model]));
        let mut command = world.callsheet(&arguments);
        let out = command
            .env_remove("ANTHROPIC_API_KEY")
            .output()
            .expect("the program starts");
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{model:?}: {err}");
        assert!(err.starts_with(&format!("error: {said}")), "{model:?}: {err}");
        assert_eq!(world.bytes("old.jsonl"), b"old", "no recording is lost");
        assert!(!world.at("kept").exists());
    }
}

const READER: &str = "---\nname: reader\ndescription: Reads\ntools: []\nmodel: haiku\n---\nRead.\n";

#[test]
fn an_alias_may_be_given_for_one_run() {
    let world = World::new()
        .file(".claude/agents/reader.md", READER)
        .file("callsheet.toml", "[models]\nhaiku = \"ollama:other\"\n");
    for (models, said) in [
        (&["haiku=anthropic:x"][..], "anthropic:x needs an API key"),
        (
            &["sonnet=openai:y", "haiku=anthropic:x"],
            "anthropic:x needs an API key",
        ),
        (
            &["haiku=anthropic:x", "haiku=openai:y"],
            "openai:y needs an API key",
        ),
        (&["haiku=anthropic:x", "openai:y"], "openai:y needs an API key"),
        (
            &["haiku=x"],
            "invalid value 'haiku=x' for '--model <MODEL>': use PROVIDER:NAME or ALIAS=PROVIDER:NAME",
        ),
        (&["=anthropic:x"], "invalid value '=anthropic:x'"),
        (&["replay:a=b.jsonl"], "a=b.jsonl: cannot be read"),
    ] {
        let mut arguments = vec!["run", "reader", "Go", "--no-save"];
        arguments.extend(models.iter().flat_map(|model| ["--model", model]));
        let mut command = world.callsheet(&arguments);
        for key in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"] {
            command.env_remove(key);
        }
        let out = command.output().expect("the program starts");
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{models:?}: {err}");
        assert!(err.contains(said), "{models:?}: {err}");
    }
}

#[test]
fn an_alias_cannot_be_changed_in_a_saved_session() {
    let recording = concat!(
        "{\"callsheet-recording\":1}\n",
        r#"{"agent":["reader"],"model":"haiku","tools":[],"messages":[{"role":"system","text":"Read."},{"role":"user","text":"Go"}],"answer":{"text":"Done.","input-tokens":1,"output-tokens":1}}"#,
        "\n"
    );
    let world = World::new()
        .file(".claude/agents/reader.md", READER)
        .file("replay.jsonl", recording);
    let run = world.run(&[
        "run",
        "reader",
        "Go",
        "--snapshot",
        "kept",
        "--model",
        "replay:replay.jsonl",
    ]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let before = world.bytes("kept");
    let resumed = world.run(&["run", "--resume", "kept", "--model", "haiku=anthropic:x"]);
    assert_eq!(resumed.code, Some(2), "{}", resumed.err);
    assert!(
        resumed
            .err
            .starts_with("error: the alias `haiku` cannot be changed in a saved session"),
        "{}",
        resumed.err
    );
    assert_eq!(world.bytes("kept"), before);
}

const LEAD: &str =
    "---\nname: lead\ndescription: Leads\ntools: Agent(porter, writer)\nmodel: anthropic:x\n---\nLead.\n";
const PORTER: &str = "---\nname: porter\ndescription: Carries\ntools: Agent(carrier)\n---\nCarry.\n";
const WRITER: &str = "---\nname: writer\ndescription: Writes\ntools: []\nmodel: haiku\n---\nWrite.\n";
const CARRIER: &str = "---\nname: carrier\ndescription: Carries\ntools: []\nmodel: opus\n---\nCarry.\n";
const ALONE: &str = "---\nname: alone\ndescription: Alone\ntools: []\nmodel: sonnet\n---\nStay.\n";

/// The lead calls the porter, whose model is the lead's and who calls the carrier, and the writer. The last agent is called by none.
fn callers() -> World {
    let agents = [
        ("lead", LEAD),
        ("porter", PORTER),
        ("writer", WRITER),
        ("carrier", CARRIER),
        ("alone", ALONE),
    ];
    agents.into_iter().fold(World::new(), |world, (name, text)| {
        world.file(&format!(".claude/agents/{name}.md"), text)
    })
}

fn begun(world: &World, words: &[&str]) -> (Option<i32>, String) {
    let mut command = world.callsheet(&[words, &["--snapshot", "kept"]].concat());
    let out = command
        .env("ANTHROPIC_API_KEY", "none")
        .env("OPENAI_API_KEY", "none")
        .output()
        .expect("the program starts");
    (
        out.status.code(),
        String::from_utf8_lossy(&out.stderr).into_owned(),
    )
}

#[test]
fn models_of_called_agents_are_checked_first() {
    let world = callers();
    let (code, said) = begun(&world, &["run", "lead", "Go"]);
    assert_eq!(code, Some(2), "{said}");
    for part in [
        "error: lead may call writer: model alias `haiku` is not mapped",
        "and carrier: model alias `opus` is not mapped",
        "help: `--model ALIAS=PROVIDER:NAME` maps an alias for one run",
    ] {
        assert!(said.contains(part), "{said}");
    }
    assert!(!said.contains("sonnet") && !said.contains("porter"), "{said}");
    assert!(!world.at("kept").exists());
    // An agent that calls none is not kept from running by others.
    let (_, said) = begun(
        &world,
        &["run", "writer", "Go", "--model", "openai:y", "--time", "0s"],
    );
    assert!(!said.contains("may call"), "{said}");
}

#[test]
fn only_agents_within_the_depth_are_checked() {
    let (code, said) = begun(&callers(), &["run", "lead", "Go", "--depth", "1"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("writer") && !said.contains("carrier"), "{said}");
}

#[test]
fn a_task_checks_every_agent() {
    let words = [
        "task",
        "Go",
        "--model",
        "anthropic:x",
        "--model",
        "haiku=openai:y",
    ];
    let (code, said) = begun(&callers(), &words);
    assert_eq!(code, Some(2), "{said}");
    let first = "coordinator may call carrier: model alias `opus` is not mapped";
    let second = "and alone: model alias `sonnet` is not mapped";
    assert!(said.contains(first) && said.contains(second), "{said}");
    assert!(!said.contains("`haiku`"), "{said}");
}

/// Where each agent is a tool of its own, too.
#[test]
fn agents_that_are_tools_are_checked_first() {
    let agent = |name: &str, model: &str, tools: &str| {
        format!(
            "---\nname: {name}\ndescription: D\nprovider: anthropic\nmodel: {model}\nmax_tokens: 500\nallowed_tools: [{tools}]\n---\nX.\n"
        )
    };
    let world = World::new()
        .file("agents/lead.md", agent("lead", "x", "helper, bash"))
        .file("agents/helper.md", agent("helper", "y", "bash"))
        .file("agents/other.md", agent("other", "z", "bash"))
        .file(
            "callsheet.toml",
            "[prices.\"anthropic:x\"]\ninput = 1\noutput = 1\n",
        );
    let (code, said) = begun(&world, &["run", "lead", "Go", "--as", "kodelet", "--cost", "1"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("lead may call helper: the price of anthropic:y is unknown"),
        "{said}"
    );
    assert!(!said.contains("anthropic:z"), "{said}");
}

/// Agents of the product are not the user's choice.
#[test]
fn built_in_agents_do_not_prevent_a_run() {
    let agent = "---\nname: lead\ndescription: Leads\ntools: Agent\nmodel: anthropic:x\n---\nLead.\n";
    let world = World::new().file(".claude/agents/lead.md", agent);
    let (code, said) = begun(&world, &["run", "lead", "Go", "--total-turns", "0"]);
    assert_eq!(code, Some(4), "{said}");
    assert!(
        said.contains("note: calls of Explore will fail: model alias `haiku`"),
        "{said}"
    );
}

#[test]
fn a_cost_limit_needs_the_prices_of_called_agents() {
    let prices = "[models]\nopus = \"openai:z\"\nhaiku = \"openai:y\"\n[prices.\"anthropic:x\"]\ninput = 1\noutput = 1\n\
                  [prices.\"openai:y\"]\ninput = 1\noutput = 1\n";
    let world = callers().file("callsheet.toml", prices);
    let (code, said) = begun(&world, &["run", "lead", "Go", "--cost", "1"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("lead may call carrier: the price of openai:z is unknown"),
        "{said}"
    );
    assert!(!said.contains("openai:y"), "{said}");
}

/// Each agent may call each: that is no reason to ask without end.
#[test]
fn many_agents_that_call_each_other_are_checked_once() {
    let agent = |number: u32| {
        format!(
            "---\nname: a{number}\ndescription: A\ntools: Agent\nmodel: m{}\n---\nCall.\n",
            number % 3
        )
    };
    let world = (0..120).fold(World::new(), |world, number| {
        world.file(&format!(".claude/agents/a{number}.md"), agent(number))
    });
    let words = [
        "run",
        "a0",
        "Go",
        "--model",
        "m0=anthropic:x",
        "--model",
        "m1=anthropic:x",
    ];
    let (code, said) = begun(&world, &words);
    assert_eq!(code, Some(2), "{said}");
    let expected = "a0 may call a101, a104, a107, a11, a110 and 35 others: unknown provider of model `m2`";
    assert!(said.contains(expected), "{said}");
}
