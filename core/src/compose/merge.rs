//! Puts a source together from its parents and itself.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::build::Build;
use super::finder::Finder;
use super::header::{Change, Named};
use super::lists::Lists;
use super::part::{Field, Part, Prompt};
use crate::dialect::{Canonical, Dialect};
use crate::limits::{COMPOSED_PROMPTS, EXTENDS_DEPTH};
use crate::rules;

/// A source with all that it inherits.
#[derive(Debug)]
pub(super) struct Merged {
    pub(super) fields: Vec<Rc<Field>>,
    pub(super) prompts: Vec<Rc<Prompt>>,
    /// How many files are on the longest way to a file without parents.
    depth: usize,
}

/// A parent, and where it is named.
pub(super) struct Parent<'a> {
    pub(super) named: &'a Named,
    pub(super) path: &'a str,
    pub(super) merged: &'a Merged,
}

/// Merges files of one dialect.
pub(super) struct Merger<'a> {
    pub(super) dialect: &'a Dialect,
    pub(super) build: &'a Build,
}

impl Merger<'_> {
    /// The file with all that it inherits; findings may say that it is not to be used.
    pub(super) fn merge(
        &self,
        part: &Part,
        parents: &[Parent<'_>],
        includes: Vec<Rc<Prompt>>,
        finder: &mut Finder,
    ) -> Merged {
        let depth = parents
            .iter()
            .map(|parent| parent.merged.depth)
            .max()
            .unwrap_or(0)
            + 1;
        if let Some(parent) = parents.iter().find(|_| depth > EXTENDS_DEPTH) {
            let message = format!("`extends` is more than {EXTENDS_DEPTH} files deep");
            finder.find(&rules::extends_cycle::RULE, &parent.named.place, message);
        }
        let inherited = parents.iter().fold(Vec::new(), |fields, parent| {
            overlaid(fields, &parent.merged.fields)
        });
        let name = |field: &Rc<Field>| field.canonical == Some(Canonical::Name);
        let inherited = inherited.into_iter().filter(|field| !name(field)).collect();
        let inherited = self.with_changes(part, inherited, finder);
        let mut prompts: Vec<Rc<Prompt>> = Vec::new();
        let inherited_prompts = parents.iter().flat_map(|parent| &parent.merged.prompts);
        let own = [Rc::clone(&part.prompt)].into_iter().chain(includes);
        for prompt in inherited_prompts.cloned().chain(own) {
            let is_new = !prompts.iter().any(|known| known.place == prompt.place);
            if is_new && !prompt.text.trim().is_empty() {
                prompts.push(prompt);
            }
        }
        if prompts.len() > COMPOSED_PROMPTS {
            prompts.truncate(COMPOSED_PROMPTS);
            let message = format!(
                "source cannot be compiled: its prompt is made of more than {COMPOSED_PROMPTS} files"
            );
            finder.find(&rules::unbuildable_source::RULE, &part.prompt.place, message);
        }
        Merged {
            fields: overlaid(inherited, &part.fields),
            prompts,
            depth,
        }
    }

    /// The fields of a parent with what a file adds to its lists: the most that the file may grant.
    pub(super) fn with_additions(&self, part: &Part, parent: &Merged) -> Vec<Rc<Field>> {
        // Merging reports what cannot be added.
        let (mut fields, mut unheard) = (parent.fields.clone(), Finder::default());
        for change in &part.header.add {
            self.change(&mut fields, &change.field, &[], &[change], &mut unheard);
        }
        fields
    }

    fn with_changes(&self, part: &Part, mut fields: Vec<Rc<Field>>, finder: &mut Finder) -> Vec<Rc<Field>> {
        let (header, mut done) = (&part.header, BTreeSet::<&str>::new());
        for change in header.remove.iter().chain(&header.add) {
            let name = &*change.field.name;
            if !done.insert(name) {
                continue;
            }
            let is_same = |other: &&Change| other.field.name == name;
            let remove: Vec<&Change> = header.remove.iter().filter(is_same).collect();
            let add: Vec<&Change> = header.add.iter().filter(is_same).collect();
            if header.extends.is_empty() {
                let message = format!("`{name}` is inherited from nothing: `extends` names no file");
                finder.find(&rules::invalid_composition::RULE, &change.field.place, message);
            } else if let Some(own) = part.fields.iter().find(|field| self.is_field(field, name)) {
                let message = format!(
                    "`{}` is set in this file, so `add` and `remove` cannot change it",
                    own.key
                );
                finder.find(&rules::invalid_composition::RULE, &change.field.place, message);
            } else {
                self.change(&mut fields, &change.field, &remove, &add, finder);
            }
        }
        fields
    }

    fn change(
        &self,
        fields: &mut Vec<Rc<Field>>,
        field: &Named,
        remove: &[&Change],
        add: &[&Change],
        finder: &mut Finder,
    ) {
        let lists = Lists {
            dialect: self.dialect,
            build: self.build,
        };
        if let Some(changed) = lists.changed(fields, field, remove, add, finder) {
            match fields.iter_mut().find(|field| changed.replaces(field)) {
                Some(field) => *field = Rc::new(changed),
                None => fields.push(Rc::new(changed)),
            }
        }
    }

    fn is_field(&self, field: &Field, name: &str) -> bool {
        let canonical = field.canonical.filter(|canonical| canonical.name() == name);
        let same = self.dialect.key(name).map(|key| key.field);
        field.key == name || canonical.is_some() || same.is_some() && same == field.canonical
    }
}

/// The fields of `over`, then those of `under` that these do not replace.
fn overlaid(under: Vec<Rc<Field>>, over: &[Rc<Field>]) -> Vec<Rc<Field>> {
    let (mut keys, mut meanings) = (BTreeSet::<&str>::new(), BTreeSet::<&str>::new());
    for field in over {
        keys.insert(&field.key);
        meanings.extend(field.canonical.map(Canonical::name));
    }
    let is_replaced = |field: &Rc<Field>| {
        let meaning = field.canonical.map(Canonical::name);
        keys.contains(&*field.key) || meaning.is_some_and(|meaning| meanings.contains(meaning))
    };
    let left = under.into_iter().filter(|field| !is_replaced(field));
    over.iter().cloned().chain(left).collect()
}

/// The frontmatter and the prompt of these fields and prompts, with LF.
pub(super) fn text(fields: &[Rc<Field>], prompts: &[Rc<Prompt>]) -> String {
    let mut text = String::from("---\n");
    fields.iter().for_each(|field| text.push_str(&field.text));
    text.push_str("---\n");
    match prompts {
        [] => {}
        [only] => text.push_str(&only.text),
        several => {
            for prompt in several {
                text.push('\n');
                text.push_str(prompt.text.trim());
                text.push('\n');
            }
        }
    }
    text
}
