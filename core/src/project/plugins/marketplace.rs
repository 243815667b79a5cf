//! The plugins that a marketplace lists.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};

use super::{Declared, Manifest, Problem, Reader, below, full_name, text};
use crate::catalog::Relation;
use crate::dialect::{Dialect, PluginSource};
use crate::files::{FileError, Surroundings, join};
use crate::limits::{NAMES, RENAMES};
use crate::manifests::NOT_INSTALLED;
use crate::offered::Verdict;
use crate::project::named::Target;
use crate::yaml::{Entry, Kind as Shape, Node};

/// Why `claude plugin install` of 2.1.332 refuses a source.
fn unfit(source: &str, root: &str) -> Option<&'static str> {
    let climbs = |path: &str| path.split('/').any(|part| part == "..");
    if climbs(source) {
        Some("has `..`")
    } else if source == "." || source.starts_with("./") {
        None
    } else if source.contains('/') {
        Some("must begin with `./`")
    } else {
        let has_root = !root.is_empty() && !root.starts_with('/') && !climbs(root);
        (!has_root).then_some(
            "must begin with `./`: no folder of plugins in the marketplace is set as `metadata.pluginRoot`",
        )
    }
}

impl<'a> Reader<'a, '_> {
    pub(super) fn marketplace(
        &mut self,
        dialect: &'a Dialect,
        source: &PluginSource,
        directory: &str,
        marketplace: &Manifest,
    ) {
        let value = &marketplace.root;
        let root = value
            .get("metadata")
            .and_then(|metadata| metadata.get("pluginRoot"));
        let root = root.and_then(text).unwrap_or_default();
        let name = value.get("name").and_then(text);
        let Some(entries) = value.get("plugins").and_then(Node::items) else {
            let message = "the marketplace has no list `plugins`".to_string();
            return self.report(marketplace, None, &Problem::Invalid, message, None);
        };
        let first = self.known.len();
        for value in entries {
            let manifest = marketplace;
            let declared = Declared { manifest, value };
            // Other kinds of sources are fetched from elsewhere.
            let Some((at, written)) = value
                .get("source")
                .and_then(|source| Some((source.span, text(source)?)))
            else {
                self.know(&declared, dialect, name, None, None);
                continue;
            };
            let place = if written.starts_with("./") {
                written.to_string()
            } else {
                join(root, written)
            };
            let found = below(directory, &place);
            let own = found
                .as_ref()
                .and_then(|plugin| self.own_manifest(source, plugin));
            self.know(&declared, dialect, name, found.as_deref(), own.as_deref());
            let is_exclusive = own.is_some() && self.exclusive(source, &declared);
            let is_there = found
                .as_ref()
                .is_none_or(|plugin| plugin == directory || self.existing.has(plugin));
            if let Some(plugin) = found.as_ref().filter(|plugin| *plugin != directory) {
                let target = Target::file(plugin.clone(), is_there);
                self.list(marketplace, Relation::LinksTo, written, at, target);
            }
            let unfit = unfit(written, root);
            let is_refused = is_exclusive || unfit.is_some();
            self.refused.extend(found.clone().filter(|_| is_refused));
            if let Some(reason) = unfit.filter(|_| found.is_some()) {
                let message = format!("the source `{written}` {reason}");
                self.report(marketplace, Some(at), &Problem::Uninstalled, message, None);
            }
            match found {
                Some(_) if !is_there && unfit.is_none() => {
                    let missing = Problem::Missing(NOT_INSTALLED);
                    let message = format!("the source `{written}` does not exist");
                    self.report(marketplace, Some(at), &missing, message, None);
                }
                Some(plugin) if lists_files(value) || own.is_none() => {
                    self.plugin(dialect, source, &plugin, Some(&declared));
                }
                // Its own manifest declares its agents.
                Some(_) => {}
                None => {
                    let message = format!("the source `{place}` leads out of the marketplace");
                    self.report(marketplace, Some(at), &Problem::Uninstalled, message, None);
                }
            }
        }
        self.renames(marketplace, first);
    }

    /// Knows the plugins of a marketplace by their earlier names. `first` is the first one that it lists.
    fn renames(&mut self, marketplace: &Manifest, first: usize) {
        let Some(Shape::Mapping(entries)) = marketplace.root.get("renames").map(|renames| &renames.kind)
        else {
            return;
        };
        let entries = &entries[..entries.len().min(NAMES)];
        let mut renames = Renames {
            entries,
            by_name: BTreeMap::new(),
            listed: BTreeMap::new(),
        };
        let old = |entry: &Entry| entry.key.as_text().unwrap_or_default().to_string();
        for (at, entry) in entries.iter().enumerate() {
            renames.by_name.insert(old(entry), at);
        }
        for (at, plugin) in self.known.iter().enumerate().skip(first) {
            renames.listed.insert(plugin.name.clone(), at);
        }
        let name = marketplace.root.get("name").and_then(text);
        for entry in entries {
            let (old, value) = (old(entry), &entry.value);
            let verdict = match renames.followed(value) {
                Ok(None) => continue,
                Ok(Some(plugin)) => {
                    self.known[plugin].earlier.push(old);
                    Verdict::There
                }
                Err(reason) => {
                    let message = format!("the new name of `{old}` {reason}");
                    let help = "write the name of a plugin that is listed here, or `null` if it was removed";
                    let help = Some(help.to_string());
                    self.report(marketplace, Some(value.span), &Problem::Renamed, message, help);
                    Verdict::Missing
                }
            };
            if let Some(new) = text(value) {
                let target = Target::Plugin(full_name(new, name), verdict);
                self.list(marketplace, Relation::Names, new, value.span, target);
            }
        }
    }

    /// Reports an entry that is the plugin's only manifest, but not its only one. As Claude Code 2.1.332 has it.
    fn exclusive(&mut self, source: &PluginSource, declared: &Declared<'_>) -> bool {
        let strict = declared.value.get("strict");
        let is_only = strict.is_some_and(|strict| strict.is_plain() && strict.as_text() == Some("false"));
        let mut fields = source.exclusive.iter().filter(|_| is_only);
        let Some(field) = fields.find(|field| declared.value.get(field).is_some()) else {
            return false;
        };
        let message =
            format!("`{field}` is not supported here: the plugin has a manifest, and `strict` is false");
        let at = strict.map(|strict| strict.span);
        let help = "remove `strict`, or move what is listed here into the plugin's manifest";
        self.report(
            declared.manifest,
            at,
            &Problem::Conflict,
            message,
            Some(help.to_string()),
        );
        true
    }

    /// The path of a plugin's own manifest, if it has one.
    fn own_manifest(&self, source: &PluginSource, plugin: &str) -> Option<String> {
        let manifest = join(&join(plugin, &source.mark), &source.manifest);
        let is_there = !matches!(self.files.read(&manifest), Err(FileError::NotFound));
        is_there.then_some(manifest)
    }
}

