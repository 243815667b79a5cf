//! What happens to those who ask over a network.

use std::time::Duration;

use callsheet::Models;
use callsheet::model::{Kind, Patience};

use super::ask::{KEY, ask, failure, impatient, outspoken, patience, providers, request};
use super::socket::{EVENTS, PIECE, Socket, Then};

const KINDS: [Kind; 2] = [Kind::Anthropic, Kind::OpenAi];

fn hurried() -> Patience {
    Patience {
        idle: Duration::from_secs(1),
        ..patience()
    }
}

#[tokio::test]
async fn a_silent_provider_times_out() {
    for kind in KINDS {
        for says in ["", EVENTS] {
            let socket = Socket::open(says, Then::Hang).await;
            let models = impatient(kind, &socket.url(), KEY, hurried());
            let (passes, reason) = failure(ask(&models, &request("x")).await.0);
            assert!(
                passes && reason.ends_with("/v1/ sent nothing for 1 s"),
                "{kind:?}: {reason}"
            );
        }
    }
}

#[tokio::test]
async fn text_before_a_timeout_is_kept() {
    let socket = Socket::open(format!("{EVENTS}{PIECE}"), Then::Hang).await;
    let models = impatient(Kind::OpenAi, &socket.url(), KEY, hurried());
    let (answer, heard) = ask(&models, &request("x")).await;
    assert!(failure(answer).1.contains("sent nothing"));
    assert_eq!(heard, ["more "]);
}

#[tokio::test]
async fn a_slow_answer_times_out() {
    let socket = Socket::open(EVENTS, Then::Drip(PIECE)).await;
    let patience = Patience {
        total: Duration::from_secs(1),
        ..patience()
    };
    let models = impatient(Kind::OpenAi, &socket.url(), KEY, patience);
    let (passes, reason) = failure(ask(&models, &request("x")).await.0);
    assert!(
        passes && reason.ends_with("did not finish its answer within 1 s"),
        "{reason}"
    );
}

#[tokio::test]
async fn a_broken_connection_is_retried() {
    for (says, expected) in [
        ("", "does not answer: "),
        (
            EVENTS,
            "sent no answer, but an empty stream or none: check its `base_url`",
        ),
    ] {
        let socket = Socket::open(says, Then::Close).await;
        let (passes, reason) = failure(
            ask(&providers(Kind::OpenAi, &socket.url(), KEY), &request("x"))
                .await
                .0,
        );
        assert!(passes && reason.contains(expected), "{reason}");
        assert!(reason.ends_with("(tried 2 times)"), "{reason}");
        assert_eq!(socket.times(), 2, "{reason}");
    }
}

#[tokio::test]
async fn an_unreachable_provider_is_reported() {
    let socket = Socket::open("", Then::Close).await;
    let address = socket.url().replace(&socket.address.port().to_string(), "9");
    let (passes, reason) = failure(
        ask(&providers(Kind::OpenAi, &address, KEY), &request("x"))
            .await
            .0,
    );
    assert!(
        passes && reason.starts_with("wire:model-1 at http://127.0.0.1:9/v1/ cannot be reached: "),
        "{reason}"
    );
    let (passes, reason) = failure(
        ask(
            &providers(Kind::OpenAi, "http://nobody.invalid/v1", KEY),
            &request("x"),
        )
        .await
        .0,
    );
    assert!(passes && reason.contains("cannot be reached"), "{reason}");
}

#[tokio::test]
async fn redirects_do_not_forward_the_key() {
    let thief = Socket::open("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", Then::Close).await;
    for kind in Kind::ALL {
        let says = format!(
            "HTTP/1.1 307 Temporary Redirect\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n",
            thief.url()
        );
        let socket = Socket::open(says, Then::Close).await;
        let (passes, reason) = failure(ask(&providers(kind, &socket.url(), KEY), &request("x")).await.0);
        assert!(!passes && reason.contains("307"), "{kind:?}: {reason}");
    }
    assert_eq!(thief.times(), 0);
}

