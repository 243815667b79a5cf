//! `build`: what it writes, what it leaves alone, and what it says.

use std::fs;

use super::watch::Watching;
use super::world::{Run, World};

const OUTPUT: &str = ".claude/agents/review.md";
const BASE: &str = "---\nname: base\ndescription: Reviews.\ntools: Read, Grep\n---\n\nYou review.\n";
const REVIEW: &str = "---\nname: review\ncallsheet: { extends: _base.md }\n---\n\nBe brief.\n";
const CONFIG: &str = "[build]\nfrom = \"agents\"\nto = [\"claude-code\", \"opencode\"]\n";

fn world() -> World {
    World::new()
        .file("callsheet.toml", CONFIG)
        .file("agents/_base.md", BASE)
        .file("agents/review.md", REVIEW)
}

fn text(world: &World, path: &str) -> String {
    String::from_utf8_lossy(&world.bytes(path)).into_owned()
}

#[track_caller]
fn says(run: &Run, code: i32, out: &str, err: &str) {
    assert_eq!((run.code, &*run.out, &*run.err), (Some(code), out, err));
}

#[test]
fn what_is_out_of_date_is_written_once() {
    let world = world();
    let run = world.run(&["build", "--check"]);
    let missing = ".claude/agents/review.md is missing\n.opencode/agents/review.md is missing\n0 unchanged, 2 to write\n";
    says(&run, 1, missing, "");
    let run = world.run(&["build"]);
    let wrote = "wrote .claude/agents/review.md\nwrote .opencode/agents/review.md\n2 written, 0 unchanged\n";
    says(&run, 0, wrote, "");
    let written = text(&world, OUTPUT);
    assert!(written.ends_with(
        "]\nname: review\ndescription: Reviews.\ntools: Read, Grep\n---\n\nYou review.\n\nBe brief.\n"
    ));
    says(&world.run(&["build"]), 0, "2 unchanged\n", "");
    says(&world.run(&["build", "--check"]), 0, "2 unchanged\n", "");
    assert_eq!(text(&world, OUTPUT), written);
    let check = world.run(&["check", "--no-home"]);
    assert_eq!(check.code, Some(0), "{}{}", check.out, check.err);
}

#[test]
fn other_line_ends_are_no_difference() {
    let world = world();
    world.run(&["build"]);
    let windows = text(&world, OUTPUT).replace('\n', "\r\n");
    let world = world.file(OUTPUT, windows);
    says(&world.run(&["build", "--check"]), 0, "2 unchanged\n", "");
}

#[test]
fn a_folder_without_sources_is_no_success() {
    let help = "help: `from` of `[build]` names their folder in the project; files that begin with `_` are only extended\n";
    let err = format!("error: no sources in `agents`\n{help}");
    for world in [World::new(), World::new().file("agents/_base.md", BASE)] {
        let world = world.file("callsheet.toml", CONFIG);
        for options in [&["build"][..], &["build", "--check"]] {
            says(&world.run(options), 1, "0 unchanged\n", &err);
        }
    }
}

