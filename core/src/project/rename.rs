//! Renames an agent, a skill or a command: its file or folder, its `name`, and every reference to it.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::edits::{InPrompt, agree, applied, is_alike, linking, unescaped, within};
use super::evals;
use super::graph::{Edge, Graph, Node, every_reference};
use super::listed::Listed;
use super::named::NodeKind;
use super::opened::Opener;
use super::tops::tops;
use super::{Project, Request};
use crate::catalog::{CatalogError, Relation};
use crate::closest::fold;
use crate::definition::Definition;
use crate::diagnostic::Edit;
use crate::dialect::{Canonical, Dialect, Dialects, Identity, Kind, Level, Readers};
use crate::document::{self, Document};
use crate::file_names::same_file;
use crate::files::{FileError, Files, join};
use crate::limits::{NAMES, SPELLINGS};
use crate::mentions::{Mention, Mentions};
use crate::names;
use crate::order::sorted;
use crate::places::{below, file_name, is_within, normal};
use crate::write::{self, Change, EditError, Value};

/// A file whose contents a new name changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewritten {
    /// Its path before the move.
    pub path: String,
    /// Its contents as stored.
    pub before: Vec<u8>,
    /// Its new contents.
    pub after: Vec<u8>,
}

/// What a new name changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Renaming {
    /// The old name.
    pub name: String,
    /// The changed files, sorted by path.
    pub files: Vec<Rewritten>,
    /// The file or folder that moves, and its new path.
    pub moved: Option<(String, String)>,
}

/// What renaming the definition in a file changes. Nothing is written.
///
/// References are those of the project's active files. Each changed file is read again: everything but the names is as before, for every
/// reader, or the name is refused.
pub fn rename(
    files: &Rc<dyn Files>,
    dialects: &Dialects,
    readers: &Readers,
    project: &Project,
    path: &str,
    to: &str,
) -> Result<Renaming, CatalogError> {
    let (project, request) = super::normalized(dialects, project, &Request::default())?;
    let files = &Listed::of(files);
    let opener = Opener {
        files,
        dialects,
        project: &project,
        request: &request,
    };
    let graph = every_reference(&opener)?;
    let find = |path: &str| Subject::find(files, dialects, &graph, &normal(path), to);
    let subject = find(path).or_else(|error| find(&join(&project.directory, path)).map_err(|_| error))?;
    subject.check_name()?;
    subject.check_free(&graph)?;
    let top = tops(&**files, dialects, &project, &[]);
    let top = top.first().map_or(".", |top| &*top.directory);
    let moved = subject.moved();
    if let Some((_, new)) = &moved {
        refuse_existing(&**files, new)?;
        subject.refuse_root(&**files, top)?;
    }
    let again = Again {
        dialects,
        readers,
        top,
    };
    let mut changed = Vec::new();
    for part in subject.parts(&**files, dialects, &graph)? {
        let file = again.rewritten(&subject, part)?;
        if file.before != file.after {
            changed.push(file);
        }
    }
    Ok(Renaming {
        name: subject.name,
        files: changed,
        moved,
    })
}

/// Reads changed files again.
struct Again<'a> {
    dialects: &'a Dialects,
    readers: &'a Readers,
    /// The directory that readers see paths from.
    top: &'a str,
}

