//! Converts each field to the other dialect.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::grants::Grants;
use super::plan::{Fate, Loss, Plan};
use super::tools::Speaker;
use super::values::{listed, said, shown, value, with_entry_fills};
use crate::definition::{Definition, Field, Model};
use crate::dialect::{Canonical, Dialect, EntryFill, Format, Key, Kind, Shape, Verdict};
use crate::vocabulary;
use crate::vocabulary::words;
use crate::write::{Value, render};
use crate::yaml::{Entry, Kind as Shaped, Node, Plain};

/// Fields that are converted by rules of their own.
const OWN_RULES: &[&str] = &[
    "allowed-commands",
    "claude-permission-mode",
    "denied-tools",
    "description",
    "display-name",
    "effort",
    "model",
    "name",
    "permission-mode",
    "permissions",
    "prompt",
    "provider",
    "read-only",
    "tools",
];

/// The same for fields that only skills and commands have.
const CALLED: &[&str] = &[
    "agent",
    "mode",
    "model-may-not-pick",
    "user-may-pick",
    "when-to-use",
];

/// The source and the target of a conversion.
pub(super) struct Fields<'a> {
    pub(super) source: &'a Dialect,
    pub(super) target: &'a Dialect,
    pub(super) definition: &'a Definition,
    pub(super) root: Option<&'a Node>,
}

