//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use callsheet::fix::Which;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  callsheet check                    every agent that a tool finds here
  callsheet check agents/ x.md       these files, wherever they lie
  callsheet list --all               those that are not in force, too
  callsheet why reviewer             which definition wins, by which rule
  callsheet show reviewer --as kode  as one tool reads it
  callsheet run reviewer Review it   let an agent do something

Exit codes: 0 all is well, 1 findings or nothing found, 2 it could not be done.
Of run and task, besides: 3 an answer, but calls were refused, 4 a bound was
reached, 5 no answer, 130 interrupted.";

/// Says who is called: finds, checks and explains AI agent files.
#[derive(Debug, Parser)]
#[command(name = "callsheet", version, after_help = EXAMPLES, max_term_width = 80, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) options: Options,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say what is wrong with agent files
    Check(Check),
    /// List the agents in force
    List {
        /// List those that are shadowed, withheld or broken, too
        #[arg(long)]
        all: bool,
    },
    /// Show everything about one agent
    Show {
        /// What it is called by
        name: String,
        /// Print the whole system prompt
        #[arg(long, conflicts_with = "readers")]
        prompt: bool,
        /// Say what each release that reads such files makes of it; with names, only these tools or releases
        #[arg(long, value_name = "NAMES", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = "")]
        readers: Option<Vec<String>>,
    },
    /// Explain which definition a name calls
    Why {
        /// What it is called by
        name: String,
    },
    /// Find agents by name or description, typing errors forgiven
    Search {
        /// What to look for
        query: String,
        /// The most to print for each dialect
        #[arg(long, value_name = "NUMBER", default_value_t = 20)]
        limit: u32,
    },
    /// Say what happens to agents while their files change, until interrupted
    Watch {
        /// Print JSON, a line for each change: short for --format json
        #[arg(long)]
        json: bool,
    },
    /// Say in another dialect what an agent file says
    Convert(Convert),
    /// Say which tools an agent gets, and why
    Tools {
        /// What it is called by
        name: String,
    },
    /// Let an agent do something
    Run(Run),
    /// Have something done by whichever agents fit
    Task(Task),
    /// Serve the agents as tools to programs that speak MCP
    Mcp(Mcp),
    /// List the known dialects, or say all about one
    Dialects {
        /// The dialect
        name: Option<String>,
    },
    /// Write a new agent
    New(New),
    /// Change what an agent's file says, and nothing else in it; without options, in your editor
    Edit(Edit),
    /// Give an agent and its file another name
    Rename {
        /// What it is called by
        old: String,
        /// What it is to be called by
        new: String,
    },
    /// Remove an agent's file
    Rm {
        /// What it is called by
        name: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Copy an agent's file to another place
    Copy {
        /// What it is called by
        name: String,
        /// Where to: `user`, `project` or a directory
        #[arg(long, value_name = "PLACE")]
        to: String,
    },
    /// Trust a file as it is now, so that the servers, endpoints and variables that it names count
    Trust(Trust),
    /// List what check looks for
    Rules,
    /// Explain a rule: what is wrong, and what to do
    Explain {
        /// The rule, as in error[RULE]
        rule: String,
    },
    /// Print a script that completes commands and options in a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, of the program or of one command
    Man {
        /// The command
        command: Option<String>,
    },
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Files and directories; without any, what the tools in use here would read
    pub(crate) paths: Vec<PathBuf>,
    /// Mend what can be mended safely, and report what remains
    #[arg(long, group = "mending")]
    pub(crate) fix: bool,
    /// Show what --fix would do, and write nothing
    #[arg(long, group = "mending")]
    pub(crate) diff: bool,
    /// With --fix or --diff: also where the fix may not be what was meant
    #[arg(long, requires = "mending")]
    pub(crate) unsafe_fixes: bool,
    /// Say which releases load each file, and why not; with names, only these tools or releases
    #[arg(long, value_name = "NAMES", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = "", conflicts_with_all = ["fix", "diff", "baseline"])]
    pub(crate) readers: Option<Vec<String>>,
    /// Report only what this file does not accept; without such a file, accept what is there and write it
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub(crate) baseline: Option<PathBuf>,
    /// Report what comments in the files suppress, too
    #[arg(long)]
    pub(crate) no_ignore: bool,
}