impl Again<'_> {
    /// Fails if more than names changed.
    fn rewritten(&self, subject: &Subject<'_>, part: Part<'_>) -> Result<Rewritten, CatalogError> {
        let (path, before) = (part.path, part.before);
        let changed: BTreeSet<usize> = part.edits.iter().map(|edit| edit.span.start.index()).collect();
        let after = applied(&before, part.edits);
        let Some(dialect) = part.dialect else {
            return if is_alike(&path, &before, &after, &changed) {
                Ok(Rewritten { path, before, after })
            } else {
                Err(entangled(&path))
            };
        };
        let new_path = &match subject.moved() {
            Some((old, new)) if is_within(&path, &old) => [&new, &path[old.len()..]].concat(),
            _ => path.clone(),
        };
        let read = |path: &str, bytes: &[u8]| {
            let level = Some(Level::Project);
            document::read(path, bytes, level, dialect, self.dialects)
        };
        let (old, new) = (read(&path, &before), read(new_path, &after));
        let is_named = path != subject.path || subject.is_named(&new, new_path);
        let readings = |path: &str, bytes: &[u8]| {
            let seen = below(self.top, path).unwrap_or(path);
            document::readings(seen, bytes, self.dialects, self.readers)
        };
        let are_alike = || {
            agree(
                &readings(&path, &before),
                &readings(new_path, &after),
                &part.in_prompt,
            )
        };
        if !is_named || !subject.names_alike(&old, &new, &changed) || !are_alike() {
            return Err(entangled(&path));
        }
        Ok(Rewritten { path, before, after })
    }
}

/// The definition to rename.
struct Subject<'a> {
    dialect: &'a Dialect,
    path: String,
    /// Its node.
    node: usize,
    /// Its name in the file, without that of a plugin.
    name: String,
    to: &'a str,
    definition: Definition,
}

impl<'a> Subject<'a> {
    fn find(
        files: &Rc<dyn Files>,
        dialects: &'a Dialects,
        graph: &Graph,
        path: &str,
        to: &'a str,
    ) -> Result<Self, CatalogError> {
        let refused = || CatalogError::Other(format!("{path} is not a file that a tool reads here"));
        let of_path = |node: &Node| node.path.as_deref() == Some(path) && node.standing.is_some();
        let at = graph.nodes.iter().position(of_path).ok_or_else(refused)?;
        let dialect = of_node(dialects, &graph.nodes[at]).ok_or_else(refused)?;
        let file = file_name(path);
        if dialect.is_of_folder(file) {
            let reason = format!("{path} has the name of its folder, which may have other files");
            return Err(CatalogError::Other(reason));
        }
        let bytes = files.read(path).map_err(|error| unread(path, &error))?;
        // With fields that are not loaded: they get the new name, too.
        let definition = document::read_with_values(path, &bytes, dialect, dialects)
            .0
            .definition;
        let plugin = graph.nodes[at].name.strip_suffix(&*definition.name);
        Ok(Self {
            dialect,
            path: path.to_owned(),
            node: at,
            name: definition.name.clone(),
            // The file has the name without that of its plugin.
            to: plugin.and_then(|plugin| to.strip_prefix(plugin)).unwrap_or(to),
            definition,
        })
    }

    /// Fails if a file cannot have the new name, or only in some systems.
    fn check_name(&self) -> Result<(), CatalogError> {
        let file = names::file(self.to, self.dialect);
        file.map(|_| ())
            .map_err(|invalid| CatalogError::Other(invalid.problem))
    }

    /// Fails if another definition has the new name: references to both would be the same.
    fn check_free(&self, graph: &Graph) -> Result<(), CatalogError> {
        let own = &graph.nodes[self.node];
        let name = self.renamed(&own.name).unwrap_or_default();
        // Skills and commands are called alike.
        let is_agent = |node: &Node| node.kind == NodeKind::File(Kind::Agent);
        // Names that differ in case may be one file.
        let folded = same_file(&name);
        let is_other = |node: &&Node| {
            let is_alike = node.name == name || same_file(&node.name) == folded;
            let is_same = is_agent(node) == is_agent(own) && node.dialect == own.dialect && is_alike;
            is_same && node.path != own.path && node.standing.is_some()
        };
        let other = graph.nodes.iter().find(is_other);
        let Some((other, NodeKind::File(kind))) = other.map(|other| (other, other.kind)) else {
            return Ok(());
        };
        let (what, place) = (kind.a(), other.path.as_deref().unwrap_or("the settings"));
        Err(CatalogError::Other(format!(
            "there is already {what} `{}`, in {place}",
            other.name
        )))
    }

