//! The prompts of an agent, and what it is told besides.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;

use super::Session;
use super::state::{Caller, Run};
use super::text::fill;
use crate::definition::Definition;
use crate::dialect::{Canonical, Delegation, PromptPlace};
use crate::ignored::isolation;

/// The system prompt, and the first message.
pub(super) struct Prompts {
    pub(super) system: String,
    pub(super) user: String,
}

/// The system prompt and the first message. `base` is the host's prompt, `above` the caller's.
pub(super) fn prompts(
    definition: &Definition,
    delegation: &Delegation,
    base: &str,
    above: Option<&str>,
    task: &str,
) -> Prompts {
    let own = definition.system_prompt.trim();
    let mut user = task.to_owned();
    let mut system = match delegation.prompt {
        _ if own.is_empty() => base.to_owned(),
        PromptPlace::Replace => own.to_owned(),
        PromptPlace::Append => after(above.unwrap_or(base), own),
        PromptPlace::User => {
            user = fill(&delegation.user_text, &[("prompt", own), ("task", task)]);
            base.to_owned()
        }
    };
    if let Some(context) = definition
        .context
        .as_deref()
        .filter(|context| !context.trim().is_empty())
    {
        system = after(&system, context.trim());
    }
    Prompts { system, user }
}

fn after(before: &str, text: &str) -> String {
    if before.is_empty() {
        text.to_owned()
    } else {
        [before, "\n\n", text].concat()
    }
}

impl Session {
    /// The system prompt of a run, as its model gets it.
    pub(super) fn system<'a>(&self, number: u32, run: &'a Run) -> Cow<'a, str> {
        let context = &self.state.context;
        if !context.is_told() {
            return (&*run.system).into();
        }
        let workspace = self.workspace(number);
        let directory = workspace.as_ref().map_or(&*context.directory, |it| &it.root);
        let between = if run.system.is_empty() { "" } else { "\n\n" };
        let opening = "You work here:\n<env>\nWorking directory: ";
        let parts = [&*run.system, between, opening, directory, &context.about];
        parts.concat().into()
    }

    /// What stands before the task of an agent; empty if that is nothing.
    pub(super) fn introduction(&self, definition: &Definition, caller: Option<Caller>) -> String {
        let context = &self.state.context;
        let is_set = |field, value: &str| {
            let field = definition.field(field);
            field.is_some_and(|field| field.value == value)
        };
        if self.dialect.context.without.contains(&definition.name)
            || is_set(Canonical::OmitContextFiles, "true")
            || (self.dialect.context.on_request
                && caller.is_some()
                && !is_set(Canonical::IncludeInstructions, "true"))
        {
            return String::new();
        }
        // A workspace has the last commit, without what changed since.
        let is_apart = isolation(definition).is_some()
            || caller.is_some_and(|caller| self.workspace(caller.run).is_some());
        let repository = if is_apart { "" } else { &*context.repository };
        [&*context.instructions, repository].concat()
    }
}
