//! Requests, and what is heard of their answers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use callsheet::Models;
use callsheet::conversation::{CallError, Message, ModelAnswer, ModelRequest, Role, ToolSpec};
use callsheet::model::{Kind, Patience, Provider, ProviderConfig, Providers};

/// The only key that the servers here take.
pub(crate) const KEY: &str = "sk-right-0123456789";

/// A client that finds everything at one address, and waits for nothing for long.
pub(crate) fn providers(kind: Kind, base_url: &str, key: &'static str) -> Providers {
    impatient(kind, base_url, key, patience())
}

pub(crate) fn impatient(kind: Kind, base_url: &str, key: &'static str, patience: Patience) -> Providers {
    let config = config(kind, base_url, key);
    Providers::new(ProviderConfig { patience, ..config })
}

/// The same, with their messages.
pub(crate) fn outspoken(
    kind: Kind,
    base_url: &str,
    key: &'static str,
) -> (Providers, Arc<Mutex<Vec<String>>>) {
    let said = Arc::<Mutex<Vec<String>>>::default();
    let to = Arc::clone(&said);
    let say = Arc::new(move |words: &str| to.lock().expect("no thread panics").push(words.to_owned()));
    let config = config(kind, base_url, key);
    (Providers::new(ProviderConfig { say, ..config }), said)
}

pub(crate) fn config(kind: Kind, base_url: &str, key: &'static str) -> ProviderConfig {
    let provider = Provider {
        kind,
        base_url: base_url.to_owned(),
        key_variable: Some("WIRE_KEY".into()),
        model: None,
    };
    ProviderConfig {
        providers: BTreeMap::from([("wire".into(), provider)]),
        trusted: true,
        environment: Arc::new(move |name| (name == "WIRE_KEY").then(|| key.to_owned())),
        patience: patience(),
        ..ProviderConfig::default()
    }
}

pub(crate) fn patience() -> Patience {
    Patience {
        connect: Duration::from_secs(5),
        idle: Duration::from_secs(10),
        total: Duration::from_secs(30),
        attempts: 2,
        pause: Duration::from_millis(10),
        longest_pause: Duration::from_secs(2),
    }
}

pub(crate) fn said(role: Role, text: &str) -> Message {
    Message {
        role,
        text: text.into(),
        calls: Vec::new(),
        answers: None,
        is_error: false,
    }
}

pub(crate) fn request(prompt: &str) -> ModelRequest {
    ModelRequest {
        agent: vec!["porter".into()],
        provider: Some("wire".into()),
        model: "model-1".into(),
        messages: vec![
            said(Role::System, "You are the porter."),
            said(Role::User, prompt),
        ],
        tools: vec![ToolSpec {
            name: "Read".into(),
            description: "Reads a file.".into(),
            schema: r#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#.into(),
        }],
        changed_from: None,
        max_tokens: Some(500),
        effort: None,
        thinking_budget: None,
        base_url: None,
        api_key_variable: None,
    }
}

/// The answer, and all that was heard before.
pub(crate) async fn ask(
    models: &Providers,
    request: &ModelRequest,
) -> (Result<ModelAnswer, CallError>, Vec<String>) {
    let heard = Mutex::new(Vec::new());
    let hear = |piece: &str| heard.lock().expect("no thread panics").push(piece.to_owned());
    let answer = models.complete(request, &hear).await;
    let answer = answer.map(|completion| completion.answer);
    (answer, heard.into_inner().expect("no thread panics"))
}

/// Why a call failed: whether it may be retried, and the message.
pub(crate) fn failure(answer: Result<ModelAnswer, CallError>) -> (bool, String) {
    match answer {
        Err(CallError::Unavailable(reason)) => (true, reason),
        Err(CallError::Other(reason)) => (false, reason),
        other => panic!("{other:?}"),
    }
}
