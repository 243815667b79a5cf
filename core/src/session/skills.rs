//! Skills that agents load: those in their lists at the start, others by a tool.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::Session;
use super::conversation::ToolSpec;
use super::delegate::Objection;
use super::event::Happening;
use super::state::{Caller, Run};
use super::text::fill;
use crate::closest::closest;
use crate::definition::Definition;
use crate::dialect::SkillTool;
use crate::json::Value;
use crate::limits::{LISTED_BYTES, PRELOADED_BYTES};
use crate::permission::{self, Call};
use crate::skills::{Skill, listed, place};

impl Session {
    /// The tool that loads skills, if there are any.
    pub(super) fn skill_tool(&self) -> Option<&SkillTool> {
        let mut skills = self.state.skills.iter();
        let tool = self.dialect.skill_tool.as_ref()?;
        skills.any(|skill| skill.obstacle.is_none()).then_some(tool)
    }

    /// What an agent that lists skills gets before its model is asked, and what is ignored.
    pub(super) fn preloaded(&self, definition: &Definition) -> (String, Vec<String>) {
        let Some(tool) = &self.dialect.skill_tool else {
            return Default::default();
        };
        let (mut text, mut bytes) = (String::new(), 0);
        let (skills, mut ignored) = listed(&self.state.skills, definition);
        for skill in skills {
            let filled = self.filled(tool, skill, "", PRELOADED_BYTES);
            bytes += filled.len();
            if bytes > PRELOADED_BYTES {
                bytes -= filled.len();
                ignored.push(format!(
                    "the skill `{}`, as skills in a first message have at most {PRELOADED_BYTES} bytes",
                    skill.name
                ));
                continue;
            }
            let values = [("name", &*skill.name), ("text", &filled)];
            text.push('\n');
            text.push_str(&fill(&tool.preloaded, &values));
            ignored.extend(skill.ignored.iter().cloned());
        }
        (text, ignored)
    }

    fn filled(&self, tool: &SkillTool, skill: &Skill, arguments: &str, most: usize) -> String {
        let text = if tool.replaces {
            skill.with_arguments(arguments, most)
        } else {
            skill.text.clone()
        };
        match &skill.directory {
            Some(directory) => {
                let values = [("name", &*skill.name), ("directory", directory), ("text", &text)];
                fill(&tool.result, &values)
            }
            None => text,
        }
    }

