//! Thoughts of models before tool calls: some models require them unchanged, and the contract has no field for them.

use std::collections::VecDeque;

use genai::chat::{ContentPart, MessageContent};

use crate::conversation::ToolCall;

/// Answers with thoughts, the newest last. Old ones belong to agents that ended.
#[derive(Default)]
pub(super) struct Thoughts(VecDeque<Kept>);

struct Kept {
    agent: Vec<String>,
    calls: Vec<ToolCall>,
    answer: MessageContent,
}

/// The most conversations that get their thoughts back.
const KEPT: usize = 500;

impl Thoughts {
    /// Stores the answer with these calls, if it has thoughts.
    pub(super) fn keep(&mut self, agent: &[String], calls: &[ToolCall], answer: &MessageContent) {
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
        if calls.is_empty() || !answer.parts().iter().any(is_thought) {
            return;
        }
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(Kept {
            agent: agent.into(),
            calls: calls.into(),
            answer: answer.clone(),
        });
    }

    /// The original answer with these calls. IDs alone are not enough: some servers begin to count again in each answer, and agents of
    /// several sessions can have the same names.
    pub(super) fn find(&self, agent: &[String], calls: &[ToolCall]) -> Option<&MessageContent> {
        let is_it = |kept: &&Kept| !calls.is_empty() && kept.agent == agent && kept.calls == calls;
        self.0.iter().rev().find(is_it).map(|kept| &kept.answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(arguments: &str) -> ToolCall {
        ToolCall {
            id: "call#Read#0".into(),
            name: "Read".into(),
            arguments: arguments.into(),
        }
    }

    fn thought(text: &str) -> MessageContent {
        MessageContent::from_parts(vec![ContentPart::ThoughtSignature(text.into())])
    }

    #[test]
    fn equal_ids_are_not_enough() {
        let mut thoughts = Thoughts::default();
        let (one, other) = (["a".to_owned()], ["b".to_owned()]);
        thoughts.keep(&one, &[call("1")], &thought("first"));
        thoughts.keep(&one, &[call("2")], &thought("second"));
        thoughts.keep(&one, &[], &thought("nothing called"));
        let found = |agent: &[String], calls: &[ToolCall]| {
            let parts = thoughts.find(agent, calls)?.parts().to_vec();
            parts[0].as_thought_signature().map(str::to_owned)
        };
        assert_eq!(found(&one, &[call("1")]).as_deref(), Some("first"));
        assert_eq!(found(&one, &[call("2")]).as_deref(), Some("second"));
        for (agent, calls) in [
            (&one, &[call("3")][..]),
            (&other, &[call("1")]),
            (&one, &[call("1"), call("2")]),
            (&one, &[]),
        ] {
            assert_eq!(found(agent, calls), None);
        }
    }
}
