//! What agents are told besides their prompts and tasks: where they work, and instructions.

use alloc::string::{String, ToString};

use serde::{Deserialize, Serialize};

use super::settings::{Repository, Surroundings};
use crate::limits::CHANGES_BYTES;

/// What it says, as far as it is the same for all agents. It follows the state in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Context {
    /// The project's directory.
    pub(super) directory: String,
    /// What follows the directory; empty if agents are told nothing.
    pub(super) about: String,
    /// The state of the repository.
    pub(super) repository: String,
    /// The instructions of the user and the project.
    pub(super) instructions: String,
}

impl Context {
    pub(super) fn new(surroundings: Surroundings, instructions: &str, tells_repository: bool) -> Self {
        let is_repository = if surroundings.is_repository { "yes" } else { "no" };
        let about = [
            "\nGit repository: ",
            is_repository,
            "\nPlatform: ",
            &surroundings.platform,
            "\nToday's date: ",
            &surroundings.date,
            "\n</env>",
        ];
        let repository = surroundings.repository.filter(|_| tells_repository);
        let instructions = if instructions.is_empty() {
            String::new()
        } else {
            [
                "<instructions>\nFollow these instructions of the user and the project.",
                instructions,
                "\n</instructions>\n\n",
            ]
            .concat()
        };
        Self {
            directory: surroundings.directory,
            about: about.concat(),
            repository: repository.map_or_else(String::new, |it| state(&it)),
            instructions,
        }
    }

    /// Whether agents are told anything.
    pub(super) fn is_told(&self) -> bool {
        !self.about.is_empty()
    }
}

fn state(repository: &Repository) -> String {
    let branch = repository.branch.as_deref().unwrap_or("none");
    let mut text = [
        "<repository>\nThe git repository when this session began. This text does not change later.\n\nBranch: ",
        branch,
        "\n\nChanged files:",
    ]
    .concat();
    let mut left = CHANGES_BYTES;
    for (change, before) in repository.changes.iter().zip(0..) {
        match left.checked_sub(change.len()) {
            Some(rest) => left = rest,
            None => {
                let more = repository.changes.len() - before;
                add(&mut text, &["… and ", &more.to_string(), " more"].concat());
                break;
            }
        }
        add(&mut text, change);
    }
    if repository.changes.is_empty() {
        add(&mut text, "none");
    }
    text.push_str("\n\nLast commits:");
    for commit in &repository.commits {
        add(&mut text, commit);
    }
    if repository.commits.is_empty() {
        add(&mut text, "none");
    }
    text.push_str("\n</repository>\n\n");
    text
}

fn add(text: &mut String, line: &str) {
    text.push('\n');
    text.push_str(line);
}
