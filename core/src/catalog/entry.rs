//! One definition in short, and the reason for its standing.

use alloc::format;
use alloc::string::{String, ToString};

use super::Catalog;
use super::resolve::{Entry, Standing, extension, is_kept};
use super::scan::Item;
use crate::dialect::{Clash, Level, Origin};
use crate::verdict::Outcome;

impl Catalog {
    pub(super) fn origin(&self, index: usize) -> Origin {
        let item = &self.items[index];
        let slot = &self.slots[item.slot];
        Origin {
            dialect: self.dialect.id.clone(),
            level: slot.level,
            source: slot.label(),
            path: item.path.as_deref().map(ToString::to_string),
        }
    }

    pub(super) fn entry(&self, index: usize) -> Entry {
        let item = &self.items[index];
        let mut brief = item.brief();
        let (mut for_users, mut for_models) = (item.for_users, item.for_models);
        let standing = self.ranking.standing(index);
        if self.dialect.clash == Clash::Merge && standing == Standing::Active {
            for other in self.ranking.weaker(&self.items, index) {
                let other = &self.items[other];
                brief.fill_from(other.brief());
                for_users = for_users.or(other.for_users);
                for_models = for_models.or(other.for_models);
            }
        }
        Entry {
            name: brief.name,
            description: brief.description,
            tools: brief.tools,
            model: brief.model,
            color: brief.color,
            for_users: for_users != Some(false),
            for_models: for_models != Some(false),
            origin: self.origin(index),
            standing,
            reason: self.reason(index),
        }
    }

    /// Whether the tool calls it, but its prompt cannot be read here.
    pub(super) fn is_unread(&self, index: usize) -> bool {
        let item = &self.items[index];
        self.slots[item.slot].settings().is_some() && matches!(item.outcome, Outcome::Withheld(_))
    }

    fn reason(&self, index: usize) -> String {
        match (self.ranking.standing(index), &self.items[index].outcome) {
            (Standing::Active, _) => self.why_active(index),
            (Standing::Shadowed, _) => match self.ranking.holder(&self.items, index) {
                Some(holder) => format!(
                    "{} wins over it{}",
                    self.where_is(holder),
                    self.by_path(holder, index)
                ),
                None if let Some(skill) = self.winning.get(&self.items[index].name) => {
                    format!("the skill {skill} wins over it")
                }
                None if is_kept(&self.dialect, &self.items[index]) => {
                    "the built-in one wins over it".to_string()
                }
                None => "a broken file of its name wins over it".to_string(),
            },
            (_, Outcome::Dropped(reason)) => format!("it does not load: {reason}"),
            (_, Outcome::Withheld(reason)) if self.is_unread(index) => ["it cannot run: ", reason].concat(),
            (_, Outcome::Withheld(reason)) => format!("it is listed, but cannot be called: {reason}"),
            (_, Outcome::NotAnAgent(reason)) => reason.clone(),
            (Standing::Withheld, Outcome::Loads) => "it is disabled".to_string(),
            (_, Outcome::Loads) => String::new(),
        }
    }

    fn why_active(&self, index: usize) -> String {
        let named = self.ranking.named(&self.items, &self.items[index].name);
        let mut others = named
            .iter()
            .filter(|other| self.ranking.standing(**other) == Standing::Shadowed);
        match (others.next(), others.next()) {
            (None, _) if self.dialect.clash == Clash::All && named.len() > 1 => {
                "every definition of its name is listed".to_string()
            }
            (None, _) if let Some((name, other)) = self.called_instead(index) => {
                format!(
                    "it is called `{name}`, because {} has the same name",
                    self.where_is(other)
                )
            }
            (None, _) => "it is the only definition of its name".to_string(),
            (Some(other), None) => format!(
                "it wins over {}{}",
                self.where_is(*other),
                self.by_path(index, *other)
            ),
            (Some(_), Some(_)) => format!("it wins over {} others", others.count() + 2),
        }
    }

    /// The name that an active definition is called by if others have its own, and one of them.
    pub(super) fn called_instead(&self, index: usize) -> Option<(&str, usize)> {
        let item = &self.items[index];
        let sharing = self.sharing(item.shared.as_ref()?).into_iter();
        let other = sharing.into_iter().find(|other| *other != index)?;
        Some((&item.name, other))
    }

    /// The reason if only the paths are left to decide.
    fn by_path(&self, winner: usize, other: usize) -> &'static str {
        let (winner, other) = (&self.items[winner], &self.items[other]);
        let rank = |item: &Item| (extension(&self.dialect, item), item.slot);
        match (
            winner.path.is_some() && rank(winner) == rank(other),
            self.dialect.clash,
        ) {
            (false, _) => "",
            (true, Clash::FirstWins | Clash::LastSourceWins) => ": within a folder, the first path wins",
            (true, _) => ": within a folder, the last path wins",
        }
    }

    /// The file, or the source of a definition in no file.
    pub(super) fn where_is(&self, index: usize) -> String {
        let item = &self.items[index];
        let path = item.path.as_deref().map(ToString::to_string);
        let settings = || self.slots[item.slot].settings().map(ToString::to_string);
        path.or_else(settings)
            .unwrap_or_else(|| match self.slots[item.slot].level {
                Level::BuiltIn => "the built-in one".to_string(),
                Level::CommandLine => "the one on the command line".to_string(),
                _ => "the registered one".to_string(),
            })
    }
}
