//! The scripted models and tools.

use std::future::ready;

use callsheet::conversation::{
    CallError, ModelAnswer, ModelRequest, Role, ToolAnswer, ToolCall, ToolRequest, ToolSpec,
};
use callsheet::{Answer, Caller, Completion, Heard, Models, Tools};

use super::{Line, Script};

/// The models of a script, and its tools if it has any.
pub struct Cast(pub Script);

impl Models for Cast {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _: Heard<'a>) -> Answer<'a, Completion> {
        Box::pin(ready(self.says(request).map(Completion::from)))
    }
}

impl Tools for Cast {
    fn specs(&self) -> Vec<ToolSpec> {
        let spec = |name: &String| ToolSpec {
            name: name.clone(),
            description: format!("The tool {name}."),
            schema: r#"{"type":"object"}"#.to_owned(),
        };
        self.0
            .tools
            .iter()
            .flatten()
            .map(|(name, _)| spec(name))
            .collect()
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, _: &'a Caller) -> Answer<'a, ToolAnswer> {
        let tools = self.0.tools.as_ref();
        let said = tools.and_then(|tools| tools.get(&request.call.name));
        Box::pin(ready(match said.map(String::as_str) {
            None => Err(CallError::Other("unknown tool".to_owned())),
            Some("") => Err(CallError::Denied("the user denied it".to_owned())),
            Some(text) => Ok(ToolAnswer {
                text: text.to_owned(),
                is_error: false,
            }),
        }))
    }
}

impl Cast {
    fn says(&self, request: &ModelRequest) -> Result<ModelAnswer, CallError> {
        let path = request.agent.join("/");
        let of = |role: Role| request.messages.iter().filter(move |it| it.role == role);
        let turn = 1 + of(Role::Assistant).count();
        let asked = of(Role::User).next_back().map_or("", |message| &*message.text);
        let fits = |line: &&Line| {
            line.agent == path
                && line.turn.is_none_or(|at| at == turn)
                && line.asked.as_ref().is_none_or(|part| asked.contains(part))
        };
        let line = self.0.says.iter().find(fits);
        let line = line.unwrap_or_else(|| panic!("{path} has nothing to say at {turn}"));
        let bytes = request.messages.iter().map(|message| message.text.len()).sum();
        if line.most_bytes.is_some_and(|most| most < bytes) {
            return Err(CallError::TooLong("the request is too long".to_owned()));
        }
        match &line.fails {
            Some(reason) => Err(CallError::Other(reason.clone())),
            None => Ok(line.answer(turn)),
        }
    }
}

impl Line {
    fn answer(&self, turn: usize) -> ModelAnswer {
        let call = |(at, (name, arguments)): (usize, &(String, String))| ToolCall {
            id: self.id.clone().unwrap_or_else(|| format!("{turn}.{at}")),
            name: name.clone(),
            arguments: arguments.clone(),
        };
        ModelAnswer {
            text: self.text.clone(),
            calls: self.calls.iter().enumerate().map(call).collect(),
            input_tokens: self.tokens.0,
            output_tokens: self.tokens.1,
            cost: self.cost,
        }
    }
}
