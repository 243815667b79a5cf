//! What models thought before they called tools: some want it back, word for word, and the contract has no place for it.

use std::collections::VecDeque;

use genai::chat::{ContentPart, MessageContent};

/// Answers with thoughts, the newest last. Those of long ago are of agents that ended.
#[derive(Default)]
pub(super) struct Thoughts(VecDeque<(String, MessageContent)>);

/// As many conversations at once get their thoughts back.
const KEPT: usize = 500;

impl Thoughts {
    /// Keeps the answer whose first call this is, if there are thoughts in it.
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

    /// The answer with this first call as it came.
    pub(super) fn find(&self, agent: &[String], call: &str) -> Option<&MessageContent> {
        let key = key(agent, call);
        let found = self.0.iter().rev().find(|(kept, _)| *kept == key);
        found.map(|(_, answer)| answer)
    }
}

fn key(agent: &[String], call: &str) -> String {
    format!("{}\n{call}", agent.join("\n"))
}
