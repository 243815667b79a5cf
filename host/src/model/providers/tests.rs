//! Where a request goes, what is sent, and the messages if it fails.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::Cached;
use crate::conversation::{Message, ModelAnswer, Role, ToolCall, ToolSpec};
use crate::model::{Environment, Price, Provider, parse};

fn environment(names: &'static [&'static str]) -> Environment {
    Arc::new(move |name| names.contains(&name).then(|| "sk-secret-1234".to_owned()))
}

fn gateway(kind: Kind) -> BTreeMap<String, Provider> {
    let provider = Provider {
        kind,
        base_url: "https://gateway.example/v1".into(),
        key_variable: None,
        model: None,
    };
    BTreeMap::from([("gateway".into(), provider)])
}

fn config(providers: BTreeMap<String, Provider>, keys: &'static [&'static str]) -> ProviderConfig {
    ProviderConfig {
        providers,
        trusted: true,
        file: "callsheet.toml".into(),
        environment: environment(keys),
        ..ProviderConfig::default()
    }
}

const ALL: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "OTHER_KEY",
];

fn request(model: &str) -> ModelRequest {
    let choice = parse(model);
    ModelRequest {
        agent: vec!["a".into()],
        provider: choice.provider,
        model: choice.model,
        messages: Vec::new(),
        changed_from: None,
        tools: Vec::new(),
        max_tokens: None,
        effort: None,
        thinking_budget: None,
        base_url: None,
        api_key_variable: None,
    }
}

fn said(role: Role, text: &str) -> Message {
    Message {
        role,
        text: text.into(),
        calls: Vec::new(),
        answers: None,
        is_error: false,
    }
}

fn refusal(config: &ProviderConfig, request: &ModelRequest) -> String {
    match target::target(config, request) {
        Err(CallError::Other(reason) | CallError::Denied(reason)) => reason,
        Err(other) => panic!("{other:?}"),
        Ok(target) => panic!("{} is found", target.name),
    }
}

#[test]
fn models_are_found() {
    let config = config(gateway(Kind::OpenAiResponses), ALL);
    for (model, name, url) in [
        (
            "anthropic:claude-x",
            "anthropic:claude-x",
            "https://api.anthropic.com/v1/",
        ),
        ("claude-x", "anthropic:claude-x", "https://api.anthropic.com/v1/"),
        ("openai:o3", "openai:o3", "https://api.openai.com/v1/"),
        ("gpt-9", "openai:gpt-9", "https://api.openai.com/v1/"),
        (
            "google:gemini-x",
            "google:gemini-x",
            "https://generativelanguage.googleapis.com/v1beta/",
        ),
        (
            "gemini-x",
            "gemini:gemini-x",
            "https://generativelanguage.googleapis.com/v1beta/",
        ),
        ("ollama:qwen3:8b", "ollama:qwen3:8b", "http://localhost:11434/v1/"),
        (
            "gateway:meta/llama",
            "gateway:meta/llama",
            "https://gateway.example/v1/",
        ),
    ] {
        let target = target::target(&config, &request(model))
            .map_err(|error| format!("{error:?}"))
            .unwrap();
        assert_eq!((&*target.name, &*target.base_url), (name, url), "{model}");
    }
    let mut slash = request("x");
    slash.model = "anthropic/claude-x".into();
    assert_eq!(
        target::target(&config, &slash).ok().unwrap().name,
        "anthropic:claude-x"
    );
}

#[test]
fn a_provider_alone_means_its_model() {
    let mut providers = gateway(Kind::OpenAi);
    providers.get_mut("gateway").unwrap().model = Some("usual".into());
    let config = config(providers, ALL);
    let found = |model: &str| Some(target::target(&config, &request(model)).ok()?.name);
    assert_eq!(found("gateway").as_deref(), Some("gateway:usual"));
    assert_eq!(found("gateway:").as_deref(), Some("gateway:usual"));
    assert_eq!(found("gateway:other").as_deref(), Some("gateway:other"));
    assert_eq!(found("anthropic:gateway").as_deref(), Some("anthropic:gateway"));
    assert_eq!(found("ollama"), None);
}

