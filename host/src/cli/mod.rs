//! The arguments of the command line. Public for the program and for tests, not for other programs.
#![allow(
    missing_docs,
    rustdoc::broken_intra_doc_links,
    reason = "comments are texts of the help"
)]

mod candidates;
mod export;
mod files;
mod graph;
mod inventory;
mod options;
mod repos;
mod sessions;
mod test;
mod values;
mod work;

use std::time::Duration;

use clap::{Command as Shape, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueHint};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use clap_complete::{CompleteEnv, Shell};

pub use self::export::Export;
pub use self::files::{Build, Check, Convert, Edit, Gravity, New, Prompt, Rename, Trust};
pub use self::graph::Graph;
pub use self::inventory::Inventory;
pub use self::options::{Color, Format, Kind, Options, Output};
pub use self::repos::{Repos, Shard};
pub use self::sessions::{Action, Send, Sessions};
pub use self::test::Test;
pub use self::work::{
    Acp, Confine, Confined, Limits, Login, Mcp, PermissionMode, Run, Task, Told, Work, Worker,
};

const EXAMPLES: &str = "\
Examples:
  callsheet check                    check every agent of this project
  callsheet check agents/ x.md       check these files
  callsheet list --all               include shadowed and broken agents
  callsheet why reviewer             show which definition wins, and why
  callsheet show reviewer --as kode  show an agent as Kode reads it
  callsheet graph --missing          show missing references
  callsheet run reviewer Review it   run an agent
  callsheet test                     run the test cases of agents

Exit status: 0 no problems, 1 problems found, 2 usage or I/O error. `run` and
`task` also: 3 answered, but tool calls were denied, 4 limit reached, 5 no
answer, 130 interrupted.";

/// Lint, inspect, convert and run AI agent files
#[derive(Debug, Parser)]
#[command(name = "callsheet", version, after_help = EXAMPLES, max_term_width = 80)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub options: Options,
}

/// The variable with which a shell asks for completions.
pub const COMPLETING: &str = "CALLSHEET_COMPLETE";

/// Answers a shell that asks for completions, and exits. Returns if none does.
pub fn complete() {
    if std::env::var_os(COMPLETING).is_some()
        && let Some(options) = written()
    {
        candidates::look_in(candidates::Scope {
            dialect: options.dialect,
            project: options.project,
            home: options.home,
            no_home: options.no_home,
        });
    }
    CompleteEnv::with_factory(Cli::command).var(COMPLETING).complete();
}

/// The options on the line so far, which stands behind `--`.
fn written() -> Option<Options> {
    let line = std::env::args_os().skip_while(|word| word != "--").skip(1);
    let matches = Cli::command()
        .ignore_errors(true)
        .try_get_matches_from(line)
        .ok()?;
    Options::from_arg_matches(&matches).ok()
}

impl Cli {
    /// Reads the arguments. The help of a command describes its own options only; `callsheet --help` has those of every command.
    pub fn read() -> Result<Self, clap::Error> {
        let mut shape = Self::command();
        // Commands get the global options now.
        shape.build();
        let matches = with_own_options(shape).try_get_matches()?;
        Self::from_arg_matches(&matches)
    }
}

