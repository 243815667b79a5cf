//! The command for WASI runtimes prints what the native one prints.

use std::fs;
use std::path::Path;
use std::process::Command;

use callsheet_tests::backend::Backend;
use callsheet_tests::case::Case;
use callsheet_tests::commands::words;
use tempfile::TempDir;

use super::stock::{Stock, stock};

const NATIVE: &str = env!("CARGO_BIN_EXE_callsheet-under-test");

/// What only the native command has.
const ELSEWHERE: [&str; 8] = [
    "--readers",
    "--fix",
    "--diff",
    "--baseline",
    "--config",
    "--follow-links",
    "--prompt",
    "--limit",
];

/// Options of the native command that the one for WASI reports as ignored.
const CONFIGURATION: &str = "callsheet.toml";

fn is_here(line: &[String]) -> bool {
    let commands = [
        "check", "list", "show", "why", "graph", "convert", "dialects", "rules", "explain",
    ];
    let elsewhere =
        |word: &String| ELSEWHERE.iter().any(|other| word.starts_with(other)) || word.starts_with('@');
    commands.contains(&&*line[0]) && !line.iter().any(elsewhere)
}

/// The cases with lines that both commands have.
fn cases() -> Vec<(Case, Vec<Vec<String>>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let cases = Case::all(&folder).into_iter().filter_map(|(_, case)| case.ok());
    let cases = cases.filter(|case| case.backends().contains(&Backend::Component) && case.step.is_empty());
    let cases = cases.map(|case| {
        let lines = case.run.iter().map(|line| words(line, Backend::Cli));
        let lines = lines.filter(|line| is_here(line)).collect();
        (case, lines)
    });
    cases
        .filter(|(_, lines): &(_, Vec<_>)| !lines.is_empty())
        .collect()
}

fn compare(stock: &Stock, command: &str, case: &Case, line: &[String], tree: &Path) -> Option<String> {
    let native = Command::new(NATIVE)
        .args(line)
        .current_dir(tree)
        .env_clear()
        .output()
        .expect("it can be done");
    let mut arguments = vec!["run", "--allow-precompiled", "--dir", "."];
    // No link leads out of a directory that is opened alone; but then no repository contains it.
    let alone = |name: &&str| tree.join(name).is_dir() && !tree.join(".git").exists();
    let opened = ["project", "home"].into_iter().filter(alone);
    arguments.extend(opened.flat_map(|name| ["--dir", name]));
    arguments.push(command);
    arguments.extend(line.iter().map(String::as_str));
    let here = stock.wasmtime(tree, &arguments);
    let same = native.stdout == here.stdout && native.status.success() == here.status.success();
    (!same).then(|| {
        format!(
            "{} `{}`\nnative: {} {}\nhere: {} {}{}",
            case.file.display(),
            line.join(" "),
            native.status,
            String::from_utf8_lossy(&native.stdout),
            here.status,
            String::from_utf8_lossy(&here.stdout),
            String::from_utf8_lossy(&here.stderr),
        )
    })
}

#[test]
fn prints_the_same_as_the_native_command() {
    let Some(stock) = stock() else { return };
    let command = stock.compiled("callsheet-cli");
    let (mut lines, mut differences) = (0, Vec::new());
    let cases = cases();
    for (case, its_lines) in &cases {
        let folder = TempDir::new().expect("there is room");
        case.lay_out(folder.path()).expect("it can be laid out");
        if folder.path().join("project").join(CONFIGURATION).exists() {
            continue;
        }
        lines += its_lines.len();
        let compare = |line: &Vec<String>| compare(stock, &command, case, line, folder.path());
        differences.extend(its_lines.iter().filter_map(compare));
    }
    eprintln!("{lines} command lines of {} cases", cases.len());
    assert!(
        differences.is_empty(),
        "{} differ:\n{}",
        differences.len(),
        differences.join("\n\n")
    );
    assert!(lines > 100, "there are cases");
}

/// A project with one agent, whose description is broken.
fn project() -> TempDir {
    let folder = TempDir::new().expect("there is room");
    let agents = folder.path().join(".claude/agents");
    fs::create_dir_all(&agents).expect("it can be done");
    fs::write(
        agents.join("a.md"),
        "---\nname: a\ndescription: x: y\n---\nHello\n",
    )
    .expect("it can be done");
    folder
}

