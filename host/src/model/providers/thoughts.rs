//! Thoughts of models before tool calls: some models require them unchanged, and the contract has no field for them.

use std::collections::VecDeque;

use genai::chat::{ContentPart, MessageContent};

/// Answers with thoughts, the newest last. Old ones belong to agents that ended.
#[derive(Default)]
pub(super) struct Thoughts(VecDeque<(String, MessageContent)>);

/// The most conversations that get their thoughts back.
const KEPT: usize = 500;

impl Thoughts {
    /// Stores the answer with this first call, if it has thoughts.
    pub(super) fn keep(&mut self, agent: &[String], call: &str, answer: &MessageContent) {
        let is_thought = |part: &ContentPart| {
            let on_call = part
                .as_tool_call()
                .is_some_and(|call| call.thought_signatures.is_some());
            let own = matches!(
                part,
                ContentPart::ThoughtSignature(_) | ContentPart::ReasoningContent(_) | ContentPart::Custom(_)
            );
            on_call || own
        };
        if !answer.parts().iter().any(is_thought) {
            return;
        }
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back((key(agent, call), answer.clone()));
    }

    /// The original answer with this first call.
    pub(super) fn find(&self, agent: &[String], call: &str) -> Option<&MessageContent> {
        let key = key(agent, call);
        let found = self.0.iter().rev().find(|(kept, _)| *kept == key);
        found.map(|(_, answer)| answer)
    }
}

fn key(agent: &[String], call: &str) -> String {
    format!("{}\n{call}", agent.join("\n"))
}
