//! What may be done, in the words of another dialect: never more, and less only where that is said.

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
    /// The rights of its tools, what they imply aside.
    covered: Rights,
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
        let named = words::narrower(mode).iter().rev().filter(|mode| !mode.reads_only);
        named.filter_map(|mode| mode.name(&self.target.id)).next()
    }

    fn put_mode(&mut self, name: &str) {
        match self.vocabulary.bounds {
            Some(Canonical::ReadOnly) => self.plan.put("read-only", Value::Boolean(true)),
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
        let from = from.unwrap_or(0);
        let fits = |(_, rights): &(&str, Rights)| allowed.contains(rights.closed());
        let Some(at) = bounded[from..].iter().position(fits) else {
            let narrowest = bounded.last().map_or(Rights::all(), |(_, rights)| *rights);
            let reason = format!(
                "{id} has no list of tools, and cannot take away: {}",
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
        let mut reason = format!("{id} has no list of tools: this is the most that grants nothing else");
        let unsettled = self.unsettled(grants);
        if !unsettled.is_empty() {
            reason.push_str(&format!("; the user's settings decide: {unsettled}"));
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

    /// What only the user's settings grant, in words.
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

    /// Turns rights on and off that have a key of their own.
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

    /// Why a bound takes away what was granted: a wider one may leave it, but not alone.
    fn unbounded(&self, allowed: Rights, missing: Rights, wider: &[(&str, Rights)]) -> String {
        let id = &self.target.id;
        let words = missing.words();
        let with_it = wider
            .iter()
            .rev()
            .find(|(_, rights)| rights.closed().contains(missing));
        match with_it {
            Some((_, rights)) => format!(
                "{id} cannot let it {words} without letting it: {}",
                rights.without(allowed).words()
            ),
            None if self.here().contains(missing) => {
                format!("{id} cannot let it {words} without giving it all tools")
            }
            None => format!("{id} has no tool to {words}"),
        }
    }

    /// All that tools of the target may do.
    fn here(&self) -> Rights {
        let tools = self.vocabulary.current();
        tools.fold(Rights::default(), |all, tool| all.with(tool.rights))
    }

    /// A line for each tool that loses a right. Where no tool was named, rights that no tool of the target has are none of
    /// the agent's.
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

    /// Tools that mean nothing to the target, and patterns, where it has no list.
    fn lose_others(&mut self, grants: &Grants) {
        let id = &self.target.id;
        for name in &grants.others {
            self.plan
                .lose("tools", name, &format!("{id} has no tool like it"));
        }
        for within in &grants.within {
            let reason = format!("{id} grants all of a tool or nothing of it");
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

    /// The line about a list that was written out.
    fn listed(&mut self, grants: &Grants, list: &List, said: &str) {
        let said = if said.is_empty() { "none" } else { said };
        let mut reason = self.listed_reason(grants, list);
        let is_loss = |loss: &Loss| loss.field == "tools" && loss.to.is_empty() && loss.fate == Fate::Dropped;
        if reason.is_empty() && self.plan.report.iter().any(is_loss) {
            reason.push_str("the rest is left out");
        }
        match reason.as_str() {
            "" => self.plan.carry("tools", &self.said, said),
            reason => self
                .plan
                .say("tools", Fate::Approximated, &self.said, said, reason),
        }
    }

    /// What a list says otherwise than the original; empty for nothing.
    fn listed_reason(&self, grants: &Grants, list: &List) -> String {
        let absent = grants.named().without(list.covered.closed());
        if grants.bound {
            "what this setting leaves is listed".to_owned()
        } else if grants.names_tools() {
            let implied = grants.named().without(list.covered).without(absent);
            match implied.is_empty() {
                true => String::new(),
                false => format!("no tool only to {}: another tool does it, too", implied.words()),
            }
        } else if absent.is_empty() {
            "what is left is listed; tools of MCP servers are not".to_owned()
        } else {
            let words = absent.words();
            format!("what is left is listed; tools of MCP servers are not, and none to {words}")
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

    /// What denying these tools takes away that was not denied.
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

    /// Why a right is in no list: no tool carries it, or none without others.
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
            Some(more) => format!("{id} cannot let it {words} without letting it: {}", more.words()),
            None => format!("{id} has no tool to {words}"),
        }
    }

    /// A list of all that is granted and can be said.
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
                    let reason = format!("{} grants all of a tool or nothing of it", self.target.id);
                    self.plan.lose("tools", &from, &reason);
                }
            }
        }
    }

    /// Rules of which the last that matches holds.
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

    /// A list as permissions: nothing but what it names.
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

/// The permissions of an agent from which nothing is taken away; none where a mode says nothing of them.
fn open_permissions(mode: &str) -> Option<Vec<Entry>> {
    match mode {
        "" => None,
        "bypass" => Some([entry(ALL, "allow")].to_vec()),
        "edits" | "auto" => Some([entry(ALL, "ask"), entry("edit", "allow")].to_vec()),
        _ => Some([entry(ALL, "ask")].to_vec()),
    }
}

/// Permissions with a line for each of these tools, of which nobody knows what they do.
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
