//! What files name, and whether it is there.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::cast::Cast;
use crate::diagnostic::Place;
use crate::dialect::Kind;
use crate::files::{Surroundings, join};
use crate::mentions::{Mention, Said};
use crate::offered::Verdict;
use crate::places::{normal, parent};
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
    /// Settings or permissions have a rule for it, or a text has its name.
    Names,
    /// A plugin depends on a plugin.
    DependsOn,
}

/// Something that a file names.
pub(crate) struct Reference {
    pub(crate) relation: Relation,
    /// What it names, if a text or a permission does.
    pub(crate) said: Option<Said>,
    /// As written.
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) verdict: Verdict,
    /// The whole name, or the path of a file.
    pub(crate) target: String,
}

/// An MCP server that a file configures.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) path: String,
    /// The directory, or the file, in which this is the server of its name.
    pub(crate) home: String,
}

impl Server {
    pub(crate) fn new(name: &str, path: &str, home: &str) -> Self {
        Self {
            name: name.to_string(),
            path: path.to_string(),
            home: home.to_string(),
        }
    }
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
        let mut push = |relation: Relation, said, mention: &Mention, verdict, target: String| {
            references.push(Reference {
                relation,
                said,
                name: mention.name.clone(),
                place: mention.at.in_file(path),
                verdict,
                target,
            });
        };
        let mut add =
            |relation, mention: &Mention, verdict, target| push(relation, None, mention, verdict, target);
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
        let folder = parent(path);
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
        for (said, mention) in &mentions.said {
            let name = &mention.name;
            let (found, verdict) = match said {
                Said::Agent | Said::PerhapsAgent => {
                    let offered = &cast.offered.agents;
                    // A file of a plugin may leave out the plugin's name.
                    let own = || {
                        let (plugin, _) = member.name.split_once(':')?;
                        offered.find(&[plugin, ":", name].concat())
                    };
                    match agents.find(name).or_else(|| offered.find(name)).or_else(own) {
                        None if *said == Said::PerhapsAgent => (None, Verdict::Unknown),
                        None => (None, agents.said(name)),
                        found => (found, Verdict::There),
                    }
                }
                Said::Skill | Said::Command => (cast.offered.skills.find(name), Verdict::Unknown),
                Said::Server => match servers.find(member, name) {
                    None => (None, Verdict::Unknown),
                    found => (found, Verdict::There),
                },
            };
            let target = found.unwrap_or(name).to_string();
            push(Relation::Names, Some(*said), mention, verdict, target);
        }
    }
    references
}