impl Fields<'_> {
    /// Plans every field. Returns the stem of the file.
    pub(super) fn write(&self, plan: &mut Plan) -> String {
        let stem = self.name(plan);
        self.description(plan);
        let is_agent = self.source.kind == Kind::Agent;
        let becomes_agent = self.target.kind == Kind::Agent;
        match (is_agent, becomes_agent) {
            (true, true) => self.tools(plan),
            (true, false) => self.fork(plan),
            (false, true) => self.unfork(plan),
            (false, false) => self.called(plan),
        }
        self.model(plan);
        self.effort(plan);
        let fields = self.definition.fields.iter().enumerate();
        for (at, field) in fields {
            let repeated = self.definition.fields[at + 1..]
                .iter()
                .any(|other| other.key == field.key);
            match &field.canonical {
                _ if repeated => {}
                Some(canonical) if OWN_RULES.contains(&canonical.name()) => {}
                Some(canonical) if !is_agent && CALLED.contains(&canonical.name()) => {}
                Some(Canonical::ContextKind) if becomes_agent => {}
                Some(canonical) => self.other(plan, canonical.name(), field),
                None => {
                    let reason = format!("{} does not know it", self.source.id);
                    plan.say(&field.key, Fate::Dropped, &shown(&field.value), "", &reason);
                }
            }
        }
        self.fill(plan);
        plan.draft.prompt = if is_agent && becomes_agent {
            plan.say("prompt", Fate::Kept, "", "", "");
            self.definition.system_prompt.clone()
        } else if is_agent || becomes_agent {
            self.other_text(plan)
        } else {
            self.template(plan)
        };
        // In TOML, a line end in a prompt is part of it.
        if self.target.format == Format::Toml {
            plan.draft.prompt = plan.draft.prompt.replace("\r\n", "\n");
        }
        stem
    }

    pub(super) fn key(&self, field: &str) -> Option<&Key> {
        self.target.keys.iter().find(|key| key.field.name() == field)
    }

    fn tools(&self, plan: &mut Plan) {
        let (grants, said) = self.granted();
        if let Some(speaker) = Speaker::new(self.target, said, plan) {
            speaker.say(&grants, &self.source.id);
        }
    }

    /// What an agent may use, and the fields that say so, as written.
    pub(super) fn granted(&self) -> (Grants, String) {
        let grants = Grants::of(self.source, self.definition);
        let mut said: Vec<String> = Vec::new();
        let bounds = vocabulary::of(self.source.product()).and_then(|vocabulary| vocabulary.bounds);
        let bounds = bounds.and_then(|bounds| self.definition.field(bounds));
        if let Some(field) = bounds.filter(|_| grants.bound) {
            said.push(format!("{}: {}", field.key, shown(field.unquoted())));
        }
        let rules = [
            Canonical::Tools,
            Canonical::DeniedTools,
            Canonical::Permissions,
            Canonical::AllowedCommands,
        ];
        for field in rules.into_iter().filter_map(|field| self.definition.field(field)) {
            let written = shown(field.unquoted());
            // The report names the first one.
            said.push(if said.is_empty() {
                written
            } else {
                format!("{}: {written}", field.key)
            });
        }
        (grants, said.join("; "))
    }

    fn model(&self, plan: &mut Plan) {
        let said = match &self.definition.model {
            Model::Absent => return,
            Model::Inherit => "inherit",
            Model::Alias(model) | Model::Id(model) => model,
        };
        let is_about_agents = [self.source, self.target].map(|dialect| dialect.kind) == [Kind::Agent; 2];
        if !is_about_agents && self.key("model").is_none() {
            return plan.say("model", Fate::Dropped, said, "", &self.no_key("model"));
        }
        if self.definition.model == Model::Inherit {
            let to = if words::knows_inherit(self.target.product()) {
                "inherit"
            } else {
                ""
            };
            if !to.is_empty() && self.key("model").is_some() {
                plan.put("model", Value::Text(to.to_owned()));
            }
            return plan.carry("model", said, to);
        }
        match words::model(self.source.product(), said, self.target.product()) {
            Some(named) => {
                let fate = match (named.by_table, named.model == *said) {
                    (_, true) => Fate::Kept,
                    (true, false) => Fate::Approximated,
                    (false, false) => Fate::Renamed,
                };
                let reason = if fate == Fate::Approximated {
                    "the nearest model"
                } else {
                    ""
                };
                plan.say("model", fate, said, &named.model, reason);
                if let Some(provider) = named.provider {
                    plan.put("provider", Value::Text(provider.to_owned()));
                }
                plan.put("model", Value::Text(named.model));
            }
            None => {
                let reason = format!("{} has no name for it and uses its default", self.target.id);
                plan.say("model", Fate::Dropped, said, "", &reason);
            }
        }
    }

    fn effort(&self, plan: &mut Plan) {
        let Some(said) = &self.definition.effort else {
            return;
        };
        let key = self.key("effort").filter(|key| !key.one_of.is_empty());
        let nearest = key.and_then(|key| words::effort(said, &key.one_of));
        match nearest {
            Some(word) => {
                let fate = if word == said {
                    Fate::Kept
                } else {
                    Fate::Approximated
                };
                let reason = if word == said {
                    ""
                } else {
                    "the nearest accepted value"
                };
                plan.say("effort", fate, said, word, reason);
                plan.put("effort", Value::Text(word.to_owned()));
            }
            None => plan.say("effort", Fate::Dropped, said, "", &self.no_key("effort")),
        }
    }

    /// A field with the same meaning in all dialects that have it.
    fn other(&self, plan: &mut Plan, canonical: &str, field: &Field) {
        let node = self.root.and_then(|root| root.get(&field.key));
        let Some(node) = node.filter(|node| node.plain() != Some(Plain::Null)) else {
            return;
        };
        let from = shown(field.unquoted());
        let is_map = matches!(node.kind, Shaped::Mapping(_));
        let has_no_effect = self.source.key(&field.key).is_some_and(|key| key.list_only);
        let is_off = || words::is_guard(canonical) && self.is_off(canonical, node);
        if is_map && (has_no_effect || is_off()) {
            // The target may refuse a file for a field that the source ignores, or do more.
            let reason = format!("it has no effect in {}", self.source.id);
            return plan.say(canonical, Fate::Dropped, &from, "", &reason);
        }
        let value = self.key(canonical).and_then(|key| {
            Some((
                key,
                value(&key.shape, node)
                    .or_else(|| self.quoted(key, field, node))
                    .or_else(|| self.as_written(key, field))?,
            ))
        });
        let reason = match self.key(canonical) {
            Some(_) => format!("{} does not accept this value", self.target.id),
            None => self.no_key(canonical),
        };
        match value {
            Some((key, value)) => {
                self.lose_limits(plan, key, node);
                let value = with_entry_fills(key, value);
                self.carry(plan, key, field, node, &value);
                if key.shape == Shape::Names {
                    self.drop_names(plan, canonical, node);
                }
                plan.put(canonical, value);
            }
            None if listed(node).next().is_some()
                && self.key(canonical).is_some_and(|key| key.shape == Shape::Names) =>
            {
                self.drop_names(plan, canonical, node);
            }
            None if words::is_guard(canonical) && !self.is_off(canonical, node) => {
                let reason = format!("{reason}, and it restricts the agent");
                plan.lose(canonical, &from, &reason);
            }
            None => plan.say(canonical, Fate::Dropped, &from, "", &reason),
        }
    }

    /// A number in quotes, if the source takes it.
    fn quoted(&self, key: &Key, field: &Field, node: &Node) -> Option<Value> {
        let is_taken = self.source.key(&field.key)?.script && key.shape == Shape::Integer;
        let number = node.as_text().filter(|_| is_taken)?.trim().parse();
        number.map(Value::Integer).ok()
    }

    /// A value that is not text, but that the source takes as if it was, or that can only mean text: `argument-hint: [title]`.
    fn as_written(&self, key: &Key, field: &Field) -> Option<Value> {
        let mut keys = self.source.keys.iter();
        let source = keys.find(|source| source.field == key.field)?;
        let is_taken = source.wrong == Verdict::Fine || key.field == Canonical::ArgumentHint;
        let is_text = is_taken && key.is_text() && !field.value.contains('\n');
        is_text.then(|| Value::Text(field.value.clone()))
    }

    /// The report line of a value that is converted, maybe to another key or form, or only in part.
    fn carry(&self, plan: &mut Plan, key: &Key, field: &Field, node: &Node, value: &Value) {
        let from = match node.items() {
            _ if said(value).as_ref() == Some(&field.value) => field.value.clone(),
            Some(items) => items
                .iter()
                .filter_map(Node::as_text)
                .collect::<Vec<_>>()
                .join(", "),
            None => node.as_text().unwrap_or(&field.value).to_owned(),
        };
        let from = shown(&from);
        let changed = matches!(value, Value::Yaml(tree) if tree != node);
        let to = said(value).map_or_else(|| from.clone(), |text| shown(&text));
        let (fate, reason) = if changed {
            (Fate::Approximated, format!("in the form of {}", self.target.id))
        } else if key.written() != field.key {
            (
                Fate::Renamed,
                format!("`{}` in {}", key.written(), self.target.id),
            )
        } else if to != from {
            (Fate::Renamed, String::new())
        } else {
            (Fate::Kept, String::new())
        };
        plan.say(key.field.name(), fate, &from, &to, &reason);
    }

    /// What limits an entry in the source, by a key that entries must have there and that the target does not have.
    fn lose_limits(&self, plan: &mut Plan, key: &Key, node: &Node) {
        let own = self.source.of_field(key.field);
        let fills = own.map_or(&[][..], |own| &own.entry_fills).iter();
        let is_missing = |fill: &&EntryFill| key.entry_fills.iter().all(|other| other.key != fill.key);
        for fill in fills.filter(|fill| !fill.items.is_empty()).filter(is_missing) {
            for entry in node.entries() {
                let items = entry.value.get(&fill.key).and_then(Node::items);
                let mut names = items.into_iter().flatten().filter_map(Node::as_text);
                if items.is_some() && !names.any(|name| fill.items.iter().any(|all| all == name)) {
                    let name = [entry.key.as_text().unwrap_or_default(), ".", &fill.key].concat();
                    let (id, lost) = (&self.target.id, &fill.key);
                    let reason = format!("{id} has no `{lost}` for a server, and it restricts the agent");
                    plan.lose(key.field.name(), &name, &reason);
                }
            }
        }
    }

    /// Server names depend on another product's configuration, which is not available.
    fn drop_names(&self, plan: &mut Plan, canonical: &str, node: &Node) {
        for name in listed(node) {
            let reason = format!("it is configured where {} does not look", self.target.id);
            plan.say(canonical, Fate::Dropped, name, "", &reason);
        }
    }

    /// Fields that the target requires and the source does not set.
    fn fill(&self, plan: &mut Plan) {
        for key in &self.target.keys {
            if plan.draft.get(key.field.name()).is_some() {
                continue;
            }
            let Some(value) = filling(key) else {
                continue;
            };
            let reason = match key.missing {
                Verdict::Fine => "the two tools have different defaults".to_owned(),
                _ => format!("{} requires one", self.target.id),
            };
            let to = said(&value).unwrap_or_default();
            plan.say(key.field.name(), Fate::Approximated, "", &to, &reason);
            plan.put(key.field.name(), value);
        }
    }

    /// Whether a guard is off: `false`, an empty map or list, or a map without a known event.
    fn is_off(&self, field: &str, node: &Node) -> bool {
        let key = self.source.keys.iter().find(|key| key.field.name() == field);
        let events = match key {
            Some(key) if key.as_settings => &self.source.hooks.events[..],
            _ => &[],
        };
        let known = |entry: &Entry| {
            entry
                .key
                .as_text()
                .is_some_and(|name| events.iter().any(|event| event == name))
        };
        match &node.kind {
            Shaped::Sequence(items) => items.is_empty(),
            Shaped::Mapping(entries) if events.is_empty() => entries.is_empty(),
            Shaped::Mapping(entries) => !entries.iter().any(known),
            Shaped::Scalar { .. } => matches!(node.plain(), Some(Plain::Boolean(false))),
        }
    }

    pub(super) fn no_key(&self, field: &str) -> String {
        let (id, field) = (&self.target.id, self.spelled(field));
        let what = match self.target.key(field) {
            // The target has another field of this name.
            Some(_) => "equivalent".to_owned(),
            None => format!("`{field}`"),
        };
        if self.source.kind == self.target.kind {
            format!("{id} has no {what}")
        } else {
            format!("{}s of {id} have no {what}", self.target.kind.noun())
        }
    }

    /// A canonical field as the file spells it, or the field that says the same there. One that the file does not state is spelled as in its
    /// dialect, or else as in the target.
    pub(super) fn spelled<'f>(&'f self, field: &'f str) -> &'f str {
        let is_it = |it: &&Field| match it.canonical {
            Some(canonical) => canonical.name() == field,
            None => it.key == field,
        };
        // The list of a skill approves tools, and that of an agent limits them.
        let is_apart = field == "tools" && self.source.kind != Kind::Agent && self.target.kind == Kind::Agent;
        let mut own = self.definition.fields.iter().filter(|it| !is_apart && is_it(it));
        let others = match field {
            "prompt" => return field,
            "tools" => &[
                Canonical::DeniedTools,
                Canonical::Permissions,
                Canonical::AllowedCommands,
            ][..],
            "denied-tools" => &[Canonical::Tools, Canonical::Permissions],
            "permission-mode" => &[Canonical::ClaudePermissionMode, Canonical::ReadOnly],
            _ => &[],
        };
        let bounds = vocabulary::of(self.source.product()).and_then(|vocabulary| vocabulary.bounds);
        let bounds = bounds.filter(|_| field == "tools");
        let others = || {
            let mut others = others.iter().chain(&bounds);
            others.find_map(|field| self.definition.field(*field))
        };
        if let Some(field) = own.next_back().or_else(others) {
            return &field.key;
        }
        let source = self.source.keys.iter().filter(|_| !is_apart);
        let keys = source.chain(&self.target.keys);
        let mut keys = keys.filter(|key| key.field.name() == field);
        let unsaid = match field {
            // All files of the kind have it.
            "context-kind" | "model-may-not-pick" => "kind",
            _ => field,
        };
        keys.next().map_or(unsaid, Key::written)
    }

    /// A report with the fields as the source spells them.
    pub(super) fn spelled_out(&self, mut report: Vec<Loss>) -> Vec<Loss> {
        for loss in &mut report {
            loss.field = self.spelled(&loss.field).to_owned();
        }
        report
    }

    pub(super) fn text(&self, field: &Field) -> String {
        let node = self.root.and_then(|root| root.get(&field.key));
        node.and_then(Node::as_text).unwrap_or(&field.value).to_owned()
    }
}

