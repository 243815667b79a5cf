//! Findings between files: shadowed, duplicate and broken definitions.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::resolve::is_kept;
use super::scan::Item;
use super::{Catalog, Standing};
use crate::diagnostic::{Diagnostic, Label, Place, Severity};
use crate::dialect::Clash;
use crate::ignore::is_ignored;
use crate::rules;

impl Catalog {
    /// The findings between files: those that are left, and those that comments suppress.
    pub(super) fn parted(&self) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let with_comments: Vec<&Item> = self.with_comments().collect();
        let is_suppressed = |found: &Diagnostic| {
            let path = Some(&*found.primary.place.path);
            let mut items = with_comments.iter();
            items.any(|item| item.path.as_deref() == path && is_ignored(&item.ignores, found))
        };
        let mut found = self.between_files();
        found.extend(self.check_cast());
        found.into_iter().partition(|found| !is_suppressed(found))
    }

    /// The items with comments that may suppress a finding between files.
    pub(super) fn with_comments(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| !item.ignores.is_empty())
    }

    fn between_files(&self) -> Vec<Diagnostic> {
        let named = self
            .ranking
            .order()
            .filter(|(index, _)| self.items[*index].path.is_some());
        named
            .filter_map(|(index, standing)| match standing {
                Standing::Shadowed => self.shadowed(index),
                Standing::Broken => self.broken_winner(index),
                Standing::Active => self.prefixed(index),
                _ => None,
            })
            .collect()
    }

    fn shadowed(&self, index: usize) -> Option<Diagnostic> {
        let item = &self.items[index];
        let name = &item.name;
        if is_kept(&self.dialect, item) {
            let message = format!(
                "{} never uses this file: it has an agent `{name}` of its own",
                self.dialect.title
            );
            let mut diagnostic = Diagnostic::new(&rules::shadowed::RULE, self.place(index)?, message);
            diagnostic.severity = Severity::Warning;
            diagnostic.help = Some("give it another name".to_string());
            return Some(diagnostic);
        }
        if let Some(skill) = self.winning.get(name) {
            let message = format!("`{name}` is shadowed by the skill {skill}");
            let mut diagnostic = Diagnostic::new(&rules::shadowed::RULE, self.place(index)?, message);
            diagnostic.related = Vec::from([Label {
                place: Place::beginning(skill),
                text: "this one is active".to_string(),
            }]);
            return Some(diagnostic);
        }
        let holder = self.ranking.holder(&self.items, index)?;
        let other = self.where_is(holder);
        let same_source = self.items[index].slot == self.items[holder].slot;
        let (rule, message) = if same_source {
            let message = format!("`{name}` is defined twice in one place; {other} wins");
            (&rules::duplicate_name::RULE, message)
        } else {
            let message = format!("`{name}` is shadowed by {other}");
            (&rules::shadowed::RULE, message)
        };
        let mut diagnostic = Diagnostic::new(rule, self.place(index)?, message);
        let words = |item: usize| self.items[item].mentions.words;
        let label = match self.ranking.standing(holder) {
            Standing::Withheld => "this one wins, but cannot be called",
            _ if words(index) != words(holder) => "this one is active, with different content",
            _ => "this one is active",
        };
        diagnostic.related = self.label(holder, label).into_iter().collect();
        if same_source {
            diagnostic.help = Some("rename one of them".to_string());
        }
        Some(diagnostic)
    }

    /// Reports a file that is called by another name than its own.
    fn prefixed(&self, index: usize) -> Option<Diagnostic> {
        let (name, other) = self.called_instead(index)?;
        let same_source = self.items[index].slot == self.items[other].slot;
        let rule = if same_source {
            &rules::duplicate_name::RULE
        } else {
            &rules::shadowed::RULE
        };
        let message = format!(
            "this is called `{name}`, because {} has the same name",
            self.where_is(other)
        );
        let mut diagnostic = Diagnostic::new(rule, self.place(index)?, message);
        diagnostic.related = self
            .label(other, "this one is called by another name, too")
            .into_iter()
            .collect();
        diagnostic.help = Some("rename one of them".to_string());
        Some(diagnostic)
    }

    /// Reports each broken file that would have won, so that another one never replaces it silently.
    fn broken_winner(&self, index: usize) -> Option<Diagnostic> {
        if matches!(self.dialect.clash, Clash::All | Clash::Prefixed) {
            return None;
        }
        let name = &self.items[index].name;
        let named = self.ranking.named(&self.items, name);
        let weaker = named.iter().skip_while(|other| **other != index).skip(1);
        let mut usable = weaker.copied().filter(|other| {
            let standing = self.ranking.standing(*other);
            matches!(
                standing,
                Standing::Active | Standing::Withheld | Standing::Shadowed
            )
        });
        let other = usable.next()?;
        let above = self.ranking.holder(&self.items, index);
        if above.is_some_and(|holder| holder != other) {
            return None;
        }
        let place = self.where_is(other);
        let (severity, message, label) = if self.fails_closed() {
            let message = format!("`{name}` has no agent, because this file would win and does not load");
            (Severity::Error, message, "this one is not used instead")
        } else {
            let message =
                format!("this file would win `{name}`, but does not load; {place} is active instead");
            (Severity::Warning, message, "this one is active instead")
        };
        let mut diagnostic = Diagnostic::new(&rules::broken_winner::RULE, self.place(index)?, message);
        diagnostic.severity = severity;
        diagnostic.related = self.label(other, label).into_iter().collect();
        Some(diagnostic)
    }

    fn label(&self, index: usize, text: &str) -> Option<Label> {
        Some(Label {
            place: self.place(index)?,
            text: text.to_string(),
        })
    }

    pub(super) fn place(&self, index: usize) -> Option<Place> {
        let item = &self.items[index];
        Some(item.anchor.in_file(item.path.as_deref()?))
    }
}
