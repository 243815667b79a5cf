//! Converts what only skills and commands have: tools that are approved, who calls them, the agent that they run in, and their text.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::covers::covers_command;
use super::fields::Fields;
use super::grants::Grants;
use super::plan::{Fate, Plan};
use super::text::{Names, Part, Piece, Spelling, asked, pieces};
use super::tools::Speaker;
use super::values::shown;
use crate::definition::{Definition, Field, ToolFilter, switched};
use crate::dialect::{Canonical, Dialect, Kind, Runs, ToolsAre};
use crate::vocabulary::Rights;
use crate::write::Value;

/// What a skill or a command lets the model use without asking.
pub(super) fn approved(dialect: &Dialect, definition: &Definition) -> Grants {
    let is_list = matches!(definition.tools, ToolFilter::All | ToolFilter::Only(_));
    if dialect.call.tools == ToolsAre::Approved && is_list {
        Grants::of(dialect, definition)
    } else {
        Grants::default()
    }
}

impl Fields<'_> {
    /// Fields that mean something only to who calls it.
    pub(super) fn called(&self, plan: &mut Plan) {
        self.approvals(plan);
        self.callers(plan);
        self.runner(plan);
    }

    /// A list of tools that approves is never one that limits.
    fn approvals(&self, plan: &mut Plan) {
        if let Some(field) = self.definition.field(Canonical::Tools) {
            self.list(plan, field);
        }
        let Some(field) = self.definition.field(Canonical::DeniedTools) else {
            return;
        };
        let from = shown(field.unquoted());
        if self.key("denied-tools").is_some() && self.source.product() == self.target.product() {
            let denied = ToolFilter::Only(self.definition.denied_tools.clone());
            plan.put("denied-tools", Value::Tools(denied));
            plan.carry("denied-tools", &from, &from);
        } else {
            let reason = format!("{}, and it limits tools", self.no_key("denied-tools"));
            plan.lose("denied-tools", &from, &reason);
        }
    }

    fn list(&self, plan: &mut Plan, field: &Field) {
        let (id, from) = (&self.target.id, shown(field.unquoted()));
        let (of, to) = (self.source.call.tools, self.target.call.tools);
        let is_list = matches!(self.definition.tools, ToolFilter::All | ToolFilter::Only(_));
        if of == ToolsAre::Ignored || of == ToolsAre::Approved && !is_list {
            let reason = format!("it has no effect in {}", self.source.id);
            plan.say("tools", Fate::Dropped, &from, "", &reason);
        } else if of != to || self.key("tools").is_none() {
            let reason = match of {
                ToolsAre::Limited => format!("{id} cannot limit tools"),
                _ => format!("{id} has no list of tools that may be used without asking"),
            };
            plan.lose("tools", &from, &reason);
        } else if self.source.product() == self.target.product() {
            plan.put("tools", Value::Tools(self.definition.tools.clone()));
            plan.carry("tools", &from, &from);
        } else {
            let grants = Grants::of(self.source, self.definition);
            if let Some(speaker) = Speaker::new(self.target, from, plan) {
                speaker.approve(&grants, &self.source.id);
            }
        }
    }

    /// Who may call it.
    pub(super) fn callers(&self, plan: &mut Plan) {
        let id = &self.target.id;
        let field = self.definition.field(Canonical::ModelMayNotPick);
        let from = field.map(|field| shown(field.unquoted())).unwrap_or_default();
        let is_locked = field.is_some_and(|field| switched(&self.text(field)) == Some(true));
        const LOCK: &str = "model-may-not-pick";
        match (is_locked || self.source.call.by_user, self.key(LOCK)) {
            (true, _) if self.target.call.by_user => {}
            (true, Some(_)) => {
                let (fate, reason) = match field {
                    Some(_) => (Fate::Kept, String::new()),
                    None => (
                        Fate::Approximated,
                        format!("only users call it in {}", self.source.id),
                    ),
                };
                plan.say(LOCK, fate, &from, "true", &reason);
                plan.put(LOCK, Value::Boolean(true));
            }
            (true, None) => {
                let word = if self.target.kind == Kind::Agent {
                    "call"
                } else {
                    "load"
                };
                plan.lose(LOCK, &from, &format!("{id} lets the model {word} it"));
            }
            (false, _) if self.target.call.by_user => {
                let reason = format!("only users call it in {id}");
                plan.say(LOCK, Fate::Approximated, &from, "", &reason);
            }
            (false, _) => {}
        }
        let Some(field) = self.definition.field(Canonical::UserMayPick) else {
            return;
        };
        let is_open = switched(&self.text(field)) == Some(true);
        let from = shown(field.unquoted());
        match self.key("user-may-pick") {
            Some(_) => {
                plan.carry("user-may-pick", &from, if is_open { "true" } else { "false" });
                plan.put("user-may-pick", Value::Boolean(is_open));
            }
            None => plan.say(
                "user-may-pick",
                Fate::Dropped,
                &from,
                "",
                &self.no_key("user-may-pick"),
            ),
        }
    }

    /// The agent that it runs in limits it. Agents of another product are others, even if they have the same name.
    fn runner(&self, plan: &mut Plan) {
        let fields = [Canonical::Agent, Canonical::Mode];
        for field in fields.iter().filter_map(|field| self.definition.field(*field)) {
            let name = self.text(field);
            let canonical = field.canonical.map_or("", Canonical::name);
            let forks = self.source.of_field(Canonical::ContextKind).is_some();
            let is_idle = forks && self.definition.field(Canonical::ContextKind).is_none();
            if self.source.product() == self.target.product() && self.key(canonical).is_some() {
                plan.carry(canonical, &name, &name);
                plan.put(canonical, Value::Text(name));
            } else if is_idle {
                let reason = format!("it has no effect in {}", self.source.id);
                plan.say(canonical, Fate::Dropped, &name, "", &reason);
            } else if self.source.call.open_agent.as_ref() == Some(&name) {
                let reason = "it may use every tool";
                plan.say(canonical, Fate::Dropped, &name, "", reason);
            } else {
                let reason = format!("it is an agent of {}, which may limit tools", self.source.id);
                plan.lose(canonical, &shown(&name), &reason);
            }
        }
    }

    /// The text with everything that is replaced in it as the target spells it.
    pub(super) fn template(&self, plan: &mut Plan) -> String {
        let names = self.names();
        let names: Names<'_> = (0..).zip(&names).map(|(at, name)| (&**name, at)).collect();
        let text = &*self.definition.system_prompt;
        let pieces = pieces(text, self.source, &names);
        let asked = asked(&pieces);
        let spelling = Spelling {
            source: self.source,
            target: self.target,
            names: &names,
            asked: &asked,
        };
        let (mut written, mut meant, mut said) = (String::new(), BTreeSet::new(), BTreeSet::new());
        for piece in &pieces {
            let to = spelling.of(piece);
            if piece.part != Part::Text {
                if said.insert(piece.written) {
                    self.say_piece(plan, piece, to.as_deref());
                }
                if to.is_some() {
                    meant.insert(written.len());
                }
            }
            written.push_str(to.as_deref().unwrap_or(piece.written));
        }
        let declared = if spelling.declares() { &asked } else { &names };
        if spelling.declares() && !asked.is_empty() {
            let mut words = vec![""; asked.len()];
            for (name, at) in &asked {
                words[*at] = name;
            }
            let words = words.join(" ");
            let reason = "the values are given with the command";
            plan.say("arguments", Fate::Approximated, "", &shown(&words), reason);
            plan.put("arguments", Value::Text(words));
        }
        self.unmeant(plan, &written, declared, &meant);
        if !plan.report.iter().any(|loss| loss.field == "prompt") {
            plan.say("prompt", Fate::Kept, "", "", "");
        }
        written
    }

    /// The names of declared arguments.
    fn names(&self) -> Vec<String> {
        let field = self.definition.field(Canonical::Arguments);
        let node = field.and_then(|field| self.root?.get(&field.key));
        let items = node.and_then(|node| node.items()).unwrap_or_default();
        let items = items.iter().filter_map(|item| item.as_text());
        let text = node.and_then(|node| node.as_text()).unwrap_or_default();
        items
            .chain(text.split_whitespace())
            .map(ToOwned::to_owned)
            .collect()
    }

    fn say_piece(&self, plan: &mut Plan, piece: &Piece<'_>, to: Option<&str>) {
        let (id, from) = (&self.target.id, shown(piece.written));
        let Some(to) = to else {
            let reason = format!("{id} has no equivalent: the model sees it as it is");
            return plan.say("prompt", Fate::Dropped, &from, "", &reason);
        };
        let (source, target) = (&self.source.call, &self.target.call);
        if let Part::Command(command) = piece.part {
            if target.runs == Runs::Always && source.runs != Runs::Always && !self.is_approved(command) {
                let reason = format!("{id} runs it without asking");
                return plan.refuse("prompt", &from, &reason);
            }
            if target.runs == Runs::Approved && source.runs != Runs::Approved {
                let reason = format!("{id} runs it only if its list of tools permits it");
                return plan.say("prompt", Fate::Approximated, &from, &shown(to), &reason);
            }
        }
        let reason = match (source.asked.is_some(), target.asked.is_some()) {
            (true, false) => "the value is given with the command",
            (false, true) => "the user is asked for the value",
            _ => "",
        };
        let is_value = matches!(
            piece.part,
            Part::Arguments | Part::Argument(_) | Part::Named(_) | Part::Asked(_)
        );
        if is_value && !reason.is_empty() {
            plan.say("prompt", Fate::Approximated, &from, &shown(to), reason);
        } else if to != piece.written {
            plan.say("prompt", Fate::Renamed, &from, &shown(to), "");
        }
    }

    /// Whether a command may run without asking.
    fn is_approved(&self, command: &str) -> bool {
        let grants = approved(self.source, self.definition);
        let command = command.trim();
        let mut within = grants
            .within
            .iter()
            .filter(|within| within.rights == Rights::SHELL);
        grants.allowed().contains(Rights::SHELL)
            || within.any(|within| covers_command(self.source, &within.pattern, command))
    }

    /// The target and the source in a sentence.
    fn both(&self) -> (String, String) {
        let (source, target) = (self.source, self.target);
        if source.id == target.id {
            let who = format!("{} of {}", target.kind.a(), target.id);
            (who, source.kind.a().to_owned())
        } else {
            (target.id.clone(), source.id.clone())
        }
    }

    /// What the target replaces although the source does not. It never runs a command.
    fn unmeant(&self, plan: &mut Plan, written: &str, names: &Names<'_>, meant: &BTreeSet<usize>) {
        let (mut at, mut said, mut left) = (0, BTreeSet::new(), meant.clone());
        let commands = &self.target.call.commands;
        // Products treat what is not closed, or not on a line of its own, in their own ways.
        let is_like = |text: &str| {
            let mut pairs = commands.iter();
            *commands != self.source.call.commands
                && pairs.any(|[open, close]| {
                    text.split_once(&**open)
                        .is_some_and(|(_, rest)| rest.contains(&**close))
                })
        };
        for piece in pieces(written, self.target, names) {
            let start = at;
            at += piece.written.len();
            let runs = match piece.part {
                Part::Text => is_like(piece.written),
                part => matches!(part, Part::Command(_)),
            };
            if piece.part != Part::Text {
                left.remove(&start);
            }
            let is_plain = piece.part == Part::Text && !runs;
            if is_plain || meant.contains(&start) || !said.insert(piece.written) {
                continue;
            }
            let (who, other) = self.both();
            let from = shown(piece.written);
            if runs {
                let reason = format!("{who} would run it, and {other} does not");
                plan.refuse("prompt", &from, &reason);
            } else {
                let reason = format!("{who} replaces it, and {other} does not");
                plan.say("prompt", Fate::Approximated, &from, &from, &reason);
            }
        }
        // What is before it, such as a backslash, may keep the target from replacing it.
        for start in left {
            let rest = written[start..].split_whitespace().next().unwrap_or_default();
            if said.insert(rest) {
                let reason = format!("{} keeps it as it is written", self.target.id);
                plan.lose("prompt", &shown(rest), &reason);
            }
        }
    }
}
