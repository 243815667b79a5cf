//! Every known way of a program to run or overwrite something else, in all places where it may hide, and real programs as yardsticks.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use callsheet_core::dialect::CommandPatterns;
use callsheet_core::permission::allow_command;
use callsheet_tests::generate::Dice;
use serde::Deserialize;

/// The user that tries run as, and its group.
const NOBODY: u32 = 65534;

/// Lines of pieces that are tried, and of the allowed ones those that are run.
const MIXED: usize = 30_000;
const RUN: usize = 250;

#[derive(Deserialize)]
struct Table {
    program: Vec<Program>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Program {
    name: String,
    #[serde(default)]
    values: Vec<String>,
    letters: String,
    /// Whether `--` starts the arguments of another program.
    #[serde(default)]
    hands_over: bool,
    #[serde(default)]
    safe: Vec<String>,
    risks: Vec<String>,
    #[serde(default)]
    proven: Vec<String>,
}

fn programs() -> Vec<Program> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/risks.toml");
    let text = fs::read_to_string(path).expect("the table is there");
    toml::from_str::<Table>(&text).expect("it is TOML").program
}

impl Program {
    fn allows(&self, line: &str) -> bool {
        let pattern = format!("{} *", self.name);
        allow_command(&[pattern], CommandPatterns::Prefix, line).is_ok()
    }

    /// A risk unchanged, shortened, with its value in the same word, and among letters.
    fn forms(&self, risk: &str) -> BTreeSet<String> {
        let mut forms = BTreeSet::from([risk.to_owned()]);
        let (option, value) = risk.split_once(' ').unwrap_or((risk, "evil"));
        if !option.starts_with('-') {
            return forms;
        }
        if let Some(name) = option.strip_prefix("--") {
            forms.insert(format!("{option}={value}"));
            let ends = (3..name.split('=').next().unwrap_or_default().len()).step_by(4);
            let short = ends.map(|end| format!("--{}", &name[..end]));
            for short in short.filter(|short| !self.safe.contains(short) && !self.values.contains(short)) {
                forms.extend([format!("{short} {value}"), format!("{short}={value}")]);
            }
        } else if option.len() == 2 {
            forms.insert(format!("{option}{value}"));
            for letter in self.letters.chars() {
                let together = format!("-{letter}{}", &option[1..]);
                forms.extend([format!("{together} {value}"), format!("{together}{value}")]);
            }
        }
        forms
    }

    /// A form in all places.
    fn lines(&self, form: &str) -> Vec<String> {
        let name = &self.name;
        let mut lines = vec![
            format!("{name} {form}"),
            format!("{name} -- {form}"),
            format!("{name} -- -- {form}"),
        ];
        for value in self.values.iter().take(4) {
            // A non-option may be a value.
            if form.starts_with('-') {
                lines.push(format!("{name} {value} {form}"));
            }
            lines.extend([
                format!("{name} {value} -- {form}"),
                format!("{name} {value} x {form}"),
                format!("{name} {value} x -- {form}"),
                format!("{name} {value} -- -- {form}"),
            ]);
        }
        for letter in self.letters.chars() {
            lines.push(format!("{name} -{letter} {form}"));
        }
        let value = |line: &String| {
            self.values
                .iter()
                .any(|value| line.contains(&format!(" {value} -- ")))
        };
        lines.retain(|line| !self.hands_over || !line.contains(" -- ") || value(line));
        lines
    }
}

#[test]
fn wildcards_match_no_risky_option() {
    let (mut count, mut wrong) = (0, Vec::new());
    for program in programs() {
        for form in program.risks.iter().flat_map(|risk| program.forms(risk)) {
            for line in program.lines(&form) {
                count += 1;
                if program.allows(&line) {
                    wrong.push(line);
                }
            }
        }
        wrong.extend(program.proven.iter().filter(|line| program.allows(line)).cloned());
    }
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(count >= 3000, "only {count} lines");
    eprintln!("{count} lines are refused");
}

/// A directory of an unprivileged user, without a network and with nothing but some programs in its path.
struct Cell {
    folder: tempfile::TempDir,
}

