//! The projects that a check walks: where each of the requested paths belongs.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::walk::Wanted;
use super::{Project, is_there};
use crate::dialect::Dialects;
use crate::files::{Files, join};
use crate::places::{is_within, normal};

/// A walk for some of the paths.
pub(super) struct Top {
    pub(super) directory: String,
    pub(super) ancestors: Vec<String>,
    pub(super) wanted: Wanted,
}

/// The tops of the paths' projects: for each path the nearest directory above it where a dialect looks for agents, else the outermost
/// one. Without paths, that of the project.
pub(super) fn tops(files: &dyn Files, dialects: &Dialects, project: &Project, paths: &[String]) -> Vec<Top> {
    let search = Search {
        files,
        dialects,
        project,
        is_named: !paths.is_empty(),
    };
    search.tops(paths)
}

/// The top of the project itself.
pub fn root(files: &dyn Files, dialects: &Dialects, project: &Project) -> String {
    let project = Project {
        directory: normal(&project.directory),
        ..project.clone()
    };
    let tops = tops(files, dialects, &project, &[]);
    tops.into_iter()
        .next()
        .map_or(project.directory, |top| top.directory)
}

struct Search<'a> {
    files: &'a dyn Files,
    dialects: &'a Dialects,
    project: &'a Project,
    /// Whether the user named paths.
    is_named: bool,
}

impl Search<'_> {
    fn tops(&self, paths: &[String]) -> Vec<Top> {
        let mut tops: BTreeMap<String, Top> = BTreeMap::new();
        let mut known = BTreeMap::new();
        let project = [self.project.directory.clone()];
        let paths = if self.is_named { paths } else { &project[..] };
        for path in paths {
            let (directory, ancestors) = self.top_of(path, &mut known);
            let top = tops.entry(directory.clone()).or_insert_with(|| Top {
                directory,
                ancestors,
                wanted: Wanted::default(),
            });
            if self.is_named {
                top.wanted.add(path);
            }
        }
        tops.into_values().collect()
    }

    /// The top of a path's project, and the directories above. `known` caches lookups of directories.
    fn top_of(&self, path: &str, known: &mut BTreeMap<String, bool>) -> (String, Vec<String>) {
        let chain = self.chain(path);
        let is_top = |directory: &String| {
            let look = || {
                self.dialects.every().any(|dialect| {
                    let mut own = dialect.own_directories().map(|own| join(directory, own));
                    own.any(|own| is_there(self.files, self.dialects, dialect, &own))
                })
            };
            *known.entry(directory.clone()).or_insert_with(look)
        };
        // A walk names paths by its top: a named path must start with that.
        let around = chain
            .iter()
            .take_while(|top| !self.is_named || is_within(path, top))
            .count();
        let tops = &chain[..around.max(1)];
        let at = tops.iter().position(is_top).unwrap_or(tops.len() - 1);
        (chain[at].clone(), chain[at + 1..].to_vec())
    }

    /// A path and the directories above it, up to the project and its ancestors.
    fn chain(&self, path: &str) -> Vec<String> {
        let mut above: Vec<&String> = [&self.project.directory]
            .into_iter()
            .chain(&self.project.ancestors)
            .collect();
        let Some(around) = above.iter().position(|base| is_within(path, base)) else {
            return alloc::vec![path.to_string()];
        };
        let base = above[around];
        let (mut chain, mut place) = (Vec::new(), path);
        while place != base {
            chain.push(place.to_string());
            place = match place.rsplit_once('/') {
                Some((parent, _)) if is_within(parent, base) => parent,
                _ => base,
            };
        }
        chain.extend(above.drain(around..).cloned());
        chain
    }
}
