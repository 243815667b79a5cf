//! The formats of other programs.

pub(crate) mod a2a;
mod cyclonedx;
pub(crate) mod schema;

use serde_json::{Value, json};

use super::world::World;

const PORTER: &str = "---\nname: porter\ndescription: Says bye: to all\n---\nSay bye.\n";

fn porter() -> World {
    World::new()
        .file(".claude/agents/a porter.md", PORTER)
        .file("callsheet.toml", "rules.name-mismatch = \"off\"\n")
}

fn print(world: &World, format: &str) -> String {
    let run = world.run(&["check", "--as", "kode", "--format", format]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    run.out
}

fn document(world: &World, format: &str) -> Value {
    serde_json::from_str(&print(world, format)).expect("it is JSON")
}

#[test]
fn sarif_has_locations_and_fixes() {
    let log = document(&porter(), "sarif");
    let run = &log["runs"][0];
    let rule = &run["tool"]["driver"]["rules"][0];
    assert_eq!(
        (&rule["id"], &rule["defaultConfiguration"]),
        (&json!("unquoted-value"), &json!({"level": "error"}))
    );
    assert_eq!(
        rule["shortDescription"],
        json!({"text": "A value that must be quoted."})
    );
    assert_eq!(rule["help"]["text"], rule["help"]["markdown"]);
    let finding = &run["results"][0];
    assert_eq!(
        (&finding["ruleId"], &finding["ruleIndex"]),
        (&json!("unquoted-value"), &json!(0))
    );
    let region = json!({
        "startLine": 3, "startColumn": 22, "endLine": 3, "endColumn": 23, "byteOffset": 38, "byteLength": 1
    });
    let value = json!({
        "startLine": 3, "startColumn": 14, "endLine": 3, "endColumn": 30, "byteOffset": 30, "byteLength": 16
    });
    let file = json!({"uri": ".claude/agents/a%20porter.md"});
    assert_eq!(
        finding["locations"][0]["physicalLocation"],
        json!({"artifactLocation": file, "region": region})
    );
    let change = json!({
        "artifactLocation": file,
        "replacements": [{"deletedRegion": value, "insertedContent": {"text": "'Says bye: to all'"}}],
    });
    assert_eq!(finding["fixes"][0]["artifactChanges"], json!([change]));
    assert_eq!(finding["fixes"][0]["properties"], json!({"safe": true}));
}

#[test]
fn sarif_follows_its_schema() {
    schema::check(&document(&porter(), "sarif"));
    schema::check(&document(&World::example(), "sarif"));
    let many = porter()
        .file(".kode/agents/broken.md", b"\xef\xbb\xbf---\nname: [\n--- x\n\xff")
        .file(
            ".kode/agents/one.md",
            "---\nname: one\ndescription: d\ntools: 7\n---\n",
        )
        .file(".claude/agents/one.md", "---\nname: one\ndescription: d\n---\n");
    let log = document(&many, "sarif");
    assert!(
        log["runs"][0]["results"]
            .as_array()
            .is_some_and(|all| all.len() > 3)
    );
    schema::check(&log);
}

#[test]
fn fingerprints_survive_moved_lines() {
    let fingerprint = |contents: String| {
        let world = porter().file(".claude/agents/a porter.md", contents);
        let log = document(&world, "sarif");
        log["runs"][0]["results"][0]["partialFingerprints"].clone()
    };
    let here = fingerprint(PORTER.to_owned());
    assert_eq!(here, fingerprint(PORTER.replace("name", "color: red\nname")));
    assert_ne!(here, fingerprint(PORTER.replace("bye:", "hello:")));
}

#[test]
fn github_prints_one_command_per_finding() {
    let expected = "::error file=.claude/agents/a porter.md,line=3,col=22,endLine=3,endColumn=23,\
                    title=unquoted-value::unquoted `description` contains `: `, which starts a mapping in YAML\n";
    assert_eq!(print(&porter(), "github"), expected);
}

#[test]
fn gitlab_prints_a_list() {
    let report = document(&porter(), "gitlab");
    let fingerprint = report[0]["fingerprint"].as_str().expect("it is a text");
    assert_eq!(fingerprint.len(), 32);
    let expected = json!([{
        "description": "unquoted `description` contains `: `, which starts a mapping in YAML",
        "check_name": "unquoted-value",
        "fingerprint": fingerprint,
        "severity": "major",
        "location": {"path": ".claude/agents/a porter.md", "lines": {"begin": 3, "end": 3}},
    }]);
    assert_eq!(report, expected);
}

#[test]
fn reports_without_findings_are_valid() {
    let world = World::new().file(
        ".claude/agents/one.md",
        "---\nname: one\ndescription: d\n---\nDo it.\n",
    );
    let print = |format| world.run(&["check", "--format", format]).out;
    assert_eq!((print("gitlab").as_str(), print("github").as_str()), ("[]\n", ""));
    schema::check(&serde_json::from_str(&print("sarif")).expect("it is JSON"));
}

#[test]
fn report_formats_are_only_for_check() {
    for format in ["sarif", "github", "gitlab"] {
        let run = porter().run(&["list", "--format", format]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        assert!(
            run.err.contains("`--format text`, `concise` or `json`"),
            "{}",
            run.err
        );
    }
}

#[test]
fn a_diagram_that_mermaid_does_not_draw_is_noted() {
    for (more, is_noted) in [("[]", false), ("[one]", true)] {
        let names: Vec<String> = (0..500).map(|number| format!("helper-{number}")).collect();
        let agent = |name: &str, skills: &str| {
            format!("---\nname: {name}\ndescription: Leads. Use it.\nskills: {skills}\n---\nLead.\n")
        };
        let world = World::new()
            .file(
                ".claude/agents/lead.md",
                agent("lead", &format!("[{}]", names.join(", "))),
            )
            .file(".claude/agents/more.md", agent("more", more));
        let run = world.run(&["graph", "--format", "mermaid"]);
        assert_eq!(run.code, Some(0));
        let note = "Mermaid draws at most 500 references";
        assert_eq!(run.err.contains(note), is_noted, "{}", run.err);
        assert_eq!(world.run(&["graph", "--format", "dot"]).err, "");
    }
}