#[test]
fn unknown_models_say_what_to_write() {
    let config = config(gateway(Kind::OpenAi), ALL);
    for (model, expected) in [
        (
            "",
            "no model is set: use `--model provider:name`, or `default = \"provider:name\"` under `[models]` in callsheet.toml",
        ),
        (
            "openai: ",
            "`openai:` names no model: use `--model provider:name`, or `default = \"provider:name\"` under `[models]` in callsheet.toml",
        ),
        (
            "sonnet",
            "model alias `sonnet` is not mapped; add `sonnet = \"provider:name\"` under `[models]` in callsheet.toml",
        ),
        (
            "llama",
            "unknown provider of model `llama`; name it, as in `ollama:llama`, or add `llama = \"provider:name\"` under `[models]` in callsheet.toml",
        ),
        (
            "gpt-oss-20b",
            "unknown provider of model `gpt-oss-20b`; name it, as in `ollama:gpt-oss-20b`, or add `gpt-oss-20b = \"provider:name\"` under `[models]` in callsheet.toml",
        ),
        (
            "gpt-9",
            "`gpt-9` may be `openai:gpt-9` or `gateway:gpt-9`: choose one, or add `gpt-9 = \"openai:gpt-9\"` under `[models]` in callsheet.toml",
        ),
        (
            "antropic:claude",
            "unknown provider `antropic`; did you mean `anthropic`?",
        ),
        (
            "qwen3:8b",
            "unknown provider `qwen3`; use `anthropic`, `openai`, `gemini`, `ollama`, `gateway`, or add others under `[providers.qwen3]` in callsheet.toml",
        ),
    ] {
        assert_eq!(refusal(&config, &request(model)), expected, "{model}");
    }
}

#[test]
fn missing_keys_name_their_variable() {
    for (model, variable) in [
        ("claude-x", "ANTHROPIC_API_KEY"),
        ("gpt-9", "OPENAI_API_KEY"),
        ("gemini-x", "GEMINI_API_KEY"),
    ] {
        let reason = refusal(&config(BTreeMap::new(), &[]), &request(model));
        assert!(
            reason.ends_with(&format!("API key: set the environment variable {variable}")),
            "{reason}"
        );
    }
    let empty = ProviderConfig {
        environment: Arc::new(|_| Some(" ".into())),
        ..ProviderConfig::default()
    };
    assert!(refusal(&empty, &request("claude-x")).contains("ANTHROPIC_API_KEY"));
}

#[test]
fn an_untrusted_file_cannot_choose_the_address() {
    let mut config = config(gateway(Kind::OpenAi), ALL);
    config.trusted = false;
    assert_eq!(
        refusal(&config, &request("gateway:x")),
        "the configuration sends `gateway` to https://gateway.example/v1, but is not trusted: run `callsheet trust callsheet.toml`"
    );
    config.providers = BTreeMap::from([("anthropic".into(), gateway(Kind::Anthropic)["gateway"].clone())]);
    assert!(
        refusal(&config, &request("anthropic:claude-x")).contains("gateway.example"),
        "nor instead of one that is known"
    );
}

#[test]
fn a_trusted_file_chooses_address_and_key() {
    let mut request = request("claude-x");
    request.base_url = Some("http://127.0.0.1:9/".into());
    request.api_key_variable = Some("OTHER_KEY".into());
    let config = config(BTreeMap::new(), &["OTHER_KEY"]);
    let target = target::target(&config, &request).ok().unwrap();
    assert_eq!(
        (&*target.base_url, target.key.as_deref()),
        ("http://127.0.0.1:9/v1/", Some("sk-secret-1234"))
    );
    request.base_url = Some("file:///etc".into());
    assert_eq!(
        refusal(&config, &request),
        "the agent's file sets an invalid URL for anthropic:claude-x: `file:///etc`"
    );
}

/// What goes over the wire, without asking anybody.
fn payload(request: &ModelRequest, thoughts: &Thoughts) -> Value {
    let config = config(gateway(Kind::OpenAi), ALL);
    let target = target::target(&config, request).ok().unwrap();
    let chat = request::chat(request, &target, thoughts);
    let options = request::options(request, &target, thoughts, &config.patience);
    json!({"chat": chat, "options": options})
}