#[derive(Args, Debug)]
pub(crate) struct New {
    /// What it is to be called by; its file gets this name, too
    pub(crate) name: Option<String>,
    /// When to use it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) description: Option<String>,
    /// The tools it may use, with commas; `*` for all, nothing for none [default: what the tool gives by itself]
    #[arg(long, value_name = "TOOLS")]
    pub(crate) tools: Option<String>,
    /// The model
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// The colour it is shown in
    #[arg(long, value_name = "COLOR")]
    pub(crate) agent_color: Option<String>,
    /// Any other key, as the dialect spells it
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) prompt: Prompt,
    /// What to start from: researcher, reviewer, tester or writer
    #[arg(long, value_name = "NAME")]
    pub(crate) template: Option<String>,
    /// For all of your projects, in the home directory
    #[arg(long)]
    pub(crate) user: bool,
    /// Open it in your editor before it is written
    #[arg(long, short)]
    pub(crate) edit: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Prompt {
    /// What it is to do; `-` for standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) prompt: Option<String>,
    /// A file that says what it is to do; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "prompt")]
    pub(crate) prompt_file: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Edit {
    /// What it is called by
    pub(crate) name: String,
    /// What a key is to say
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
    /// A key to take out
    #[arg(long, value_name = "KEY")]
    pub(crate) unset: Vec<String>,
    #[command(flatten)]
    pub(crate) prompt: Prompt,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub(crate) diff: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Trust {
    /// A file, or what an agent is called by
    #[arg(required_unless_present = "list")]
    pub(crate) what: Option<String>,
    /// List what is trusted
    #[arg(long, conflicts_with_all = ["what", "revoke", "yes"])]
    pub(crate) list: bool,
    /// Trust it no more
    #[arg(long, conflicts_with = "yes")]
    pub(crate) revoke: bool,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// A file, or what an agent is called by
    pub(crate) what: String,
    /// The dialect to say it in; --as says which one it is in now
    #[arg(long, value_name = "DIALECT")]
    pub(crate) to: String,
    /// Write it where that dialect looks in the project
    #[arg(long)]
    pub(crate) write: bool,
    /// Go on where tools or limits are lost; more is never granted
    #[arg(long)]
    pub(crate) allow_loss: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Run {
    /// What the agent is called by
    #[arg(required_unless_present = "resume")]
    pub(crate) agent: Option<String>,
    /// What it is to do; `-` reads it from standard input
    #[arg(required_unless_present = "resume")]
    pub(crate) task: Vec<String>,
    /// Go on with what was interrupted; what was said then holds
    #[arg(long, value_name = "FILE", conflicts_with_all = ["agent", "task", "model", "snapshot"])]
    pub(crate) resume: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) work: Work,
}

#[derive(Args, Debug)]
pub(crate) struct Task {
    /// What is to be done; `-` reads it from standard input
    #[arg(required = true)]
    pub(crate) task: Vec<String>,
    /// Who is to see to it [default: a coordinator that calls the others]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) work: Work,
}

#[derive(Args, Debug)]
#[command(mut_arg("snapshot", |it| it.hide(true)), mut_arg("transcript", |it| it.hide(true)), mut_arg("json", |it| it.hide(true)))]
pub(crate) struct Mcp {
    /// Listen here, such as 127.0.0.1:8765, instead of serving one client over standard input and output
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) http: Option<SocketAddr>,
    #[command(flatten)]
    pub(crate) work: Work,
}

/// How work is done.
#[derive(Args, Debug)]
pub(crate) struct Work {
    /// The model, as PROVIDER:NAME; `replay:FILE` answers from a recording
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Write down what models answer, for --model replay:FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write down, as Markdown, what everybody says and does
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
    /// Keep in this file what --resume can go on from, after every step
    #[arg(long, value_name = "FILE")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Print what happens as JSON lines, the answer last
    #[arg(long)]
    pub(crate) json: bool,
    /// What is done without asking
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) permission_mode: Option<PermissionMode>,
    /// A tool that may be used without asking, such as `Bash(git *)`
    #[arg(long, value_name = "TOOL")]
    pub(crate) allow: Vec<String>,
    /// No agent may what its caller may not
    #[arg(long)]
    pub(crate) attenuate: bool,
    /// How deep agents may call agents
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    pub(crate) depth: u32,
    /// The most turns of one agent
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    pub(crate) turns: u32,
    /// The most turns in all
    #[arg(long, value_name = "NUMBER", default_value_t = 500)]
    pub(crate) total_turns: u32,
    /// The most agents called in all
    #[arg(long, value_name = "NUMBER", default_value_t = 100)]
    pub(crate) children: u32,
    /// The most agents at work at once
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    pub(crate) parallel: u32,
    /// The most tokens in all
    #[arg(long, value_name = "NUMBER")]
    pub(crate) tokens: Option<u64>,
    /// The most that it may cost, where the price is known
    #[arg(long, value_name = "AMOUNT", value_parser = millionths)]
    pub(crate) cost: Option<u64>,
    /// The longest that it may take: `90s`, `10m` or `2h`
    #[arg(long, value_name = "TIME", value_parser = nanoseconds)]
    pub(crate) time: Option<u64>,
    /// The most bytes of one tool's result
    #[arg(long, value_name = "BYTES", default_value_t = 100_000)]
    pub(crate) result_bytes: u32,
}

