//! The effects of `callsheet.toml`, and the messages about its errors.

use super::formats::schema;
use super::world::World;

const PORTER: &str = "---\nname: porter\ndescription: Says bye: to all\n---\nSay bye.\n";

fn valet() -> String {
    PORTER.replace("porter", "valet").replace("bye", "hello")
}

/// A project with one finding in each of two directories.
fn world(config: &str) -> World {
    World::new()
        .file(".claude/agents/porter.md", PORTER)
        .file(".claude/agents/old/valet.md", valet())
        .file("callsheet.toml", config)
}

#[track_caller]
fn check(config: &str, arguments: &[&str], code: i32, summary: &str) {
    let run = world(config).run(&[&["check"], arguments].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(code), ""), "{}", run.out);
    let last = run.out.lines().last().unwrap_or_default();
    assert_eq!(last, summary, "{}", run.out);
}

#[test]
fn severities_can_be_configured() {
    check(
        "",
        &[],
        1,
        "checked 2 files: 0 errors, 2 warnings, 0 notes; 2 fixable with --fix",
    );
    let summary = "checked 2 files: nothing to report (2 suppressed by the configuration)";
    check("[rules]\nunquoted-value = \"off\"\n", &[], 0, summary);
    let summary = "checked 2 files: 0 errors, 0 warnings, 2 notes; 2 fixable with --fix";
    check("rules.unquoted-value = \"note\"\n", &[], 0, summary);
}

#[test]
fn overrides_apply_to_matching_files() {
    for pattern in [
        ".claude/agents/old",
        ".claude/agents/old/",
        "**/old/**",
        "**/valet.md",
    ] {
        let config = format!(
            "rules.unquoted-value = \"warning\"\n[[overrides]]\npaths = [\"{pattern}\"]\nrules.unquoted-value = \"off\"\n"
        );
        let summary = "checked 2 files: 0 errors, 1 warning, 0 notes (1 suppressed by the configuration); 1 fixable with --fix";
        check(&config, &[], 1, summary);
    }
    let config = "[[overrides]]\npaths = [\"*.md\", \"old\"]\nrules.unquoted-value = \"off\"\n";
    check(
        config,
        &[],
        1,
        "checked 2 files: 0 errors, 2 warnings, 0 notes; 2 fixable with --fix",
    );
}

