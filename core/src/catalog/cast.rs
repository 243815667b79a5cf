//! The active agents together, with what they refer to.

use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use callsheet_schema::stem;

use super::servers::names;
use super::{Catalog, Standing};
use crate::cast::{Cast, Member};
use crate::definition::switched;
use crate::diagnostic::Diagnostic;
use crate::dialect::{Kind, Level};
use crate::files::{FileKind, Surroundings};
use crate::frontmatter::split;
use crate::limits::NAMES;
use crate::offered::Offered;
use crate::order;
use crate::references::{self, Reference};
use crate::rules;
use crate::source::Source;
use crate::yaml::{self, Node};

impl Catalog {
    /// The findings of the rules that compare files.
    pub(super) fn check_cast(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        if self.options.check {
            rules::check_cast(&self.cast(), &mut found);
            if self.options.kind == Kind::Agent {
                found.extend(self.drifted_copies());
            }
        }
        found.extend(self.outside.iter().cloned());
        found
    }

    /// Whether its files name anything outside of this catalog.
    pub(crate) fn refers_outside(&self) -> bool {
        let is_about_agents = self.options.kind == Kind::Agent;
        let mut mentions = self.items.iter().map(|item| &item.mentions);
        mentions.any(|mentions| {
            let mut agents = mentions.every_agent();
            let names_others = agents.next().is_some() || !mentions.files.is_empty();
            !mentions.scripts.is_empty() || !is_about_agents && names_others
        })
    }

    /// Whether its files may name something of a plugin. Skills need no prefix.
    pub(crate) fn refers_to_plugins(&self) -> bool {
        self.items.iter().any(|item| {
            let mentions = &item.mentions;
            let said = mentions.said.iter().map(|(_, mention)| mention);
            let mut named = mentions.agents.iter().chain(said);
            let is_of_plugin = item.name.contains(':');
            !mentions.skills.is_empty()
                || is_of_plugin && mentions.said_agents().next().is_some()
                || named.any(|mention| mention.name.contains(':'))
        })
    }

    /// The findings about agents that its files name, among those of another catalog; with none, among those of plugins.
    pub(crate) fn unknown_agents(&self, agents: Option<&Self>) -> Vec<Diagnostic> {
        let (mut found, agents) = (Vec::new(), agents.map(Self::cast));
        rules::unknown_agent::between(&self.cast(), agents.as_ref(), &mut found);
        found
    }

