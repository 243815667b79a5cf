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