/// What is done without asking.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum PermissionMode {
    // Nothing may be changed, asked or not.
    Plan,
    // What changes nothing.
    Default,
    // That, and to change files of the project.
    AcceptEdits,
    // Everything.
    Bypass,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Options for every command")]
pub(crate) struct Options {
    /// Whose rules hold [default: every dialect with a directory here]
    #[arg(long = "as", value_name = "DIALECT", global = true)]
    pub(crate) dialect: Option<String>,
    /// The project
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        global = true,
        hide_default_value = true
    )]
    pub(crate) project: PathBuf,
    /// The home directory [default: yours, shown as ~]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) home: Option<PathBuf>,
    /// The configuration [default: the nearest callsheet.toml upwards from the project]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// Use no configuration
    #[arg(long, conflicts_with = "config", global = true)]
    pub(crate) no_config: bool,
    /// How to print; sarif, github and gitlab are for check alone
    #[arg(long, value_enum, default_value_t = Output::Text, global = true)]
    pub(crate) format: Output,
    /// When to colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,
    /// No summary, no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Agents as JSON, or @FILE that holds it
    #[arg(long, value_name = "JSON", global = true)]
    pub(crate) agents: Option<String>,
    /// A directory of agents
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) agents_dir: Vec<PathBuf>,
    /// A plugin and its directory
    #[arg(long, value_name = "NAME=DIR", value_parser = plugin, global = true)]
    pub(crate) plugin: Vec<(String, PathBuf)>,
    /// A broken file leaves its name without a winner
    #[arg(long, global = true)]
    pub(crate) fail_closed: bool,
    /// Follow links out of the project and the home directory
    #[arg(long, global = true)]
    pub(crate) follow_links: bool,
    /// Run another build of the component
    #[cfg(feature = "jit")]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) component: Option<PathBuf>,
}

impl Command {
    /// Whether it is about files, which a configuration may say something about.
    pub(crate) fn asks_about_files(&self) -> bool {
        !matches!(
            self,
            Self::Dialects { .. }
                | Self::Rules
                | Self::Explain { .. }
                | Self::Completions { .. }
                | Self::Man { .. }
        )
    }
}

impl Check {
    pub(crate) fn which(&self) -> Which {
        match self.unsafe_fixes {
            true => Which::All,
            false => Which::Safe,
        }
    }
}

impl Options {
    /// Whether the command line brings agents of its own.
    pub(crate) fn gives_agents(&self) -> bool {
        self.agents.is_some() || !self.agents_dir.is_empty() || !self.plugin.is_empty()
    }
}

/// For whom to print.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Output {
    // For people.
    Text,
    // One line for each finding or agent.
    Concise,
    // For programs: docs/json.md says what it holds.
    Json,
    // For code scanning services and editors.
    Sarif,
    // For the log of a workflow.
    Github,
    // For a report on code quality.
    Gitlab,
}

/// How every command can print.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Format {
    Text,
    Concise,
    Json,
}

impl Output {
    /// The format, unless it is one for findings alone.
    pub(crate) fn common(self) -> Option<Format> {
        match self {
            Self::Text => Some(Format::Text),
            Self::Concise => Some(Format::Concise),
            Self::Json => Some(Format::Json),
            Self::Sarif | Self::Github | Self::Gitlab => None,
        }
    }
}

/// When to colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    // On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
        _ => Err("write it as KEY=VALUE".to_owned()),
    }
}

fn plugin(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, directory)) if !name.is_empty() && !directory.is_empty() => {
            Ok((name.to_owned(), directory.into()))
        }
        _ => Err("write it as NAME=DIR".to_owned()),
    }
}

/// An amount such as `0.5` in millionths.
fn millionths(text: &str) -> Result<u64, String> {
    let amount: f64 = text.parse().map_err(|_| "write it as a number, such as 0.5")?;
    match amount.is_finite() && amount >= 0.0 {
        true => Ok((amount * 1e6).round() as u64),
        false => Err("it has to be an amount".to_owned()),
    }
}

fn nanoseconds(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return Err("write it as 90s, 10m or 2h".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "write it as 90s, 10m or 2h")?;
    number
        .checked_mul(seconds * 1_000_000_000)
        .ok_or_else(|| "that is more than a lifetime".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