/// The value of a new file for a field that the source does not set.
pub(super) fn filling(key: &Key) -> Option<Value> {
    let filling = key.fill.as_ref()?;
    match key.shape {
        Shape::Integer => filling.parse().map(Value::Integer).ok(),
        _ => Some(Value::Text(filling.clone())),
    }
}

/// The text of the plan. Values that the dialect refuses are dropped, or make the conversion fail where they are permissions.
pub(super) fn rendered(plan: &mut Plan, target: &Dialect) -> Option<String> {
    let refusals = match render(&plan.draft, target) {
        Ok(text) => return Some(text),
        Err(refusals) => refusals,
    };
    for refusal in refusals {
        let (field, reason) = (&*refusal.field, &*refusal.reason);
        let needed = target
            .keys
            .iter()
            .any(|key| key.field.name() == field && key.is_required());
        if needed || OWN_RULES.contains(&field) || words::is_guard(field) {
            plan.refuse(field, "", reason);
        } else {
            let from = plan.report.iter().find(|loss| loss.field == field);
            let from = from.map(|loss| loss.from.clone()).unwrap_or_default();
            plan.report.retain(|loss| loss.field != field);
            plan.draft.fields.retain(|(known, _)| known != field);
            plan.say(field, Fate::Dropped, &from, "", reason);
        }
    }
    render(&plan.draft, target).ok()
}
