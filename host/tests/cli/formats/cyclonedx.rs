//! The inventory as a CycloneDX document.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::schema::complaints;
use crate::world::World;

/// As OWASP published it under the Apache License 2.0; the names of the schemas that it refers to are those of a package.
const SCHEMA: &str = include_str!("bom-1.6.schema.json");

fn document(world: &World) -> Value {
    taken(world, &[])
}

fn taken(world: &World, options: &[&str]) -> Value {
    let run = world.run(&[&["inventory", "--format", "cyclonedx"], options].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    serde_json::from_str(&run.out).expect("it is JSON")
}

/// Everything that an inventory may have, with names that are hard to write.
fn full() -> World {
    filled(World::new(), "")
}

fn filled(world: World, folder: &str) -> World {
    let at = |path: &str| format!("{folder}{path}");
    let lead = "---\nname: lead\ndescription: Shares work out.\ntools: Read, Agent(worker), Odd\nmodel: opus\n---\nShare.\n";
    let worker = "---\nname: worker\ndescription: Works.\ntools: Bash(git *), Agent\nhooks:\n  PreToolUse:\n    - hooks:\n        \
                  - {type: command, command: \"./a 'b' \\\"c\\\"\"}\n---\nWork.\n";
    let servers = r#"{"mcpServers": {
        "a b": {"command": "run", "args": ["${A}"]},
        "far": {"type": "http", "url": "https://me:secret1@host.example.io/mcp?key=1"},
        "odd": {"type": "http", "url": "https://${HOST}/m c p"},
        "none": {}
    }}"#;
    world
        .file(&at(".claude/agents/lead.md"), lead)
        .file(&at(".claude/agents/lead \u{e4}.md"), lead)
        .file(&at(".claude/agents/worker.md"), worker)
        .file(&at(".claude/agents/broken.md"), "---\nname: [\n---\n")
        .file(
            &at(".claude/skills/s/SKILL.md"),
            "---\nname: s\ndescription: d\n---\nSee [it](a.md).\n",
        )
        .file(&at(".claude/skills/s/a.md"), "A\n")
        .file(&at(".mcp.json"), servers)
}

#[test]
fn cyclonedx_follows_its_schema() {
    for world in [World::new(), World::example(), full()] {
        let wrong = complaints(SCHEMA, &document(&world));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn the_schema_finds_errors() {
    let document = document(&full());
    for (at, value) in [
        ("/specVersion", json!(1.6)),
        ("/components/0/type", json!("agent")),
        ("/components/0/hashes/0/alg", json!("SHA256")),
        ("/components/0/properties/0", json!({ "name": "a", "value": 1 })),
        ("/components/0/bom-ref", json!("")),
        ("/services/0/name", json!(1)),
        ("/dependencies/0/dependsOn", json!(["a", "a"])),
    ] {
        let mut wrong = document.clone();
        *wrong.pointer_mut(at).expect("the document has it") = value;
        assert!(!complaints(SCHEMA, &wrong).is_empty(), "{at}");
    }
}

#[test]
fn references_lead_to_one_thing_each() {
    leads_to_one_thing_each(&document(&full()));
}

#[test]
fn repositories_have_one_document() {
    let world = ["all/one/", "all/two/"].into_iter().fold(World::new(), filled);
    let world = world.file("all/one/.git/HEAD", "").file("all/two/.git/HEAD", "");
    let document = taken(&world, &["--repos", "all"]);
    let wrong = complaints(SCHEMA, &document);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    leads_to_one_thing_each(&document);
    let components = document["components"].as_array().cloned().unwrap_or_default();
    let count = |name: &str| components.iter().filter(|it| it["name"] == name).count();
    assert_eq!((count("worker"), count("all/one"), count("opus")), (2, 1, 1));
    assert_eq!(document["metadata"]["component"]["name"], "all");
    let whole = &document["dependencies"][0];
    let repositories = json!(["repository/all/one", "repository/all/two"]);
    assert_eq!(
        (&whole["ref"], &whole["dependsOn"]),
        (&json!("project"), &repositories)
    );
}

#[track_caller]
fn leads_to_one_thing_each(document: &Value) {
    let list = |key: &str| document[key].as_array().cloned().unwrap_or_default();
    let named = [list("components"), list("services")].concat();
    let mut references: Vec<&str> = named.iter().filter_map(|it| it["bom-ref"].as_str()).collect();
    references.push("project");
    let known: BTreeSet<&str> = references.iter().copied().collect();
    assert_eq!(known.len(), references.len());
    for dependency in list("dependencies") {
        let on = dependency["dependsOn"].as_array().cloned().unwrap_or_default();
        for reference in on.iter().chain([&dependency["ref"]]) {
            assert!(
                reference.as_str().is_some_and(|it| known.contains(it)),
                "{reference}"
            );
        }
    }
}

#[test]
fn the_same_project_has_the_same_document_and_no_secrets() {
    let world = full();
    let (first, second) = (document(&world), document(&world));
    assert_eq!(first, second);
    let text = first.to_string();
    assert!(text.contains("https://***@host.example.io/mcp?***"), "{text}");
    assert!(!text.contains("secret1"), "{text}");
    // Addresses with variables are no addresses for the format.
    let services = first["services"].as_array().cloned().unwrap_or_default();
    let odd = services.iter().find(|service| service["name"] == "odd");
    assert_eq!(odd.map(|odd| &odd["endpoints"]), Some(&Value::Null));
}

#[test]
fn the_inventory_is_written_to_a_file() {
    let world = full();
    let run = world.run(&["inventory", "--format", "cyclonedx", "--output-file", "bom.json"]);
    assert_eq!((run.code, &*run.out, &*run.err), (Some(0), "", ""));
    let written: Value = serde_json::from_slice(&world.bytes("bom.json")).expect("it is JSON");
    assert_eq!(written, document(&world));
}
