//! Expresses permissions in another dialect: never more, and less only with a report line.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::grants::{Grants, Within};
use super::plan::{Fate, Loss, Plan};
use crate::definition::{ToolFilter, ToolRule};
use crate::dialect::{Canonical, Dialect, Extent, Shape};
use crate::span::Span;
use crate::vocabulary::words::{self, Mode};
use crate::vocabulary::{self, Rights, Tool, Vocabulary};
use crate::write::Value;
use crate::yaml::{Entry, Kind, Node};

/// Everything, as a tool or of a tool.
const ALL: &str = "*";

/// Expresses the source's grants in the target.
pub(super) struct Speaker<'a> {
    target: &'a Dialect,
    vocabulary: &'static Vocabulary,
    plan: &'a mut Plan,
    /// The tools of the source, as written.
    said: String,
}

/// A list of the target.
#[derive(Default)]
struct List {
    names: Vec<String>,
    commands: Vec<String>,
    /// The names that cover the commands.
    shell: Option<&'static str>,
    /// The rights of its tools, without implied ones.
    covered: Rights,
}

impl<'a> Speaker<'a> {
    /// None for a dialect without a vocabulary, which the build rejects.
    pub(super) fn new(target: &'a Dialect, said: String, plan: &'a mut Plan) -> Option<Self> {
        let vocabulary = vocabulary::of(&target.id)?;
        Some(Self {
            target,
            vocabulary,
            plan,
            said,
        })
    }

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
    fn drop_foreign(&mut self, grants: &Grants, source: &str) {
        for name in &grants.foreign {
            let reason = format!("{source} has no such tool, so it grants nothing");
            self.plan.say("tools", Fate::Dropped, name, "", &reason);
        }
    }

    fn has(&self, field: &str) -> bool {
        self.target.keys.iter().any(|key| key.field.name() == field)
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
        if let Some(name) = mode.name(&self.target.id) {
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
        named.filter_map(|mode| mode.name(&self.target.id)).next()
    }

    fn put_mode(&mut self, name: &str) {
        match self.vocabulary.bounds {
            Some(Canonical::ReadOnly) => self.plan.put("read-only", Value::Boolean(true)),
            _ => self.plan.put("permission-mode", Value::Text(name.to_owned())),
        }
    }

    /// Without a list of tools, writes a key that leaves only the granted rights.
    fn bounds(&mut self, grants: &Grants) {
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
            let key = self.target.keys.iter().find(|key| key.field == switch.field);
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

    /// All rights of the target's tools.
    fn here(&self) -> Rights {
        let tools = self.vocabulary.current();
        tools.fold(Rights::default(), |all, tool| all.with(tool.rights))
    }

    /// A line for each tool that loses a right. If no tool was named, rights that no tool of the target has are ignored.
    fn lose_rights(&mut self, grants: &Grants, left: Rights, reason: impl Fn(&Self, Rights) -> String) {
        let counted = if grants.names_tools() {
            Rights::all()
        } else {
            self.here()
        };
        for (name, rights) in grants.named_tools() {
            let missing = rights.without(grants.denied).without(left);
            if missing.meets(counted) {
                let reason = reason(self, missing);
                self.plan.lose("tools", name, &reason);
            }
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

    fn lists(&mut self, grants: &Grants) {
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
        let said = written(&rules);
        let filter = match rules.is_empty() {
            true => ToolFilter::None,
            false => ToolFilter::Only(rules),
        };
        self.plan.put("tools", Value::Tools(filter));
        self.listed(grants, &list, &said);
    }

    /// The report line of a list that was written out.
    fn listed(&mut self, grants: &Grants, list: &List, said: &str) {
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
            match implied.is_empty() {
                true => String::new(),
                false => format!("no separate tool to {}: another one does it", implied.words()),
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
        let key = self.target.keys.iter().find(|key| key.field == Canonical::Tools);
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

    /// What denying these tools takes away beyond what was denied.
    fn lose_denied(&mut self, grants: &Grants, names: &[String]) {
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
    fn compile(&mut self, grants: &Grants) -> List {
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
            let reason = format!("{} has no such tool", self.target.id);
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

    /// Permission rules; the last match applies.
    fn permissions(&mut self, grants: &Grants) {
        let mode = grants.mode.map_or("", |mode| mode.id);
        if grants.is_everything() {
            let Some(entries) = open_permissions(mode) else {
                return self.plan.say("tools", Fate::Kept, &self.said, "all tools", "");
            };
            self.plan.put("permissions", Value::Yaml(map(entries)));
            return self.plan.carry("tools", &self.said, "all tools");
        }
        let by_denial = grants.all && grants.acts() && grants.within.is_empty();
        if let Some(names) = self.denied(grants).filter(|_| by_denial) {
            self.lose_denied(grants, &names);
            let entries = names.iter().map(|name| entry(name, "deny")).collect();
            self.plan.put("permissions", Value::Yaml(map(entries)));
            let said = format!("all but {}", names.join(", "));
            return self.plan.carry("tools", &self.said, &said);
        }
        let list = self.compile(grants);
        let entries = self.permission_list(&list, mode);
        self.plan.put("permissions", Value::Yaml(map(entries)));
        let mut names: Vec<&str> = list.names.iter().map(|name| &**name).collect();
        names.extend(list.shell);
        self.listed(grants, &list, &names.join(", "));
    }

    /// A list as permissions: only what it names.
    fn permission_list(&self, list: &List, mode: &str) -> Vec<Entry> {
        let mut entries = [entry(ALL, "deny")].to_vec();
        let names = list.names.iter();
        entries.extend(names.map(|name| entry(name, self.effect(name, mode))));
        if let Some(shell) = list.shell {
            let effect = self.effect(shell, mode);
            let mut patterns = [entry(ALL, "deny")].to_vec();
            patterns.extend(list.commands.iter().map(|command| entry(command, effect)));
            entries.push(Entry {
                key: node(shell),
                value: map(patterns),
            });
        }
        entries
    }

    /// Tools that change nothing are allowed; for others the mode decides.
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

/// The permissions of an agent without denials; none if no mode is set.
fn open_permissions(mode: &str) -> Option<Vec<Entry>> {
    match mode {
        "" => None,
        "bypass" => Some([entry(ALL, "allow")].to_vec()),
        "edits" | "auto" => Some([entry(ALL, "ask"), entry("edit", "allow")].to_vec()),
        _ => Some([entry(ALL, "ask")].to_vec()),
    }
}

/// Permissions with a line for each of these tools, whose effects are unknown.
pub(super) fn with_permissions(permissions: Value, tools: &[String]) -> Value {
    let Value::Yaml(Node {
        kind: Kind::Mapping(mut entries),
        ..
    }) = permissions
    else {
        return permissions;
    };
    entries.extend(tools.iter().map(|tool| entry(tool, "ask")));
    Value::Yaml(map(entries))
}

/// `git:*` is an older form of `git *`.
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
