//! `--repos`: many repositories, each on its own, and only those that changed.

use std::fs;

use super::world::{Run, World};

const GOOD: &str =
    "---\nname: NAME\ndescription: Reviews what changed in the last commit.\n---\nReview it.\n";
const COLON: &str = "---\nname: NAME\ndescription: Reviews: what changed\n---\nReview it.\n";
const BARE: &str = "---\nname: NAME\n---\nReview it.\n";

/// Three repositories with an agent each, and what is none.
fn world() -> World {
    World::new()
        .file("all/acme/one/.git/HEAD", "")
        .file("all/acme/one/.claude/agents/a.md", COLON.replace("NAME", "a"))
        .file("all/acme/two/.git/HEAD", "")
        .file("all/acme/two/.claude/agents/b.md", BARE.replace("NAME", "b"))
        .file("all/three/.git", "gitdir: elsewhere\n")
        .file("all/three/.claude/agents/c.md", GOOD.replace("NAME", "c"))
        .file("all/.hidden/.git/HEAD", "")
        .file("all/.hidden/.claude/agents/e.md", BARE.replace("NAME", "e"))
        .file("all/plain/.claude/agents/f.md", BARE.replace("NAME", "f"))
}

#[track_caller]
fn says(run: &Run, code: i32, out: &str, err: &str) {
    assert_eq!((run.code, &*run.out, &*run.err), (Some(code), out, err));
}

/// Checks with a cache, and says how many repositories changed.
#[track_caller]
fn changed(world: &World, more: &[&str]) -> usize {
    let options = ["check", "--repos", "all", "--cache", "cache"];
    let run = world.run(&[&options[..], more].concat());
    let fresh = world.run(&[&options[..3], more].concat());
    assert_eq!((run.code, &run.out), (fresh.code, &fresh.out), "{}", run.err);
    let words = run.err.lines().last().unwrap_or_default();
    let words = words.strip_prefix("note: the results of ");
    let words = words.and_then(|words| words.strip_suffix(" repositories are from the cache"));
    let [old, all] = *words.unwrap_or_default().split(" of ").collect::<Vec<_>>() else {
        panic!("{}", run.err)
    };
    let number = |text: &str| -> usize { text.parse().expect("it is a number") };
    number(all) - number(old)
}

#[test]
fn every_repository_is_checked_on_its_own() {
    let world = world().file(
        "all/acme/one/callsheet.toml",
        "[rules]\nunquoted-value = \"error\"\n",
    );
    let text = "\
all/acme/one: 1 error, 0 warnings, 0 notes
  all/acme/one/.claude/agents/a.md:3:21: error[unquoted-value]: unquoted `description` contains `: `, which starts a mapping in YAML
all/acme/two: 1 error, 0 warnings, 0 notes
  all/acme/two/.claude/agents/b.md:1:1: error[missing-field]: `description` is missing
checked 3 repositories with 3 files: 2 errors, 0 warnings, 0 notes in 2
";
    says(&world.run(&["check", "--repos", "all"]), 1, text, "");
    let concise = world.run(&["check", "--repos", "all", "--format", "concise"]);
    let alone = |name: &str| {
        let run = world.run(&["check", "--no-home", "--format", "concise", "--project", name]);
        run.out
    };
    assert_eq!(
        concise.out,
        ["all/acme/one", "all/acme/two", "all/three"].map(alone).concat()
    );
    let well = world.run(&["check", "--repos", "all", "--select", "unknown-key"]);
    says(
        &well,
        0,
        "checked 3 repositories with 3 files: nothing to report\n",
        "",
    );
    assert_eq!(
        world.run(&["check", "--repos", "all", "--exit-zero"]).code,
        Some(0)
    );
}