fn tools_called() -> Vec<Message> {
    let call = |id: &str| ToolCall {
        id: id.into(),
        name: "Read".into(),
        arguments: "{\"path\":\"a\"}".into(),
    };
    let mut asked = said(Role::Assistant, "");
    asked.calls = vec![call("1"), call("2")];
    let result = |id: &str, is_error: bool| Message {
        answers: Some(id.into()),
        is_error,
        ..said(Role::Tool, "result")
    };
    vec![
        said(Role::System, "s"),
        said(Role::User, "u"),
        said(Role::Assistant, " "),
        asked,
        result("1", false),
        result("2", true),
    ]
}

#[test]
fn results_of_one_answer_become_one_message() {
    let mut request = request("claude-x");
    request.messages = tools_called();
    let payload = payload(&request, &Thoughts::default());
    let messages = payload["chat"]["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 4, "{payload:#}");
    assert!(
        messages[3].to_string().contains("\"is_error\":true"),
        "{payload:#}"
    );
}

#[test]
fn invalid_arguments_are_not_sent_back() {
    for wrong in ["", "{", "[1]", "\"text\"", "null"] {
        let mut request = request("claude-x");
        request.messages = tools_called();
        request.messages[3].calls[0].arguments = wrong.into();
        let payload = payload(&request, &Thoughts::default());
        assert!(
            payload.to_string().contains(r#""fn_arguments":{}"#),
            "{wrong}: {payload:#}"
        );
    }
}

#[test]
fn effort_is_limited_to_what_the_model_supports() {
    let effort = |model: &str, effort: Option<&str>, budget: Option<u32>, messages: Vec<Message>| {
        let mut request = request(model);
        (request.effort, request.thinking_budget) = (effort.map(str::to_owned), budget);
        (request.messages, request.max_tokens) = (messages, Some(100));
        let options = payload(&request, &Thoughts::default())["options"].clone();
        (options["reasoning_effort"].clone(), options["max_tokens"].clone())
    };
    assert_eq!(
        effort("claude-x", Some("high"), None, Vec::new()),
        (json!("High"), json!(100))
    );
    assert_eq!(
        effort("claude-x", Some("very"), None, Vec::new()),
        (Value::Null, json!(100))
    );
    assert_eq!(
        effort("claude-x", Some("high"), Some(5000), Vec::new()),
        (json!({"Budget": 5000}), json!(5100))
    );
    assert_eq!(
        effort("claude-x", None, Some(0), Vec::new()),
        (json!("Zero"), json!(100))
    );
    assert_eq!(
        effort("claude-x", Some("high"), None, tools_called()),
        (Value::Null, json!(100)),
        "its thoughts are lost"
    );
    assert_eq!(
        effort("gateway:mistral-medium", None, None, Vec::new()),
        (json!({"Budget": 0}), json!(100)),
        "the name stays"
    );
    assert_eq!(
        effort("openai:gpt-9", Some("low"), None, tools_called()),
        (json!("Low"), json!(100))
    );
}

#[test]
fn an_invalid_schema_is_replaced() {
    let mut request = request("claude-x");
    request.tools = vec![ToolSpec {
        name: "Read".into(),
        description: "Reads".into(),
        schema: "{".into(),
    }];
    assert_eq!(
        payload(&request, &Thoughts::default())["chat"]["tools"][0]["schema"],
        json!({"type": "object"})
    );
}

fn used(input_tokens: u32, output_tokens: u32) -> ModelAnswer {
    ModelAnswer {
        text: String::new(),
        calls: Vec::new(),
        input_tokens,
        output_tokens,
        cost: None,
    }
}

#[test]
fn costs_are_in_millionths() {
    let price = Price {
        input: 3.0,
        output: 15.0,
        ..Price::default()
    };
    let cost = |price: &Price, input, output| price.of(Kind::OpenAi, &used(input, output), Cached::default());
    assert_eq!(cost(&price, 1_000_000, 0), 3_000_000);
    assert_eq!(cost(&price, 10, 2), 60);
    let input = f64::MAX;
    assert_eq!(cost(&Price { input, ..price }, u32::MAX, 0), u64::MAX);
}

#[test]
fn cached_tokens_have_prices_of_their_own() {
    let usual = Price {
        input: 10.0,
        ..Price::default()
    };
    let own = Price {
        cache_read: Some(2.0),
        cache_write: Some(5.0),
        ..usual.clone()
    };
    let cached = Cached {
        read: 1_000,
        written: 100,
    };
    for (price, kind, cost) in [
        (&usual, Kind::Anthropic, 10_000 + 1_000 + 1_250),
        (&usual, Kind::OpenAi, 10_000 + 10_000 + 1_250),
        (&own, Kind::Anthropic, 10_000 + 2_000 + 500),
        (&own, Kind::Gemini, 10_000 + 2_000 + 500),
    ] {
        assert_eq!(price.of(kind, &used(2_100, 0), cached), cost, "{kind:?}");
    }
    // A provider that reports more cached tokens than tokens.
    assert_eq!(usual.of(Kind::Anthropic, &used(10, 0), cached), 2_250);
}

/// The marks of a request: the number of tools, and of messages, that end at one.
fn marks(request: &ModelRequest, kind: Kind) -> (Vec<usize>, Vec<usize>) {
    let config = config(gateway(kind), ALL);
    let target = target::target(&config, request).ok().unwrap();
    let chat = request::chat(request, &target, &Thoughts::default());
    let tools = chat.tools.unwrap_or_default();
    let tools = (1..).zip(&tools).filter(|(_, tool)| tool.cache_control.is_some());
    let is_marked = |message: &genai::chat::ChatMessage| {
        let options = message.options.as_ref();
        options.is_some_and(|options| options.cache_control.is_some())
    };
    let messages = (1..)
        .zip(&chat.messages)
        .filter(|(_, message)| is_marked(message));
    (
        tools.map(|(at, _)| at).collect(),
        messages.map(|(at, _)| at).collect(),
    )
}

#[test]
fn what_the_next_request_repeats_is_cached() {
    let tool = |name: &str| ToolSpec {
        name: name.into(),
        description: "Does".into(),
        schema: "{}".into(),
    };
    let call = ToolCall {
        id: "1".into(),
        name: "Read".into(),
        arguments: "{}".into(),
    };
    let calls = || Message {
        calls: vec![call.clone()],
        ..said(Role::Assistant, "")
    };
    let result = || Message {
        answers: Some("1".into()),
        ..said(Role::Tool, "")
    };
    let mut asked = request("gateway:x");
    asked.tools = vec![tool("Read"), tool("Edit")];
    asked.messages = vec![said(Role::System, "s"), said(Role::User, "u")];
    assert_eq!(marks(&asked, Kind::Anthropic), (vec![2], vec![1, 2]));
    asked.messages.extend([calls(), result()]);
    assert_eq!(marks(&asked, Kind::Anthropic), (vec![2], vec![1, 2, 4]));
    // Parallel results are one message.
    asked
        .messages
        .extend([calls(), result(), result(), calls(), result()]);
    assert_eq!(marks(&asked, Kind::Anthropic), (vec![2], vec![1, 6, 8]));
    for kind in [Kind::OpenAi, Kind::OpenAiResponses, Kind::Gemini] {
        assert_eq!(marks(&asked, kind), (vec![], vec![]), "{kind:?}");
    }
    asked.messages[0].text = " ".into();
    assert_eq!(
        marks(&asked, Kind::Anthropic),
        (vec![2], vec![6, 8]),
        "empty text"
    );
    asked.tools.clear();
    assert_eq!(marks(&asked, Kind::Anthropic), (vec![], vec![]), "no tools");
}

#[test]
fn kinds_are_found_by_name() {
    for kind in Kind::ALL {
        assert_eq!(Kind::from_name(kind.name()), Some(kind));
    }
    assert_eq!(Kind::from_name("OpenAI"), None);
}
