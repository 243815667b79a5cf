//! Files that configure hooks and MCP servers: settings of a project, and hooks of a plugin.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::listed::Existing;
use super::named::{Named, Names, Spot, Target};
use crate::catalog::Relation;
use crate::diagnostic::{Diagnostic, Finding, Placer, Severity};
use crate::dialect::{Dialect, Dialects};
use crate::files::{FileError, Files, Surroundings, join};
use crate::json;
use crate::limits::FILE_BYTES;
use crate::places::normal;
use crate::rules::dangerous_hook::dangerous;
use crate::rules::incomplete_hook::incomplete;
use crate::rules::missing_script;
use crate::rules::secret::secrets;
use crate::rules::unknown_hook::unknown;
use crate::rules::unmatched_hook::unmatched;
use crate::rules::{invalid_server, invalid_settings, unreadable_file};
use crate::scripts::{self, Roots, Script};
use crate::source::Source;
use crate::span::Span;
use crate::yaml::Node;

/// A file that configures hooks or MCP servers.
pub(super) struct Settings<'a> {
    pub(super) dialect: &'a Dialect,
    pub(super) path: String,
    pub(super) home: Home,
}

/// The directory that a file with hooks is for.
pub(super) enum Home {
    /// A project. A directory within another project may be a template, whose scripts are added when it is used.
    Project(Option<String>),
    /// A plugin. The file is its manifest, which is checked elsewhere, or one beside it.
    Plugin(String, bool),
}

/// Whether a file has no settings at all.
pub(super) fn is_empty(source: &Source<'_>) -> bool {
    source.text[source.byte_order_marks().end.index()..]
        .trim()
        .is_empty()
}

/// The settings file of this path in the project `top`, if a dialect has hooks or servers there.
pub(super) fn at<'a>(dialects: &'a Dialects, path: &str, top: &str) -> Option<Settings<'a>> {
    path.ends_with(".json").then_some(())?;
    dialects.iter().find_map(|dialect| {
        let mut places = dialect.hooks.files.iter().chain(&dialect.servers.files);
        let base = places.find_map(|place| base(path, place))?;
        Some(Settings {
            dialect,
            path: path.to_string(),
            home: Home::Project((base == top).then(|| base.to_string())),
        })
    })
}

/// The project of a file at this place in it.
fn base<'p>(path: &'p str, place: &str) -> Option<&'p str> {
    let found = match place.split_once('*') {
        Some((folder, ending)) => {
            let (parent, name) = path.rsplit_once('/')?;
            let parent = name.ends_with(ending).then_some(parent)?;
            parent.strip_suffix(folder.trim_end_matches('/'))
        }
        None => path.strip_suffix(place),
    };
    match found? {
        "" => Some("."),
        base => base.strip_suffix('/'),
    }
}

impl<'a> Settings<'a> {
    /// What is wrong with it, and what it names; nothing if it does not exist.
    pub(super) fn check(
        &self,
        files: &dyn Files,
        existing: &mut Existing<'_>,
    ) -> (Vec<Diagnostic>, Vec<Named<'a>>) {
        let is_manifest = matches!(self.home, Home::Plugin(_, true));
        let (bytes, problem) = match files.read(&self.path) {
            Err(FileError::NotFound) => return (Vec::new(), Vec::new()),
            Err(error) => (Vec::new(), Some(error.words())),
            Ok(bytes) if bytes.len() > FILE_BYTES => {
                (Vec::new(), Some(format!("it has more than {FILE_BYTES} bytes")))
            }
            Ok(bytes) => (bytes, None),
        };
        let source = Source::new(&bytes);
        let mut names = Names {
            dialect: self.dialect,
            text: &source.text,
            spots: Vec::new(),
        };
        let findings = match problem {
            Some(problem) => {
                let message = format!("the file cannot be read: {problem}");
                Vec::from([Finding::new(&unreadable_file::RULE, Span::at(0), message)])
            }
            None => self.findings(&source, existing, &mut names),
        };
        let is_new = |found: &Finding| !is_manifest || found.rule != invalid_settings::RULE.name;
        let placer = Placer::new(&self.path, &source);
        let findings = findings.into_iter().filter(is_new);
        let placed = findings.map(|mut found| {
            // Fixes are only applied to agents, skills and commands.
            found.fixes.clear();
            placer.diagnostic(found)
        });
        let spots = names.spots.into_iter();
        let names = spots.map(|spot| spot.placed(self.dialect, &placer));
        (placed.collect(), names.collect())
    }