    /// Fails if the folder that would move is that of a whole project.
    fn refuse_root(&self, files: &dyn Files, top: &str) -> Result<(), CatalogError> {
        let Some((folder, _)) = self.moved().filter(|_| self.dialect.identity == Identity::Folder) else {
            return Ok(());
        };
        let has_name = !matches!(folder.rsplit('/').next(), Some("." | ".."));
        let is_checkout = || {
            let entries = files.list(&folder).unwrap_or_default();
            entries.iter().any(|entry| entry.name == ".git")
        };
        if has_name && folder != top && !is_checkout() {
            return Ok(());
        }
        Err(CatalogError::Other(format!(
            "{} is in the root of a project, whose folder is not renamed; change `name` in the file instead",
            self.path
        )))
    }

    /// The old and the new path of its file or folder.
    fn moved(&self) -> Option<(String, String)> {
        let (folder, file) = self.path.rsplit_once('/').unwrap_or((".", &self.path));
        let (old, new) = match self.dialect.identity {
            Identity::Folder => {
                let (parent, _) = folder.rsplit_once('/').unwrap_or((".", folder));
                (folder.to_owned(), join(parent, self.to))
            }
            Identity::Stem => (self.path.clone(), join(folder, &self.file(file))),
            Identity::Path | Identity::Colons | Identity::Dashes => {
                let folders = self.dialect.folders(&self.path);
                let own = folder
                    .strip_suffix(folders.trim_end_matches('/'))
                    .unwrap_or(folder);
                let name = match self.dialect.identity {
                    Identity::Colons => self.to.replace(':', "/"),
                    // Dashes may be a part of a file name: it stays in its folder, or is in none.
                    Identity::Dashes => match self.to.strip_prefix(&folders.replace('/', "--")) {
                        Some(rest) => [folders, rest].concat(),
                        None => self.to.to_owned(),
                    },
                    _ => self.to.to_owned(),
                };
                let (below, last) = name.rsplit_once('/').unwrap_or(("", &name));
                let new = join(
                    &join(own.trim_end_matches('/'), below),
                    &self.file_named(file, last),
                );
                (self.path.clone(), normal(&new))
            }
        };
        (old != new).then_some((old, new))
    }

    fn file(&self, file: &str) -> String {
        self.file_named(file, self.to)
    }

    /// The file name with another stem.
    fn file_named(&self, file: &str, stem: &str) -> String {
        let old = self.dialect.stem(file);
        [stem, file.strip_prefix(&*old).unwrap_or_default()].concat()
    }

