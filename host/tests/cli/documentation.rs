//! The documentation shows what the program prints. `BLESS=1` rewrites the examples.

use std::path::Path;

use super::world::World;

const GREETER: &str = "---\nname: greeter\ndescription: Says hello\nprovider: anthropic\nmodel: claude-haiku-4-5\n\
                       max_tokens: 500\nallowed_tools: [bash]\n---\nSay hello.\n";

#[test]
fn the_documented_json_is_printed() {
    let porter = GREETER
        .replace("greeter", "porter")
        .replace("hello", "bye: to all");
    let world = World::new()
        .file("agents/greeter.md", GREETER)
        .file("agents/porter.md", porter);
    compare("json.md", &world);
}

#[test]
fn the_documented_text_is_printed() {
    compare("command-line.md", &World::copied_example());
}

#[test]
fn the_consoles_show_what_happens() {
    for document in ["README.md", "docs/start.md", "docs/testing.md"] {
        let world = World::copied_example();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(document);
        let text = std::fs::read_to_string(&file).expect("the documentation is there");
        let consoles = text.split("\n```console").skip(1);
        let consoles = consoles.map(|rest| rest.split_once("\n```").map_or(rest, |(console, _)| console));
        let mut commands = 0;
        for shown in consoles.flat_map(|console| console.split("\n$ callsheet ").skip(1)) {
            let (arguments, output) = shown.split_once('\n').expect("output follows the command");
            let arguments: Vec<&str> = arguments.split(' ').collect();
            let run = world.run(&arguments);
            let printed = format!("{}{}", run.out, run.err);
            assert_eq!(printed.trim_end(), output.trim_end(), "{document}: {arguments:?}");
            commands += 1;
        }
        assert!(commands > 0, "{document} has consoles");
    }
}

fn compare(document: &str, world: &World) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(document);
    let stated = std::fs::read_to_string(&file).expect("the documentation is there");
    let printed = with_examples(&stated, world);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, printed).expect("the documentation can be written");
    } else {
        assert_eq!(stated, printed, "BLESS=1 rewrites the examples");
    }
}

/// Every fenced block is what the command above it prints, such as `    $ callsheet list`.
fn with_examples(text: &str, world: &World) -> String {
    let mut out = String::new();
    let mut parts = text.split_inclusive("\n```");
    while let (Some(before), Some(example)) = (parts.next(), parts.next()) {
        let command = before
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("    $ callsheet "));
        let arguments: Vec<&str> = command
            .expect("an example follows its command")
            .split(' ')
            .collect();
        let language = example.lines().next().expect("a fence names its language");
        out.push_str(&format!("{before}{language}\n{}```", world.run(&arguments).out));
    }
    let rest = text.rfind("\n```").map_or(0, |at| at + 4);
    out + &text[rest..]
}