    /// The findings about files that its files link to or run.
    pub(crate) fn missing_files(&self, around: &mut dyn Surroundings) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let cast = self.cast();
        rules::missing_file::check(&cast, around, &mut found);
        rules::missing_script::between(&cast, around, &mut found);
        found
    }

    /// What its active files name.
    pub(crate) fn references(&self, agents: Option<&Self>, around: &mut dyn Surroundings) -> Vec<Reference> {
        references::of(&self.cast(), agents.map(Self::cast).as_ref(), around)
    }

    /// Tells it what the project's plugins offer.
    pub(crate) fn offer(&mut self, offered: &Rc<Offered>) {
        self.offered = Rc::clone(offered);
    }

    /// Adds findings about what its files name elsewhere.
    pub(crate) fn add(&mut self, found: Vec<Diagnostic>) {
        self.outside.extend(found);
    }

    fn cast(&self) -> Cast<'_> {
        let mut cast = Cast {
            dialect: &self.dialect,
            members: Vec::new(),
            broken: Vec::new(),
            skills: None,
            locked: Vec::new(),
            servers: None,
            offered: &self.offered,
        };
        for (index, standing) in self.ranking.order() {
            let item = &self.items[index];
            match standing {
                Standing::Withheld if !self.is_unread(index) => {}
                Standing::Active | Standing::Withheld => cast.members.push(Member {
                    name: &item.name,
                    description: &item.description,
                    path: item.path.as_deref(),
                    for_models: item.for_models != Some(false),
                    in_project: self.slots[item.slot].level == Level::Project,
                    at: item.anchor,
                    mentions: &item.mentions,
                }),
                Standing::Broken => cast.broken.push(&item.name),
                _ => {}
            }
        }
        if cast
            .members
            .iter()
            .any(|member| !member.mentions.skills.is_empty())
        {
            cast.skills = self.skills();
            self.add_titles(&mut cast);
            let skills = cast.skills.as_deref().unwrap_or_default();
            cast.locked = self.locked(&cast.members, skills);
        }
        if cast
            .members
            .iter()
            .any(|member| !member.mentions.servers.is_empty())
        {
            cast.servers = self.project_servers().map(names);
        }
        cast
    }

    /// The skills in the places where the dialect looks for them.
    pub(crate) fn skills(&self) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for directory in super::slots::skill_directories(&self.dialect, &self.options.project) {
            let entries = self.files.list(&directory).unwrap_or_default();
            names.extend(entries.into_iter().map(|entry| match entry.kind {
                FileKind::File => stem(&entry.name).to_string(),
                _ => entry.name,
            }));
        }
        (!self.dialect.skills.is_empty()).then(|| order::names(names))
    }

    /// Adds the names in the files of skills, if a name is not one of a folder.
    fn add_titles(&self, cast: &mut Cast<'_>) {
        let (Some(field), Some(skills)) = (&self.dialect.skill_title, &mut cast.skills) else {
            return;
        };
        let mut named = cast.members.iter().flat_map(|member| &member.mentions.skills);
        if named.all(|mention| skills.binary_search(&mention.name).is_ok()) {
            return;
        }
        for directory in super::slots::skill_directories(&self.dialect, &self.options.project) {
            let entries = self.files.list(&directory).unwrap_or_default();
            let folders = entries
                .into_iter()
                .filter(|entry| entry.kind == FileKind::Directory);
            for folder in folders.take(NAMES) {
                let path = [&directory, "/", &folder.name, "/SKILL.md"].concat();
                let bytes = self.files.read(&path).unwrap_or_default();
                skills.extend(field_of(&bytes, field).and_then(|name| Some(name.as_text()?.to_string())));
            }
        }
        *skills = order::names(core::mem::take(skills));
    }

    /// Existing skills that are named and have the field that locks them, wherever they are defined. Other names may be paths.
    fn locked(&self, members: &[Member<'_>], skills: &[String]) -> Vec<String> {
        let mut names = Vec::new();
        let Some(lock) = &self.dialect.skill_lock else {
            return names;
        };
        for member in members {
            names.extend(member.mentions.skills.iter().map(|mention| mention.name.clone()));
        }
        let mut names = order::names(names);
        names.retain(|name| skills.binary_search(name).is_ok() && self.is_locked(name, lock));
        names
    }

    fn is_locked(&self, name: &str, lock: &str) -> bool {
        let mut is_locked = false;
        for directory in super::slots::skill_directories(&self.dialect, &self.options.project) {
            for ending in ["/SKILL.md", ".md"] {
                let path = [&directory, "/", name, ending].concat();
                let Ok(bytes) = self.files.read(&path) else {
                    continue;
                };
                is_locked = has_lock(&bytes, lock);
                if !is_locked {
                    return false;
                }
            }
        }
        is_locked
    }
}

/// Whether a frontmatter sets a field to true.
fn has_lock(bytes: &[u8], lock: &str) -> bool {
    let value = field_of(bytes, lock);
    value.and_then(|value| switched(value.as_text()?)) == Some(true)
}

/// The value of a field of a frontmatter. One that is not valid YAML has none.
fn field_of(bytes: &[u8], field: &str) -> Option<Node> {
    let source = Source::of_file(bytes);
    let frontmatter = split(&source.text, source.byte_order_marks().end.index()).frontmatter;
    let document = yaml::read(frontmatter?.yaml.of(&source.text), 0).ok()?;
    document.root?.get(field).cloned()
}
