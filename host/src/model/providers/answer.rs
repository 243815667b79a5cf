//! Converts the client library's stream to an answer.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::StreamExt;
use genai::chat::{
    ChatStream, ChatStreamEvent, ContentPart, MessageContent, StopReason, StreamEnd, ToolCall,
};
use serde_json::Value;

use super::failure::Failure;
use super::used::Used;
use crate::Completion;
use crate::conversation::{self, Message, ModelAnswer};

/// Reads a stream to its end. `heard` receives each piece of text.
pub(super) async fn read(
    mut stream: ChatStream,
    idle: Duration,
    heard: &mut (dyn FnMut(&str) + Send),
) -> Result<StreamEnd, Failure> {
    let mut begun = false;
    while let Some(event) = stream.next().await {
        match event.map_err(|error| Failure::of(&error, idle))? {
            ChatStreamEvent::Start => continue,
            ChatStreamEvent::Chunk(chunk) if !chunk.content.is_empty() => heard(&chunk.content),
            ChatStreamEvent::End(end) if begun || end.captured_stop_reason.is_some() => return Ok(end),
            ChatStreamEvent::End(_) => break,
            _ => {}
        }
        begun = true;
    }
    // A page of a proxy is not a stream: it contains no event.
    Err(if begun {
        Failure::broken_off()
    } else {
        Failure::passing("sent no answer, but an empty stream or none: check its `base_url`".into())
    })
}

/// End reasons of answers that are not usable.
const NO_ANSWER: [&str; 12] = [
    "FINISH_REASON_UNSPECIFIED",
    "MALFORMED_FUNCTION_CALL",
    "MALFORMED_RESPONSE",
    "MISSING_THOUGHT_SIGNATURE",
    "OTHER",
    "TOO_MANY_TOOL_CALLS",
    "UNEXPECTED_TOOL_CALL",
    "cancelled",
    "error",
    "failed",
    "in_progress",
    "insufficient_system_resource",
];

/// The answer to these messages, the parts needed for the next request, and whether the provider says how many tokens it used.
pub(super) fn answer(
    end: StreamEnd,
    messages: &[Message],
) -> Result<(Completion, MessageContent, bool), Failure> {
    let mut content = end.captured_content.unwrap_or_default();
    let earlier = messages.iter().flat_map(|message| &message.calls);
    tell_apart(&mut content, earlier.map(|call| call.id.clone()).collect());
    let mut text = content.joined_texts().unwrap_or_default();
    let calls: Vec<_> = content.tool_calls().into_iter().map(call).collect();
    let is_empty = text.trim().is_empty() && calls.is_empty();
    let used = Used::of(end.captured_usage.as_ref());
    let unusable = |what: String| Failure::passing(what).after(used);
    match &end.captured_stop_reason {
        None => return Err(Failure::broken_off()),
        Some(StopReason::Other(reason)) if NO_ANSWER.contains(&&**reason) => {
            return Err(unusable(format!("gave no answer: {reason}")));
        }
        Some(StopReason::MaxTokens(_)) if calls.is_empty() => {
            text.push_str("\n[The answer reached the maximum length and ends here.]")
        }
        Some(StopReason::ContentFilter(reason)) if is_empty => {
            return Err(Failure::lasting(format!("does not answer this: {reason}")));
        }
        Some(StopReason::ContentFilter(_)) if calls.is_empty() => {
            text.push_str("\n[The provider's content filter ended the answer here.]")
        }
        Some(_) if is_empty => return Err(unusable("gave an empty answer".into())),
        Some(_) => {}
    }
    let answer = ModelAnswer {
        text,
        calls,
        input_tokens: used.input,
        output_tokens: used.output,
        cost: None,
    };
    let cached = used.cached;
    Ok((Completion { answer, cached }, content, used.is_reported))
}

/// Call IDs are made unique in a conversation, whatever the server sends.
fn tell_apart(content: &mut MessageContent, mut seen: BTreeSet<String>) {
    let parts = std::mem::take(content).into_parts().into_iter().map(|mut part| {
        if let ContentPart::ToolCall(call) = &mut part {
            let (base, mut number) = (call.call_id.clone(), 1);
            while call.call_id.is_empty() || !seen.insert(call.call_id.clone()) {
                number += 1;
                call.call_id = format!("{base}_{number}");
            }
        }
        part
    });
    *content = MessageContent::from_parts(parts.collect::<Vec<_>>());
}

fn call(call: &ToolCall) -> conversation::ToolCall {
    let arguments = match &call.fn_arguments {
        Value::Null => "{}".to_owned(),
        Value::String(text) if text.trim().is_empty() => "{}".to_owned(),
        // Invalid JSON is passed on as written.
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    conversation::ToolCall {
        id: call.call_id.clone(),
        name: call.fn_name.clone(),
        arguments,
    }
}
