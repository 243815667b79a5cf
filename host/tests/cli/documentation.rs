//! `docs/json.md` shows what the program prints. `BLESS=1` rewrites the examples.

use std::path::Path;

use super::world::World;

const GREETER: &str = "---\nname: greeter\ndescription: Says hello\nprovider: anthropic\nmodel: claude-haiku-4-5\n\
                       max_tokens: 500\nallowed_tools: [bash]\n---\nSay hello.\n";
const FENCE: &str = "```json\n";

#[test]
fn the_examples_are_what_is_printed() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/json.md");
    let stated = std::fs::read_to_string(&file).expect("the documentation is there");
    let printed = with_examples(&stated);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, printed).expect("the documentation can be written");
    } else {
        assert_eq!(stated, printed, "BLESS=1 rewrites the examples");
    }
}

/// Every example follows its command in a line such as `$ callsheet list`.
fn with_examples(text: &str) -> String {
    let world = World::new().file("agents/greeter.md", GREETER).file(
        "agents/porter.md",
        GREETER
            .replace("greeter", "porter")
            .replace("hello", "bye: to all"),
    );
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(FENCE) {
        let (_, next) = after.split_once("```").expect("a fence is closed");
        let command = before
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("    $ callsheet "));
        let arguments: Vec<&str> = command
            .expect("an example follows its command")
            .split(' ')
            .collect();
        out.push_str(&format!("{before}{FENCE}{}```", world.run(&arguments).out));
        rest = next;
    }
    out + rest
}
