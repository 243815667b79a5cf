//! Files of test cases: the agents that they run and expect, and the skills that they test.

use alloc::vec::Vec;

use super::listed::Existing;
use super::named::{Named, Names, NodeKind, Target, values};
use crate::catalog::Relation;
use crate::diagnostic::Placer;
use crate::dialect::{Dialects, Json, Kind};
use crate::files::{Files, Surroundings as _};
use crate::limits::{FILE_BYTES, NAMES};
use crate::settings::read;
use crate::source::Source;
use crate::yaml::{Node, Plain};

const FILE: &str = "evals/evals.json";

/// Where a case file has names of agents.
const AGENTS: [&str; 4] = [
    "agent",
    "evals.*.agent",
    "evals.*.assertions.*.*.by",
    "evals.*.assertions.*.delegates.to",
];

/// The name of a skill: of the one in the folder around, if there is one.
const SKILL: &str = "skill_name";

/// Whether a file of this path has test cases.
pub(super) fn are_at(path: &str) -> bool {
    let folder = path.strip_suffix(FILE);
    folder.is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

fn root(path: &str, source: &Source<'_>) -> Option<Node> {
    let is_small = source.text.len() <= FILE_BYTES;
    is_small.then(|| read(path, source, Json::Strict).ok())?
}

/// Whether there are more names than are looked for, and one of those is meant.
pub(super) fn has_beyond(path: &str, bytes: &[u8], is_meant: impl Fn(&str) -> bool) -> bool {
    let Some(root) = root(path, &Source::new(bytes)).filter(|_| are_at(path)) else {
        return false;
    };
    let agents = AGENTS.iter().flat_map(|keys| values(&root, keys));
    agents.skip(NAMES).filter_map(Node::as_text).any(is_meant)
}

/// What such a file names, for each product that may have it: a file does not tell whose agents it is about.
pub(super) fn names<'a>(
    files: &dyn Files,
    existing: &mut Existing<'_>,
    dialects: &'a Dialects,
    path: &str,
) -> Vec<Named<'a>> {
    let bytes = files.read(path).unwrap_or_default();
    let source = Source::new(&bytes);
    let Some(root) = root(path, &source) else {
        return Vec::new();
    };
    let placer = Placer::new(path, &source);
    let around = [path.strip_suffix(FILE).unwrap_or_default(), "SKILL.md"].concat();
    let is_of_skill = existing.has(&around);
    let mut named = Vec::new();
    for dialect in dialects.every() {
        let keys = match dialect.kind {
            Kind::Agent => &AGENTS[..],
            Kind::Skill => &[SKILL],
            Kind::Command => continue,
        };
        let mut names = Names {
            dialect,
            text: &source.text,
            spots: Vec::new(),
        };
        let target = || match dialect.kind {
            Kind::Skill if is_of_skill => Target::file(around.clone(), true),
            kind => Target::Defined(NodeKind::File(kind)),
        };
        for node in keys.iter().flat_map(|keys| values(&root, keys)).take(NAMES) {
            if let Some(Plain::Text(name)) = node.plain() {
                names.add(Relation::Names, target(), node, name);
            }
        }
        named.extend(names.spots.into_iter().map(|spot| spot.placed(dialect, &placer)));
    }
    named
}
