//! Parses the arguments: a subset of the native program.

use callsheet_answers::Project;
use callsheet_contract::projects::{Part, Scope};
use callsheet_report::text::clean;
use lexopt::prelude::*;
use strsim::damerau_levenshtein;

use crate::failure::{Caller, Failure};
use crate::places;

/// The text of `--help`.
pub(crate) const HELP: &str = "\
Lint, inspect and convert AI agent files. This is the portable program: it
writes no files and runs no agents.

Usage: callsheet COMMAND
       wasmtime run --dir . callsheet-cli.wasm COMMAND

Commands:
  check [PATHS]...              Check agent files for problems
  list [--all]                  List active agents
  show NAME                     Show everything about one agent, as JSON
  why NAME                      Explain which definition of a name wins
  graph                         Show what files refer to
  convert WHAT --to DIALECT     Convert an agent, a skill or a command to another dialect
  dialects [NAME]               List the dialects, or show one as JSON
  rules                         List the rules of check
  explain RULE                  Explain a rule

Options:
  --as DIALECT                  Dialect to use [default: every dialect in use]
  --format concise|json         Output format [default: concise]; with graph
                                also dot and mermaid
  --project DIR                 Project directory [default: .]
  --home DIR                    Home directory [default: ~, if the runtime opens it]
  --no-home                     Ignore agents in the home directory
  --agents JSON                 Agents as JSON
  --agents-dir DIR              Additional agent directory
  --plugin NAME=DIR             Plugin and its directory
  --fail-closed                 Do not fall back when the preferred file is broken
  --target DIALECT              With check: also check for this tool; may be repeated
  --no-ignore                   With check: ignore suppression comments
  --allow-loss                  With convert: convert anyway, losing tools or limits
  --focus NAME                  With graph: only what this name refers to, and what
                                refers to it
  --missing, --orphans, --cycles
                                With graph: only missing references, files without
                                references, or agents that call each other in a cycle
  --quiet                       Print no notes

Exit status: 0 no problems, 1 problems found, 2 usage or I/O error (in WASI
runtimes 1).
Only the native program has excerpts, callsheet.toml, --fix, baselines, and
commands that watch, write or run agents.
";

/// Commands of this program.
const HERE: [&str; 10] = [
    "check", "convert", "dialects", "explain", "graph", "help", "list", "rules", "show", "why",
];

/// Commands that only the native program has.
const ELSEWHERE: [&str; 28] = [
    "acp",
    "build",
    "completions",
    "copy",
    "doctor",
    "edit",
    "export",
    "hook",
    "init",
    "inventory",
    "login",
    "logout",
    "lsp",
    "man",
    "mcp",
    "new",
    "rename",
    "rm",
    "run",
    "search",
    "sessions",
    "stats",
    "task",
    "test",
    "tools",
    "trust",
    "watch",
    "worker",
];

/// The most wrong letters in a command that is suggested.
const MOST_TYPOS: usize = 2;

/// Options that only the native program has.
const OPTIONS_ELSEWHERE: [&str; 25] = [
    "add-ignore",
    "baseline",
    "cache",
    "color",
    "config",
    "diff",
    "exit-zero",
    "fix",
    "follow-links",
    "ignore",
    "kind",
    "no-config",
    "output-file",
    "prompt",
    "readers",
    "repos",
    "select",
    "severity",
    "shard",
    "show-all",
    "statistics",
    "stdin-filename",
    "unsafe-fixes",
    "watch",
    "write",
];

/// A command line.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// None prints the help.
    pub(crate) command: Option<Command>,
    pub(crate) dialect: Option<String>,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
    pub(crate) project: Project,
    pub(crate) caller: Caller,
}

/// How a command prints its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Format {
    #[default]
    Concise,
    Json,
    /// Only of `graph`.
    Dot,
    /// Only of `graph`.
    Mermaid,
}

#[derive(Debug)]
pub(crate) enum Command {
    Check {
        paths: Vec<String>,
        targets: Vec<String>,
        no_ignore: bool,
    },
    List {
        all: bool,
    },
    Show {
        name: String,
    },
    Why {
        name: String,
    },
    Graph {
        scope: Scope,
        part: Part,
    },
    Convert {
        what: String,
        to: String,
        allow_loss: bool,
    },
    Dialects {
        name: Option<String>,
    },
    Rules,
    Explain {
        rule: String,
    },
    Version,
}

/// The parsed arguments, before the command is known.
#[derive(Default)]
struct Words {
    values: Vec<String>,
    targets: Vec<String>,
    all: bool,
    no_ignore: bool,
    no_home: bool,
    allow_loss: bool,
    focus: Option<String>,
    parts: Vec<Part>,
    help: bool,
    version: bool,
    to: Option<String>,
}