fn with_own_options(shape: Shape) -> Shape {
    shape.mut_subcommands(|command| {
        let own = command.mut_args(|option| {
            let hidden = option.is_global_set() || option.is_hide_set();
            option.hide(hidden)
        });
        with_own_options(own).after_help("Options for every command: callsheet --help")
    })
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check agents, skills and commands for problems
    Check(Check),
    /// List active agents, skills or commands
    List {
        /// Include shadowed, withheld and broken agents
        #[arg(long)]
        all: bool,
        /// What to list
        #[arg(long, value_enum, default_value_t = Kind::Agent)]
        kind: Kind,
    },
    /// Show an agent, skill or command: tools, model, prompt, source
    Show {
        /// Name of an agent, skill:NAME, command:NAME or server:NAME
        #[arg(add = ArgValueCompleter::new(candidates::names))]
        name: String,
        /// Print the system prompt and the tools that a model gets in a run; for a skill or command, print the whole text
        #[arg(long, conflicts_with = "readers")]
        prompt: bool,
        /// Show how each measured release reads the file; with names, only these tools or releases
        #[arg(long, value_name = "NAMES", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = "")]
        readers: Option<Vec<String>>,
    },
    /// Explain which definition of a name wins, and what refers to it
    Why {
        /// Name of an agent, skill:NAME, command:NAME, server:NAME, or file
        #[arg(add = ArgValueCompleter::new(candidates::names_and_files))]
        name: String,
    },
    /// Show what agents, skills and commands refer to
    Graph(Graph),
    /// List agents, skills, servers and hooks, and the permissions agents gain by calling others
    Inventory(Inventory),
    /// Search agents by name or description, tolerating typos
    Search {
        /// Search text
        query: String,
        /// Maximum number of results per dialect
        #[arg(long, value_name = "NUMBER", default_value_t = 20)]
        limit: u32,
        /// What to search
        #[arg(long, value_enum, default_value_t = Kind::Agent)]
        kind: Kind,
    },
    /// Watch agent files and report what changes, until interrupted
    Watch {
        /// Print each change as a JSON line; same as --format json
        #[arg(long)]
        json: bool,
    },
    /// Convert an agent, a skill or a command to another dialect
    Convert(Convert),
    /// Compile agents that extend others or include shared text
    Build(Build),
    /// Export descriptions of agents as A2A agent cards or a list for AGENTS.md
    Export(Export),
    /// Show which tools an agent gets, and why
    Tools {
        /// Agent name
        #[arg(add = ArgValueCandidates::new(candidates::agents))]
        name: String,
        #[command(flatten)]
        confined: Confined,
    },
    /// Run an agent
    Run(Run),
    /// Run a task and let agents share the work
    Task(Task),
    /// Run the test cases of agents, against recordings or models
    Test(Test),
    /// List, show, export, continue and remove saved sessions
    Sessions(Sessions),
    /// Show calls, failures, tokens, cost and time of agents in saved sessions
    Stats {
        /// Include the sessions started in other directories
        #[arg(long)]
        all: bool,
        /// Only count sessions with a step within this time, such as `7d`
        #[arg(long, value_name = "AGE", value_parser = values::age)]
        since: Option<Duration>,
    },
    /// Serve agents as MCP tools
    Mcp(Mcp),
    /// Run agents in an editor that speaks the Agent Client Protocol
    Acp(Acp),
    /// Run session steps for a durable engine
    Worker(Worker),
    /// Run the language server for editors
    Lsp {
        /// Always in effect; accepted because many clients pass it
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Check the files that a coding agent has just changed; runs as a hook of the agent
    Hook,
    /// List supported dialects, or describe one
    Dialects {
        /// Dialect, or a release of one, such as kode@2.0.2
        #[arg(add = ArgValueCandidates::new(candidates::dialects))]
        name: Option<String>,
    },
    /// Create an agent
    New(New),
    /// Change fields of an agent file, or open it in your editor
    Edit(Edit),
    /// Rename an agent, its file, and every reference to it
    Rename(Rename),
    /// Delete an agent file
    Rm {
        /// Agent name
        #[arg(add = ArgValueCandidates::new(candidates::own_agents))]
        name: String,
        /// Do not ask for confirmation
        #[arg(long, short)]
        yes: bool,
    },
    /// Copy an agent file
    Copy {
        /// Agent name
        #[arg(add = ArgValueCandidates::new(candidates::own_agents))]
        name: String,
        /// Destination: `user`, `project` or a directory
        #[arg(long, value_name = "PLACE", value_hint = ValueHint::DirPath)]
        to: String,
    },
    /// Trust the servers, endpoints and variables in a file
    Trust(Trust),
    /// Sign in to an MCP server with OAuth
    Login(Login),
    /// Delete the OAuth tokens of an MCP server
    Logout {
        /// Server name
        server: String,
    },
    /// Write a callsheet.toml for this project
    Init,
    /// Show tools, settings, models and trust, and where they come from
    Doctor,
    /// List the rules of `check`
    Rules,
    /// Explain a rule and how to fix its findings
    Explain {
        /// Rule name, as in error[RULE]
        #[arg(add = ArgValueCandidates::new(candidates::rules))]
        rule: String,
    },
    /// Print shell completions
    Completions {
        /// Shell
        shell: Shell,
    },
    /// Print the manual page of the program or of a command
    Man {
        /// Command, such as `check` or `sessions show`
        command: Vec<String>,
    },
}

impl Command {
    /// Whether the command uses files, and so the configuration.
    pub fn asks_about_files(&self) -> bool {
        !matches!(
            self,
            Self::Acp(_)
                | Self::Lsp { .. }
                | Self::Hook
                | Self::Dialects { .. }
                | Self::Init
                | Self::Doctor
                | Self::Rules
                | Self::Explain { .. }
                | Self::Completions { .. }
                | Self::Man { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    #[test]
    fn the_command_definition_is_valid() {
        Cli::command().debug_assert();
    }
}
