//! What files name, and whether it is there.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::cast::Cast;
use crate::diagnostic::Place;
use crate::dialect::Kind;
use crate::files::{Surroundings, join};
use crate::mentions::Mention;
use crate::offered::Verdict;
use crate::places::normal;
use crate::rules;
use crate::scripts;

/// How a file depends on what it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// An agent may call an agent.
    Calls,
    /// A skill, a command or a conversation runs in an agent.
    RunsIn,
    /// An agent loads a skill.
    Loads,
    /// An agent uses an MCP server.
    Uses,
    /// A file links to a file, imports it or lists it.
    LinksTo,
    /// A hook or an MCP server runs a script.
    Runs,
    /// Settings have a rule for it.
    Names,
}

/// Something that a file names.
pub(crate) struct Reference {
    pub(crate) relation: Relation,
    /// As written.
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) verdict: Verdict,
    /// The whole name, or the path of a file.
    pub(crate) target: String,
}

/// An MCP server that a file configures.
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) path: String,
    /// The directory, or the file, in which this is the server of its name.
    pub(crate) home: String,
}

/// What the members name. `agents` are those that they may call.
pub(crate) fn of(
    cast: &Cast<'_>,
    agents: Option<&Cast<'_>>,
    around: &mut dyn Surroundings,
) -> Vec<Reference> {
    let agents = rules::unknown_agent::Known::new(cast, agents);
    let servers = rules::unknown_server::Known::new(cast);
    let calls = match cast.dialect.kind {
        Kind::Agent => Relation::Calls,
        Kind::Skill | Kind::Command => Relation::RunsIn,
    };
    let mut references = Vec::new();
    for member in &cast.members {
        let Some(path) = member.path else { continue };
        let mut add = |relation: Relation, mention: &Mention, verdict, target: String| {
            references.push(Reference {
                relation,
                name: mention.name.clone(),
                place: mention.at.in_file(path),
                verdict,
                target,
            });
        };
        let mentions = member.mentions;
        for mention in &mentions.agents {
            let of_plugin = || cast.offered.agents.find(&mention.name);
            let found = agents.find(&mention.name).or_else(of_plugin);
            let found = found.unwrap_or(&mention.name);
            add(calls, mention, agents.verdict(&mention.name), found.to_string());
        }
        for mention in &mentions.skills {
            let verdict = rules::missing_skill::verdict(cast, &mention.name);
            let found = rules::missing_skill::find(cast, &mention.name);
            add(Relation::Loads, mention, verdict, found.to_string());
        }
        for mention in mentions.servers.iter().chain(&mentions.own_servers) {
            let verdict = servers.verdict(member, &mention.name);
            let found = servers.find(member, &mention.name);
            let found = found.unwrap_or(&mention.name);
            add(Relation::Uses, mention, verdict, found.to_string());
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for mention in &mentions.files {
            let target = normal(&join(folder, &mention.name));
            let verdict = Verdict::of(around.has(&target));
            add(Relation::LinksTo, mention, verdict, target);
        }
        for mention in &mentions.scripts {
            let place = scripts::place(cast.dialect, Some(path), &mention.name, around);
            if let Some((target, is_there)) = place {
                add(Relation::Runs, mention, Verdict::of(is_there), target);
            }
        }
    }
    references
}