impl Arguments {
    pub(crate) fn parse(words: Vec<String>, caller: Caller) -> Result<Self, Failure> {
        let mut parser = lexopt::Parser::from_args(words.into_iter().skip(1));
        let mut it = Self {
            caller,
            ..Self::default()
        };
        let mut words = Words::default();
        while let Some(argument) = parser.next()? {
            match argument {
                Value(value) => words.values.push(value.string()?),
                Long("all") => words.all = true,
                Long("target") => words.targets.push(parser.value()?.string()?),
                Long("no-ignore") => words.no_ignore = true,
                Long("allow-loss") => words.allow_loss = true,
                Long("focus") => words.focus = Some(parser.value()?.string()?),
                Long("missing") => words.parts.push(Part::Missing),
                Long("orphans") => words.parts.push(Part::Orphans),
                Long("cycles") => words.parts.push(Part::Cycles),
                Long("to") => words.to = Some(parser.value()?.string()?),
                Long("help") | Short('h') => words.help = true,
                Long("version") | Short('V') => words.version = true,
                Long("as") => it.dialect = Some(parser.value()?.string()?),
                Long("format") => it.format = format(&parser.value()?.string()?)?,
                Long("quiet") | Short('q') => it.quiet = true,
                Long("project") => it.project.name = directory(&parser.value()?.string()?),
                Long("home") => it.project.home = Some(directory(&parser.value()?.string()?)),
                Long("no-home") => words.no_home = true,
                Long("agents") => it.project.inline = Some(parser.value()?.string()?),
                Long("agents-dir") => it.project.directories.push(directory(&parser.value()?.string()?)),
                Long("plugin") => it.project.plugins.push(plugin(&parser.value()?.string()?)?),
                Long("fail-closed") => it.project.fail_closed = true,
                Long(name) if OPTIONS_ELSEWHERE.contains(&name) => {
                    return Err(Failure::native_only(&format!("`--{name}`")));
                }
                _ => return Err(argument.unexpected().into()),
            }
        }
        places::complete(&mut it.project);
        if words.no_home {
            it.project.home = None;
        }
        it.command = words.command()?;
        let is_drawn = matches!(it.format, Format::Dot | Format::Mermaid);
        if is_drawn && !matches!(it.command, None | Some(Command::Graph { .. })) {
            let failure = Failure::new("this format is only available for `graph`");
            return Err(failure.help("other commands print `--format concise` or `json`"));
        }
        Ok(it)
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }
}

impl Words {
    fn command(self) -> Result<Option<Command>, Failure> {
        if self.version {
            return Ok(Some(Command::Version));
        }
        let mut values = self.values.into_iter();
        let Some(command) = values.next().filter(|_| !self.help) else {
            return Ok(None);
        };
        let mut one = |what: &str| {
            let wanted = || Failure::new(format!("`{command}` needs {what}")).help("see `--help`");
            values.next().ok_or_else(wanted)
        };
        let command = match &*command {
            "help" => return Ok(None),
            "check" => {
                return Ok(Some(Command::Check {
                    paths: values.map(|path| directory(&path)).collect(),
                    targets: self.targets,
                    no_ignore: self.no_ignore,
                }));
            }
            "list" => Command::List { all: self.all },
            "show" => Command::Show { name: one("a name")? },
            "why" => Command::Why { name: one("a name")? },
            "graph" => graph(self.focus, &self.parts)?,
            "convert" => {
                let what = one("a file or a name")?;
                let to = self
                    .to
                    .ok_or_else(|| Failure::new("`convert` needs `--to DIALECT`"))?;
                let allow_loss = self.allow_loss;
                Command::Convert { what, to, allow_loss }
            }
            "dialects" => Command::Dialects { name: values.next() },
            "rules" => Command::Rules,
            "explain" => Command::Explain { rule: one("a rule")? },
            other => return Err(unknown(other)),
        };
        match values.next() {
            None => Ok(Some(command)),
            Some(more) => Err(Failure::new(format!("unexpected argument `{}`", clean(&more)))),
        }
    }
}

fn graph(focus: Option<String>, parts: &[Part]) -> Result<Command, Failure> {
    let part = match parts {
        [] => Part::Whole,
        [Part::Orphans] if focus.is_some() => {
            return Err(Failure::new("`--orphans` cannot be used with `--focus`"));
        }
        [part] => *part,
        _ => return Err(Failure::new("use one of `--missing`, `--orphans` and `--cycles`")),
    };
    let scope = focus.map_or(Scope::Everything, Scope::Around);
    Ok(Command::Graph { scope, part })
}

fn unknown(command: &str) -> Failure {
    if ELSEWHERE.contains(&command) {
        return Failure::native_only(&format!("`{command}`"));
    }
    let distance = |known: &&str| damerau_levenshtein(known, command);
    let nearest = HERE.into_iter().chain(ELSEWHERE).min_by_key(distance);
    let help = match nearest.filter(|known| distance(known) <= MOST_TYPOS) {
        Some(known) => format!("did you mean `{known}`?"),
        None => "see `--help` for the list".to_owned(),
    };
    Failure::new(format!("unknown command `{}`", clean(command))).help(help)
}

fn format(name: &str) -> Result<Format, Failure> {
    match name {
        "json" => Ok(Format::Json),
        "concise" => Ok(Format::Concise),
        "dot" => Ok(Format::Dot),
        "mermaid" => Ok(Format::Mermaid),
        other => {
            Err(Failure::native_only(&format!("format `{}`", clean(other))).help("use `concise` or `json`"))
        }
    }
}

/// The path for findings, as the user wrote it, without a final slash.
fn directory(name: &str) -> String {
    let short = name.trim_end_matches('/');
    if short.is_empty() { name } else { short }.to_owned()
}

fn plugin(text: &str) -> Result<(String, String), Failure> {
    let (name, place) = text
        .split_once('=')
        .ok_or_else(|| Failure::new("`--plugin` needs NAME=DIR"))?;
    Ok((name.to_owned(), directory(place)))
}