#[test]
fn json_has_the_document_of_each() {
    let run = world().run(&["check", "--repos", "all", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        document["counts"],
        serde_json::json!({ "errors": 1, "warnings": 1, "notes": 0 })
    );
    let repositories = document["repositories"].as_array().unwrap();
    let seen = repositories
        .iter()
        .map(|it| (&it["path"], &it["files"], &it["diagnostics"][0]["rule"]));
    let seen: Vec<String> = seen
        .map(|(path, files, rule)| format!("{path} {files} {rule}"))
        .collect();
    let expected = [
        "\"all/acme/one\" 1 \"unquoted-value\"",
        "\"all/acme/two\" 1 \"missing-field\"",
        "\"all/three\" 1 null",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn only_what_changed_is_checked_again() {
    let world = world();
    assert_eq!(changed(&world, &[]), 3);
    assert_eq!(changed(&world, &[]), 0);
    assert_eq!(changed(&world, &["--format", "json"]), 0);
    let file = "all/three/.claude/agents/c.md";
    let same = world.bytes(file);
    let world = world.file(file, same);
    assert_eq!(changed(&world, &[]), 0, "the same contents at another time");
    let world = world.file(file, COLON.replace("NAME", "c"));
    assert_eq!(changed(&world, &[]), 1, "contents");
    let world = world.file("all/three/.claude/agents/g.md", BARE.replace("NAME", "g"));
    assert_eq!(changed(&world, &[]), 1, "a new file");
    let world = world.file("all/three/.opencode/agents/h.md", BARE.replace("NAME", "h"));
    assert_eq!(changed(&world, &[]), 1, "a new folder");
    fs::remove_file(world.at("all/three/.claude/agents/g.md")).unwrap();
    assert_eq!(changed(&world, &[]), 1, "a file less");
    let world = world.file(
        "all/acme/two/callsheet.toml",
        "[rules]\nmissing-field = \"note\"\n",
    );
    assert_eq!(changed(&world, &[]), 1, "the configuration");
    let world = world.file("all/acme/one/.gitignore", "a.md\n");
    assert_eq!(changed(&world, &[]), 1, "what git ignores");
    let world = world.file("all/acme/one/src/main.rs", "fn main() {}\n");
    assert_eq!(changed(&world, &[]), 1, "a new folder may have agents");
    let world = world.file("all/acme/one/src/main.rs", "fn main() { main() }\n");
    assert_eq!(changed(&world, &[]), 0, "a file that no tool reads");
    let world = world.file("all/callsheet.toml", "");
    assert_eq!(changed(&world, &[]), 0, "what is above a repository");
    assert_eq!(changed(&world, &["--target", "copilot"]), 3, "other options");
    assert_eq!(changed(&world, &[]), 3, "and back");
}

#[test]
fn a_directory_depends_on_those_above_it() {
    let world = World::new()
        .file("one/.claude/agents/a.md", GOOD.replace("NAME", "a"))
        .file(
            "one/package/.claude/agents/b.md",
            GOOD.replace("NAME", "b").replace("Reviews", "Tests"),
        )
        .file("list", "one/package\n");
    let check = |world: &World| {
        let run = world.run(&["check", "--repos", "list", "--cache", "cache"]);
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        run.err.contains("results of 1 of 1")
    };
    assert!(!check(&world));
    assert!(check(&world));
    let world = world.file("one/.git/HEAD", "");
    assert!(!check(&world), "its repository has agents above it");
    let world = world.file("one/callsheet.toml", "exclude = [\"a.md\"]\n");
    assert!(!check(&world), "a configuration");
    assert!(check(&world));
    fs::rename(
        world.at("one/callsheet.toml"),
        world.at("one/package/callsheet.toml"),
    )
    .unwrap();
    assert!(!check(&world), "the same configuration elsewhere");
}

#[test]
fn a_damaged_cache_costs_time_only() {
    let world = world();
    changed(&world, &[]);
    let cache = String::from_utf8(world.bytes("cache")).unwrap();
    let short = &cache[..cache.len() - 40];
    let world = world.file("cache", short);
    assert_eq!(changed(&world, &[]), 1);
    let world = world.file("cache", cache.replace("\"errors\":1", "\"errors\":-1"));
    assert_eq!(changed(&world, &[]), 1);
    let empty = World::new().file("all/one/.git/HEAD", "").file("cache", "");
    let run = empty.run(&["check", "--repos", "all", "--cache", "cache"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for other in ["A letter.\n", "{}\n"] {
        let world = World::new().file("all/one/.git/HEAD", "").file("cache", other);
        let run = world.run(&["check", "--repos", "all", "--cache", "cache"]);
        let words = "error: cannot use the cache cache: it is not a cache of Callsheet\nhelp: remove it, or name another file\n";
        says(&run, 2, "", words);
        assert_eq!(world.bytes("cache"), other.as_bytes());
    }
    let run = world.run(&["check", "--repos", "all", "--cache", "no/where"]);
    assert!(
        run.code == Some(2) && run.err.contains("cannot write the cache no/where: "),
        "{}",
        run.err
    );
}

#[test]
fn the_parts_are_the_whole() {
    let world = world();
    let lines = |shard: &str| {
        let run = world.run(&[
            "check", "--repos", "all", "--format", "json", "--shard", shard, "--cache", "cache",
        ]);
        let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let repositories = document["repositories"].as_array().unwrap().clone();
        repositories
            .iter()
            .map(|it| it["path"].to_string())
            .collect::<Vec<String>>()
    };
    let mut all = [lines("1/2"), lines("2/2")].concat();
    all.sort();
    assert_eq!(all, ["\"all/acme/one\"", "\"all/acme/two\"", "\"all/three\""]);
    assert_eq!(changed(&world, &[]), 0, "a part keeps what the others found");
    assert_eq!(lines("4/4"), [""; 0]);
    for shard in ["0/2", "3/2", "1", "1/0", "x/y", "1/2/3"] {
        let run = world.run(&["check", "--repos", "all", "--shard", shard]);
        assert!(
            run.code == Some(2) && run.err.contains("such as 1/4"),
            "{}",
            run.err
        );
    }
}

#[test]
fn a_list_names_any_directory() {
    let list = "# ours\nall/plain\n\nall/three/\n all/three \n";
    let world = world().file("list", list);
    let run = world.run(&["check", "--repos", "list"]);
    let text = "\
all/plain: 1 error, 0 warnings, 0 notes
  all/plain/.claude/agents/f.md:1:1: error[missing-field]: `description` is missing
checked 2 repositories with 2 files: 1 error, 0 warnings, 0 notes in 1
";
    says(&run, 1, text, "");
    let world = world.file(
        "list",
        "all/gone\nall/three\nall/acme/two/.git/HEAD\nall/broken\n",
    );
    let world = world.file("all/broken/callsheet.toml", "rules = 1\n");
    let run = world.run(&["check", "--repos", "list", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let repositories = document["repositories"].as_array().unwrap();
    let failed: Vec<bool> = repositories.iter().map(|it| it["error"].is_string()).collect();
    assert_eq!((run.code, failed), (Some(2), vec![true, true, true, false]));
    let text = world.run(&["check", "--repos", "list"]);
    assert_eq!(text.out, "checked 1 repository with 1 file: nothing to report\n");
    assert_eq!(run.err.matches("error: ").count(), 3, "{}", run.err);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let world = world().file("empty/README.md", "").file("none", "# nothing\n");
    for (options, words) in [
        (&["--repos", "nowhere"][..], "cannot read nowhere: "),
        (&["--repos", "empty"], "no repositories in empty"),
        (&["--repos", "none"], "no repositories in none"),
        (
            &["--repos", "all", "--project", "all"],
            "`--repos` cannot be used with --project",
        ),
        (
            &["--repos", "all", "--home", "all"],
            "`--repos` cannot be used with --home",
        ),
        (
            &["--repos", "all", "--agents", "{}"],
            "`--repos` cannot be used with agents on the command line",
        ),
        (
            &["--repos", "all", "--format", "sarif"],
            "`--repos` prints text, concise lines or JSON",
        ),
        (&["--repos", "all", "--fix"], "cannot be used with"),
        (&["--repos", "all", "all/plain"], "cannot be used with"),
        (
            &["--repos", "all", "--select", "no-such-rule"],
            "unknown rule `no-such-rule`",
        ),
        (&["--repos", "all", "--as", "vim"], "unknown dialect"),
        (&["--cache", "cache"], "--repos <PATH>"),
    ] {
        let run = world.run(&[&["check"], options].concat());
        assert!(
            run.code == Some(2) && run.err.contains(words),
            "{options:?}: {}",
            run.err
        );
    }
}

#[test]
fn the_inventory_of_each_is_taken() {
    let lead = "---\nname: lead\ndescription: Shares work out.\ntools: Agent\nmodel: opus\n---\nShare.\n";
    let world = world()
        .file("all/acme/one/.claude/agents/lead.md", lead)
        .file("all/acme/one/.git/info/exclude", "*\n")
        .file("all/nothing/.git/HEAD", "");
    let inventory =
        |world: &World, more: &[&str]| world.run(&[&["inventory", "--repos", "all"], more].concat());
    let text = inventory(&world, &[]);
    assert_eq!((text.code, &*text.err), (Some(0), ""));
    let concise = inventory(&world, &["--format", "concise"]);
    let alone = |name: &str| {
        let options = ["inventory", "--no-home", "--format", "concise", "--project"];
        world.run(&[&options[..], &[name]].concat()).out
    };
    let names = ["all/acme/one", "all/acme/two", "all/nothing", "all/three"];
    assert_eq!(concise.out, names.map(alone).concat());
    let titles = text.out.lines().filter(|line| !line.starts_with(' '));
    let titles: Vec<&str> = titles
        .map(|line| line.split(", 0 skills").next().unwrap_or_default())
        .collect();
    let expected = [
        "all/acme/one: 2 agents",
        "all/acme/two: 1 agent",
        "all/three: 1 agent",
        "4 repositories: 4 agents",
    ];
    assert_eq!(titles[..4], expected, "{}", text.out);
    let lines = text
        .out
        .lines()
        .filter_map(|line| Some(format!("{}\n", line.strip_prefix("  ")?)));
    assert_eq!(lines.collect::<String>(), concise.out);

    let cached = |world: &World| inventory(world, &["--cache", "cache"]);
    assert!(cached(&world).err.contains("results of 0 of 4"));
    let again = cached(&world);
    assert!(
        again.err.contains("results of 4 of 4") && again.out == text.out,
        "{}",
        again.err
    );
    let world = world.file("all/three/.claude/agents/c.md", COLON.replace("NAME", "c"));
    assert!(cached(&world).err.contains("results of 3 of 4"));
    let world = world.file(
        "all/three/.mcp.json",
        "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}",
    );
    let changed = cached(&world);
    assert!(changed.err.contains("results of 3 of 4") && changed.out.contains("1 MCP server"));
    let other = world.run(&["check", "--repos", "all", "--cache", "cache"]);
    assert!(other.err.contains("results of 0 of 4"), "{}", other.err);

    let world = world.file("all/three/callsheet.toml", "rules = 1\n");
    let run = inventory(&world, &["--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let seen = document["repositories"].as_array().unwrap().iter();
    let seen: Vec<(Option<usize>, bool)> = seen
        .map(|it| (it["assets"].as_array().map(Vec::len), it["error"].is_string()))
        .collect();
    assert_eq!(run.code, Some(2));
    assert_eq!(seen[1..], [(Some(1), false), (Some(0), false), (None, true)]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let world = world().file("outside/.git/HEAD", "");
    let world = world.file("outside/.claude/agents/o.md", BARE.replace("NAME", "o"));
    std::os::unix::fs::symlink("../outside", world.at("all/linked")).unwrap();
    let secret = world.at("outside/.claude/agents/o.md");
    std::os::unix::fs::symlink(secret, world.at("all/three/.claude/agents/o.md")).unwrap();
    let run = world.run(&["check", "--repos", "all", "--format", "concise"]);
    assert!(!run.out.contains("all/linked"), "{}", run.out);
    let warning = "all/three/.claude/agents/o.md:1:1: warning[unfollowed-link]";
    assert!(
        run.out.contains(warning) && run.out.matches("o.md").count() == 1,
        "{}",
        run.out
    );
    assert_eq!(changed(&world, &[]), 3);
    assert_eq!(changed(&world, &[]), 0);
}
