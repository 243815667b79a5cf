//! The words of the command line: those of the native program, as far as they are here.

use callsheet_answers::Project;
use callsheet_answers::output::text::clean;
use lexopt::prelude::*;

use crate::failure::Failure;
use crate::places;

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Says who is called: finds, checks and explains AI agent files. This is the
command for WASI runtimes: it sees the directories that the runtime opens.

Usage: wasmtime run --dir . callsheet-cli.wasm COMMAND

Commands:
  check [PATHS]...              Say what is wrong with agent files
  list [--all]                  List the agents in force
  show NAME                     Show everything about one agent, as JSON
  why NAME                      Explain which definition a name calls
  convert WHAT --to DIALECT     Say in another dialect what an agent file says
  dialects [NAME]               List the known dialects, or say all about one, as JSON
  rules                         List what check looks for
  explain RULE                  Explain a rule

Options:
  --as DIALECT                  Whose rules hold [default: every dialect with a directory here]
  --format concise|json         How to print [default: concise]
  --project DIR                 The project [default: .]
  --home DIR                    The home directory [default: ~, where the runtime opens one]
  --agents JSON                 Agents as JSON
  --agents-dir DIR              A directory of agents
  --plugin NAME=DIR             A plugin and its directory
  --fail-closed                 A broken file leaves its name without a winner
  --target DIALECT              With check: check for this tool, too; may be repeated
  --no-ignore                   With check: report what comments suppress, too
  --allow-loss                  With convert: go on where tools or limits are lost
  --quiet                       No remarks

Exit codes: 0 all is well, 1 findings, nothing found, or it could not be done.
Everything else is in the native program: excerpts, callsheet.toml, --fix,
baselines, watching, writing, and letting agents work.
";

/// Words that only the native program has.
const ELSEWHERE: [&str; 14] = [
    "completions",
    "copy",
    "edit",
    "man",
    "mcp",
    "new",
    "rename",
    "rm",
    "run",
    "search",
    "task",
    "tools",
    "trust",
    "watch",
];

/// A command line.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// None to print the help.
    pub(crate) command: Option<Command>,
    pub(crate) dialect: Option<String>,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) project: Project,
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

/// What was read, before it is known what it belongs to.
#[derive(Default)]
struct Words {
    values: Vec<String>,
    targets: Vec<String>,
    all: bool,
    no_ignore: bool,
    allow_loss: bool,
    help: bool,
    version: bool,
    to: Option<String>,
}

impl Arguments {
    pub(crate) fn parse(words: Vec<String>) -> Result<Self, Failure> {
        let mut parser = lexopt::Parser::from_args(words.into_iter().skip(1));
        let mut it = Self::default();
        let mut words = Words::default();
        while let Some(argument) = parser.next()? {
            match argument {
                Value(value) => words.values.push(value.string()?),
                Long("all") => words.all = true,
                Long("target") => words.targets.push(parser.value()?.string()?),
                Long("no-ignore") => words.no_ignore = true,
                Long("allow-loss") => words.allow_loss = true,
                Long("to") => words.to = Some(parser.value()?.string()?),
                Long("help") | Short('h') => words.help = true,
                Long("version") | Short('V') => words.version = true,
                Long("as") => it.dialect = Some(parser.value()?.string()?),
                Long("format") => it.json = json(&parser.value()?.string()?)?,
                Long("quiet") | Short('q') => it.quiet = true,
                Long("project") => it.project.name = directory(&parser.value()?.string()?),
                Long("home") => it.project.home = Some(directory(&parser.value()?.string()?)),
                Long("agents") => it.project.inline = Some(parser.value()?.string()?),
                Long("agents-dir") => it.project.directories.push(directory(&parser.value()?.string()?)),
                Long("plugin") => it.project.plugins.push(plugin(&parser.value()?.string()?)?),
                Long("fail-closed") => it.project.fail_closed = true,
                _ => return Err(argument.unexpected().into()),
            }
        }
        places::complete(&mut it.project);
        it.command = words.command()?;
        Ok(it)
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
            let wanted = || Failure::new(format!("`{command}` wants {what}")).help("`--help` says how");
            values.next().ok_or_else(wanted)
        };
        let command = match &*command {
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
            "convert" => {
                let what = one("a file or a name")?;
                let to = self
                    .to
                    .ok_or_else(|| Failure::new("`convert` wants `--to DIALECT`"))?;
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
            Some(more) => Err(Failure::new(format!("`{}` is one word too many", clean(&more)))),
        }
    }
}

fn unknown(command: &str) -> Failure {
    match ELSEWHERE.contains(&command) {
        true => Failure::new(format!("`{command}` is not in the command for WASI"))
            .help("the native `callsheet` has it"),
        false => Failure::new(format!("there is no command `{}`", clean(command)))
            .help("`--help` lists those that there are"),
    }
}

fn json(format: &str) -> Result<bool, Failure> {
    match format {
        "json" => Ok(true),
        "concise" => Ok(false),
        other => Err(
            Failure::new(format!("there is no format `{}` here", clean(other)))
                .help("`concise` and `json` are here; the native `callsheet` has the others"),
        ),
    }
}

/// As the user wrote it, which is what findings will call it; a final slash says nothing.
fn directory(name: &str) -> String {
    let short = name.trim_end_matches('/');
    if short.is_empty() { name } else { short }.to_owned()
}

fn plugin(text: &str) -> Result<(String, String), Failure> {
    let (name, place) = text
        .split_once('=')
        .ok_or_else(|| Failure::new("`--plugin` wants NAME=DIR"))?;
    Ok((name.to_owned(), directory(place)))
}
