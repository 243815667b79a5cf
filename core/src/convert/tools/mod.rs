//! Expresses permissions in another dialect: never more, and less only with a report line.

mod bounds;
mod lists;
mod permissions;
mod speaker;

use alloc::format;

pub(super) use lists::plain;
pub(super) use permissions::with_permissions;
pub(super) use speaker::Speaker;

use super::grants::Grants;
use super::plan::Fate;
use crate::vocabulary::words::{self, Mode};

impl Speaker<'_> {
    pub(super) fn say(mut self, grants: &Grants, source: &str) {
        self.drop_foreign(grants, source);
        let limited = self.mode(grants);
        let narrowed = limited.then(|| grants.reading_only());
        let grants = narrowed.as_ref().unwrap_or(grants);
        if self.vocabulary.bounds.is_some() {
            self.bounds(grants);
        } else if self.has("permissions") {
            self.permissions(grants);
        } else {
            self.lists(grants);
        }
    }

    /// Names of tools that the source does not have.
    pub(super) fn drop_foreign(&mut self, grants: &Grants, source: &str) {
        for name in &grants.foreign {
            let reason = format!("{source} has no such tool, so it grants nothing");
            self.plan.say("tools", Fate::Dropped, name, "", &reason);
        }
    }

    /// Writes the mode. Returns whether only tools that change nothing may be granted, because no mode expresses that.
    fn mode(&mut self, grants: &Grants) -> bool {
        const FIELD: &str = "permission-mode";
        let Some(mode) = grants.mode else {
            return false;
        };
        if self.has("permissions") {
            self.plan.say(
                FIELD,
                Fate::Renamed,
                mode.words,
                "permission",
                "set by each permission",
            );
            return mode.reads_only;
        }
        if let Some(name) = mode.name(self.target.product()) {
            self.put_mode(name);
            self.plan.carry(FIELD, mode.words, name);
            return false;
        }
        if mode.reads_only {
            let reason = "no such mode: only tools that change nothing are granted";
            self.plan.say(FIELD, Fate::Approximated, mode.words, "", reason);
            return true;
        }
        match self.narrower(mode) {
            Some(name) => {
                self.put_mode(name);
                let reason = "no such mode: the next narrower one is used";
                self.plan.say(FIELD, Fate::Approximated, mode.words, name, reason);
            }
            None => {
                let reason = format!("{} has no such mode and asks", self.target.id);
                self.plan.say(FIELD, Fate::Dropped, mode.words, "", &reason);
            }
        }
        false
    }

    fn narrower(&self, mode: &Mode) -> Option<&'static str> {
        let named = words::narrower(mode).iter().rev().filter(|mode| !mode.reads_only);
        named.filter_map(|mode| mode.name(self.target.product())).next()
    }
}
