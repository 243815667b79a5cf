//! Command lines against patterns: the table in `tests/data/commands.toml`, properties, and real shells as yardsticks.

mod generated;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use callsheet_core::definition::{Definition, ToolFilter, ToolRule};
use callsheet_core::dialect::CommandPatterns;
use callsheet_core::json::Value;
use callsheet_core::permission::{Call, Origin, Rights, allow_command};
use callsheet_core::span::Span;
use callsheet_invariants::{self as invariants, with_dialects};
use callsheet_tests::texts::{self, check};
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::Strategy;
use serde::Deserialize;

#[derive(Deserialize)]
struct Table {
    group: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    about: String,
    #[serde(default)]
    allow: Vec<String>,
    globs: Option<Vec<String>>,
    /// Whether shells run `evil` for each refused line.
    #[serde(default)]
    proven: bool,
    #[serde(default)]
    tools: Vec<String>,
    allowed: Vec<(String, String)>,
    refused: Vec<(String, String)>,
}

fn table() -> Vec<Group> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/commands.toml");
    let text = fs::read_to_string(path).expect("the table is there");
    let table: Table = toml::from_str(&text).expect("it is TOML");
    table.group
}

fn rule(text: &str) -> ToolRule {
    let (tool, specifier) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((tool, specifier)) => (tool, Some(specifier.to_owned())),
        None => (text, None),
    };
    ToolRule {
        tool: tool.to_owned(),
        specifier,
        span: Span::default(),
    }
}

fn judge(group: &Group, line: &str) -> Result<(), String> {
    let mut rules: Vec<ToolRule> = group.tools.iter().map(|tool| rule(tool)).collect();
    rules.extend(
        group
            .allow
            .iter()
            .map(|pattern| rule(&format!("Bash({pattern})"))),
    );
    if group.globs.is_some() {
        rules.push(rule("Bash"));
    }
    let definition = Definition {
        tools: ToolFilter::Only(rules),
        allowed_commands: group.globs.clone(),
        ..Definition::default()
    };
    with_dialects(|dialects| {
        let dialect = dialects.get("claude-code").expect("it is one of them");
        let offered = ["Bash", "Read", "Write"].map(str::to_owned);
        let rights = Rights::new(
            &definition,
            Origin {
                dialect,
                offered: &offered,
                parent: None,
                attenuate: false,
                own: &[],
            },
        );
        rights.allow(&Call {
            tool: "Bash",
            arguments: &Value::Object(vec![("command".to_owned(), Value::Text(line.to_owned()))]),
            dialect,
            root: "/work/project",
            home: Some("/home/me"),
        })
    })
}

