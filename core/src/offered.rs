//! What the plugins of a project offer, by full name: `plugin:name`.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use crate::closest::closest;
use crate::dialect::Kind;

/// Whether something that a file names is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is.
    There,
    /// It is not.
    Missing,
    /// It may be installed elsewhere.
    Unknown,
}

impl Verdict {
    pub(crate) fn of(is_there: bool) -> Self {
        if is_there { Self::There } else { Self::Missing }
    }
}

/// The agents and skills of the project's own plugins, as one dialect names them.
#[derive(Debug, Default)]
pub(crate) struct Offered {
    plugins: BTreeSet<String>,
    pub(crate) agents: Names,
    /// Commands included: they are loaded like skills.
    pub(crate) skills: Names,
}

/// Full names. Between plugin and last part may be folders, which not every release has in the name: they do not count.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// By plugin and last part.
    short: BTreeMap<String, String>,
    /// By last part, the first of these.
    last: BTreeMap<String, String>,
}

impl Names {
    fn add(&mut self, name: String) {
        let first = self.last.entry(last(&name).to_owned());
        first.or_insert_with(|| name.clone());
        self.short.insert(short(&name), name);
    }

    /// The full name that a plugin has for this one.
    pub(crate) fn find(&self, name: &str) -> Option<&str> {
        self.short.get(&short(name)).map(|full| &**full)
    }

    /// The full name in the first plugin that has this name.
    pub(crate) fn ending(&self, name: &str) -> Option<&str> {
        self.last.get(name).map(|full| &**full)
    }

    /// All full names.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> + Clone {
        self.short.values().map(|full| &**full)
    }
}

impl Offered {
    /// Adds what a plugin has of one kind.
    pub(crate) fn add(&mut self, kind: Kind, plugin: &str, names: Vec<String>) {
        self.plugins.insert(plugin.to_owned());
        let known = match kind {
            Kind::Agent => &mut self.agents,
            Kind::Skill | Kind::Command => &mut self.skills,
        };
        names.into_iter().for_each(|name| known.add(name));
    }

    /// Whether a plugin has one of these names. Unknown for plugins of other projects, and for names without a plugin.
    pub(crate) fn verdict(&self, names: &Names, name: &str) -> Verdict {
        if names.find(name).is_some() {
            Verdict::There
        } else if plugin(name).is_some_and(|plugin| self.plugins.contains(plugin)) {
            Verdict::Missing
        } else {
            Verdict::Unknown
        }
    }
}

fn plugin(name: &str) -> Option<&str> {
    name.split_once(':').map(|(plugin, _)| plugin)
}

fn last(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, last)| last)
}

fn short(name: &str) -> String {
    [plugin(name).unwrap_or_default(), last(name)].join(":")
}

/// The closest of several full names, in the same plugin if the name has one.
pub(crate) fn closest_full<'a>(
    name: &str,
    mut names: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    let Some(named) = plugin(name) else {
        return closest(name, names);
    };
    let is_own = |full: &&str| plugin(full) == Some(named);
    let meant = closest(last(name), names.clone().filter(is_own).map(last))?;
    names.find(|full| is_own(full) && last(full) == meant)
}
