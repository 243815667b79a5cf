//! What may be done, in the words of another dialect: never more, and less only where that is said.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::grants::{Grants, Within};
use super::plan::{Fate, Plan};
use super::tables::{self, Mode};
use crate::definition::{ToolFilter, ToolRule};
use crate::dialect::{Dialect, Extent, Shape};
use crate::span::Span;
use crate::vocabulary::{self, Rights, Vocabulary};
use crate::write::Value;
use crate::yaml::{Entry, Kind, Node};

/// Everything, as a tool or of a tool.
const ALL: &str = "*";

/// Says in the target what the source grants.
pub(super) struct Speaker<'a> {
    target: &'a Dialect,
    vocabulary: &'static Vocabulary,
    plan: &'a mut Plan,
    /// What the source says about tools, in its own words.
    said: String,
}

/// What a list of the target says.
#[derive(Default)]
struct List {
    names: Vec<String>,
    commands: Vec<String>,
    /// The names that stand for the commands.
    shell: Option<&'static str>,
}

impl<'a> Speaker<'a> {
    /// None for a dialect without a vocabulary, which the build does not let through.
    pub(super) fn new(target: &'a Dialect, said: String, plan: &'a mut Plan) -> Option<Self> {
        let vocabulary = vocabulary::of(&target.id)?;
        Some(Self {
            target,
            vocabulary,
            plan,
            said,
        })
    }

    pub(super) fn say(mut self, grants: &Grants) {
        let limited = self.mode(grants);
        let narrowed = limited.then(|| grants.reading_only());
        let grants = narrowed.as_ref().unwrap_or(grants);
        if !self.vocabulary.bounds.is_empty() {
            self.bounds(grants);
        } else if self.has("permissions") {
            self.permissions(grants);
        } else {
            self.lists(grants);
        }
    }

    fn has(&self, field: &str) -> bool {
        self.target.keys.iter().any(|key| key.field == field)
    }

