//! Saved sessions.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::Work;
use super::values;
use super::work::SAID_THEN;

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Sessions {
    #[command(subcommand)]
    pub action: Option<Action>,
    /// Also list sessions started in other directories
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Subcommand)]
pub enum Action {
    /// Show the state of a session and its last message
    Show {
        /// Session ID or a unique prefix
        id: String,
    },
    /// Print the conversation of a session as Markdown, or with --format json or html
    Export {
        /// Session ID or a unique prefix
        id: String,
        /// Write to this file
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Send a follow-up message to a finished session
    Send(Box<Send>),
    /// Remove sessions
    Rm {
        /// Session IDs or unique prefixes
        #[arg(required_unless_present = "older_than")]
        ids: Vec<String>,
        /// Remove sessions older than this, such as `30d`, in every project
        #[arg(long, value_name = "AGE", value_parser = values::age, conflicts_with = "ids")]
        older_than: Option<Duration>,
    },
}

#[derive(Args, Debug)]
#[command(mut_arg("snapshot", |it| it.hide(true)), mut_arg("no_save", |it| it.hide(true)))]
#[command(mut_arg("permission_mode", |it| it.hide(true)), mut_arg("allow", |it| it.hide(true)))]
#[command(mut_arg("attenuate", |it| it.hide(true)))]
pub struct Send {
    /// Session ID or a unique prefix
    #[arg(conflicts_with_all = &SAID_THEN[2..])]
    pub id: String,
    /// Message; `-` reads it from standard input
    #[arg(required = true)]
    pub message: Vec<String>,
    #[command(flatten)]
    pub work: Work,
}