#[test]
fn patterns_are_relative_to_the_configuration() {
    let config = "[[overrides]]\npaths = [\"agents\"]\nrules.unquoted-value = \"off\"\n";
    let world = world("").file(".claude/callsheet.toml", config);
    let config = ["--config", ".claude/callsheet.toml"];
    let run = world.run(&[&["check"], &config[..]].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    let run = world.run(&["check", "--no-config"]);
    assert_eq!(run.code, Some(1));
}

#[test]
fn a_disabled_rule_fixes_nothing() {
    let world = world("[[overrides]]\npaths = [\"**/old\"]\nrules.unquoted-value = \"off\"\n");
    let run = world.run(&["check", "--fix"]);
    assert_eq!(run.code, Some(0), "{}", run.out);
    let old = world.bytes(".claude/agents/old/valet.md");
    assert_eq!(old, valet().as_bytes());
    assert_ne!(world.bytes(".claude/agents/porter.md"), PORTER.as_bytes());
}

#[test]
fn suppressed_findings_do_not_change_fingerprints() {
    let twice = "---\nname: porter\nname: porter\nname: porter\n---\nSay bye.\n";
    let fingerprints = |config: &str| {
        let world = world(config).file(".claude/agents/porter.md", twice);
        let run = world.run(&["check", "--as", "kode", "--format", "gitlab"]);
        let report: Vec<serde_json::Value> = serde_json::from_str(&run.out).expect("it is JSON");
        let name = |issue: &serde_json::Value| issue["fingerprint"].to_string();
        report.iter().map(name).collect::<Vec<_>>()
    };
    let (all, some) = (fingerprints(""), fingerprints("rules.missing-field = \"off\"\n"));
    assert!(some.len() < all.len() && some.iter().all(|name| all.contains(name)));
}

#[test]
fn the_configuration_can_set_the_dialect() {
    let run = world("dialect = \"kode\"\n").run(&["list", "--format", "concise"]);
    assert!(
        run.out.lines().all(|line| line.contains(": kode: ")),
        "{}",
        run.out
    );
    let run = world("dialect = \"kode\"\n").run(&["list", "--format", "concise", "--as", "neovate"]);
    assert!(
        run.out.lines().all(|line| line.contains(": neovate: ")),
        "{}",
        run.out
    );
}

#[test]
fn targets_select_the_readers() {
    let targets = "targets = [\"kode@2.0.2\", \"claude-code\"]\n";
    let run = world(targets).run(&["list", "--format", "concise"]);
    for dialect in [": kode@2.0.2: ", ": claude-code: "] {
        assert!(run.out.contains(dialect), "{}", run.out);
    }
    let world = world("targets = [\"kode\"]\n").file(".openhands/agents/one.md", PORTER);
    let run = world.run(&[
        "check",
        "--format",
        "json",
        ".claude/agents/porter.md",
        ".openhands/agents",
    ]);
    assert_eq!(run.err, "");
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!(document["files"], 2);
    let judges = |path: &str| {
        let found = document["diagnostics"].as_array().expect("a list");
        let found = found.iter().filter(|found| found["primary"]["path"] == path);
        let judges = found.flat_map(|found| found["dialects"].as_array().cloned().unwrap_or_default());
        judges
            .map(|judge| judge.as_str().expect("a name").to_owned())
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<String>>()
    };
    assert_eq!(judges(".claude/agents/porter.md"), ["claude-code", "kode"]);
    assert_eq!(judges(".openhands/agents/one.md"), ["openhands"]);
}

#[track_caller]
fn refuse(config: &str, expected: &str) {
    let run = world(config).run(&["check"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    let help = "help: see docs/configuration.md for its format; `--no-config` ignores it\n";
    assert_eq!(run.err, format!("error: callsheet.toml:{expected}\n{help}"));
}

#[test]
fn mistakes_are_located() {
    refuse("\n[rulez]\n", "2:2: unknown key `rulez`; did you mean `rules`?");
    refuse(
        "rules.unquotedvalue = \"off\"\n",
        "1:7: unknown rule `unquotedvalue`; did you mean `unquoted-value`?",
    );
    refuse(
        "[rules]\nquite-another = \"off\"\n",
        "2:1: unknown rule `quite-another`; run `callsheet rules` for the list",
    );
    refuse(
        "foo = 1\n",
        "1:1: unknown key `foo`; docs/configuration.md lists all keys",
    );
    refuse(
        "[run]\nallow = [\"Bsh(x\"]\n",
        "2:9: invalid entry `Bsh(x`: use `Tool` or `Tool(pattern)`",
    );
    refuse(
        "rules.unquoted-value = \"warn\"\n",
        "1:24: unknown value `warn`; did you mean `warning`?",
    );
    refuse(
        "targets = [\"claude-code\", \"kode@2.0.3\"]\n",
        "1:27: unknown dialect `kode@2.0.3`; did you mean `kode@2.0.2`?",
    );
    refuse("run = 1\n", "1:7: invalid type: integer `1`, expected a table");
    refuse(
        "targets = 1\n",
        "1:11: invalid type: integer `1`, expected an array",
    );
    refuse(
        "rules.shadowed = {}\n",
        "1:18: invalid type: table, expected a string",
    );
    refuse(
        "[build]\nfrom = \"agents\"\nto = []\n",
        "2:8: there is no tool in `to` to compile to",
    );
    refuse(
        "[build]\nfrom = \"agents\"\nto = [\"kode\", \"kode\"]\n",
        "3:15: `kode` is listed twice",
    );
    refuse(
        "[mcp.servers.a]\nurl = \"x.example/mcp\"\n",
        "1:14: the server `a` cannot be reached: its `url` does not begin with `https://` or `http://`",
    );
    refuse(
        "dialect = 7\n",
        "1:11: invalid type: integer `7`, expected a string",
    );
    refuse("[[overrides]]\nrules = {}\n", "1:1: missing field `paths`");
    refuse(
        "overrides = [{ paths = [\"a[\"], rules = {} }]\n",
        "1:25: `a[` is not a path pattern: unclosed character class; missing ']'",
    );
    refuse("[rules\n", "1:7: unclosed table, expected `]`");
    refuse(
        "models.haiku = \"qwen3\"\n",
        "1:16: `qwen3` is not a model; use `provider:name`",
    );
    refuse(
        "[providers.here]\nbase_url = \"here\"\n",
        "2:12: `here` is not a URL; use `https://…` or `http://…`",
    );
    refuse(
        "[providers.here]\nbase_url = \"https://a.b\"\nkind = \"open-ai\"\n",
        "3:8: unknown kind `open-ai`; did you mean `openai`?",
    );
    refuse(
        "[providers.\"a/b\"]\nbase_url = \"https://a.b\"\n",
        "1:12: `a/b` is not a provider name: it is empty or contains `:` or `/`",
    );
    refuse(
        "[prices.\"a:b\"]\ninput = nan\noutput = 1\n",
        "2:9: `NaN` is not a price",
    );
}

#[test]
fn a_missing_configuration_is_an_error() {
    let run = world("").run(&["check", "--config", "nowhere.toml"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(
        run.err.starts_with("error: nowhere.toml: cannot be read: "),
        "{}",
        run.err
    );
}

#[test]
fn commands_without_files_ignore_the_configuration() {
    let run = world("[rulez]").run(&["dialects"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
}

/// The schema and the program accept and reject the same configurations.
#[test]
fn the_schema_agrees_with_the_program() {
    let agree = |config: &str| {
        let schema = include_str!("../../../docs/callsheet.schema.json");
        let value: serde_json::Value = toml::from_str(config).expect("it is TOML");
        let by_schema = schema::complaints(schema, &value).is_empty();
        let run = world(config).run(&["list"]);
        assert_eq!(by_schema, run.code == Some(0), "{config}\n{}", run.err);
        by_schema
    };
    let good = [
        "",
        "\"$schema\" = \"x\"\ndialect = \"kode\"\ntargets = [\"kode@2.0.2\"]\n",
        "rules = { shadowed = \"off\", unknown-key = \"error\" }\n",
        "[[overrides]]\npaths = [\"a\"]\nrules.shadowed = \"note\"\n",
        "models = { haiku = \"ollama:qwen3:8b\" }\n",
        "[providers.here]\nbase_url = \"http://localhost:1\"\n",
        "[providers.here]\nbase_url = \"https://a.b/v1\"\nkind = \"gemini\"\nkey_variable = \"K\"\n",
        "[prices.\"a:b\"]\ninput = 1\noutput = 0.5\n",
        "[build]\nfrom = \"agents\"\nto = [\"codex\"]\ndialect = \"kode\"\nallow_loss = true\nsets.a = [\"Read\"]\n",
        "[run]\nreads = [\"../a\"]\nwrites = [\"target\"]\nnetwork = true\n",
        "[run]\nallow = [\"Read\", \"Bash(git log:*)\", \" Write \"]\nenv = [\"_A1\"]\nprivate_hosts = [\"localhost:3000\", \"[::1]\"]\n",
        "[mcp.servers.a]\ncommand = \"b\"\n",
        "[mcp.servers.a]\ntype = \"http\"\nurl = \"${URL}\"\n",
    ];
    assert!(good.into_iter().all(agree));
    let bad = [
        "[build]\nto = [\"codex\"]\n",
        "[build]\nfrom = \"agents\"\n",
        "[build]\nfrom = \"agents\"\nto = [\"vim\"]\n",
        "[build]\nfrom = \"agents\"\nto = []\nsets.a = \"Read\"\n",
        "[build]\nfrom = \"agents\"\nto = []\nset = {}\n",
        "rulez = {}",
        "dialect = \"vim\"",
        "targets = \"kode\"",
        "targets = [\"kode@0\"]",
        "rules.nothing = \"off\"",
        "rules.shadowed = \"warn\"",
        "rules.shadowed = 1",
        "[[overrides]]\npaths = [\"a\"]\n",
        "[[overrides]]\nrules = {}\n",
        "[[overrides]]\npaths = \"a\"\nrules = {}\n",
        "[[overrides]]\npaths = []\nrules = {}\nfiles = []\n",
        "models.haiku = 1",
        "[providers.here]\nkind = \"openai\"\n",
        "[providers.here]\nbase_url = \"https://a.b\"\nkind = \"OpenAI\"\n",
        "[providers.here]\nbase_url = \"https://a.b\"\nkey = \"sk-1\"\n",
        "[prices.\"a:b\"]\ninput = 1\n",
        "[run]\nwrites = \"target\"\n",
        "[run]\nnetwork = \"yes\"\n",
        "[prices.\"a:b\"]\ninput = -1\noutput = 1\n",
        "[prices.b]\ninput = 1\noutput = 1\n",
        "models = { haiku = \"qwen3\" }\n",
        "[providers.\"a/b\"]\nbase_url = \"https://a.b\"\n",
        "[providers.here]\nbase_url = \"a.b\"\n",
        "[providers.here]\nbase_url = \"https://a.b\"\nkey_variable = \"sk-1\"\n",
        "[run]\nallow = [\"Bash(\"]\n",
        "[run]\nallow = [\"(a)\"]\n",
        "[run]\nenv = [\"A=b\"]\n",
        "[run]\nprivate_hosts = [\"http://localhost\"]\n",
        "[build]\nfrom = \"a/../..\"\nto = [\"codex\"]\n",
        "[build]\nfrom = \"/agents\"\nto = [\"codex\"]\n",
        "[build]\nfrom = \"agents\"\nto = [\"codex\", \"codex\"]\n",
        "[build]\nfrom = \"agents\"\nto = [\"codex\"]\nsets.a = [\"@b\"]\n",
        "[mcp.servers.a]\ncommand = \" \"\n",
        "[mcp.servers.a]\ntype = \"http\"\ncommand = \"b\"\n",
        "[mcp.servers.a]\ntype = \"stdio\"\nurl = \"https://a.b\"\n",
        "[mcp.servers.a]\nurl = \"a.b\"\n",
        "[mcp.servers.a]\ntype = \"sse\"\nurl = \"https://a.b\"\n",
    ];
    assert!(!bad.into_iter().any(agree));
}

#[cfg(unix)]
#[test]
fn a_configuration_must_be_a_regular_file() {
    let world = World::new();
    let made = std::process::Command::new("mkfifo")
        .arg(world.at("callsheet.toml"))
        .status();
    assert!(made.expect("mkfifo starts").success());
    let run = world.run(&["check"]);
    let expected = "error: callsheet.toml: cannot be read: not a regular file\n\
                    help: see docs/configuration.md for its format; `--no-config` ignores it\n";
    assert_eq!((run.code, run.err.as_str()), (Some(2), expected));
    std::fs::remove_file(world.at("callsheet.toml")).expect("it can be removed");
    std::fs::create_dir(world.at("callsheet.toml")).expect("a directory");
    assert_eq!(world.run(&["list"]).err, expected);
}

#[test]
fn an_option_that_allows_nothing_is_refused() {
    let run = World::new().run(&["run", "porter", "x", "--allow", "Bash("]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("use `Tool` or `Tool(pattern)`"), "{}", run.err);
}