    /// Says the mode. Returns whether only what changes nothing may be granted, for want of a mode that says so.
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
                "each permission says it",
            );
            return mode.reads_only;
        }
        if let Some(name) = mode.name(&self.target.id) {
            self.put_mode(name);
            self.plan.carry(FIELD, mode.words, name);
            return false;
        }
        if mode.reads_only {
            let reason = "there is no such mode: only tools that change nothing are granted";
            self.plan.say(FIELD, Fate::Approximated, mode.words, "", reason);
            return true;
        }
        match self.narrower(mode) {
            Some(name) => {
                self.put_mode(name);
                let reason = "there is no such mode: the next narrower one is used";
                self.plan.say(FIELD, Fate::Approximated, mode.words, name, reason);
            }
            None => {
                let reason = format!("{} has no such mode, and asks", self.target.id);
                self.plan.say(FIELD, Fate::Dropped, mode.words, "", &reason);
            }
        }
        false
    }

    fn narrower(&self, mode: &Mode) -> Option<&'static str> {
        let named = tables::narrower(mode)
            .iter()
            .rev()
            .filter(|mode| !mode.reads_only);
        named.filter_map(|mode| mode.name(&self.target.id)).next()
    }

    fn put_mode(&mut self, name: &str) {
        match self.vocabulary.bounds {
            "read-only" => self.plan.put("read-only", Value::Boolean(true)),
            _ => self.plan.put("permission-mode", Value::Text(name.to_owned())),
        }
    }

    /// Where there is no list of tools, a key that leaves no right but those granted.
    fn bounds(&mut self, grants: &Grants) {
        let id = &self.target.id;
        if grants.is_everything() {
            return self.plan.say("tools", Fate::Kept, &self.said, "", "");
        }
        let allowed = grants.allowed();
        let mode = grants.mode.and_then(|mode| mode.name(id));
        let bounded = self.vocabulary.bounded;
        let from = mode.and_then(|word| bounded.iter().position(|(name, _)| *name == word));
        let mut bounds = bounded[from.unwrap_or(0)..].iter();
        let fitting = bounds.find(|(_, rights)| allowed.contains(rights.closed()));
        let Some((name, _)) = fitting else {
            let reason = format!("{id} has no list of tools, and would let the agent do more");
            return self.plan.refuse("tools", &self.said, &reason);
        };
        self.put_mode(name);
        let key = self
            .target
            .keys
            .iter()
            .find(|key| key.field == self.vocabulary.bounds);
        let said = format!("{}: {name}", key.map_or("", |key| key.written()));
        let reason = format!("{id} has no list of tools: this is the most that grants nothing else");
        self.plan
            .say("tools", Fate::Approximated, &self.said, &said, &reason);
    }

    fn lists(&mut self, grants: &Grants) {
        if grants.is_everything() {
            return self.everything(grants);
        }
        if grants.all && self.denials(grants) {
            return;
        }
        let list = self.compile(grants);
        let named = !list.names.is_empty() || list.shell.is_some();
        if !named && self.target.tools.empty == Extent::All {
            let reason = format!("an empty list means all tools in {}", self.target.id);
            return self.plan.refuse("tools", &self.said, &reason);
        }
        let mut rules: Vec<ToolRule> = list.names.iter().map(|name| rule(name, None)).collect();
        match list.shell {
            Some(shell) if self.has("allowed-commands") => {
                rules.push(rule(shell, None));
                self.plan.put("allowed-commands", Value::Words(list.commands));
            }
            Some(shell) => rules.extend(list.commands.iter().map(|command| rule(shell, Some(command)))),
            None => {}
        }
        let said = written(&rules);
        let filter = match rules.is_empty() {
            true => ToolFilter::None,
            false => ToolFilter::Only(rules),
        };
        self.plan.put("tools", Value::Tools(filter));
        self.listed(grants, &said);
    }

    /// The line about a list that was written out.
    fn listed(&mut self, grants: &Grants, said: &str) {
        if grants.all || grants.unnamed {
            let reason = "what is left is listed; tools of MCP servers are not";
            self.plan
                .say("tools", Fate::Approximated, &self.said, said, reason);
        } else {
            let said = if said.is_empty() { "none" } else { said };
            self.plan.carry("tools", &self.said, said);
        }
    }

    fn everything(&mut self, grants: &Grants) {
        let all = |shape: &Shape| matches!(shape, Shape::Tools(shape) if !shape.all.is_empty());
        let key = self.target.keys.iter().find(|key| key.field == "tools");
        if self.target.tools.absent == Extent::All {
            let says_so = self.said == "*" && key.is_some_and(|key| all(&key.shape));
            if says_so {
                self.plan.put("tools", Value::Tools(ToolFilter::All));
            }
            return self.plan.say("tools", Fate::Kept, &self.said, "all tools", "");
        }
        let names = self.vocabulary.spell_within(grants.allowed());
        let rules: Vec<ToolRule> = names.into_iter().map(|name| rule(name, None)).collect();
        let said = written(&rules);
        self.plan.put("tools", Value::Tools(ToolFilter::Only(rules)));
        let reason = format!("{} grants no tools unless they are listed", self.target.id);
        self.plan
            .say("tools", Fate::Approximated, &self.said, &said, &reason);
    }

    /// Denies what is denied, where there is a list for that. Returns whether that says it all.
    fn denials(&mut self, grants: &Grants) -> bool {
        if !self.has("denied-tools") || !grants.within.is_empty() {
            return false;
        }
        let Some(names) = self.denied(grants) else {
            return false;
        };
        let rules: Vec<ToolRule> = names.iter().map(|name| rule(name, None)).collect();
        let said = written(&rules);
        if !rules.is_empty() {
            self.plan
                .put("denied-tools", Value::Tools(ToolFilter::Only(rules)));
        }
        self.plan.carry("denied-tools", &self.said, &said);
        true
    }

    /// The names of all that is denied; none if something has no name.
    fn denied(&self, grants: &Grants) -> Option<Vec<String>> {
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

    /// A list of all that is granted and can be said.
    fn compile(&mut self, grants: &Grants) -> List {
        let allowed = grants.allowed();
        let tools = self.vocabulary.spell_within(allowed).into_iter();
        let named = tools.filter(|name| !grants.denied_others.iter().any(|denied| denied == name));
        let mut list = List {
            names: named.map(ToOwned::to_owned).collect(),
            ..List::default()
        };
        let rights = list.names.iter().filter_map(|name| self.vocabulary.find(name));
        let covered = rights
            .fold(Rights::default(), |all, tool| all.with(tool.rights))
            .closed();
        for (name, rights) in &grants.tools {
            if !grants.unnamed && !covered.contains(rights.without(grants.denied)) {
                let words: Vec<&str> = rights.without(covered).iter().map(|right| right.words).collect();
                let reason = format!(
                    "no tool of {} lets it {} and do no more",
                    self.target.id,
                    words.join(", ")
                );
                self.plan.lose("tools", name, &reason);
            }
        }
        for name in &grants.others {
            let reason = format!("{} has no tool like it", self.target.id);
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

    /// Commands go over as patterns, where the target holds the agent to them.
    fn patterns(&mut self, grants: &Grants, list: &mut List) {
        let shell = Rights::of("shell").unwrap_or_default();
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
                    let reason = format!("{} grants all of a tool or nothing of it", self.target.id);
                    self.plan.lose("tools", &from, &reason);
                }
            }
        }
    }

    /// Rules of which the last that matches holds.
    fn permissions(&mut self, grants: &Grants) {
        let mode = grants.mode.map_or("", |mode| mode.id);
        let mut entries: Vec<Entry> = Vec::new();
        let said = if grants.is_everything() {
            match mode {
                "" => return self.plan.say("tools", Fate::Kept, &self.said, "all tools", ""),
                "bypass" => entries.push(entry(ALL, "allow")),
                _ => {
                    entries.push(entry(ALL, "ask"));
                    if matches!(mode, "edits" | "auto") {
                        entries.push(entry("edit", "allow"));
                    }
                }
            }
            "all tools".to_string()
        } else if let Some(names) = self
            .denied(grants)
            .filter(|_| grants.all && grants.within.is_empty())
        {
            entries.extend(names.iter().map(|name| entry(name, "deny")));
            format!("all but {}", names.join(", "))
        } else {
            let list = self.compile(grants);
            entries.push(entry(ALL, "deny"));
            for name in &list.names {
                entries.push(entry(name, self.effect(name, mode)));
            }
            if let Some(shell) = list.shell {
                let effect = self.effect(shell, mode);
                let mut patterns = [entry(ALL, "deny")].to_vec();
                patterns.extend(list.commands.iter().map(|command| entry(command, effect)));
                entries.push(Entry {
                    key: node(shell),
                    value: map(patterns),
                });
            }
            list.names
                .into_iter()
                .chain(list.shell.map(ToOwned::to_owned))
                .collect::<Vec<_>>()
                .join(", ")
        };
        self.plan.put("permissions", Value::Yaml(map(entries)));
        self.plan.carry("tools", &self.said, &said);
    }

    /// What changes nothing goes unasked; what does, as the mode says.
    fn effect(&self, name: &str, mode: &str) -> &'static str {
        let rights = self.vocabulary.find(name).map(|tool| tool.rights);
        let harmless = rights.is_some_and(Rights::change_nothing);
        let edits = matches!(mode, "edits" | "auto") && name == "edit";
        if harmless || edits || mode == "bypass" {
            "allow"
        } else {
            "ask"
        }
    }
}

/// `git:*` is an older way of saying `git *`.
pub(super) fn plain(pattern: &str) -> alloc::borrow::Cow<'_, str> {
    match pattern.strip_suffix(":*") {
        Some(command) => format!("{command} *").into(),
        None => pattern.into(),
    }
}

fn pattern(within: &Within) -> String {
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

fn node(text: &str) -> Node {
    Node::text(text, Span::default())
}

fn entry(key: &str, value: &str) -> Entry {
    Entry {
        key: node(key),
        value: node(value),
    }
}

fn map(entries: Vec<Entry>) -> Node {
    Node {
        kind: Kind::Mapping(entries),
        span: Span::default(),
        tag: None,
    }
}