#[tokio::test]
async fn invalid_streams_are_reported() {
    let page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<html>Log in</html>";
    let nonsense = format!("{EVENTS}data: {{nonsense\n\n");
    let no_stream = "sent no answer, but an empty stream or none: check its `base_url`";
    let mut all: Vec<(Kind, &str, &str)> = Kind::ALL.map(|kind| (kind, page, no_stream)).into();
    all.push((Kind::OpenAi, &nonsense, "answered invalid JSON"));
    for (kind, says, expected) in all {
        let socket = Socket::open(says, Then::Close).await;
        let (_, reason) = failure(ask(&providers(kind, &socket.url(), KEY), &request("x")).await.0);
        assert!(reason.contains(expected), "{kind:?}: {reason}");
    }
}

#[tokio::test]
async fn errors_in_a_stream_are_reported() {
    let overloaded = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Too many\"}}\n\n";
    let refused = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"Not you\"}}\n\n";
    for (event, times, expected) in [
        (overloaded, 2, "broke off with an error: Too many (tried 2 times)"),
        (refused, 1, "broke off with an error: Not you"),
    ] {
        let socket = Socket::open(format!("{EVENTS}{event}"), Then::Close).await;
        let (_, reason) = failure(
            ask(&providers(Kind::Anthropic, &socket.url(), KEY), &request("x"))
                .await
                .0,
        );
        assert!(reason.ends_with(expected), "{reason}");
        assert_eq!(socket.times(), times);
    }
}

#[tokio::test]
async fn cancelling_closes_the_connection() {
    for says in ["", EVENTS] {
        let socket = Socket::open(says, Then::Hang).await;
        let models = providers(Kind::Anthropic, &socket.url(), KEY);
        let request = request("x");
        tokio::select! {
            answer = models.complete(&request, &|_| {}) => panic!("unexpected answer: {answer:?}"),
            () = socket.is_asked() => {}
        }
        socket.is_left().await;
    }
}

/// A component that requests a model itself has no async runtime.
#[test]
fn requests_need_no_runtime() {
    let runtime = tokio::runtime::Runtime::new().expect("there are threads");
    let end = r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let says = format!("{EVENTS}{PIECE}{end}\n\ndata: [DONE]\n\n");
    let socket = runtime.block_on(Socket::open(says, Then::Close));
    let models = providers(Kind::OpenAi, &socket.url(), KEY);
    let asked = request("x");
    let answer = futures_executor::block_on(models.complete(&asked, &|_| {}));
    assert_eq!(answer.map(|it| it.answer.text), Ok("more ".to_owned()));
}

/// An answer in one piece, as if no stream had been requested.
fn in_one_piece(kind: Kind) -> String {
    let body = match kind {
        Kind::Anthropic => {
            r#"{"type":"message","role":"assistant","content":[{"type":"text","text":"Hello"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}"#
        }
        Kind::OpenAi => {
            r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}"#
        }
        Kind::OpenAiResponses => {
            r#"{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Hello"}]}]}"#
        }
        Kind::Gemini => r#"{"candidates":[{"content":{"parts":[{"text":"Hello"}]},"finishReason":"STOP"}]}"#,
    };
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

/// Responses that are not a complete answer in any format.
#[tokio::test]
async fn incomplete_answers_are_failures() {
    const HTML: &str =
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<html>Log in</html>";
    const NOTHING: &str = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    for kind in Kind::ALL {
        for says in [HTML, NOTHING, EVENTS, &in_one_piece(kind)] {
            let socket = Socket::open(says, Then::Close).await;
            let models = providers(kind, &socket.url(), KEY);
            let (passes, reason) = failure(ask(&models, &request("x")).await.0);
            assert!(passes && reason.contains("sent no answer"), "{kind:?}: {reason}");
            assert_eq!(socket.times(), 2, "{kind:?}");
        }
    }
}

