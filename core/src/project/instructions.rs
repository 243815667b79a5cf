//! Instructions for a project: what they import, and when they apply.

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::listed::Existing;
use super::named::{Named, Spot, Target};
use super::patterns::{self, Tree};
use crate::catalog::Relation;
use crate::diagnostic::{Diagnostic, Finding, Placer};
use crate::dialect::{Dialect, Dialects, InstructionRules};
use crate::files::{Files, Surroundings, join};
use crate::frontmatter::split;
use crate::limits::{FILE_BYTES, IMPORT_DEPTH, IMPORTED_FILES};
use crate::places::{below, normal, parent};
use crate::rules::{missing_import, unapplied_instructions, unmatched_pattern};
use crate::source::Source;
use crate::span::Span;
use crate::yaml::{Reading, climb};

/// The dialect whose instructions are in this file of the project `top`, and their rules.
pub(super) fn owner<'a>(
    dialects: &'a Dialects,
    path: &str,
    top: &str,
) -> Option<(&'a Dialect, &'a InstructionRules)> {
    let place = below(top, path)?;
    dialects.iter().find_map(|dialect: &Rc<Dialect>| {
        let mut rules = dialect.instructions.iter();
        let rules = rules.find(|rules| rules.has(place))?;
        Some((&**dialect, rules))
    })
}

/// What is wrong with instructions, and what they name.
#[derive(Default)]
pub(super) struct Checked<'a> {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) names: Vec<Named<'a>>,
}

/// Reads instructions.
pub(super) struct Reader<'r, 'f> {
    pub(super) files: &'f dyn Files,
    pub(super) existing: &'r mut Existing<'f>,
    pub(super) tree: &'r mut Tree<'f>,
}

impl Reader<'_, '_> {
    /// Checks a file, and what it imports. Files that cannot be read are nothing to judge.
    pub(super) fn check<'a>(
        &mut self,
        owner: &'a Dialect,
        rules: &InstructionRules,
        path: &str,
    ) -> Checked<'a> {
        let mut checked = Checked::default();
        let mut seen = BTreeSet::from([path.to_string()]);
        let mut next = Vec::from([(path.to_string(), 0)]);
        while let Some((path, depth)) = next.pop() {
            let bytes = self.files.read(&path).unwrap_or_default();
            if bytes.len() > FILE_BYTES {
                continue;
            }
            let source = Source::of_file(&bytes);
            let placer = Placer::new(&path, &source);
            let mut findings = Vec::new();
            if depth == 0 {
                self.frontmatter(rules, &source, &mut findings);
            }
            let imports = rules.imports.then(|| missing_import::imports(&source.text));
            for (name, at) in imports.unwrap_or_default() {
                let (target, is_there) = import(&path, name, self.existing);
                findings.extend((!is_there).then(|| missing_import::finding(name, at)));
                let is_new = is_there && depth < IMPORT_DEPTH && seen.len() <= IMPORTED_FILES;
                if is_new && seen.insert(target.clone()) {
                    next.push((target.clone(), depth + 1));
                }
                let spot = Spot {
                    relation: Relation::LinksTo,
                    name: name.to_string(),
                    at: Span::new(at.start.index() + 1, at.end.index()),
                    target: Target::file(target, is_there),
                };
                checked.names.push(spot.placed(owner, &placer));
            }
            let placed = findings.into_iter().map(|found| placer.diagnostic(found));
            checked.diagnostics.extend(placed);
        }
        checked
    }

    /// When the instructions apply. A frontmatter that cannot be read says nothing.
    fn frontmatter(&mut self, rules: &InstructionRules, source: &Source<'_>, findings: &mut Vec<Finding>) {
        let text = &*source.text;
        let parts = split(text, source.byte_order_marks().end.index()).frontmatter;
        let read = parts.map(|parts| climb(text, parts.yaml, &|_| false));
        let reading = read.as_ref().map_or(Reading::Strict, |read| read.reading);
        let root = read.and_then(|read| read.document.root);
        match reading {
            Reading::LineByLine => return,
            // Cursor writes patterns such as `*.ts` without quotes.
            Reading::Quoted => {}
            Reading::Strict | Reading::NoFrontmatter => {
                let opening = parts.map_or(Span::at(0), |parts| parts.opening);
                unapplied_instructions::check(root.as_ref(), opening, &rules.scopes, findings);
            }
        }
        let key = rules.patterns.as_ref();
        let patterns = key.and_then(|key| root.as_ref()?.get(key));
        let patterns = patterns.map(|node| patterns::of(node, text)).unwrap_or_default();
        let known = patterns.iter().map(|(pattern, _)| self.tree.has(pattern));
        let known: Vec<Option<bool>> = known.collect();
        let is_applied = known.iter().any(|known| *known != Some(false));
        for ((pattern, at), known) in patterns.into_iter().zip(known) {
            // Among others, a pattern such as `**/*.rs` may be for files to come.
            let is_wrong = !is_applied || patterns::is_of_folder(pattern);
            if known == Some(false) && is_wrong {
                findings.push(unmatched_pattern::finding(pattern, at, is_applied));
            }
        }
    }
}

/// The path of an import, and whether it is there.
fn import(from: &str, name: &str, existing: &mut Existing<'_>) -> (String, bool) {
    let folder = parent(from);
    let path = normal(&join(folder, name));
    let is_there = existing.has(&path);
    (path, is_there)
}