    /// What changes in each file, sorted by path.
    fn parts(
        &self,
        files: &dyn Files,
        dialects: &'a Dialects,
        graph: &Graph,
    ) -> Result<Vec<Part<'a>>, CatalogError> {
        self.refuse_more(files, graph)?;
        let mut own = Part::open(files, &self.path, Some(self.dialect))?;
        own.edits = self.own(&own.before)?;
        let mut at = BTreeMap::from([(self.path.clone(), 0)]);
        let mut parts = alloc::vec![own];
        let moved = self.moved();
        let parent = |path: &str| path.rsplit_once('/').map(|(parent, _)| parent.to_owned());
        let beside = moved.as_ref().filter(|(old, new)| parent(old) == parent(new));
        let folder = beside.filter(|_| self.dialect.identity == Identity::Folder);
        for edge in &graph.edges {
            let path = &edge.place.path;
            let is_path = matches!(edge.relation, Relation::LinksTo | Relation::Runs);
            let new = match beside {
                _ if edge.to == Some(self.node) && !is_path => self.renamed(&edge.name),
                Some((old, new)) if is_path => relinked(graph, edge, old, new),
                _ => None,
            };
            let Some(new) = new else { continue };
            let dialect = of_node(dialects, &graph.nodes[edge.from]);
            let at = match at.get(path) {
                Some(at) => *at,
                None => {
                    parts.push(Part::open(files, path, dialect)?);
                    at.insert(path.clone(), parts.len() - 1);
                    parts.len() - 1
                }
            };
            let part = &mut parts[at];
            let is_link = edge.relation == Relation::LinksTo && dialect.is_some();
            let mut links = if is_link {
                linking(&part.before, &edge.name, &new)
            } else {
                Vec::new()
            };
            if !links.is_empty() {
                part.edits.append(&mut links);
                part.in_prompt.links.push((edge.name.clone(), new));
            } else {
                // An import is one of the names in a text.
                if is_link || edge.relation == Relation::Names && dialect.is_some() {
                    let names = (edge.name.clone(), new.clone());
                    if !part.in_prompt.names.contains(&names) {
                        part.in_prompt.names.push(names);
                    }
                    if part.in_prompt.names.len() > SPELLINGS {
                        return Err(CatalogError::Other(format!(
                            "{path} writes the name in more than {SPELLINGS} ways"
                        )));
                    }
                }
                // A command may quote a part of the path.
                let parts = folder.filter(|_| edge.relation == Relation::Runs);
                let edit = within(&part.before, edge.place.span, &edge.name, &new).or_else(|| {
                    let [old, new] = [&parts?.0, &parts?.1].map(|path| last_two(path));
                    within(&part.before, edge.place.span, &old, &new)
                });
                let edit = edit.or_else(|| unescaped(&part.before, edge.place.span, &edge.name, &new));
                part.edits.push(edit.ok_or_else(|| part.unwritten(edge))?);
            }
        }
        Ok(sorted(parts, |a, b| a.path.cmp(&b.path)))
    }

    /// Fails if a file of test cases has the name behind all that are looked for.
    fn refuse_more(&self, files: &dyn Files, graph: &Graph) -> Result<(), CatalogError> {
        let paths = graph.edges.iter().map(|edge| &*edge.place.path);
        let paths: BTreeSet<&str> = paths.filter(|path| evals::are_at(path)).collect();
        for path in paths {
            let bytes = files.read(path).map_err(|error| unread(path, &error))?;
            if evals::has_beyond(path, &bytes, |name| self.renamed(name).is_some()) {
                return Err(CatalogError::Other(format!(
                    "{path} names more than {NAMES} agents, and only the first {NAMES} can be renamed: change the others by hand first"
                )));
            }
        }
        Ok(())
    }

    /// The new name in its own file, if the file has one.
    fn own(&self, bytes: &[u8]) -> Result<Vec<Edit>, CatalogError> {
        let key = |field| self.dialect.of_field(field);
        let is_said = self.definition.field(Canonical::Name).is_some();
        let name = key(Canonical::Name).filter(|key| is_said || key.is_required());
        // A title that is the name of the folder goes with it.
        let is_same = self.definition.title().as_deref() == Some(&*self.name);
        let title =
            key(Canonical::DisplayName).filter(|_| is_same && self.dialect.identity == Identity::Folder);
        let Some(key) = name.or(title) else {
            return Ok(Vec::new());
        };
        let change = Change {
            key: key.spellings[0].clone(),
            value: Some(Value::Text(self.to.to_owned())),
        };
        write::edit(bytes, self.dialect, &[change], None).map_err(|error| {
            CatalogError::Other(match error {
                EditError::Unreadable(reason) => {
                    format!(
                        "{0} cannot be edited: {reason}; `callsheet check {0}` shows what to do",
                        self.path
                    )
                }
                EditError::Refused(refusals) => {
                    let reasons = refusals.into_iter().map(|refusal| refusal.reason);
                    format!("`{}`: {}", self.to, reasons.collect::<Vec<_>>().join("; "))
                }
            })
        })
    }

    /// A name as another file writes it, with the new one; none for a title, which stays.
    fn renamed(&self, written: &str) -> Option<String> {
        let before = written.strip_suffix(&*self.name);
        match before {
            Some("") => Some(self.to.to_owned()),
            Some(plugin) if plugin.ends_with(':') => Some([plugin, self.to].concat()),
            _ => (fold(written) == fold(&self.name)).then(|| self.to.to_owned()),
        }
    }

    /// Whether a changed file has the new name wherever a name was changed. A name that stays may be that of another kind, or a plugin's.
    fn names_alike(&self, old: &Document, new: &Document, changed: &BTreeSet<usize>) -> bool {
        let meant = all_names(old).map(|mention| {
            let is_changed = changed.range(mention.at.span().range()).next().is_some();
            let new = self.renamed(&mention.name).filter(|_| is_changed);
            new.unwrap_or_else(|| mention.name.clone())
        });
        meant.eq(all_names(new).map(|mention| mention.name.clone()))
    }

    /// Whether its own file has the new name.
    fn is_named(&self, new: &Document, path: &str) -> bool {
        let has_name = new.definition.field(Canonical::Name).is_some();
        new.definition.name == self.to && (has_name || self.dialect.stem(path) == self.to)
    }
}

