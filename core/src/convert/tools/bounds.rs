//! Expresses permissions in a dialect without lists of tools: by a mode or sandbox.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::lists::pattern;
use super::speaker::Speaker;
use crate::convert::grants::Grants;
use crate::convert::plan::Fate;
use crate::vocabulary::Rights;
use crate::write::Value;

impl Speaker<'_> {
    /// Without a list of tools, writes a key that leaves only the granted rights.
    pub(super) fn bounds(&mut self, grants: &Grants) {
        let id = &self.target.id;
        if grants.is_everything() {
            return self.plan.say("tools", Fate::Kept, &self.said, "", "");
        }
        let allowed = grants.allowed();
        let mode = grants.mode.and_then(|mode| mode.name(id));
        let bounded = self.vocabulary.bounded;
        let from = mode.and_then(|word| bounded.iter().position(|(name, _)| *name == word));
        let from = from.unwrap_or(0);
        let fits = |(_, rights): &(&str, Rights)| allowed.contains(rights.closed());
        let Some(at) = bounded[from..].iter().position(fits) else {
            let narrowest = bounded.last().map_or(Rights::all(), |(_, rights)| *rights);
            let reason = format!(
                "{id} has no list of tools and cannot deny: {}",
                narrowest.without(allowed).words()
            );
            return self.plan.refuse("tools", &self.said, &reason);
        };
        let (name, rights) = bounded[from + at];
        self.put_mode(name);
        let key = self
            .target
            .keys
            .iter()
            .find(|key| Some(key.field) == self.vocabulary.bounds);
        let mut said = format!("{}: {name}", key.map_or("", |key| key.written()));
        self.switch(allowed, &mut said);
        let mut reason = format!("{id} has no list of tools: this is the most without granting more");
        let unsettled = self.unsettled(grants);
        if !unsettled.is_empty() {
            reason.push_str(&format!("; user settings decide: {unsettled}"));
        }
        self.plan
            .say("tools", Fate::Approximated, &self.said, &said, &reason);
        let left = rights
            .closed()
            .with(self.vocabulary.kept)
            .with(self.vocabulary.settings);
        let wider = &bounded[..from + at];
        self.lose_rights(grants, left, |speaker, missing| {
            speaker.unbounded(allowed, missing, wider)
        });
        self.lose_others(grants);
    }

    /// What only user settings grant, in words.
    fn unsettled(&self, grants: &Grants) -> String {
        let switches = self.vocabulary.switches.iter();
        let rights = switches.fold(self.vocabulary.settings, |rights, switch| {
            rights.without(switch.right)
        });
        let rights = rights.iter().map(|right| right.words);
        let servers = (!grants.served.is_empty()).then_some("use tools of MCP servers");
        let words: Vec<&str> = rights.chain(servers).collect();
        words.join(", ")
    }

    /// Sets rights that have a key of their own.
    fn switch(&mut self, allowed: Rights, said: &mut String) {
        for switch in self.vocabulary.switches {
            let value = if allowed.contains(switch.right) {
                switch.on
            } else {
                switch.off
            };
            let key = self.target.of_field(switch.field);
            said.push_str(&format!("; {}: {value}", key.map_or("", |key| key.written())));
            self.plan.put(switch.field.name(), Value::Text(value.to_owned()));
        }
    }

    /// Why a limit drops what was granted: a wider one might keep it, but grants more.
    fn unbounded(&self, allowed: Rights, missing: Rights, wider: &[(&str, Rights)]) -> String {
        let id = &self.target.id;
        let words = missing.words();
        let with_it = wider
            .iter()
            .rev()
            .find(|(_, rights)| rights.closed().contains(missing));
        match with_it {
            Some((_, rights)) => format!(
                "{id} cannot let it {words} without letting it {}",
                rights.without(allowed).words()
            ),
            None if self.here().contains(missing) => {
                format!("{id} cannot let it {words} without giving it all tools")
            }
            None => format!("{id} has no tool to {words}"),
        }
    }

    /// Reports tools without a meaning in the target, and patterns, if it has no list.
    fn lose_others(&mut self, grants: &Grants) {
        let id = &self.target.id;
        for name in &grants.others {
            self.plan.lose("tools", name, &format!("{id} has no such tool"));
        }
        for within in &grants.within {
            let reason = format!("{id} cannot limit a tool to patterns");
            self.plan.lose("tools", &pattern(within), &reason);
        }
    }
}