#[test]
fn drift_is_shown_and_repaired() {
    let world = world();
    world.run(&["build"]);
    let world = world.file("agents/_base.md", BASE.replace("Read, Grep", "Read"));
    let run = world.run(&["build", "--check", "--quiet"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.out.starts_with(".claude/agents/review.md is out of date\n"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("-tools: Read, Grep\n+tools: Read\n"),
        "{}",
        run.out
    );
    assert!(
        text(&world, OUTPUT).contains("tools: Read, Grep\n"),
        "nothing is written"
    );
    assert_eq!(world.run(&["build"]).code, Some(0));
    assert!(text(&world, OUTPUT).contains("tools: Read\n"));
}

#[test]
fn edited_and_foreign_files_need_force() {
    let world = world().file(
        OUTPUT,
        "---\nname: review\ndescription: By hand.\n---\n\nBy hand.\n",
    );
    let run = world.run(&["build"]);
    let out = ".claude/agents/review.md was not compiled from agents/review.md: move it, or use --force\n\
               .opencode/agents/review.md is missing\n0 unchanged, 2 to write\n";
    says(&run, 1, out, "nothing was written\n");
    assert!(text(&world, OUTPUT).contains("By hand"));
    assert!(!world.at(".opencode").exists(), "all or nothing");
    assert_eq!(world.run(&["build", "--force"]).code, Some(0));
    let compiled = text(&world, OUTPUT);
    let world = world.file(OUTPUT, compiled.replace("brief", "long"));
    let run = world.run(&["build", "--check"]);
    assert!(
        run.out.contains("was edited: edit agents/review.md instead"),
        "{}",
        run.out
    );
    assert_eq!((run.code, world.run(&["build"]).code), (Some(1), Some(1)));
    assert!(text(&world, OUTPUT).contains("long"));
    assert_eq!(world.run(&["build", "--force"]).code, Some(0));
    assert_eq!(text(&world, OUTPUT), compiled);
    // A checkout with other line ends is no edit.
    let windows = compiled.replace('\n', "\r\n");
    let world = world.file(OUTPUT, &windows);
    assert_eq!(world.run(&["build"]).code, Some(0));
    assert_eq!(text(&world, OUTPUT), windows);
}

#[test]
fn leftovers_are_removed_unless_they_were_edited() {
    let world = world().file("agents/second.md", REVIEW.replace("review", "second"));
    world.run(&["build"]);
    let edited = ".opencode/agents/second.md";
    let changed = text(&world, edited).replace("brief", "long");
    let world = world.file(edited, changed);
    fs::remove_file(world.at("agents/second.md")).expect("it is there");
    let left = ".claude/agents/second.md is left over: it is no longer compiled from agents/second.md\n\
                .opencode/agents/second.md is left over and was edited: it is no longer compiled from agents/second.md; delete it, or use --force\n\
                2 unchanged, 1 left over, 1 to remove\n";
    says(&world.run(&["build", "--check"]), 1, left, "");
    let run = world.run(&["build"]);
    assert!(
        run.out.starts_with("removed .claude/agents/second.md"),
        "{}",
        run.out
    );
    assert!(run.out.contains("1 left over"), "{}{}", run.out, run.err);
    assert!(!world.at(".claude/agents/second.md").exists() && world.at(edited).exists());
    assert_eq!(world.run(&["build", "--force"]).code, Some(0));
    assert!(!world.at(edited).exists());
    assert_eq!(world.run(&["build", "--check"]).code, Some(0));
    let world = world.file("callsheet.toml", CONFIG.replace(", \"opencode\"", ""));
    let left = ".opencode/agents/review.md is left over: it is no longer compiled from agents/review.md\n1 unchanged, 1 to remove\n";
    says(&world.run(&["build", "--check"]), 1, left, "");
}

#[test]
fn errors_are_findings_and_write_nothing() {
    let wide = REVIEW.replace("name: review", "name: review\ntools: Read, Bash");
    let world = world().file("agents/wide.md", wide.replace("review", "wide"));
    let run = world.run(&["build"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.out
            .contains("error[wider-than-parent]: source grants more than agents/_base.md"),
        "{}",
        run.out
    );
    assert!(
        run.out
            .contains("agents/wide.md has errors and is not compiled\n"),
        "{}",
        run.out
    );
    assert!(!world.at(".claude").exists() && !world.at(".opencode").exists());
    let check = world.run(&["check", "--no-home", "--format", "concise", "agents/wide.md"]);
    assert!(
        check.out.contains("wider-than-parent"),
        "{}{}",
        check.out,
        check.err
    );
    let json = world.run(&["build", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("it is JSON");
    assert_eq!(
        (&json["command"], &json["blocked"]),
        (&"build".into(), &true.into())
    );
    assert_eq!(json["broken"], serde_json::json!(["agents/wide.md"]));
    assert_eq!(json["diagnostics"][0]["rule"], "wider-than-parent");
    assert_eq!(json["files"][0]["state"], "missing");
}

#[test]
fn sources_are_utf_8() {
    let world = world()
        .file(
            "agents/latin.md",
            b"---\nname: latin\ndescription: Caf\xe9.\n---\n\nX.\n",
        )
        .file(
            "agents/included.md",
            "---\nname: included\ndescription: I.\ncallsheet: { include: ../latin.txt }\n---\n",
        )
        .file("latin.txt", b"Caf\xe9.\n");
    let run = world.run(&["build", "--format", "concise"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.out
            .contains("agents/latin.md has errors and is not compiled\n"),
        "{}",
        run.out
    );
    assert!(
        run.out
            .contains("agents/included.md has errors and is not compiled\n"),
        "{}",
        run.out
    );
    let check = world.run(&["check", "--no-home", "--format", "concise"]);
    assert!(
        check
            .out
            .contains("source cannot be compiled: it is not valid UTF-8"),
        "{}",
        check.out
    );
    assert!(
        check.out.contains("`../latin.txt` is not valid UTF-8"),
        "{}",
        check.out
    );
}

#[test]
fn the_configuration_has_to_be_that_of_the_project() {
    let none = World::new().run(&["build"]);
    assert_eq!(none.code, Some(2));
    assert!(
        none.err.contains("no `[build]` in callsheet.toml"),
        "{}",
        none.err
    );
    for (config, words) in [
        (
            "[build]\nfrom = \"../agents\"\nto = [\"kode\"]\n",
            "`from` is outside of the project",
        ),
        (
            "[build]\nfrom = \"agents\"\nto = [\"vim\"]\n",
            "unknown dialect `vim`",
        ),
        ("[build]\nfrom = \"agents\"\n", "missing field `to`"),
        (
            "[build]\nfrom = \"a\"\nto = [\"kode\"]\nsets = { a = [\"@b\"] }\n",
            "a set contains tools, not other sets",
        ),
    ] {
        let run = World::new().file("callsheet.toml", config).run(&["build"]);
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains(words), "{}", run.err);
    }
    let world = World::new().file("other/callsheet.toml", CONFIG);
    let run = world.run(&["build", "--config", "other/callsheet.toml"]);
    assert!(
        run.code == Some(2) && run.err.contains("`[build]` is about the project in "),
        "{}",
        run.err
    );
}

#[test]
fn a_directory_in_the_project_is_the_project() {
    let world = world()
        .file(".git/HEAD", "")
        .file("package/README.md", "A package.")
        .file(
            "agents/lost.md",
            "---\nname: lost\ndescription: Lost.\ncallsheet: { extends: _gone.md }\n---\nLost.\n",
        );
    let here = world.run(&["check", "--format", "concise"]);
    assert!(
        here.code == Some(1) && here.out.contains("missing-parent"),
        "{}",
        here.out
    );
    let there = world.run(&["check", "--format", "concise", "--project", "package"]);
    let relative = there.out.replace("package/../", "");
    assert_eq!((there.code, relative), (here.code, here.out));
    let below = world.run(&["check", "agents", "--format", "concise", "--project", "package"]);
    assert_eq!(below.out, there.out, "{}", below.err);
    let named = world.run(&["check", "agents/lost.md", "--format", "json"]);
    assert!(named.out.contains("\"files\": 1"), "{}", named.out);
    fs::remove_file(world.at("agents/lost.md")).unwrap();
    let run = world.run(&["build", "--project", "package", "--format", "concise"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(world.at(OUTPUT).exists());
}

#[test]
fn show_and_why_say_where_fields_come_from() {
    let world = world();
    world.run(&["build"]);
    let from = "tools: agents/_base.md:4\n";
    let show = world.run(&["show", "review", "--as", "claude-code"]);
    assert!(
        show.out.contains("compiled from   agents/review.md\n"),
        "{}",
        show.out
    );
    assert!(
        show.out.contains(from) && show.out.contains("name: agents/review.md:2\n"),
        "{}",
        show.out
    );
    assert!(
        show.out
            .contains("prompt: agents/_base.md:7, agents/review.md:6\n"),
        "{}",
        show.out
    );
    let json = world.run(&["show", "review", "--as", "claude-code", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("it is JSON");
    assert_eq!(json["compiled_from"]["source"], "agents/review.md");
    let why = world.run(&["why", "review"]);
    assert!(
        why.out
            .contains(".opencode/agents/review.md is compiled from agents/review.md:\n"),
        "{}",
        why.out
    );
    assert!(why.out.contains(from), "{}", why.out);
    let json = world.run(&["why", "review", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("it is JSON");
    let compiled = json["compiled"].as_array().expect("a list");
    let sources: Vec<_> = compiled
        .iter()
        .map(|it| (it["path"].as_str(), it["source"].as_str()))
        .collect();
    let source = Some("agents/review.md");
    assert_eq!(
        sources,
        [
            (Some(OUTPUT), source),
            (Some(".opencode/agents/review.md"), source)
        ]
    );
    let tools = compiled[0]["fields"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|it| it["field"] == "tools");
    let place = serde_json::json!([{"path": "agents/_base.md", "line": 4}]);
    assert_eq!(tools.map(|it| &it["places"]), Some(&place));
    let plain = World::example().run(&["why", "code-reviewer", "--format", "json"]);
    assert!(!plain.out.contains("compiled"), "{}", plain.out);
}

#[cfg(unix)]
#[test]
fn links_out_of_the_project_are_not_followed() {
    let outside = tempfile::tempdir().expect("a temporary directory");
    fs::write(outside.path().join("secret.md"), BASE).expect("a file");
    let world = world().file(
        "agents/linked.md",
        REVIEW.replace("_base", "_link").replace("review", "linked"),
    );
    std::os::unix::fs::symlink(outside.path().join("secret.md"), world.at("agents/_link.md"))
        .expect("a link");
    let run = world.run(&["build"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.out.contains("error[missing-parent]: `_link.md`"),
        "{}",
        run.out
    );
}

#[cfg(unix)]
#[test]
fn watch_compiles_after_a_change_of_a_parent() {
    let world = world();
    let watching = Watching::command(&world, &["build", "--watch"]);
    watching.says(&["2 written"]);
    fs::write(world.at("agents/_base.md"), BASE.replace("Reviews", "Reads")).expect("a file");
    watching.says(&["2 written"]);
    assert!(text(&world, OUTPUT).contains("description: Reads."));
    fs::write(world.at("agents/review.md"), "---\nname: [\n---\n").expect("a file");
    watching.says(&["has errors"]);
    fs::write(world.at("agents/review.md"), REVIEW).expect("a file");
    watching.says(&["2 unchanged"]);
    assert_eq!(watching.interrupt(), Some(0));
}
