//! Compiles sources: merges each with its parents, checks the result, and writes it for every target.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::build::{Build, Composed};
use super::family::{Family, Ground};
use super::finder::Finder;
use super::mark::can_name;
use super::merge::{Merged, Merger, Parent, text};
use super::output::{Compiled, Writer};
use super::part::{Field, Part, Prompt};
use super::rights::{Granted, wider};
use crate::diagnostic::{Diagnostic, Place, Placer};
use crate::dialect::Dialect;
use crate::document;
use crate::frontmatter::split;
use crate::limits::COMPARED_ENTRIES;
use crate::places::{below, directory};
use crate::rules;
use crate::source::Source;
use crate::span::Span;
use crate::verdict::Outcome;
use crate::write::{Piece, pieces, says_the_same};

/// Compiles the sources of a family.
pub(super) struct Compiler<'a> {
    pub(super) ground: Ground<'a>,
    pub(super) family: &'a Family<'a>,
    pub(super) build: &'a Build,
    pub(super) targets: &'a [&'a Rc<Dialect>],
    pub(super) found: Vec<Diagnostic>,
}

impl Compiler<'_> {
    /// The sources with what they compile to, sorted by path.
    pub(super) fn sources(&mut self) -> Vec<Composed> {
        let count = self.family.paths.len();
        let mut merged: Vec<Option<Merged>> = (0..count).map(|_| None).collect();
        for at in self.family.in_order() {
            merged[at] = self.merged(at, &merged);
        }
        let paths = self.family.paths.iter().enumerate();
        // Names that differ only by case are the same file on some systems.
        let mut taken: BTreeMap<String, usize> = BTreeMap::new();
        taken.extend(paths.map(|(at, path)| (path.to_lowercase(), at)));
        let sources = (0..self.family.sources).zip(&merged);
        sources
            .map(|(at, merged)| self.composed(at, merged.as_ref(), &mut taken))
            .collect()
    }

    /// None if it or a parent has errors.
    fn merged(&mut self, at: usize, merged: &[Option<Merged>]) -> Option<Merged> {
        let part = self.family.parts[at].as_ref()?;
        let mut parents = Vec::new();
        for (named, parent) in part.header.extends.iter().zip(&self.family.parents[at]) {
            let parent = (*parent)?;
            parents.push(Parent {
                named,
                path: &self.family.paths[parent],
                merged: merged[parent].as_ref()?,
            });
        }
        let mut finder = Finder::default();
        let includes = self.includes(part, &mut finder);
        let merger = Merger {
            dialect: self.ground.dialect,
            build: self.build,
        };
        let result = merger.merge(part, &parents, includes, &mut finder);
        if !finder.failed {
            self.compare(part, &parents, &result, &merger, &mut finder);
        }
        let failed = finder.failed;
        self.found.append(&mut finder.found);
        (!failed).then_some(result)
    }

    /// Reports that it grants more than a parent.
    fn compare(
        &self,
        part: &Part,
        parents: &[Parent<'_>],
        result: &Merged,
        merger: &Merger<'_>,
        finder: &mut Finder,
    ) {
        let Ground {
            dialect, dialects, ..
        } = self.ground;
        let granted = |fields: &[Rc<Field>]| Granted::of(&part.path, fields, dialect, dialects);
        let own = (!parents.is_empty()).then(|| granted(&result.fields));
        for (parent, own) in parents.iter().zip(own.iter().cycle()) {
            let most = granted(&merger.with_additions(part, parent.merged));
            if own.is_too_long() || most.is_too_long() {
                let message = format!(
                    "source cannot be compiled: more than {COMPARED_ENTRIES} tools and permissions are not compared with a parent's"
                );
                let place = Place::beginning(&part.path);
                return finder.find(&rules::unbuildable_source::RULE, &place, message);
            }
            if let Some(diagnostic) = wider(part, parent, own, &most, dialect) {
                finder.failed = true;
                finder.found.push(diagnostic);
                return;
            }
        }
    }

    /// The texts of the included files, without their frontmatter.
    fn includes(&self, part: &Part, finder: &mut Finder) -> Vec<Rc<Prompt>> {
        let mut prompts = Vec::new();
        for named in &part.header.include {
            let read = self.ground.named(directory(&part.path), &named.name);
            match read.and_then(|(path, bytes)| included(&path, &named.name, &bytes)) {
                Ok(prompt) => prompts.push(Rc::new(prompt)),
                Err(reason) => finder.find(&rules::missing_parent::RULE, &named.place, reason),
            }
        }
        prompts
    }

    fn composed(
        &mut self,
        at: usize,
        merged: Option<&Merged>,
        taken: &mut BTreeMap<String, usize>,
    ) -> Composed {
        let path = &self.family.paths[at];
        let mut composed = Composed {
            path: path.clone(),
            fields: Vec::new(),
            outputs: Vec::new(),
        };
        let (Some(merged), Some(part)) = (merged, &self.family.parts[at]) else {
            return composed;
        };
        match self.checked(part, merged) {
            Ok(text) => {
                composed.fields = origins(merged);
                self.write(at, &text, taken, &mut composed.outputs);
            }
            Err(reason) => self.refuse(path, reason),
        }
        composed
    }

    fn refuse(&mut self, path: &str, reason: String) {
        let rule = &rules::unbuildable_source::RULE;
        let message = format!("source cannot be compiled: {reason}");
        self.found
            .push(Diagnostic::new(rule, Place::beginning(path), message));
    }

    /// The compiled file in the dialect of the sources. Fails unless it loads and says what its fields say.
    fn checked(&self, part: &Part, merged: &Merged) -> Result<String, String> {
        let Ground {
            dialect, dialects, ..
        } = self.ground;
        if !can_name(&part.path) {
            return Err("its path has characters that a comment cannot contain".to_owned());
        }
        let text = text(&merged.fields, &merged.prompts);
        let read = document::read_with_values(&part.path, text.as_bytes(), dialect, dialects);
        if let Outcome::Dropped(reason) | Outcome::NotAnAgent(reason) | Outcome::Withheld(reason) =
            read.0.outcome
        {
            return Err(format!("{} would not load it: {reason}", dialect.id));
        }
        let source = Source::new(text.as_bytes());
        let entangled = || "its fields depend on each other, so that they cannot be combined".to_owned();
        let (pieces, _) = pieces(&source).map_err(|_| entangled())?;
        let same = |(piece, field): (&Piece, &Rc<Field>)| {
            piece.key == field.key && says_the_same(&piece.value, &field.value)
        };
        if pieces.len() != merged.fields.len() || !pieces.iter().zip(&merged.fields).all(same) {
            return Err(entangled());
        }
        Ok(if part.is_windows {
            text.replace('\n', "\r\n")
        } else {
            text
        })
    }

    fn write(
        &mut self,
        at: usize,
        text: &str,
        taken: &mut BTreeMap<String, usize>,
        outputs: &mut Vec<Compiled>,
    ) {
        let path = &*self.family.paths[at];
        let source = below(self.ground.directory, path).unwrap_or(path);
        let writer = Writer {
            ground: self.ground,
            allow_loss: self.build.allow_loss,
        };
        for target in self.targets {
            let (compiled, reason) = match writer.compiled(path, source, text, target) {
                Ok(compiled) => compiled,
                Err(reason) => {
                    self.refuse(path, format!("{} would not load it: {reason}", target.id));
                    continue;
                }
            };
            if let Some(reason) = reason {
                self.refuse(path, reason);
            }
            let key = compiled.path.to_lowercase();
            if let Some(other) = taken.get(&key) {
                let (place, other) = (&compiled.path, &self.family.paths[*other]);
                self.refuse(path, format!("it compiles to {place}, the place of {other}"));
                continue;
            }
            taken.insert(key, at);
            outputs.push(compiled);
        }
    }
}

fn included(path: &str, name: &str, bytes: &[u8]) -> Result<Prompt, String> {
    let source = Source::of_file(bytes);
    if !source.invalid.is_empty() {
        return Err(format!("`{name}` is not valid UTF-8"));
    }
    let start = source.byte_order_mark().map_or(0, |mark| mark.end.index());
    let body = split(&source.text, start).body;
    let text = body.of(&source.text);
    let start = body.start.index() + (text.len() - text.trim_start().len());
    let end = start.max(body.start.index() + text.trim_end().len());
    Ok(Prompt {
        text: text.replace("\r\n", "\n"),
        place: Placer::new(path, &source).place(Span::new(start, end)),
    })
}

/// Where each field is stated.
fn origins(merged: &Merged) -> Vec<(String, Vec<Place>)> {
    let fields = merged.fields.iter();
    let fields = fields.map(|field| (field.key.clone(), field.places.clone()));
    let mut origins: Vec<(String, Vec<Place>)> = fields.collect();
    let prompts = merged.prompts.iter().map(|prompt| prompt.place.clone());
    origins.push(("prompt".to_owned(), prompts.collect()));
    origins
}