/// The command line's exit, output and errors.
fn run(stock: &Stock, folder: &Path, line: &[&str]) -> (Option<i32>, String, String) {
    let command = stock.compiled("callsheet-cli");
    let mut arguments = vec!["run", "--allow-precompiled", "--dir", ".", &command];
    arguments.extend(line);
    let output = stock.wasmtime(folder, &arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn prints_text() {
    let Some(stock) = stock() else { return };
    let project = project();
    let said = |line: &[&str]| run(stock, project.path(), line);
    let finding = ".claude/agents/a.md:3:15: warning[unquoted-value]: unquoted `description` contains `: `, which starts a mapping in YAML\n";
    assert_eq!(said(&["check"]), (Some(1), finding.into(), String::new()));
    let agent = ".claude/agents/a.md: claude-code: active: a: x: y\n";
    let (exit, listed, errors) = said(&["list"]);
    assert!(
        exit == Some(0) && listed.contains(agent) && errors.is_empty(),
        "{listed}{errors}"
    );
    let (exit, explained, _) = said(&["explain", "unquoted-value"]);
    assert!(
        exit == Some(0) && explained.contains("A value that must be quoted."),
        "{explained}"
    );
    let (exit, converted, _) = said(&["convert", "a", "--to", "kode"]);
    assert!(
        exit == Some(0) && converted.starts_with("---\nname: a\n"),
        "{converted}"
    );
}

#[test]
fn unavailable_commands_are_reported() {
    let Some(stock) = stock() else { return };
    let project = project();
    fs::write(project.path().join(CONFIGURATION), "").expect("it can be done");
    for (line, words) in [
        (
            &["run", "a", "b"][..],
            "`run` is only available in the native program",
        ),
        (&["chekc"], "did you mean `check`?"),
        (
            &["check", "--fix"],
            "`--fix` is only available in the native program",
        ),
        (
            &["check", "--format", "sarif"],
            "format `sarif` is only available in the native program",
        ),
        (&["check", "--as", "kodee"], "did you mean `kode`?"),
        (&["check", "none.md"], "no such file or directory"),
        (&["why", "b"], "no active agent `b`"),
        (&["why"], "`why` needs a name"),
        (&["why", "a", "b"], "unexpected argument `b`"),
        (&["graph", "--focus", "b"], "nothing here is called `b`"),
        (&["graph", "--missing", "--cycles"], "use one of"),
        (
            &["graph", "--focus", "a", "--orphans"],
            "`--orphans` cannot be used with `--focus`",
        ),
        (
            &["list", "--format", "mermaid"],
            "this format is only available for `graph`",
        ),
        (&["convert", "a"], "`convert` needs `--to DIALECT`"),
        (&["check"], "callsheet.toml is ignored"),
    ] {
        let (exit, _, errors) = run(stock, project.path(), line);
        assert!(
            exit == Some(1) && errors.contains(words),
            "{line:?}: {exit:?} {errors}"
        );
    }
    let (exit, help, _) = run(stock, project.path(), &["--help"]);
    assert!(
        exit == Some(0) && help.contains(" wasmtime run --dir . callsheet-cli.wasm"),
        "{help}"
    );
}

#[test]
fn unopened_directories_are_errors() {
    let Some(stock) = stock() else { return };
    let (folder, command) = (project(), stock.compiled("callsheet-cli"));
    for line in [
        &["check"][..],
        &["list"],
        &["show", "a"],
        &["why", "a"],
        &["--project", "elsewhere", "check"],
    ] {
        let arguments = [&["run", "--allow-precompiled", &command], line].concat();
        let output = stock.wasmtime(folder.path(), &arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(1) && errors.contains("cannot open the directory"),
            "{line:?}: {errors}"
        );
    }
}

/// Every command on the page on embedding.
#[test]
fn the_documented_commands_work() {
    let Some(stock) = stock() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/embed.md")).expect("it is there");
    let lines = page.lines().filter_map(|line| line.strip_prefix("wasmtime run "));
    let lines: Vec<&str> = lines.collect();
    assert!(lines.len() >= 4, "the page shows how");
    for line in lines {
        let words = shlex::split(line).expect("its quotes are closed");
        let built = |word: String| {
            if word.ends_with(".wasm") {
                stock.folder().join(word).to_string_lossy().into_owned()
            } else {
                word
            }
        };
        let words: Vec<String> = ["run".to_owned()]
            .into_iter()
            .chain(words.into_iter().map(built))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = stock.wasmtime(&root.join("examples/workspace"), &words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.stdout.is_empty() && errors.is_empty(), "{line}: {errors}");
    }
}
