//! The arguments of `test`.

use std::path::PathBuf;

use clap::Args;

use super::values::{self, Model};
use super::work::{Confined, Limits, PermissionMode, Work};
use crate::cases::PassRate;

#[derive(Args, Debug)]
pub struct Test {
    /// Case files, or directories with `evals/evals.json` files [default: the project]
    pub paths: Vec<PathBuf>,
    /// Run only the cases with this ID
    #[arg(long = "case", value_name = "ID")]
    pub ids: Vec<String>,
    /// Ask the agents' models instead of replaying recordings
    #[arg(long)]
    live: bool,
    /// Model, as PROVIDER:NAME, or ALIAS=PROVIDER:NAME for agents that name the alias; implies --live
    #[arg(long = "model", value_name = "MODEL", value_parser = values::model)]
    models: Vec<Model>,
    /// Record the models' answers for replays; implies --live
    #[arg(long, conflicts_with = "tries")]
    pub record: bool,
    /// Run each case several times, with --live or --model
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    tries: Option<u32>,
    /// Fraction of tries that must pass, such as 0.8, for cases without `min_pass_rate` [default: 1]
    #[arg(long, value_name = "RATE", requires = "tries")]
    min_pass_rate: Option<PassRate>,
    /// Also run each case without the agent's instructions, with --live or --model, and compare
    #[arg(long, conflicts_with = "record")]
    pub baseline: bool,
    /// Which tool calls are permitted [default: accept-edits, as the files are copies]
    #[arg(long, value_enum, value_name = "MODE")]
    permission_mode: Option<PermissionMode>,
    /// Permit a tool, such as `Bash(git *)`
    #[arg(long, value_name = "TOOL", value_parser = crate::config::entry)]
    allow: Vec<String>,
    /// Limit each agent to its caller's permissions
    #[arg(long)]
    attenuate: bool,
    #[command(flatten)]
    confined: Confined,
    #[command(flatten)]
    limits: Limits,
}

impl Test {
    /// Whether models are asked.
    pub fn is_live(&self) -> bool {
        self.live || self.record || !self.models.is_empty()
    }

    /// How often each case runs.
    pub fn tries(&self) -> u32 {
        self.tries.unwrap_or(1)
    }

    /// The part of the tries that must pass, unless a case states it.
    pub fn min_pass_rate(&self) -> PassRate {
        self.min_pass_rate.unwrap_or_default()
    }

    /// The options of each run.
    pub fn work(&self) -> Work {
        Work {
            models: self.models.clone(),
            no_save: true,
            permission_mode: self.permission_mode.or(Some(PermissionMode::AcceptEdits)),
            allow: self.allow.clone(),
            attenuate: self.attenuate,
            confined: self.confined,
            limits: self.limits,
            ..Work::default()
        }
    }
}