#[test]
fn command_lines_are_allowed_or_refused_as_listed() {
    let (mut allowed, mut refused, mut wrong) = (0, 0, Vec::new());
    for group in table() {
        for (line, about) in &group.allowed {
            allowed += 1;
            if let Err(reason) = judge(&group, line) {
                wrong.push(format!("{}: {about}: {line:?} is refused: {reason}", group.about));
            }
        }
        for (line, about) in &group.refused {
            refused += 1;
            if judge(&group, line).is_ok() {
                wrong.push(format!("{}: {about}: {line:?} is allowed", group.about));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        allowed + refused >= 400 && refused >= allowed,
        "{allowed} {refused}"
    );
}

/// An allowed line with a disallowed command appended is denied, whatever the separator.
#[test]
fn appended_commands_are_never_allowed() {
    const SEPARATORS: &[&str] = &[
        ";",
        "\n",
        "&",
        "&&",
        "||",
        "|",
        "|&",
        " ; ",
        "\n\n",
        ";\n",
        " && ! ",
        "; { ",
        "& (",
        "\n`",
        " $(",
        " \"$(",
        "<(",
        " <<'X'\nX\n",
        " #\n",
    ];
    for group in table() {
        for (line, about) in &group.allowed {
            if group.allow == ["*"] {
                continue;
            }
            // What follows a comment is text up to the end of the line.
            let comment = |separator: &&&str| line.contains('#') && !separator.contains('\n');
            for separator in SEPARATORS.iter().filter(|separator| !comment(separator)) {
                let longer = format!("{line}{separator}zzz");
                assert!(judge(&group, &longer).is_err(), "{about}: {longer:?}");
            }
        }
    }
}

#[test]
fn no_command_line_panics() {
    check(4000, texts::bytes(), |bytes| {
        invariants::command(&bytes);
        Ok(())
    });
}

/// Nested or continued text, up to the longest line.
const LONG: &[&str] = &[
    "nice ",
    "env A=b ",
    "xargs ",
    "exec ",
    "find . -exec ",
    "sudo ",
    "sh -c ",
    "eval ",
    "cd a; ",
    "cd a && ",
    "$(",
    "((",
    "(",
    "{ ",
    "`",
    "\"$(",
    "${a:-",
    "<(",
    "! ",
    "-p",
    "ls; ",
    "ls | ",
    ">a ",
    "A=b ",
    "\\\\",
    "'",
    "<<A\n",
    "{a,",
];

/// A host's stack may be as small as this.
const SMALL_STACK: usize = 256 << 10;

#[test]
fn long_lines_do_not_overflow_the_stack() {
    let deep = |piece: &str| {
        let patterns = ["ls *", "nice *", "find *", "*git*"].map(str::to_owned);
        let line = piece.repeat((64 << 10) / piece.len() - 8) + "git ls";
        assert!(
            allow_command(&patterns, CommandPatterns::Prefix, &line).is_err(),
            "{piece:?}"
        );
    };
    let small = std::thread::Builder::new().stack_size(SMALL_STACK);
    let ended = small.spawn(move || LONG.iter().for_each(|piece| deep(piece)));
    ended.expect("a thread begins").join().expect("every line ends");
}

/// What lines are made of. `ok` is allowed, `evil` is not.
const PIECES: &[&str] = &[
    "ok",
    "evil",
    "ok",
    "evil",
    " ",
    " ",
    " ",
    ";",
    "&",
    "&&",
    "|",
    "||",
    "\n",
    "(",
    ")",
    "{",
    "}",
    "'",
    "\"",
    "\\",
    "`",
    "$",
    "$(",
    "${",
    "$'",
    "#",
    "!",
    "<",
    ">",
    "<<",
    "<<<",
    "<<E\n",
    "\nE\n",
    "E",
    "<(",
    "=",
    "x=",
    "PATH=.",
    "*",
    "~",
    "[",
    "]",
    "[[",
    "$((",
    "))",
    "if",
    "then",
    "fi",
    "for",
    "in",
    "do",
    "done",
    "while",
    "case",
    "esac",
    "eval",
    "exec",
    "env",
    "xargs",
    "command",
    "sh",
    "-c",
    "time",
    "nohup",
    "()",
    "function",
    "\t",
    "\\\n",
    "-",
    "x",
    "$x",
    "1",
    "2>&1",
    ">/dev/null",
    "%",
    ":-",
    ",",
];

/// A folder with programs for shells: `evil` leaves a file of its name in the folder, the others do nothing.
struct Shells {
    folder: tempfile::TempDir,
    shells: Vec<&'static str>,
}

impl Shells {
    fn with(harmless: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let programs = folder.path().join("programs");
        fs::create_dir(&programs).expect("the folder is new");
        for name in harmless {
            script(&programs.join(name), "#!/bin/sh\nexit 0\n");
        }
        let evil = format!("#!/bin/sh\n: > {}/evil\n", folder.path().display());
        script(&programs.join("evil"), &evil);
        for tool in ["env", "xargs", "nohup", "sh"] {
            let real = ["/usr/bin", "/bin"].map(|at| Path::new(at).join(tool));
            let real = real
                .iter()
                .find(|path| path.exists())
                .expect("every system has it");
            symlink(real, programs.join(tool)).expect("the folder is new");
        }
        let shells = ["/bin/bash", "/bin/dash"].into_iter();
        let shells: Vec<&str> = shells.filter(|shell| Path::new(shell).exists()).collect();
        if shells.len() < 2 {
            eprintln!("skipped in part: of bash and dash there is {shells:?}");
        }
        Self { folder, shells }
    }

    /// The shells that run `evil` for this line.
    fn fooled(&self, line: &str) -> Vec<&str> {
        let mark = self.folder.path().join("evil");
        let shells = self.shells.iter().copied();
        let fooled = shells.filter(|shell| {
            run(
                shell,
                line,
                &self.folder.path().join("programs"),
                self.folder.path(),
            );
            fs::remove_file(&mark).is_ok()
        });
        fooled.collect()
    }
}

/// The attacks in the table work in real shells.
#[test]
fn attacks_are_real() {
    let shells = Shells::with(&["git"]);
    let mut wrong = Vec::new();
    for group in table().iter().filter(|group| group.proven) {
        let harmless = group
            .refused
            .iter()
            .filter(|(line, _)| shells.fooled(line).is_empty());
        wrong.extend(harmless.map(|(line, about)| format!("{about}: {line:?}")));
    }
    // Some are known to bash alone.
    assert!(
        wrong.is_empty() || shells.shells.len() < 2,
        "{}",
        wrong.join("\n")
    );
}

/// Random lines with a pattern that allows only `ok`: no allowed line runs `evil` in real shells.
#[test]
fn shells_run_only_what_is_allowed() {
    let shells = Shells::with(&["ok"]);
    let patterns = ["ok *".to_owned()];
    let tried = std::cell::Cell::new(0);
    let line = vec(select(PIECES), 1..14).prop_map(|pieces| pieces.concat());
    let begins = (vec(select(PIECES), 0..8), vec(select(PIECES), 0..8))
        .prop_map(|(before, after)| format!("ok {}{}", before.concat(), after.concat()));
    check(20_000, proptest::prop_oneof![line, begins], |line| {
        if !line.contains("evil") || allow_command(&patterns, CommandPatterns::Prefix, &line).is_err() {
            return Ok(());
        }
        tried.set(tried.get() + 1);
        let fooled = shells.fooled(&line);
        assert!(fooled.is_empty(), "{fooled:?} run evil: {line:?}");
        Ok(())
    });
    assert!(tried.get() > 50, "only {} lines were run", tried.get());
}

fn script(path: &Path, text: &str) {
    fs::write(path, text).expect("the folder is there");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

fn run(shell: &str, line: &str, programs: &Path, folder: &Path) {
    let mut child = Command::new(shell)
        .args(["-c", line])
        .env_clear()
        .env("PATH", programs)
        .env("x", "evil")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the shell is there");
    for _ in 0..2000 {
        if child.try_wait().expect("it is our child").is_some() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // A loop without an end.
    child.kill().expect("it is our child");
    child.wait().expect("it is our child");
}
