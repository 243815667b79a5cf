//! Converts a session to JSON: events as in `docs/json.md` for `run`, steps as in `openapi.json`.

use callsheet_contract::conversation::{Message, ModelRequest, Role, ToolCall, ToolRequest, ToolSpec};
use callsheet_contract::delegation::{Ending, Event, Outcome, Outstanding, Step, Usage};
use callsheet_report::json_v1;
use serde_json::{Value, json};

pub(super) fn event(event: &Event) -> Value {
    let mut value: Value = serde_json::from_str(&json_v1::event(event)).expect("it was just written");
    if let Some(map) = value.as_object_mut() {
        map.shift_remove("version");
        map.shift_remove("command");
    }
    value
}

pub(super) fn outcome(outcome: &Outcome) -> Value {
    match &outcome.ending {
        Ending::Bound(exceeded) => {
            json!({ "outcome": "bound", "bound": exceeded.bound, "text": exceeded.partial })
        }
        Ending::Answer => json!({ "outcome": "answer", "text": outcome.text }),
        Ending::Cancelled => json!({ "outcome": "cancelled" }),
        Ending::Failed => json!({ "outcome": "failed", "reason": outcome.text }),
    }
}

pub(super) fn usage(usage: &Usage) -> Value {
    json!({
        "turns": usage.turns,
        "children": usage.children,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost": usage.cost,
    })
}

pub(super) fn step(outstanding: &Outstanding) -> Value {
    let (step, request) = match &outstanding.step {
        Step::AskModel(request) => ("ask-model", model(request)),
        Step::CallTool(request) => ("call-tool", tool(request)),
    };
    json!({ "id": outstanding.id, "run": outstanding.run, "step": step, "request": request })
}

fn model(request: &ModelRequest) -> Value {
    json!({
        "agent": request.agent,
        "provider": request.provider,
        "model": request.model,
        "messages": request.messages.iter().map(message).collect::<Vec<_>>(),
        "tools": request.tools.iter().map(spec).collect::<Vec<_>>(),
        "max_tokens": request.max_tokens,
        "effort": request.effort,
        "thinking_budget": request.thinking_budget,
        "base_url": request.base_url,
        "api_key_variable": request.api_key_variable,
    })
}

fn tool(request: &ToolRequest) -> Value {
    json!({ "agent": request.agent, "call": call(&request.call), "permitted": request.permitted })
}

fn message(message: &Message) -> Value {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    json!({
        "role": role,
        "text": message.text,
        "calls": message.calls.iter().map(call).collect::<Vec<_>>(),
        "answers": message.answers,
        "is_error": message.is_error,
    })
}

fn call(call: &ToolCall) -> Value {
    json!({ "id": call.id, "name": call.name, "arguments": call.arguments })
}

fn spec(spec: &ToolSpec) -> Value {
    let schema: Value = serde_json::from_str(&spec.schema).unwrap_or_default();
    json!({ "name": spec.name, "description": spec.description, "schema": schema })
}
