//! The skills that agents load in a session.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::slots::{locations, slots};
use super::{Catalog, Options, Project, Standing};
use crate::dialect::{Dialect, Dialects, Kind, Level, UnknownDialect, Verdict};
use crate::files::{FileKind, join};
use crate::limits::{SKILLS, SKILLS_BYTES};
use crate::places::below;
use crate::skills::Skill;

/// The directories of skills that agents may load; none if they load none in a run.
pub(super) fn directories(
    dialects: &Dialects,
    dialect: &Dialect,
    options: &Options,
) -> Result<Vec<String>, UnknownDialect> {
    let mut all = Vec::new();
    for options in kinds(dialects, dialect, options) {
        let found = locations(dialects, &options)?.into_iter();
        all.extend(found.map(|location| location.directory));
    }
    Ok(all)
}

/// The options of the catalogs of skills, those whose names win first. A release that was not measured with them has those of its product.
fn kinds(dialects: &Dialects, dialect: &Dialect, options: &Options) -> Vec<Options> {
    let Some(tool) = &dialect.skill_tool else {
        return Vec::new();
    };
    let kinds: &[Kind] = if tool.commands {
        &[Kind::Skill, Kind::Command]
    } else {
        &[Kind::Skill]
    };
    let id = |kind| match dialects.get_for(&dialect.id, kind) {
        Ok(release) => release.id.clone(),
        Err(_) => dialect.product().into(),
    };
    let of = |kind: &Kind| Options {
        dialect: id(*kind),
        kind: *kind,
        project: Project {
            plugins: Vec::new(),
            directories: Vec::new(),
            inline: None,
            // A broken file must not bring back a skill that it was to replace.
            fail_closed: true,
            ..options.project.clone()
        },
        cache_capacity: options.cache_capacity,
        check: false,
    };
    kinds.iter().map(of).collect()
}

/// The folders of skills that win over commands.
pub(super) fn winning_directories(dialects: &Dialects, dialect: &Dialect, project: &Project) -> Vec<String> {
    let skills = dialects.get_for(dialect.product(), Kind::Skill);
    let slots = skills
        .ok()
        .filter(|_| dialect.skills_win)
        .map(|skills| slots(skills, project));
    let slots = slots
        .into_iter()
        .flatten()
        .filter(|slot| slot.level != Level::Plugin);
    slots.filter_map(|slot| slot.directory).collect()
}

impl Catalog {
    /// The files of skills that win over every command of their name: the folders have the names.
    pub(super) fn winning_skills(&self) -> BTreeMap<String, String> {
        let mut winning = BTreeMap::new();
        for directory in winning_directories(&self.dialects, &self.dialect, &self.options.project) {
            let entries = self.files.list(&directory).unwrap_or_default();
            for folder in entries
                .into_iter()
                .filter(|entry| entry.kind == FileKind::Directory)
            {
                let path = join(&directory, &folder.name);
                let files = self.files.list(&path).unwrap_or_default();
                if files
                    .iter()
                    .any(|file| file.kind == FileKind::File && file.name == "SKILL.md")
                {
                    winning.insert(folder.name, join(&path, "SKILL.md"));
                }
            }
        }
        winning
    }

    /// The skills of the dialect, by name, with those that cannot be loaded.
    pub(crate) fn skills_to_load(&self) -> Vec<Skill> {
        let mut all: Vec<Skill> = Vec::new();
        for options in kinds(&self.dialects, &self.dialect, &self.options) {
            for skill in self.of_kind(options) {
                if let Err(at) = all.binary_search_by(|other| other.name.cmp(&skill.name)) {
                    all.insert(at, skill);
                }
            }
        }
        let mut bytes = 0_usize;
        for skill in &mut all {
            bytes = bytes.saturating_add(skill.text.len() + skill.description.len());
            if bytes > SKILLS_BYTES {
                skill.refuse("skills of a session have at most 2 MB in all");
            }
        }
        all
    }

    /// The first skills of a kind, by the names of their files.
    fn of_kind(&self, options: Options) -> Vec<Skill> {
        let kind = options.kind;
        let Ok(dialect) = self.dialects.get_for(&options.dialect, kind) else {
            return Vec::new();
        };
        // Without its fields, a skill could be loaded that they lock.
        let strict = Dialect {
            bad_frontmatter: Verdict::Dropped,
            ..(**dialect).clone()
        };
        let files = Rc::clone(&self.files);
        let Ok(mut catalog) = Self::open_as(files, &self.dialects, Rc::new(strict), options) else {
            return Vec::new();
        };
        let mut found: Vec<Skill> = Vec::new();
        for entry in catalog.entries(true) {
            let is_known = found.last().is_some_and(|last| last.name == entry.name);
            if is_known || entry.standing == Standing::NotAnAgent {
                continue;
            }
            if found.len() == SKILLS {
                break;
            }
            let path = entry.origin.path.unwrap_or_default();
            let definition = catalog
                .get(&entry.name)
                .filter(|_| entry.standing == Standing::Active);
            found.push(match definition {
                Some((definition, _)) => {
                    let folder = path.rsplit_once('/').map(|(folder, _)| folder);
                    let folder = folder.filter(|_| kind == Kind::Skill);
                    let folder = folder.map(|folder| catalog.seen_from_project(folder));
                    Skill::of(&definition, folder, dialect.listing)
                }
                None => Skill::broken(&entry.name, &entry.reason),
            });
        }
        found
    }

    /// A path relative to the project, which tools work in, or to the home directory: recordings work in another place, too.
    pub(super) fn seen_from_project(&self, directory: &str) -> String {
        let Project {
            directory: project,
            home,
            ancestors,
            ..
        } = &self.options.project;
        // Every relative path is below `.`, also one in the home directory.
        let inner = below(project, directory).filter(|_| project != ".");
        if let Some(inner) = inner {
            return inner.to_string();
        }
        if let Some(inner) = home.as_ref().and_then(|home| below(home, directory)) {
            return ["~/", inner].concat();
        }
        let mut up = String::new();
        for ancestor in ancestors {
            up.push_str("../");
            if let Some(inner) = below(ancestor, directory).filter(|_| project != ".") {
                return up + inner;
            }
        }
        directory.to_string()
    }
}
