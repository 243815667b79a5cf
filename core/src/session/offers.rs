//! The tools that an agent sees, including those for calling other agents and for loading skills.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Session;
use super::conversation::ToolSpec;
use super::state::Run;
use super::text::fill;
use crate::definition::{Definition, Model, ToolFilter};
use crate::json;

/// The arguments of an agent that is a tool.
const QUERY: &str = r#"{"type":"object","properties":{"query":{"type":"string","description":"The query or task to send to the agent"}},"required":["query"],"additionalProperties":false}"#;

/// The argument of a call whose answer comes later.
const BACKGROUND: &str = r#","run_in_background":{"type":"boolean","description":"Go on without waiting: the answer comes as a message"}"#;

impl Session {
    /// The tools that a run may call. At the maximum depth, agents are not among them.
    pub(super) fn offers(&self, number: u32) -> Vec<ToolSpec> {
        let Some(run) = self.state.run(number) else {
            return Vec::new();
        };
        let dialect = &*self.dialect;
        let tool = &*dialect.delegation.tool;
        let mut specs: Vec<ToolSpec> = self
            .hosts_tools()
            .filter(|spec| run.rights.offers(dialect, &spec.name) && !self.is_others(run, &spec.name))
            .cloned()
            .collect();
        specs.extend(self.skill_spec(run));
        let agents = if self.may_go_deeper(run) {
            self.callable(run)
        } else {
            Vec::new()
        };
        specs.extend(self.message_spec(number, !agents.is_empty()));
        if tool.is_empty() {
            specs.extend(agents.iter().map(|agent| self.agent_tool(agent)));
        } else if !agents.is_empty() {
            specs.push(self.task_tool(&agents));
        }
        specs
    }

    /// The host's tools, without those of names that the session answers itself.
    pub(super) fn hosts_tools(&self) -> impl Iterator<Item = &ToolSpec> {
        let (dialect, tools) = (&*self.dialect, self.state.tools.iter());
        tools.filter(|spec| {
            let mut loading = dialect.skill_tool.iter();
            let delegation = &dialect.delegation;
            let own = [&delegation.tool, &delegation.message_tool];
            !own.contains(&&spec.name) && !loading.any(|skills| skills.tool == spec.name)
        })
    }

    /// Whether an agent may call another one at all.
    pub(super) fn may_go_deeper(&self, run: &Run) -> bool {
        let below = run.path.len().saturating_sub(1);
        below < self.state.settings.bounds.depth as usize
    }

    /// The agents that a run may call, by name.
    pub(super) fn callable(&self, run: &Run) -> Vec<&Definition> {
        let tool = &*self.dialect.delegation.tool;
        let caller = self.agents.get(run.agent as usize);
        let named = caller.and_then(|caller| caller.callees());
        let is_meant = |agent: &Definition| match &named {
            Some(names) => {
                let called = self.called(agent);
                names.iter().any(|name| *name == agent.name || *name == called)
            }
            None => !agent.is_manual(),
        };
        let may = |agent: &&Definition| {
            if !is_meant(agent) {
                false
            } else if tool.is_empty() {
                run.rights.offers(&self.dialect, &agent.name) && !self.is_own_tool(&agent.name)
            } else {
                run.rights.offers(&self.dialect, tool) && run.rights.allows_agent(tool, &agent.name)
            }
        };
        self.agents.iter().map(|agent| &**agent).filter(may).collect()
    }

    /// What others call an agent.
    pub(super) fn called<'a>(&self, agent: &'a Definition) -> Cow<'a, str> {
        agent.called(&self.dialect)
    }

    /// Whether there is a tool of this name, which takes precedence over an agent.
    pub(super) fn is_own_tool(&self, name: &str) -> bool {
        let mut loading = self.skill_tool().into_iter();
        self.hosts_tools().any(|spec| spec.name == name) || loading.any(|skills| skills.tool == name)
    }

    /// Whether a tool belongs to other agents only.
    pub(super) fn is_others(&self, run: &Run, tool: &str) -> bool {
        let agent = run.path.last();
        agent.is_some_and(|agent| self.state.reserved.is_others(agent, tool))
    }

    fn task_tool(&self, agents: &[&Definition]) -> ToolSpec {
        let delegation = &self.dialect.delegation;
        let lines: Vec<String> = agents.iter().map(|agent| self.line(agent)).collect();
        let names = agents.iter().map(|agent| json::quote(&self.called(agent)));
        let names: Vec<String> = names.collect();
        let required = if agents.iter().any(|agent| agent.name == delegation.default_agent) {
            r#""description","prompt""#
        } else {
            r#""description","prompt","subagent_type""#
        };
        ToolSpec {
            name: delegation.tool.clone(),
            description: fill(&delegation.tool_text, &[("agents", &lines.join("\n"))]),
            schema: format!(
                concat!(
                    r#"{{"type":"object","properties":{{"#,
                    r#""description":{{"type":"string","description":"The task in three to five words"}},"#,
                    r#""prompt":{{"type":"string","description":"The task, with all that the agent needs to know"}},"#,
                    r#""subagent_type":{{"type":"string","description":"The agent","enum":[{}]}},"#,
                    r#""model":{{"type":"string","description":"A model instead of the agent's own"}}{}"#,
                    r#"}},"required":[{}]}}"#
                ),
                names.join(","),
                if delegation.background { BACKGROUND } else { "" },
                required
            ),
        }
    }

    fn line(&self, agent: &Definition) -> String {
        let tools = match &agent.tools {
            ToolFilter::Only(rules) => {
                let names: Vec<&str> = rules.iter().map(|rule| &*rule.tool).collect();
                names.join(", ")
            }
            ToolFilter::None => "none".to_string(),
            ToolFilter::All | ToolFilter::Absent | ToolFilter::Null => "*".to_string(),
        };
        let values = [
            ("name", &*self.called(agent)),
            ("description", agent.description.trim()),
            ("tools", &tools),
        ];
        fill(&self.dialect.delegation.agent_line, &values)
    }

    fn agent_tool(&self, agent: &Definition) -> ToolSpec {
        let description = match agent.description.trim() {
            "" => {
                let model = match &agent.model {
                    Model::Alias(name) | Model::Id(name) => name,
                    Model::Inherit | Model::Absent => "",
                };
                let provider = agent.provider.as_deref().unwrap_or_default();
                let values = [("name", &*agent.name), ("provider", provider), ("model", model)];
                fill(&self.dialect.delegation.tool_text, &values)
            }
            description => description.to_string(),
        };
        ToolSpec {
            name: agent.name.clone(),
            description,
            schema: QUERY.to_string(),
        }
    }
}
