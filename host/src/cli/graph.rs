//! The arguments of `graph`.

use clap::Args;
use clap_complete::engine::ArgValueCompleter;

use super::candidates;
use crate::projects::{Part, Scope};

#[derive(Args, Debug)]
pub struct Graph {
    /// Show only what this name refers to, and what refers to it
    #[arg(long, value_name = "NAME", add = ArgValueCompleter::new(candidates::names))]
    pub focus: Option<String>,
    /// Show only missing references
    #[arg(long, group = "part")]
    missing: bool,
    /// Show only files that refer to nothing and that nothing refers to
    #[arg(long, group = "part", conflicts_with = "focus")]
    orphans: bool,
    /// Show only agents that can call each other in a cycle
    #[arg(long, group = "part")]
    cycles: bool,
}

impl Graph {
    /// The surroundings to show.
    pub fn scope(&self) -> Scope {
        self.focus
            .as_ref()
            .map_or(Scope::Everything, |name| Scope::Around(name.clone()))
    }

    /// The part to show.
    pub fn part(&self) -> Part {
        match (self.missing, self.orphans, self.cycles) {
            (true, ..) => Part::Missing,
            (_, true, _) => Part::Orphans,
            (.., true) => Part::Cycles,
            _ => Part::Whole,
        }
    }
}
