//! `test`: cases in `tested/`, each with the files of a project and what is printed there. `BLESS=1` rewrites what is printed.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use super::prompt;
use super::world::World;

/// The last part of a case: commands, and their output.
const EXPECTED: &str = "-- expected --\n";

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/tested");
    let entries = std::fs::read_dir(folder).expect("the cases are there");
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    cases.sort();
    cases
}

/// The files of a case.
fn world(files: &str) -> World {
    let files = files.trim_end_matches('\n');
    let parts = files.split("\n-- ").skip(1);
    parts.fold(World::new(), |world, part| {
        let (name, contents) = part.split_once(" --\n").expect("a file has a name");
        world.file(name, format!("{contents}\n"))
    })
}

/// Runs the commands, and returns them with their output.
fn transcript(world: &World, expected: &str) -> String {
    let commands = expected
        .lines()
        .filter_map(|line| line.strip_prefix("$ callsheet "));
    commands.fold(String::new(), |shown, command| {
        let words: Vec<&str> = command.split(' ').collect();
        let run = world.run(&words);
        let code = run.code.expect("it exits");
        format!(
            "{shown}$ callsheet {command}\n{}{}exit {code}\n",
            run.out, run.err
        )
    })
}

#[test]
fn cases_print_what_is_expected() {
    let cases = cases();
    assert!(!cases.is_empty());
    let mut wrong = String::new();
    for path in cases {
        let text = std::fs::read_to_string(&path).expect("a case is text");
        let (files, expected) = text.split_once(EXPECTED).expect("a case has an end");
        let printed = transcript(&world(files), expected);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, format!("{files}{EXPECTED}{printed}")).expect("a case can be written");
        } else if printed != expected {
            wrong.push_str(&format!("{}: prints\n{printed}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A project whose reader has a model that gives these answers, and the server with the requests.
fn answered(answers: &'static [&'static str]) -> (World, JoinHandle<Vec<Value>>) {
    let server = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = server.local_addr().expect("it has one");
    let serving = std::thread::spawn(move || {
        let answer = |text: &&str| {
            let (stream, _) = server.accept().expect("a client connects");
            prompt::answer(stream, text)
        };
        answers.iter().map(answer).collect()
    });
    let cases = json!({"agent": "reader", "evals": [
        {"id": "counts", "prompt": "Count.", "assertions": [{"answer": {"contains": "Three"}}]}
    ]});
    let config = format!("[providers.local]\nbase_url = \"http://{address}/v1\"\n");
    let world = World::new()
        .file(
            ".claude/agents/reader.md",
            "---\nname: reader\ndescription: Reads\ntools: Read\nmodel: local:m\n---\nRead.\n",
        )
        .file("callsheet.toml", config)
        .file("evals/evals.json", cases.to_string());
    assert_eq!(world.run(&["trust", "callsheet.toml", "--yes"]).code, Some(0));
    (world, serving)
}

#[test]
fn what_is_recorded_once_is_replayed() {
    let (world, serving) = answered(&["Three."]);
    let recorded = world.run(&["test", "--record"]);
    assert_eq!(recorded.code, Some(0), "{}{}", recorded.out, recorded.err);
    serving.join().expect("it was asked once");
    let replayed = world.run(&["test"]);
    assert_eq!(replayed.code, Some(0), "{}{}", replayed.out, replayed.err);
    assert_eq!(recorded.out, replayed.out);
}

#[test]
fn several_tries_have_a_rate() {
    let (world, serving) = answered(&["Three.", "Four.", "Three."]);
    let run = world.run(&["test", "--live", "--tries", "3", "--format", "json"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    serving.join().expect("it was asked three times");
    let shown: Value = serde_json::from_str(&run.out).expect("it is JSON");
    let case = &shown["files"][0]["cases"][0];
    assert_eq!(shown["mode"], "live");
    assert!((case["pass_rate"].as_f64().expect("a number") - 2.0 / 3.0).abs() < 1e-9);
    let passed = [true, false, true].map(Value::from);
    let tries = case["tries"].as_array().expect("a list");
    assert!(tries.iter().map(|one| &one["passed"]).eq(&passed), "{case}");
}

#[test]
fn enough_tries_pass_a_case() {
    for (rate, format, code) in [
        ("0.8", "text", 0),
        ("0.8", "json", 0),
        ("0.8", "junit", 0),
        ("0.8", "markdown", 0),
        ("0.8", "html", 0),
        ("0.81", "text", 1),
        ("1", "junit", 1),
    ] {
        let (world, serving) = answered(&["Three.", "Four.", "Three.", "Three.", "Three."]);
        let options = ["test", "--live", "--tries", "5", "--min-pass-rate", rate];
        let run = world.run(&[&options[..], &["--format", format]].concat());
        assert_eq!(run.code, Some(code), "{rate} {format}: {}{}", run.out, run.err);
        serving.join().expect("it was asked five times");
        // The failed try is not silent.
        assert!(run.out.contains("does not contain"), "{format}: {}", run.out);
        let shown = match format {
            "json" => "\"min_pass_rate\": 0.8",
            _ if rate == "0.8" => "4 of 5 tries passed, 4 required",
            _ => "4 of 5 tries passed\n",
        };
        assert!(run.out.contains(shown), "{rate} {format}: {}", run.out);
        assert_eq!(run.out.contains("<failure"), format == "junit" && code == 1);
    }
}

/// A case's own rate counts, then that of its file, then that of the command line.
#[test]
fn a_case_may_have_its_own_rate() {
    let (world, serving) = answered(&["Three.", "Four.", "Three.", "Four.", "Three.", "Four."]);
    let case =
        |id: &str| json!({"id": id, "prompt": "Count.", "assertions": [{"answer": {"contains": "Three"}}]});
    let mut strict = case("strict");
    strict["min_pass_rate"] = json!(1);
    let file = json!({"agent": "reader", "min_pass_rate": 0.5, "evals": [case("usual"), strict]});
    let other = json!({"agent": "reader", "evals": [case("other")]});
    let world = world
        .file("evals/evals.json", file.to_string())
        .file("other.json", other.to_string());
    let options = ["test", "evals/evals.json", "other.json", "--live", "--tries", "2"];
    let run = world.run(&[&options[..], &["--min-pass-rate", "0.4", "--format", "json"]].concat());
    assert_eq!(run.code, Some(1), "{}", run.err);
    serving.join().expect("it was asked six times");
    let shown: Value = serde_json::from_str(&run.out).expect("it is JSON");
    let cases = shown["files"].as_array().expect("a list").iter();
    let cases = cases.flat_map(|file| file["cases"].as_array().expect("a list"));
    let rates: Vec<(&Value, bool)> = cases
        .map(|case| (&case["min_pass_rate"], case["passed"] == true))
        .collect();
    let expected = [(json!(0.5), true), (json!(1.0), false), (json!(0.4), true)];
    assert!(
        rates
            .iter()
            .map(|(rate, passed)| ((*rate).clone(), *passed))
            .eq(expected),
        "{rates:?}"
    );
}

/// Each try is followed by one that differs in the system prompt only, and does not decide.
#[test]
fn a_baseline_has_all_but_the_instructions() {
    let (world, serving) = answered(&["Three.", "Four.", "Three.", "Three."]);
    let options = ["test", "--live", "--tries", "2", "--baseline", "--format", "json"];
    let run = world.run(&options);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let mut requests = serving.join().expect("it was asked four times");
    let shown: Value = serde_json::from_str(&run.out).expect("it is JSON");
    let case = &shown["files"][0]["cases"][0];
    assert_eq!((&case["pass_rate"], &case["passed"]), (&json!(1.0), &json!(true)));
    assert_eq!(case["baseline"]["pass_rate"], 0.5, "{case}");
    let tries = case["baseline"]["tries"].as_array().expect("a list");
    assert!(tries.iter().all(|one| one["turns"] == 1), "{case}");
    // Each works in another directory.
    let system = |request: &mut Value| {
        let system = request["messages"][0]["content"].take();
        let (own, place) = system.as_str()?.split_once("\n\nYou work here:\n")?;
        place
            .starts_with("<env>\nWorking directory: /")
            .then(|| own.to_owned())
    };
    let systems: Vec<Option<String>> = requests.iter_mut().map(system).collect();
    assert_eq!(systems[0].as_deref(), Some("Read."));
    let base = systems[1].as_deref().unwrap_or_default();
    assert!(
        base.starts_with("You do a task") && !base.contains("Read."),
        "{base}"
    );
    assert_eq!((&systems[0], &systems[1]), (&systems[2], &systems[3]));
    assert!(
        requests.iter().all(|request| *request == requests[0]),
        "{requests:?}"
    );
}

#[test]
fn every_format_compares_an_agent_with_its_baseline() {
    for (format, shown) in [
        (
            "text",
            &["agent:    1 of 1 passed", "baseline: 0 of 1 passed, turns 1"][..],
        ),
        (
            "junit",
            &[
                "<system-out>baseline: ",
                "agent: 1 of 1 passed",
                "baseline: 0 of 1 passed",
            ],
        ),
        (
            "markdown",
            &[
                "| counts | baseline | 0 of 1 | 1 |",
                "| all | agent | 1 of 1 | 1 |",
            ],
        ),
        (
            "html",
            &[
                "<td>baseline</td><td>0 of 1</td>",
                "<td>all</td><td>agent</td><td>1 of 1</td>",
            ],
        ),
    ] {
        let (world, serving) = answered(&["Three.", "Four."]);
        let run = world.run(&["test", "--live", "--baseline", "--format", format]);
        assert_eq!(run.code, Some(0), "{format}: {}{}", run.out, run.err);
        serving.join().expect("it was asked twice");
        for part in [shown, &["baseline: the answer does not contain"]].concat() {
            assert!(run.out.contains(part), "{format}: no {part:?} in {}", run.out);
        }
    }
}

#[test]
fn a_better_baseline_does_not_save_a_case() {
    let (world, serving) = answered(&["Four.", "Three."]);
    let run = world.run(&["test", "--live", "--baseline"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    serving.join().expect("it was asked twice");
    assert!(run.out.contains("baseline: 1 of 1 passed"), "{}", run.out);
    assert!(run.err.contains("0 passed, 1 failed"), "{}", run.err);
}

/// The limits hold for both.
#[test]
fn a_baseline_without_an_answer_is_shown() {
    let (world, _) = answered(&[]);
    let run = world.run(&["test", "--live", "--baseline", "--total-turns", "0"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert_eq!(run.out.matches("no answer: ").count(), 2, "{}", run.out);
    assert!(run.out.contains("baseline: no answer: "), "{}", run.out);
}

/// A run without an answer must not replace a recording.
#[test]
fn a_failed_run_keeps_the_recording_before() {
    let (world, serving) = answered(&["Three."]);
    assert_eq!(world.run(&["test", "--record"]).code, Some(0));
    let before = world.bytes("evals/recordings/counts.jsonl");
    let failed = world.run(&["test", "--record", "--total-turns", "0"]);
    assert_eq!(failed.code, Some(1), "{}{}", failed.out, failed.err);
    assert!(failed.out.contains("it was not recorded"), "{}", failed.out);
    serving.join().expect("it was asked");
    assert_eq!(world.bytes("evals/recordings/counts.jsonl"), before);
}

#[test]
fn without_a_key_no_case_runs() {
    let (world, _) = answered(&[]);
    let mut command = world.callsheet(&["test", "--model", "anthropic:x"]);
    let output = command
        .env_remove("ANTHROPIC_API_KEY")
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("needs an API key"), "{said}");
}

/// An agent writes to a copy: the project stays as it is, and so does what a link leads to.
#[test]
fn the_project_is_not_touched() {
    let case = cases().into_iter().find(|path| path.ends_with("passes.case"));
    let text = std::fs::read_to_string(case.expect("it is there")).expect("a case is text");
    let (files, _) = text.split_once(EXPECTED).expect("a case has an end");
    let world = world(files);
    let run = world.run(&["test"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(!world.at("out").exists());
}

#[cfg(unix)]
#[test]
fn links_are_not_copied() {
    let case = |id: &str, file: &str| json!({"id": id, "prompt": "Count.", "files": [file]});
    let cases = [
        case("file", "key.txt"),
        case("inside", "inputs"),
        case("through", "up/home/key.txt"),
    ];
    let world = World::new()
        .file(
            ".claude/agents/reader.md",
            "---\nname: reader\ndescription: Reads\n---\nRead.\n",
        )
        .file("inputs/a.txt", "a")
        .file(
            "evals/evals.json",
            json!({"agent": "reader", "evals": cases}).to_string(),
        );
    std::fs::write(world.at("../home/key.txt"), "secret").expect("a file");
    for (link, target) in [
        ("key.txt", "../home/key.txt"),
        ("inputs/b.txt", "a.txt"),
        ("up", ".."),
    ] {
        std::os::unix::fs::symlink(target, world.at(link)).expect("a link");
    }
    for id in ["file", "inside", "through"] {
        let recording = format!("evals/recordings/{id}.jsonl");
        std::fs::create_dir_all(world.at("evals/recordings")).expect("a directory");
        std::fs::write(world.at(&recording), "{\"callsheet-recording\":1}\n").expect("a file");
    }
    let run = world.run(&["test"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert_eq!(run.out.matches("cannot copy").count(), 3, "{}", run.out);
    assert_eq!(
        run.out.matches("links are not followed").count(),
        3,
        "{}",
        run.out
    );
}