#[tokio::test]
async fn malformed_answers_are_retried() {
    let gemini = |parts: &str, end: &str| {
        format!("data: {{\"candidates\":[{{\"content\":{{\"parts\":[{parts}]}}{end}}}]}}\r\n\r\n")
    };
    let text = r#"{"text":"half"}"#;
    let malformed = r#","finishReason":"MALFORMED_FUNCTION_CALL""#;
    let openai = r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let anthropic = r#"data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
    let stop = r#"data: {"type":"message_stop"}"#;
    for (kind, says, expected) in [
        (Kind::Gemini, gemini(text, ""), "broke off"),
        (
            Kind::Gemini,
            gemini(text, malformed),
            "gave no answer: MALFORMED_FUNCTION_CALL",
        ),
        (
            Kind::Gemini,
            gemini(text, r#","finishReason":"OTHER""#),
            "gave no answer: OTHER",
        ),
        (
            Kind::Gemini,
            gemini("", r#","finishReason":"STOP""#),
            "gave an empty answer",
        ),
        (
            Kind::OpenAi,
            format!("{openai}\n\ndata: [DONE]\n\n"),
            "gave an empty answer",
        ),
        (Kind::OpenAi, format!("{PIECE}data: [DONE]\n\n"), "broke off"),
        (Kind::OpenAi, format!("{PIECE}{openai}\n\n"), "broke off"),
        (
            Kind::Anthropic,
            format!("event: message_delta\n{anthropic}\n\nevent: message_stop\n{stop}\n\n"),
            "gave an empty answer",
        ),
        (
            Kind::Anthropic,
            format!("event: message_stop\n{stop}\n\n"),
            "sent no answer",
        ),
    ] {
        let socket = Socket::open(format!("{EVENTS}{says}"), Then::Close).await;
        let models = providers(kind, &socket.url(), KEY);
        let (passes, reason) = failure(ask(&models, &request("x")).await.0);
        assert!(passes && reason.contains(expected), "{kind:?}: {reason}");
        assert_eq!(socket.times(), 2, "{kind:?}: {says}");
    }
}

#[tokio::test]
async fn an_empty_answer_that_is_asked_again_counts() {
    let end = |text: &str, read: u32| {
        let piece = format!(
            r#"data: {{"choices":[{{"index":0,"delta":{{"content":"{text}"}},"finish_reason":"stop"}}]}}"#
        );
        let usage =
            format!(r#"data: {{"choices":[],"usage":{{"prompt_tokens":{read},"completion_tokens":5}}}}"#);
        format!("{EVENTS}{piece}\n\n{usage}\n\ndata: [DONE]\n\n")
    };
    let socket = Socket::open_with(vec![end("", 1_000), end("Done.", 20)], Then::Close).await;
    let (models, said) = outspoken(Kind::OpenAi, &socket.url(), KEY);
    let answer = ask(&models, &request("x"))
        .await
        .0
        .expect("the second answer is one");
    assert_eq!(
        (&*answer.text, answer.input_tokens, answer.output_tokens),
        ("Done.", 1_020, 10)
    );
    assert_eq!(said.lock().expect("no thread panics").len(), 1, "only the pause");
}

#[tokio::test]
async fn a_provider_that_counts_no_tokens_is_reported_once() {
    let piece = r#"data: {"choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}"#;
    let socket = Socket::open(format!("{EVENTS}{piece}\n\ndata: [DONE]\n\n"), Then::Close).await;
    let (models, said) = outspoken(Kind::OpenAi, &socket.url(), KEY);
    for _ in 0..2 {
        assert!(ask(&models, &request("x")).await.0.is_ok());
    }
    let said = said.lock().expect("no thread panics");
    assert!(
        matches!(&**said, [words] if words.contains("reports no tokens")),
        "{said:?}"
    );
}