/// The new names of plugins in a marketplace.
struct Renames<'m> {
    entries: &'m [Entry],
    by_name: BTreeMap<String, usize>,
    /// The plugins that the marketplace lists, and their places among the known ones.
    listed: BTreeMap<String, usize>,
}

impl Renames<'_> {
    /// The plugin that has a new name in the end; none if it was removed. Otherwise, what is wrong with the name.
    ///
    /// As `claude plugin validate` of 2.1.332 has it.
    fn followed<'v>(&'v self, mut value: &'v Node) -> Result<Option<usize>, &'static str> {
        // The old name is the first one.
        for _ in 1..RENAMES {
            let Some(name) = text(value) else {
                let is_removed = value.is_plain() && value.as_text() == Some("null");
                return is_removed.then_some(None).ok_or("is neither a name nor `null`");
            };
            match self.by_name.get(name) {
                Some(at) => value = &self.entries[*at].value,
                None => {
                    let plugin = self.listed.get(name).copied();
                    return plugin.map(Some).ok_or("is not the name of a plugin here");
                }
            }
        }
        Err("leads back to itself, or through too many names")
    }
}

/// Whether a marketplace entry declares files itself.
fn lists_files(entry: &Node) -> bool {
    ["agents", "commands", "skills"]
        .iter()
        .any(|key| entry.get(key).is_some())
}
