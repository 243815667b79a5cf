//! The prompts of an agent.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::text::fill;
use crate::definition::Definition;
use crate::dialect::{Delegation, PromptPlace};

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