/// What changes in one file.
struct Part<'a> {
    path: String,
    /// Its owner; none for settings, instructions and manifests.
    dialect: Option<&'a Dialect>,
    before: Vec<u8>,
    edits: Vec<Edit>,
    in_prompt: InPrompt,
}

impl<'a> Part<'a> {
    fn open(files: &dyn Files, path: &str, dialect: Option<&'a Dialect>) -> Result<Self, CatalogError> {
        Ok(Self {
            path: path.to_owned(),
            dialect,
            before: files.read(path).map_err(|error| unread(path, &error))?,
            edits: Vec::new(),
            in_prompt: InPrompt::default(),
        })
    }

    /// Why a name cannot be changed where it is.
    fn unwritten(&self, edge: &Edge) -> CatalogError {
        let (start, end) = (edge.place.span.start.index(), edge.place.span.end.index());
        if !self
            .before
            .get(start..end)
            .is_some_and(|text| text.contains(&b'\\'))
        {
            return entangled(&self.path);
        }
        let (path, name, line) = (&self.path, &edge.name, edge.place.start.line);
        CatalogError::Other(format!(
            "line {line} of {path} spells `{name}` with escapes: write it without them first"
        ))
    }
}

/// The agents and skills that a file lists.
fn all_names(document: &Document) -> impl Iterator<Item = &Mention> {
    let Mentions { agents, skills, .. } = &document.mentions;
    agents.iter().chain(skills)
}

fn of_node<'a>(dialects: &'a Dialects, node: &Node) -> Option<&'a Dialect> {
    match (node.kind, &node.dialect) {
        (NodeKind::File(kind), Some(id)) => dialects.get_for(id, kind).ok().map(|dialect| &**dialect),
        _ => None,
    }
}

/// The path of the file `old`, or of one in the folder `old`, as written outside of it, with the new name.
fn relinked(graph: &Graph, edge: &Edge, old: &str, new: &str) -> Option<String> {
    let target = graph.nodes[edge.to?].path.as_deref()?;
    let below = target.strip_prefix(old)?;
    if !(below.is_empty() || below.starts_with('/')) || is_within(&edge.place.path, old) {
        return None;
    }
    let written = edge.name.trim_end_matches('/');
    let [old, new] = [old, new].map(file_name);
    // The folder of a skill leads to it like its file.
    [below, ""].into_iter().find_map(|below| {
        let before = written.strip_suffix(below)?.strip_suffix(old)?;
        let is_whole = before.is_empty() || before.ends_with('/');
        is_whole.then(|| [before, new, below, &edge.name[written.len()..]].concat())
    })
}

/// The last two parts of a path, as they are within a longer one.
fn last_two(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let (last, parent) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    [parent, "/", last, "/"].concat()
}

fn refuse_existing(files: &dyn Files, path: &str) -> Result<(), CatalogError> {
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
    let there = files.list(folder).unwrap_or_default();
    if there.iter().any(|entry| entry.name == name) {
        return Err(CatalogError::Other(format!("{path} already exists")));
    }
    Ok(())
}

fn unread(path: &str, error: &FileError) -> CatalogError {
    CatalogError::Other(format!("{path} cannot be read: {}", error.words()))
}

fn entangled(path: &str) -> CatalogError {
    CatalogError::Other(format!(
        "the name in {path} cannot be changed without changing something else"
    ))
}