    fn findings(
        &self,
        source: &Source<'_>,
        existing: &mut Existing<'_>,
        names: &mut Names<'_>,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        if is_empty(source) {
            return findings;
        }
        let Dialect { hooks, servers, .. } = self.dialect;
        let comments = hooks.comments || servers.comments && self.is_one_of(&servers.files);
        match json::file(source, comments) {
            Ok(root) => self.judge(&root, existing, names, &mut findings),
            Err(wrong) if self.is_read(existing) => {
                let message = format!("the file is not valid JSON: {}", wrong.message);
                let end = source.text[wrong.at..].chars().next().map_or(0, char::len_utf8);
                let span = Span::new(wrong.at, wrong.at + end);
                let label = format!("{} ignores the whole file", self.dialect.id);
                findings.push(Finding::new(&invalid_settings::RULE, span, message).label(label));
            }
            Err(_) => {}
        }
        findings
    }

    fn is_one_of(&self, places: &[String]) -> bool {
        let is_here = |place: &String| base(&self.path, place).is_some();
        matches!(self.home, Home::Project(_)) && places.iter().any(is_here)
    }

    /// Whether the product reads its servers from it.
    fn has_servers(&self, existing: &mut Existing<'_>) -> bool {
        let rules = &self.dialect.servers;
        let Home::Project(Some(directory)) = &self.home else {
            return false;
        };
        let mut beside = rules.beside.iter();
        let is_used = rules.beside.is_empty() || beside.any(|other| existing.has(&join(directory, other)));
        is_used && self.is_one_of(&rules.files)
    }

    /// Whether the product reads it at all, as far as is known.
    fn is_read(&self, existing: &mut Existing<'_>) -> bool {
        !self.is_one_of(&self.dialect.servers.files)
            || self.is_one_of(&self.dialect.hooks.files)
            || self.has_servers(existing)
    }

    fn judge(
        &self,
        root: &Node,
        existing: &mut Existing<'_>,
        names: &mut Names<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let text = names.text;
        let is_personal = self.path.ends_with(".local.json");
        if !is_personal {
            secrets(text, Some(root), findings);
        }
        let servers = root.get(&self.dialect.servers.key);
        let servers = servers.filter(|_| self.has_servers(existing));
        if let Some(servers) = servers {
            invalid_server::check(self.dialect, servers, findings);
            self.scripts(scripts::of_servers(servers), existing, names, findings);
        }
        if self.is_one_of(&self.dialect.hooks.files) {
            names.settings(root);
        }
        let Some(hooks) = root.get("hooks") else {
            return;
        };
        unknown(self.dialect, hooks, findings);
        let before = findings.len();
        incomplete(self.dialect, hooks, findings);
        if self.dialect.hooks.strict {
            let incomplete = findings[before..].iter_mut();
            incomplete.for_each(|found| found.severity = Severity::Error);
        }
        unmatched(self.dialect, hooks, findings);
        dangerous(text, hooks, findings);
        names.hooks(hooks);
        let scripts = scripts::of_hooks(self.dialect, hooks);
        self.scripts(scripts, existing, names, findings);
    }

    fn scripts(
        &self,
        scripts: Vec<Script<'_>>,
        existing: &mut Existing<'_>,
        names: &mut Names<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let roots = self.roots();
        for script in scripts {
            let Some(path) = roots.path(&script.path) else {
                continue;
            };
            let is_there = existing.has(&path);
            findings.extend((!is_there).then(|| missing_script::finding(&script)));
            names.spots.push(Spot {
                relation: Relation::Runs,
                name: script.path,
                at: script.at,
                target: Target::file(normal(&path), is_there),
            });
        }
    }

    fn roots(&self) -> Roots<'_> {
        let rules = &self.dialect.hooks;
        let (relative, variables, directory) = match &self.home {
            Home::Project(directory) => (directory.as_deref(), &rules.variables[..], directory.as_deref()),
            Home::Plugin(directory, _) => (None, rules.plugin_variable.as_slice(), Some(&**directory)),
        };
        let known = |directory| variables.iter().map(move |name| (&**name, directory));
        Roots {
            relative,
            variables: directory.into_iter().flat_map(known).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::base;

    #[test]
    fn settings_belong_to_the_directory_above_their_folder() {
        for (path, place, expected) in [
            (".claude/settings.json", ".claude/settings.json", Some(".")),
            ("p/.claude/settings.json", ".claude/settings.json", Some("p")),
            ("p/x.claude/settings.json", ".claude/settings.json", None),
            ("p/.github/hooks/a.json", ".github/hooks/*.json", Some("p")),
            (".github/hooks/a.json", ".github/hooks/*.json", Some(".")),
            ("p/.github/hooks/b/a.json", ".github/hooks/*.json", None),
            ("a.json", ".github/hooks/*.json", None),
        ] {
            assert_eq!(base(path, place), expected, "{path}");
        }
    }
}
