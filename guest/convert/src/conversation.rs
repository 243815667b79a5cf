//! The messages between agents, models and tools, in both directions.

use callsheet_core::session;

use crate::bindings::callsheet::agents::conversation;

fn list<A, B>(items: Vec<A>, convert: impl Fn(A) -> B) -> Vec<B> {
    items.into_iter().map(convert).collect()
}

fn role(role: session::Role) -> conversation::Role {
    match role {
        session::Role::System => conversation::Role::System,
        session::Role::User => conversation::Role::User,
        session::Role::Assistant => conversation::Role::Assistant,
        session::Role::Tool => conversation::Role::Tool,
    }
}

pub fn call(call: session::ToolCall) -> conversation::ToolCall {
    conversation::ToolCall {
        id: call.id,
        name: call.name,
        arguments: call.arguments,
    }
}

fn message(message: session::Message) -> conversation::Message {
    conversation::Message {
        role: role(message.role),
        text: message.text,
        calls: list(message.calls, call),
        answers: message.answers,
        is_error: message.is_error,
    }
}

pub fn messages(messages: Vec<session::Message>) -> Vec<conversation::Message> {
    list(messages, message)
}

fn spec(spec: session::ToolSpec) -> conversation::ToolSpec {
    conversation::ToolSpec {
        name: spec.name,
        description: spec.description,
        schema: spec.schema,
    }
}

/// The tools of a host.
pub fn specs(specs: Vec<conversation::ToolSpec>) -> Vec<session::ToolSpec> {
    list(specs, |spec| session::ToolSpec {
        name: spec.name,
        description: spec.description,
        schema: spec.schema,
    })
}

pub fn model_request(request: session::ModelRequest) -> conversation::ModelRequest {
    conversation::ModelRequest {
        agent: request.agent,
        provider: request.provider,
        model: request.model,
        messages: messages(request.messages),
        changed_from: request.changed_from,
        tools: list(request.tools, spec),
        max_tokens: request.max_tokens,
        effort: request.effort,
        thinking_budget: request.thinking_budget,
        base_url: request.endpoint.base_url,
        api_key_variable: request.endpoint.api_key_variable,
    }
}

pub fn tool_request(request: session::ToolRequest) -> conversation::ToolRequest {
    conversation::ToolRequest {
        agent: request.agent,
        call: call(request.call),
        permitted: request.permitted,
        workspace: request.workspace.map(workspace),
    }
}

pub fn workspace(workspace: session::Workspace) -> conversation::Workspace {
    conversation::Workspace {
        id: workspace.id,
        root: workspace.root,
        agent: workspace.agent,
    }
}

pub fn model_answer(answer: conversation::ModelAnswer) -> session::ModelAnswer {
    session::ModelAnswer {
        text: answer.text,
        calls: list(answer.calls, |call| session::ToolCall {
            id: call.id,
            name: call.name,
            arguments: call.arguments,
        }),
        input_tokens: answer.input_tokens,
        output_tokens: answer.output_tokens,
        cost: answer.cost,
    }
}

pub fn tool_answer(answer: conversation::ToolAnswer) -> session::ToolAnswer {
    session::ToolAnswer {
        text: answer.text,
        is_error: answer.is_error,
    }
}

pub fn call_error(error: conversation::CallError) -> session::CallError {
    match error {
        conversation::CallError::Unavailable(text) => session::CallError::Unavailable(text),
        conversation::CallError::Denied(text) => session::CallError::Denied(text),
        conversation::CallError::TimedOut => session::CallError::TimedOut,
        conversation::CallError::TooLong(text) => session::CallError::TooLong(text),
        conversation::CallError::Other(text) => session::CallError::Other(text),
    }
}
