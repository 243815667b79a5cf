//! The command line.

mod files;
mod options;
mod sessions;
mod values;
mod work;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use self::files::{Check, Convert, Edit, Gravity, New, Prompt, Trust};
pub(crate) use self::options::{Color, Format, Options, Output};
pub(crate) use self::sessions::{Action, Send, Sessions};
pub(crate) use self::work::{Confine, Mcp, PermissionMode, Run, Task, Work};

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
#[command(name = "callsheet", version, after_help = EXAMPLES, max_term_width = 80)]
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
    /// List, show, export, continue and remove saved sessions
    Sessions(Sessions),
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
