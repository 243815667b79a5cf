//! Agents as skills that run apart from the conversation (`context: fork`), and the reverse.

use alloc::format;
use alloc::string::String;

use super::fields::Fields;
use super::grants::Grants;
use super::plan::{Fate, Plan};
use super::tools::Speaker;
use super::values::shown;
use crate::definition::{Definition, ToolFilter};
use crate::dialect::{Canonical, Dialect, Kind};
use crate::write::Value;

const CONTEXT: &str = "context-kind";
const FORK: &str = "fork";

/// What a skill may use that runs apart: its agent's tools, which are all of them, without those that it denies.
pub(super) fn allowed(dialect: &Dialect, definition: &Definition) -> Grants {
    let open = Definition {
        tools: ToolFilter::All,
        ..definition.clone()
    };
    Grants::of(dialect, &open)
}

impl Fields<'_> {
    /// Turns an agent into a skill.
    pub(super) fn fork(&self, plan: &mut Plan) {
        if self.key(CONTEXT).is_none() {
            let reason = format!("skills of {} run in the conversation only", self.target.id);
            return plan.refuse(CONTEXT, "", &reason);
        }
        plan.put(CONTEXT, Value::Text(FORK.into()));
        let reason = "it runs apart from the conversation, as an agent does";
        plan.say(CONTEXT, Fate::Approximated, "", FORK, reason);
        let (grants, said) = self.granted();
        if let Some(speaker) = Speaker::new(self.target, said, plan) {
            speaker.all_but(&grants, &self.source.id);
        }
    }

    /// Turns a skill into an agent.
    pub(super) fn unfork(&self, plan: &mut Plan) {
        let value = |field| self.definition.field(field).map(|field| self.text(field));
        if value(Canonical::ContextKind).as_deref() != Some(FORK) {
            let reason = "it works in the conversation, which an agent does not see";
            return plan.refuse(CONTEXT, "", reason);
        }
        plan.say(CONTEXT, Fate::Dropped, FORK, "", "an agent always runs apart");
        if let Some(agent) = value(Canonical::Agent)
            && self.source.call.open_agent.as_ref() != Some(&agent)
        {
            let reason = "the prompt and the tools of this agent are not in the file";
            return plan.refuse("agent", &shown(&agent), reason);
        }
        if let Some(field) = self.definition.field(Canonical::Tools) {
            let reason = "an agent has no list of tools that may be used without asking";
            plan.lose(&field.key, &shown(field.unquoted()), reason);
        }
        self.callers(plan);
        let grants = allowed(self.source, self.definition);
        let denied = self.definition.field(Canonical::DeniedTools);
        let said = denied.map(|field| shown(field.unquoted()));
        if let Some(speaker) = Speaker::new(self.target, said.unwrap_or_default(), plan) {
            speaker.say(&grants, &self.source.id);
        }
    }

    /// The text, which the model gets as something else than before.
    pub(super) fn other_text(&self, plan: &mut Plan) -> String {
        let text = self.template(plan);
        plan.report
            .retain(|loss| loss.field != "prompt" || loss.fate != Fate::Kept);
        let reason = if self.target.kind == Kind::Agent {
            "it becomes the system prompt, and each call adds a task"
        } else {
            "it becomes the task of an agent that has another system prompt"
        };
        plan.say("prompt", Fate::Approximated, "", "", reason);
        text
    }
}
