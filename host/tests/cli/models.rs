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
