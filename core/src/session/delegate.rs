//! Calls of other agents: their arguments, and whether they are allowed.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Session;
use super::conversation::{Message, Role};
use super::event::Happening;
use super::models::choose;
use super::prompts::prompts;
use super::settings::PermissionMode;
use super::state::{Caller, Run};
use super::text::fill;
use crate::closest::closest;
use crate::definition::ToolFilter;
use crate::ignored::{ignored, in_background};
use crate::json::Value;
use crate::{permission, vocabulary};

/// Why a call is not made.
pub(super) enum Objection {
    /// The agent may not make it.
    Denied(String),
    /// No agent could.
    Invalid(String),
}

/// The arguments of a call of another agent.
pub(super) struct Errand {
    pub(super) agent: String,
    pub(super) prompt: String,
    pub(super) model: Option<String>,
    /// Whether the caller does not wait for its answer.
    pub(super) in_background: bool,
}

/// An agent that was called.
pub(super) enum Called {
    /// The caller waits for it.
    Awaited,
    /// The caller does not wait. Its number.
    InBackground(u32),
}

impl Session {
    /// The tool for calling agents, by its current or an old name, which models remember.
    pub(super) fn delegating(&self, name: &str) -> Option<String> {
        let tool = &*self.dialect.delegation.tool;
        if tool.is_empty() {
            let agent = self.agents.iter().any(|agent| agent.name == name);
            return (agent && !self.is_own_tool(name)).then(|| name.to_string());
        }
        let meant =
            tool == name || !self.is_own_tool(name) && permission::delegates(&self.dialect, name, tool);
        meant.then(|| tool.to_string())
    }

    /// Starts a call, or returns why not.
    pub(super) fn delegate(
        &mut self,
        caller: Caller,
        tool: &str,
        arguments: &Value,
    ) -> Result<Called, Objection> {
        let errand = self.errand(tool, arguments).map_err(Objection::Invalid)?;
        self.send_off(caller, tool, &errand)
    }

    /// Calls an agent.
    pub(super) fn send_off(
        &mut self,
        caller: Caller,
        tool: &str,
        errand: &Errand,
    ) -> Result<Called, Objection> {
        let Some(run) = self.state.run(caller.run) else {
            return Ok(Called::Awaited);
        };
        let bounds = &self.state.settings.bounds;
        if !self.may_go_deeper(run) {
            return Err(Objection::Invalid(format!(
                "the limit `depth` is reached: agents may be {} deep",
                bounds.depth
            )));
        }
        if self.state.usage.children >= bounds.children {
            return Err(Objection::Invalid(format!(
                "the limit `children` is reached: {} agents were called",
                bounds.children
            )));
        }
        let agent = self.find(run, tool, &errand.agent)?;
        self.check_tools(agent).map_err(Objection::Invalid)?;
        let waiting = u32::try_from(self.state.queue.len()).unwrap_or(u32::MAX);
        let waits = self.state.at_work().saturating_add(waiting) >= bounds.parallel.max(1);
        self.state.usage.children = self.state.usage.children.saturating_add(1);
        let child = self.begin(agent, Some(caller), &errand.prompt, errand.model.as_deref());
        self.state.queue.push(child);
        if waits {
            self.note(child, Happening::Waits);
        }
        let is_own = self
            .agents
            .get(agent as usize)
            .is_some_and(|it| in_background(it));
        let offered = self.dialect.delegation.background;
        Ok(if offered && (errand.in_background || is_own) {
            Called::InBackground(child)
        } else {
            Called::Awaited
        })
    }

    fn errand(&self, tool: &str, arguments: &Value) -> Result<Errand, String> {
        let text = |key: &str| {
            let value = arguments.get(key).filter(|value| **value != Value::Null);
            match value {
                Some(Value::Text(text)) => Ok(Some(text.clone())),
                Some(_) => Err(format!("`{key}` is not text")),
                None => Ok(None),
            }
        };
        let said = |key: &str| {
            let text = text(key)?.filter(|text| !text.trim().is_empty());
            text.ok_or_else(|| format!("`{key}` is required"))
        };
        if self.dialect.delegation.tool.is_empty() {
            return Ok(Errand {
                agent: tool.to_string(),
                prompt: said("query").map_err(|_| "query is required".to_string())?,
                model: None,
                in_background: false,
            });
        }
        text("description")?;
        let default = &self.dialect.delegation.default_agent;
        Ok(Errand {
            agent: match text("subagent_type")? {
                None if !default.is_empty() => default.clone(),
                _ => said("subagent_type")?,
            },
            prompt: said("prompt")?,
            model: text("model")?,
            in_background: arguments.get("run_in_background") == Some(&Value::Boolean(true)),
        })
    }