impl Cell {
    /// None where tries cannot be contained.
    fn new(programs: &[Program]) -> Option<Self> {
        let cell = Self {
            folder: tempfile::tempdir().expect("there is room"),
        };
        for folder in ["home", "work", "programs"] {
            fs::create_dir(cell.at(folder)).expect("the folder is new");
        }
        for folder in ["", "home", "work"] {
            chown(cell.at(folder), Some(NOBODY), Some(NOBODY)).ok()?;
        }
        let names = programs
            .iter()
            .filter_map(|program| program.name.split(' ').next());
        let names: BTreeSet<&str> = names.chain(["sh", "cat", "touch", "gzip"]).collect();
        for name in names {
            if let Some(real) = real(name) {
                symlink(real, cell.at("programs").join(name)).expect("the folder is new");
            }
        }
        let evil = format!("#!/bin/sh\n: > {}\n", cell.at("home/evil").display());
        let at = cell.at("programs/evil");
        fs::write(&at, evil).expect("the folder is new");
        fs::set_permissions(&at, fs::Permissions::from_mode(0o755)).expect("it is ours");
        cell.run(": > ../home/here")?;
        fs::remove_file(cell.at("home/here")).ok()?;
        let made = "printf 'all:\\n\\ttrue\\n' > Makefile; echo a > a; printf 'x := $(shell evil)\\n' > other; \
            mkdir deep evil-path; cat other > deep/Makefile; cat Makefile >> deep/Makefile; \
            tar cf a.tar a; printf '#!/bin/sh\\nevil\\n' > evil-path/git-x; chmod 755 evil-path/git-x; \
            git init -q .; git add a; git -c user.name=a -c user.email=a commit -qm a; \
            git config user.name a; git config user.email a; git init -q --bare upstream; \
            printf '#!/bin/sh\\nevil\\n' > upstream/hooks/pre-receive; chmod 755 upstream/hooks/pre-receive";
        cell.run(made)?;
        Some(cell)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a line; none if that cannot be contained.
    fn run(&self, line: &str) -> Option<()> {
        let program = |name: &str| real(name).ok_or(());
        let (setpriv, unshare) = (program("setpriv").ok()?, program("unshare").ok()?);
        let path = format!("{}:/bin", self.at("programs").display());
        let path = if line.contains("chmod") {
            path
        } else {
            self.at("programs").display().to_string()
        };
        let mut command = Command::new(unshare);
        command
            .args(["--net", "--"])
            .arg(setpriv)
            .args([
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "--no-new-privs",
                "--",
            ])
            .arg(program("timeout").ok()?)
            .args(["-k", "1", "3", "/bin/sh", "-c"])
            .arg(format!("{line}\nexit 0"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.at("home"))
            .current_dir(self.at("work"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let status = command.status().ok()?;
        // 124 and 137: it took too long, which is contained, too.
        matches!(status.code(), Some(0 | 2 | 124 | 127 | 137)).then_some(())
    }

    /// Whether `evil` ran, or a file that gives rights was written, since this was last asked.
    fn harmed(&self) -> bool {
        let guarded = [".envrc", ".bashrc", "callsheet.toml"].map(|name| self.at("work").join(name));
        let written = guarded.iter().any(|path| path.exists());
        fs::remove_file(self.at("home/evil")).is_ok() || written
    }
}

fn real(name: &str) -> Option<PathBuf> {
    let mut places = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin"].into_iter();
    places.find_map(|place| Some(Path::new(place).join(name)).filter(|path| path.is_file()))
}

/// Some risky lines do run `evil`, and no allowed line does.
#[test]
fn allowed_commands_do_no_harm() {
    let programs = programs();
    let Some(cell) = Cell::new(&programs) else {
        eprintln!("skipped: commands can be contained only by root, with `setpriv` and `unshare`");
        return;
    };
    let (mut proven, mut ran) = (0, 0);
    let mut dice = Dice(7);
    let here: Vec<&Program> = programs
        .iter()
        .filter(|program| program.name.split(' ').next().and_then(real).is_some())
        .filter(|program| !matches!(&*program.name, "man" | "npm" | "npm run" | "cargo" | "cargo test"))
        .collect();
    for line in programs.iter().flat_map(|program| &program.proven) {
        cell.run(line);
        proven += usize::from(cell.harmed());
    }
    for _ in 0..MIXED {
        let program = here[dice.below(here.len())];
        let line = mixed(program, &mut dice);
        if ran >= RUN {
            break;
        }
        if !program.allows(&line) {
            continue;
        }
        ran += 1;
        cell.run(&line);
        assert!(!cell.harmed(), "{line}");
    }
    eprintln!("{proven} risks are real; {ran} allowed lines harm nothing");
    assert!(proven >= 15, "only {proven} risks are real");
    assert!(ran >= 100, "only {ran} lines were run");
}

/// A program with its arguments and risks, in any order.
fn mixed(program: &Program, dice: &mut Dice) -> String {
    const PLAIN: &[&str] = &[
        "--",
        "a",
        "a.tar",
        "all",
        "-",
        ".",
        "1",
        "evil",
        "HEAD",
        "p",
        "'{print}'",
    ];
    let mut line = program.name.clone();
    for _ in 0..=dice.below(4) {
        line.push(' ');
        match dice.below(6) {
            0 if !program.values.is_empty() => line += &program.values[dice.below(program.values.len())],
            1 if !program.letters.is_empty() => {
                let letters: Vec<char> = program.letters.chars().collect();
                line.push('-');
                line.extend((0..=dice.below(2)).map(|_| letters[dice.below(letters.len())]));
            }
            2 => {
                let risk = &program.risks[dice.below(program.risks.len())];
                let forms: Vec<String> = program.forms(risk).into_iter().collect();
                line += &forms[dice.below(forms.len())];
            }
            _ => line += PLAIN[dice.below(PLAIN.len())],
        }
    }
    line
}