    /// The tool as a run sees it: with the skills that it may load. None if it may load none.
    pub(super) fn skill_spec(&self, run: &Run) -> Option<ToolSpec> {
        let tool = self.skill_tool()?;
        let (mut lines, mut left) = (String::new(), LISTED_BYTES);
        for skill in &self.state.skills {
            if skill.obstacle.is_some() || self.may_load(run, tool, &skill.name).is_err() {
                continue;
            }
            // Every name is listed, also without a description.
            let fits = left.checked_sub(skill.description.len());
            left = fits.unwrap_or(left);
            let description = fits.map_or("", |_| &*skill.description);
            let values = [("name", &*skill.name), ("description", description)];
            lines.push('\n');
            lines.push_str(&fill(&tool.skill_line, &values));
        }
        let lines = lines.strip_prefix('\n')?;
        let arguments = tool.arguments.as_ref().map_or_else(String::new, |name| {
            format!(r#","{name}":{{"type":"string","description":"Arguments for the skill"}}"#)
        });
        Some(ToolSpec {
            name: tool.tool.clone(),
            description: fill(&tool.tool_text, &[("skills", lines)]),
            schema: format!(
                concat!(
                    r#"{{"type":"object","properties":{{"#,
                    r#""{0}":{{"type":"string","description":"The name of a skill in the list"}}{1}"#,
                    r#"}},"required":["{0}"]}}"#
                ),
                tool.name, arguments
            ),
        })
    }

    /// Whether a run's lists allow a skill; if not, why not.
    fn may_load(&self, run: &Run, tool: &SkillTool, name: &str) -> Result<(), String> {
        let arguments = Value::Object([(tool.name.clone(), Value::Text(name.to_string()))].into());
        let settings = &self.state.settings;
        run.rights.allow(&Call {
            tool: &tool.tool,
            arguments: &arguments,
            dialect: &self.dialect,
            root: &settings.root,
            home: settings.home.as_deref(),
        })
    }

    /// Answers a call of the tool, or returns why not.
    pub(super) fn load(&self, at: Caller, arguments: &Value) -> Result<Loaded, Objection> {
        let (Some(tool), Some(run)) = (self.skill_tool(), self.state.run(at.run)) else {
            return Err(Objection::Invalid(String::new()));
        };
        let text = |key: &str| match arguments.get(key) {
            None | Some(Value::Null) => Ok(""),
            Some(Value::Text(text)) => Ok(&**text),
            Some(_) => Err(Objection::Invalid(format!("`{key}` is not text"))),
        };
        let name = text(&tool.name)?.trim();
        if name.is_empty() {
            return Err(Objection::Invalid(format!("`{}` is required", tool.name)));
        }
        let given = tool.arguments.as_deref().map_or(Ok(""), text)?;
        self.may_load(run, tool, name).map_err(Objection::Denied)?;
        let at = place(&self.state.skills, name);
        let Some(skill) = at.and_then(|at| self.state.skills.get(at)) else {
            return Err(Objection::Invalid(self.unknown_skill(name)));
        };
        if let Some(obstacle) = &skill.obstacle {
            return Err(Objection::Denied(format!(
                "skill `{name}` is not available: {obstacle}"
            )));
        }
        let most = self.state.settings.bounds.result_bytes as usize;
        let text = self.filled(tool, skill, given, most);
        let ignored = skill.ignored.clone();
        let agent = skill.agent.as_ref().filter(|_| !tool.default_agent.is_empty());
        let agent = agent.map(|agent| match &**agent {
            "" => tool.default_agent.clone(),
            agent => agent.to_string(),
        });
        Ok(Loaded { text, ignored, agent })
    }

    fn unknown_skill(&self, name: &str) -> String {
        let skills = self.state.skills.iter().filter(|skill| skill.obstacle.is_none());
        let nearest = closest(name, skills.map(|skill| &*skill.name));
        let meant = nearest.map_or_else(String::new, |nearest| format!(". Did you mean `{nearest}`?"));
        format!("unknown skill `{name}`{meant}")
    }

    /// Reports at the start which skills the agents that the first one may call will not get.
    pub(super) fn note_missing_skills(&mut self) {
        let Some(run) = self.state.run(0).filter(|run| self.may_go_deeper(run)) else {
            return;
        };
        let mut missing = Vec::new();
        for agent in self.callable(run) {
            if run.path.last() == Some(&agent.name) {
                continue;
            }
            for what in listed(&self.state.skills, agent).1 {
                missing.push(["in `", &*agent.name, "`: ", &what].concat());
            }
        }
        self.note_ignored(0, missing);
    }

    pub(super) fn note_ignored(&mut self, run: u32, ignored: Vec<String>) {
        for what in ignored {
            self.note(run, Happening::Ignored(what));
        }
    }

    /// Forgets skills that no agent of the session can load.
    pub(super) fn forget_unneeded_skills(&mut self) {
        let tool = self.skill_tool();
        let may = |agent: &Rc<Definition>, tool: &str| permission::grant(&self.dialect, agent, tool).granted;
        let is_used = tool.is_some_and(|tool| self.agents.iter().any(|agent| may(agent, &tool.tool)));
        if is_used {
            return;
        }
        let mut skills = core::mem::take(&mut self.state.skills);
        let mut is_listed = vec![false; skills.len()];
        for name in self.agents.iter().flat_map(|agent| &agent.skills) {
            if let Some(at) = place(&skills, name) {
                is_listed[at] = true;
            }
        }
        let mut is_listed = is_listed.into_iter();
        skills.retain(|_| is_listed.next() == Some(true));
        self.state.skills = skills;
    }
}

/// A skill that may be loaded.
pub(super) struct Loaded {
    /// Its text.
    pub(super) text: String,
    /// What is ignored of it.
    pub(super) ignored: Vec<String>,
    /// The agent that it runs in.
    pub(super) agent: Option<String>,
}
