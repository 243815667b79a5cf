//! Converts a request for the client library.

use genai::chat::{
    CacheControl, ChatMessage, ChatOptions, ChatRequest, ChatRole, ContentPart, CustomPart, MessageContent,
    ReasoningEffort, Tool, ToolCall, ToolResponse,
};
use serde_json::{Value, json};

use super::target::Target;
use super::thoughts::Thoughts;
use crate::conversation::{Message, ModelRequest, Role, ToolSpec};
use crate::model::{Kind, Patience};

pub(super) fn chat(request: &ModelRequest, target: &Target, thoughts: &Thoughts) -> ChatRequest {
    let mut messages: Vec<ChatMessage> = Vec::new();
    for message in &request.messages {
        let content = match message.role {
            Role::System => ChatMessage::system(&*message.text),
            Role::User => ChatMessage::user(&*message.text),
            Role::Assistant if is_silent(message) => continue,
            Role::Assistant => ChatMessage::assistant(answer(request, message, thoughts)),
            Role::Tool => {
                let result = result(message, target.kind);
                // The results of one answer's calls belong together.
                match messages.last_mut().filter(|last| last.role == ChatRole::Tool) {
                    Some(last) => {
                        last.content.push(result);
                        continue;
                    }
                    None => ChatMessage::tool(MessageContent::from_parts(vec![result])),
                }
            }
        };
        messages.push(content);
    }
    let mut tools: Vec<Tool> = request.tools.iter().map(tool).collect();
    if target.kind == Kind::Anthropic && !tools.is_empty() {
        cache(&mut messages, &mut tools);
    }
    let chat = ChatRequest::from_messages(messages);
    if tools.is_empty() {
        chat
    } else {
        chat.with_tools(tools)
    }
}

/// Marks what the next request repeats, as far as Anthropic's four marks reach: the tools, the system prompt, and the conversation up to
/// this request and up to the one before. From a mark, the provider finds only what was cached 20 parts earlier, and a turn may have more.
///
/// An agent without tools usually makes a single request: a cache would only cost more.
fn cache(messages: &mut [ChatMessage], tools: &mut [Tool]) {
    let mark = |message: &mut ChatMessage| {
        // Marked text must not be empty.
        if message.role == ChatRole::Tool
            || message.content.texts().iter().any(|text| !text.trim().is_empty())
        {
            message.options = Some(CacheControl::Ephemeral.into());
        }
    };
    if let Some(last) = tools.last_mut() {
        last.cache_control = Some(CacheControl::Ephemeral);
    }
    messages
        .iter_mut()
        .rfind(|message| message.role == ChatRole::System)
        .map(mark);
    let is_sent = |message: &&mut ChatMessage| matches!(message.role, ChatRole::User | ChatRole::Tool);
    let mut parts = messages.rsplit_mut(|message| message.role == ChatRole::Assistant);
    for _ in 0..2 {
        let sent = parts.next().and_then(|part| part.iter_mut().rfind(is_sent));
        sent.map(mark);
    }
}

pub(super) fn options(
    request: &ModelRequest,
    target: &Target,
    thoughts: &Thoughts,
    patience: &Patience,
) -> ChatOptions {
    let effort = effort(request, target, thoughts);
    let mut options = ChatOptions::default()
        .with_capture_usage(true)
        .with_capture_content(true)
        .with_capture_tool_calls(true)
        .with_capture_reasoning_content(true)
        .with_stream_header_timeout(patience.idle)
        .with_stream_read_timeout(patience.idle);
    options.max_tokens = match (&effort, request.max_tokens) {
        // Anthropic counts thinking as part of the answer, and requires room for more.
        (Some(ReasoningEffort::Budget(budget)), Some(most)) if target.kind == Kind::Anthropic => {
            Some(most.saturating_add(*budget))
        }
        (_, most) => most,
    };
    options.reasoning_effort = effort;
    options
}

fn effort(request: &ModelRequest, target: &Target, thoughts: &Thoughts) -> Option<ReasoningEffort> {
    let asked = match request.thinking_budget {
        Some(0) => Some(ReasoningEffort::Zero),
        Some(tokens) => Some(ReasoningEffort::Budget(tokens)),
        None => ReasoningEffort::from_keyword(request.effort.as_deref().unwrap_or_default()),
    };
    match asked {
        // Anthropic refuses thinking if earlier thoughts are missing, as in a restored session.
        Some(_) if target.kind == Kind::Anthropic && forgotten(request, thoughts) => None,
        // The library reads the suffix of `mistral-medium` as an effort unless one is given, and drops a budget.
        None if matches!(target.kind, Kind::OpenAi | Kind::OpenAiResponses) => {
            Some(ReasoningEffort::Budget(0))
        }
        asked => asked,
    }
}

/// Whether the calls being answered have no thoughts, or lost ones.
fn forgotten(request: &ModelRequest, thoughts: &Thoughts) -> bool {
    let turn = request
        .messages
        .iter()
        .rev()
        .take_while(|message| message.role != Role::User);
    let mut called = turn.filter(|message| !message.calls.is_empty());
    called.any(|message| thoughts.find(&request.agent, &message.calls).is_none())
}

fn is_silent(message: &Message) -> bool {
    message.text.trim().is_empty() && message.calls.is_empty()
}

fn answer(request: &ModelRequest, message: &Message, thoughts: &Thoughts) -> MessageContent {
    if let Some(kept) = thoughts.find(&request.agent, &message.calls) {
        return kept.clone();
    }
    let text = Some(message.text.as_str()).filter(|text| !text.trim().is_empty());
    let text = text.map(|text| ContentPart::Text(text.to_owned()));
    let calls = message.calls.iter().map(|call| {
        ContentPart::ToolCall(ToolCall {
            call_id: call.id.clone(),
            fn_name: call.name.clone(),
            fn_arguments: arguments(&call.arguments),
            thought_signatures: None,
        })
    });
    MessageContent::from_parts(text.into_iter().chain(calls).collect::<Vec<_>>())
}

/// Providers accept only objects; other arguments of a model were answered with an error.
fn arguments(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Value::Object(object),
        _ => json!({}),
    }
}

fn result(message: &Message, kind: Kind) -> ContentPart {
    let call = message.answers.clone().unwrap_or_default();
    if message.is_error && kind == Kind::Anthropic {
        // The only format with a field for it, which the library lacks.
        let data =
            json!({"type": "tool_result", "tool_use_id": call, "content": message.text, "is_error": true});
        return ContentPart::Custom(CustomPart {
            model_iden: None,
            data,
        });
    }
    ContentPart::ToolResponse(ToolResponse::new(call, message.text.clone()))
}

fn tool(spec: &ToolSpec) -> Tool {
    let schema = serde_json::from_str(&spec.schema).unwrap_or_else(|_| json!({"type": "object"}));
    Tool::new(spec.name.clone())
        .with_description(spec.description.clone())
        .with_schema(schema)
}
