//! The wire formats, against a third-party server.

use callsheet::conversation::{Message, ModelAnswer, Role};
use callsheet::model::{Kind, Patience};

use super::ask::{KEY, ask, failure, impatient, outspoken, patience, providers, request, said};
use super::mock::Mock;

#[tokio::test]
async fn text_is_streamed_and_tokens_are_counted() {
    let Some(mock) = Mock::start() else { return };
    for kind in Kind::ALL {
        let (answer, heard) = ask(&providers(kind, &mock.url(kind), KEY), &request("greet")).await;
        let answer = answer.unwrap_or_else(|error| panic!("{kind:?}: {error:?}"));
        assert_eq!(answer.text, "Good evening, whoever you are.", "{kind:?}");
        assert_eq!((answer.input_tokens, answer.output_tokens), (11, 5), "{kind:?}");
        assert_eq!((heard.concat(), answer.calls.len()), (answer.text, 0), "{kind:?}");
        assert!(heard.len() > 1, "{kind:?}: {heard:?}");
    }
}

/// The conversation after its calls were answered.
fn answered(answer: &ModelAnswer) -> Vec<Message> {
    let mut asked = said(Role::Assistant, &answer.text);
    asked.calls.clone_from(&answer.calls);
    let results = answer
        .calls
        .iter()
        .zip([("the first", false), ("the second is missing", true)]);
    let results = results.map(|(call, (text, is_error))| Message {
        answers: Some(call.id.clone()),
        is_error,
        ..said(Role::Tool, text)
    });
    [asked].into_iter().chain(results).collect()
}

#[tokio::test]
async fn several_tool_calls_are_parsed() {
    let Some(mock) = Mock::start() else { return };
    for kind in Kind::ALL {
        let models = providers(kind, &mock.url(kind), KEY);
        let mut request = request("compare");
        let answer = ask(&models, &request)
            .await
            .0
            .unwrap_or_else(|error| panic!("{kind:?}: {error:?}"));
        assert_eq!(answer.text, "Both files, then.", "{kind:?}");
        let calls: Vec<_> = answer
            .calls
            .iter()
            .map(|call| (&*call.name, &*call.arguments))
            .collect();
        let expected = [("Read", r#"{"path":"a.txt"}"#), ("Read", r#"{"path":"b.txt"}"#)];
        assert_eq!(calls, expected, "{kind:?}");
        assert_ne!(answer.calls[0].id, answer.calls[1].id, "{kind:?}");
        request.messages.extend(answered(&answer));
        let answer = ask(&models, &request)
            .await
            .0
            .unwrap_or_else(|error| panic!("{kind:?}: {error:?}"));
        assert_eq!(answer.text, "They differ.", "{kind:?}");
    }
}

#[tokio::test]
async fn a_wrong_key_is_neither_retried_nor_shown() {
    let Some(mock) = Mock::start() else { return };
    for kind in Kind::ALL {
        let (answer, heard) = ask(
            &providers(kind, &mock.url(kind), "sk-wrong-0123456789"),
            &request("greet"),
        )
        .await;
        let (passes, reason) = failure(answer);
        assert!(!passes && heard.is_empty(), "{kind:?}: {reason}");
        assert!(
            reason.starts_with("wire:model-1 at http://127.0.0.1:"),
            "{kind:?}: {reason}"
        );
        let end = "answers 401 Unauthorized: Invalid API key; check the key in WIRE_KEY";
        assert!(reason.ends_with(end), "{kind:?}: {reason}");
    }
}

#[tokio::test]
async fn an_unknown_model_is_reported() {
    let Some(mock) = Mock::start() else { return };
    for kind in Kind::ALL {
        let (passes, reason) = failure(
            ask(&providers(kind, &mock.url(kind), KEY), &request("nobody knows"))
                .await
                .0,
        );
        assert!(
            !passes && reason.contains("answers 404 Not Found: "),
            "{kind:?}: {reason}"
        );
        assert!(reason.ends_with("; check the model's name"), "{kind:?}: {reason}");
    }
}

#[tokio::test]
async fn a_busy_provider_is_asked_again_after_its_delay() {
    for kind in Kind::ALL {
        let Some(mock) = Mock::start() else { return };
        let (models, said) = outspoken(kind, &mock.url(kind), KEY);
        let (answer, heard) = ask(&models, &request("busy for a while")).await;
        let answer = answer.unwrap_or_else(|error| panic!("{kind:?}: {error:?}"));
        assert_eq!(
            (&*answer.text, heard.concat()),
            ("Your turn.", "Your turn.".to_owned()),
            "{kind:?}"
        );
        let said = said.lock().expect("no thread panics");
        let [said] = &**said else {
            panic!("{kind:?}: {said:?}")
        };
        assert!(said.contains(" answers 429 Too Many Requests: "), "{said}");
        assert!(said.ends_with("; retrying in 1.0 s"), "{said}");
    }
}

#[tokio::test]
async fn a_delay_above_the_limit_is_a_failure() {
    let Some(mock) = Mock::start() else { return };
    let hurried = Patience {
        longest_pause: std::time::Duration::from_millis(900),
        ..patience()
    };
    let kind = Kind::Anthropic;
    let models = impatient(kind, &mock.url(kind), KEY, hurried);
    let (passes, reason) = failure(ask(&models, &request("busy for a while")).await.0);
    assert!(
        passes && reason.contains("answers 429 Too Many Requests: Slow down"),
        "{reason}"
    );
}

#[tokio::test]
async fn server_errors_are_retried() {
    for kind in Kind::ALL {
        let Some(mock) = Mock::start() else { return };
        let models = providers(kind, &mock.url(kind), KEY);
        let answer = ask(&models, &request("broken for a while")).await.0;
        assert_eq!(
            answer.map(|answer| answer.text),
            Ok("Mended.".to_owned()),
            "{kind:?}"
        );
        let (passes, reason) = failure(ask(&models, &request("broken for good")).await.0);
        let end = "answers 500 Internal Server Error: Oh dear (tried 2 times)";
        assert!(passes && reason.ends_with(end), "{kind:?}: {reason}");
    }
}

#[tokio::test]
async fn a_truncated_stream_is_retried() {
    for kind in Kind::ALL {
        let Some(mock) = Mock::start() else { return };
        let models = providers(kind, &mock.url(kind), KEY);
        let (answer, heard) = ask(&models, &request("cut once")).await;
        assert_eq!(
            answer.map(|answer| answer.text),
            Ok("Whole.".to_owned()),
            "{kind:?}"
        );
        let heard = heard.concat();
        assert!(
            heard.ends_with("\n[The answer broke off. Retrying.]\nWhole."),
            "{kind:?}: {heard}"
        );
        let (passes, reason) = failure(ask(&models, &request("cut always")).await.0);
        let end = "broke off in the middle of its answer (tried 2 times)";
        assert!(passes && reason.ends_with(end), "{kind:?}: {reason}");
    }
}
