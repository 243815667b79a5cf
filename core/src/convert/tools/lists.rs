//! Expresses permissions as lists of tools.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::speaker::Speaker;
use crate::convert::grants::{Grants, Within};
use crate::convert::plan::{Fate, Loss};
use crate::definition::{ToolFilter, ToolRule};
use crate::dialect::{Canonical, Extent, Shape};
use crate::span::Span;
use crate::vocabulary::{Rights, Tool};
use crate::write::Value;

/// A list of the target.
#[derive(Default)]
pub(super) struct List {
    pub(super) names: Vec<String>,
    pub(super) commands: Vec<String>,
    /// The names that cover the commands.
    pub(super) shell: Option<&'static str>,
    /// The rights of its tools, without implied ones.
    covered: Rights,
}

impl Speaker<'_> {
    pub(super) fn lists(&mut self, grants: &Grants) {
        if grants.is_everything() {
            return self.everything();
        }
        if grants.all && grants.acts() && self.denials(grants) {
            return;
        }
        let list = self.compile(grants);
        let named = !list.names.is_empty() || list.shell.is_some();
        if !named && self.target.tools.empty == Extent::All {
            let reason = format!("an empty list means all tools in {}", self.target.id);
            return self.plan.refuse("tools", &self.said, &reason);
        }
        let rules = self.rules(&list);
        let said = written(&rules);
        let filter = if rules.is_empty() {
            ToolFilter::None
        } else {
            ToolFilter::Only(rules)
        };
        self.plan.put("tools", Value::Tools(filter));
        self.listed(grants, &list, &said);
    }

    /// All tools except denied ones, for a target whose list of tools limits nothing.
    pub(in crate::convert) fn all_but(mut self, grants: &Grants, source: &str) {
        self.drop_foreign(grants, source);
        let id = &self.target.id;
        if let Some(mode) = grants.mode {
            let reason = format!("a skill of {id} has no mode");
            if mode.reads_only {
                return self.plan.refuse("permission-mode", mode.words, &reason);
            }
            self.plan
                .say("permission-mode", Fate::Dropped, mode.words, "", &reason);
        }
        if grants.is_everything() {
            self.plan.say("tools", Fate::Kept, &self.said, "all tools", "");
        } else if !(grants.all && grants.acts() && self.denials(grants)) {
            let reason = format!("a skill of {id} can deny tools, but has no list that limits them");
            self.plan.refuse("tools", &self.said, &reason);
        }
    }

    /// A list of tools that may be used without asking; none if nothing is left of it.
    pub(in crate::convert) fn approve(mut self, grants: &Grants, source: &str) {
        self.drop_foreign(grants, source);
        let list = self.compile(grants);
        let rules = self.rules(&list);
        if !rules.is_empty() {
            let said = written(&rules);
            self.plan.put("tools", Value::Tools(ToolFilter::Only(rules)));
            self.listed(grants, &list, &said);
        }
    }

    /// The entries of a list. Commands have a key of their own in some dialects.
    fn rules(&mut self, list: &List) -> Vec<ToolRule> {
        let mut rules: Vec<ToolRule> = list.names.iter().map(|name| rule(name, None)).collect();
        match list.shell {
            Some(shell) if self.has("allowed-commands") => {
                rules.push(rule(shell, None));
                self.plan
                    .put("allowed-commands", Value::Words(list.commands.clone()));
            }
            Some(shell) => rules.extend(list.commands.iter().map(|command| rule(shell, Some(command)))),
            None => {}
        }
        rules
    }

    /// The report line of a list that was written out.
    pub(super) fn listed(&mut self, grants: &Grants, list: &List, said: &str) {
        let said = if said.is_empty() { "none" } else { said };
        let mut reason = self.listed_reason(grants, list);
        let is_loss = |loss: &Loss| loss.field == "tools" && loss.to.is_empty() && loss.fate == Fate::Dropped;
        if reason.is_empty() && self.plan.report.iter().any(is_loss) {
            reason.push_str("the rest is dropped");
        }
        match reason.as_str() {
            "" => self.plan.carry("tools", &self.said, said),
            reason => self
                .plan
                .say("tools", Fate::Approximated, &self.said, said, reason),
        }
    }

    /// How a list differs from the original; empty for not at all.
    fn listed_reason(&self, grants: &Grants, list: &List) -> String {
        let absent = grants.named().without(list.covered.closed());
        if grants.bound {
            "lists the tools that this setting leaves".to_owned()
        } else if grants.names_tools() {
            let implied = grants.named().without(list.covered).without(absent);
            if implied.is_empty() {
                String::new()
            } else {
                format!("no separate tool to {}: another one does it", implied.words())
            }
        } else if absent.is_empty() {
            "lists the remaining tools, without MCP tools".to_owned()
        } else {
            let words = absent.words();
            format!("lists the remaining tools, without MCP tools or one to {words}")
        }
    }

    fn everything(&mut self) {
        let all = |shape: &Shape| matches!(shape, Shape::Tools(shape) if !shape.all.is_empty());
        let key = self.target.of_field(Canonical::Tools);
        if self.target.tools.absent == Extent::All {
            let says_so = self.said == "*" && key.is_some_and(|key| all(&key.shape));
            if says_so {
                self.plan.put("tools", Value::Tools(ToolFilter::All));
            }
            return self.plan.say("tools", Fate::Kept, &self.said, "all tools", "");
        }
        let names = self.vocabulary.spell_each(Rights::all(), Rights::all());
        let rules: Vec<ToolRule> = names.into_iter().map(|name| rule(name, None)).collect();
        let said = written(&rules);
        self.plan.put("tools", Value::Tools(ToolFilter::Only(rules)));
        let reason = format!("{} grants only listed tools", self.target.id);
        self.plan
            .say("tools", Fate::Approximated, &self.said, &said, &reason);
    }

    /// Writes a deny list, if the target has one. Returns whether that is complete.
    fn denials(&mut self, grants: &Grants) -> bool {
        if !self.has("denied-tools") || !grants.within.is_empty() {
            return false;
        }
        let Some(names) = self.denied(grants) else {
            return false;
        };
        self.lose_denied(grants, &names);
        let rules: Vec<ToolRule> = names.iter().map(|name| rule(name, None)).collect();
        let said = written(&rules);
        if !rules.is_empty() {
            self.plan
                .put("denied-tools", Value::Tools(ToolFilter::Only(rules)));
        }
        self.plan.carry("denied-tools", &self.said, &said);
        true
    }

    /// The names of everything denied; none if something has no name.
    pub(super) fn denied(&self, grants: &Grants) -> Option<Vec<String>> {
        if !grants.denied_others.is_empty() {
            return None;
        }
        let tools = self.vocabulary.current();
        let tools = tools.filter(|tool| tool.rights.meets(grants.denied));
        let mut names: Vec<String> = tools.map(|tool| tool.name.to_owned()).collect();
        for (_, served) in &grants.denied_served {
            names.push(self.vocabulary.mcp?.spell(served.as_mcp())?);
        }
        Some(names)
    }

    /// What denying these tools takes away beyond what was denied.
    pub(super) fn lose_denied(&mut self, grants: &Grants, names: &[String]) {
        let stays = |tool: &&Tool| !names.iter().any(|name| name == tool.name);
        let left = self.vocabulary.current().filter(stays);
        let left = left
            .fold(Rights::default(), |all, tool| all.with(tool.rights))
            .closed();
        let allowed = grants.allowed();
        self.lose_rights(grants, left, |speaker, missing| {
            speaker.unlisted(allowed, missing)
        });
    }

    /// Why a right is in no list: no tool has it, or none without other rights.
    fn unlisted(&self, allowed: Rights, missing: Rights) -> String {
        let (id, words) = (&self.target.id, missing.words());
        let carrying = self
            .vocabulary
            .current()
            .filter(|tool| tool.rights.meets(missing));
        let more = carrying.map(|tool| tool.rights.without(allowed));
        match more
            .min_by_key(|more| more.iter().count())
            .filter(|more| !more.is_empty())
        {
            Some(more) => format!("{id} cannot let it {words} without letting it {}", more.words()),
            None => format!("{id} has no tool to {words}"),
        }
    }

    /// A list of all grants that can be expressed.
    pub(super) fn compile(&mut self, grants: &Grants) -> List {
        let allowed = grants.allowed();
        let tools = self.vocabulary.spell_each(grants.named(), allowed).into_iter();
        let named = tools.filter(|name| !grants.denied_others.iter().any(|denied| denied == name));
        let mut list = List {
            names: named.map(ToOwned::to_owned).collect(),
            ..List::default()
        };
        let tools = list.names.iter().filter_map(|name| self.vocabulary.find(name));
        list.covered = tools.fold(Rights::default(), |all, tool| all.with(tool.rights));
        self.lose_rights(grants, list.covered.closed(), |speaker, missing| {
            speaker.unlisted(allowed, missing)
        });
        for name in &grants.others {
            let (id, tool) = (&self.target.id, name.split('(').next().unwrap_or(name));
            let reason = match self.vocabulary.find(tool) {
                Some(_) => format!("the tool of this name in {id} may be another one"),
                None => format!("{id} has no such tool"),
            };
            self.plan.lose("tools", name, &reason);
        }
        for (name, served) in &grants.served {
            let denied = grants.denied_served.iter().any(|(_, other)| other.covers(served));
            let cut = grants.denied_served.iter().any(|(_, other)| served.covers(other));
            let spelled = self.vocabulary.mcp.and_then(|style| style.spell(served.as_mcp()));
            match spelled.filter(|_| !cut) {
                _ if denied => {}
                Some(spelled) => list.names.push(spelled),
                None => {
                    let reason = format!("{} has no name for it in a list of tools", self.target.id);
                    self.plan.lose("tools", name, &reason);
                }
            }
        }
        self.patterns(grants, &mut list);
        list
    }

    /// Commands are converted to patterns if the target enforces those.
    fn patterns(&mut self, grants: &Grants, list: &mut List) {
        let shell = Rights::SHELL;
        let holds = self.vocabulary.specifiers || self.has("allowed-commands") || self.has("permissions");
        for within in &grants.within {
            let name = self.vocabulary.spell(within.rights).first().copied();
            match name.filter(|_| holds && within.rights == shell) {
                Some(name) => {
                    list.shell = Some(name);
                    list.commands.push(plain(&within.pattern).into_owned());
                }
                None => {
                    let from = pattern(within);
                    let reason = format!("{} cannot limit a tool to patterns", self.target.id);
                    self.plan.lose("tools", &from, &reason);
                }
            }
        }
    }
}

/// `git:*` is an older form of `git *`.
pub(in crate::convert) fn plain(pattern: &str) -> alloc::borrow::Cow<'_, str> {
    match pattern.strip_suffix(":*") {
        Some(command) => format!("{command} *").into(),
        None => pattern.into(),
    }
}

pub(super) fn pattern(within: &Within) -> String {
    match within.tool.as_str() {
        "" => within.pattern.clone(),
        tool => format!("{tool}({})", within.pattern),
    }
}

fn rule(name: &str, specifier: Option<&String>) -> ToolRule {
    ToolRule {
        tool: name.to_owned(),
        specifier: specifier.cloned(),
        span: Span::default(),
    }
}

fn written(rules: &[ToolRule]) -> String {
    let words: Vec<String> = rules.iter().map(ToolRule::written).collect();
    words.join(", ")
}