    /// The agent of this name, if the run may call it.
    fn find(&self, run: &Run, tool: &str, name: &str) -> Result<u32, Objection> {
        let callable = self.callable(run);
        if let Some(meant) = callable.iter().find(|agent| self.called(agent) == name) {
            let at = self.agents.iter().position(|agent| agent.name == meant.name);
            return at
                .and_then(|at| u32::try_from(at).ok())
                .ok_or_else(|| Objection::Invalid(String::new()));
        }
        if callable.is_empty() {
            let reason = format!("`{tool}` is not one of this agent's tools");
            return Err(Objection::Denied(reason));
        }
        let names: Vec<Cow<'_, str>> = callable.iter().map(|agent| self.called(agent)).collect();
        let list = names.join(", ");
        if self.agents.iter().any(|agent| self.called(agent) == name) {
            let reason = format!("this agent may not call `{name}`. It may call: {list}");
            return Err(Objection::Denied(reason));
        }
        let mut text = fill(&self.dialect.not_found, &[("name", name), ("names", &list)]);
        if let Some(nearest) = closest(name, names.iter().map(|name| &**name)) {
            text.push_str(&format!(". Did you mean `{nearest}`?"));
        }
        Err(Objection::Invalid(text))
    }

    /// In some products, an agent that lists an unknown tool cannot be called.
    fn check_tools(&self, agent: u32) -> Result<(), String> {
        let definition = self.agents.get(agent as usize);
        let Some(definition) = definition.filter(|_| self.dialect.delegation.checks_tools) else {
            return Ok(());
        };
        let ToolFilter::Only(rules) = &definition.tools else {
            return Ok(());
        };
        let known = |tool: &str| vocabulary::known(self.dialect.product(), tool) || self.is_own_tool(tool);
        let wrong = rules.iter().find(|rule| !known(&rule.tool));
        wrong.map_or(Ok(()), |rule| {
            let tool = &rule.tool;
            Err(format!("the agent lists an unknown tool: `{tool}`"))
        })
    }

    /// Creates the run of an agent, without asking its model yet.
    pub(super) fn begin(
        &mut self,
        agent: u32,
        caller: Option<Caller>,
        task: &str,
        model: Option<&str>,
    ) -> u32 {
        let number = u32::try_from(self.state.runs.len()).unwrap_or(u32::MAX);
        let Some(definition) = self.agents.get(agent as usize).cloned() else {
            return number;
        };
        let parent = caller.and_then(|caller| self.state.run(caller.run));
        let settings = &self.state.settings;
        let delegation = &self.dialect.delegation;
        let above = parent.map(|parent| &*parent.system);
        let prompts = prompts(&definition, delegation, &settings.base_prompt, above, task);
        let mut path = parent.map(|parent| parent.path.clone()).unwrap_or_default();
        path.push(definition.name.clone());
        let mut messages = match parent {
            // The caller's answer with this call has no results yet.
            Some(parent) if definition.fork_context == Some(true) => {
                parent.messages[..parent.messages.len().saturating_sub(1)].to_vec()
            }
            _ => Vec::new(),
        };
        // A copied conversation has it already.
        let introduction = if messages.is_empty() {
            self.introduction(&definition, caller)
        } else {
            String::new()
        };
        let (skills, skipped) = self.preloaded(&definition);
        let mut ignored = ignored(&definition, settings.trusts(&definition.name), &self.dialect);
        ignored.extend(skipped);
        messages.push(Message::plain(Role::User, introduction + &prompts.user + &skills));
        let mut rights = permission::Rights::new(
            &definition,
            permission::Origin {
                dialect: &self.dialect,
                offered: &self.names(),
                parent: parent.map(|parent| &parent.rights),
                attenuate: settings.attenuate,
                own: &self.state.reserved.of(&definition.name),
            },
        );
        rights.read_only |= settings.mode == PermissionMode::Plan;
        let model = choose(
            model,
            &definition,
            parent.map(|parent| &parent.model),
            settings,
            &self.dialect,
        );
        let turn_limit = definition
            .limits
            .turns
            .map_or(settings.bounds.turns, |own| own.min(settings.bounds.turns));
        self.state
            .log
            .push(self.state.now, number, &path, Happening::Called(task.to_string()));
        self.state.runs.push(Some(Run {
            agent,
            path,
            caller,
            model,
            rights,
            system: prompts.system,
            messages,
            turns: 0,
            turn_limit,
            said: String::new(),
            slots: Vec::new(),
        }));
        self.note_ignored(number, ignored);
        number
    }
}
