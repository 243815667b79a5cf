//! Failures of a request, for display and for retries.

use std::time::{Duration, SystemTime};

use genai::Error;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use super::target::Target;
use super::used::Used;
use crate::conversation::CallError;
use crate::error::cause;
use crate::keys::SHORTEST;
use crate::model::provider::shown;

/// When another attempt may succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Retry {
    /// After a pause.
    Soon,
    /// Only in another request: this one has waited long enough.
    Later,
    /// With a shorter conversation.
    Shorter,
    Never,
}

/// One attempt that failed.
#[derive(Debug)]
pub(super) struct Failure {
    /// The provider's status, if it answered.
    status: Option<StatusCode>,
    /// The problem, without the provider's name.
    what: String,
    pub(super) retry: Retry,
    /// The pause that the provider asks for.
    pub(super) wait: Option<Duration>,
    /// What the attempt used nevertheless.
    pub(super) used: Used,
}

impl Failure {
    pub(super) fn broken_off() -> Self {
        Self::passing("broke off in the middle of its answer".into())
    }

    pub(super) fn too_slow(limit: Duration) -> Self {
        Self::late(format!("did not finish its answer within {} s", limit.as_secs()))
    }

    pub(super) fn lasting(what: String) -> Self {
        Self {
            status: None,
            what,
            retry: Retry::Never,
            wait: None,
            used: Used::default(),
        }
    }

    pub(super) fn after(self, used: Used) -> Self {
        Self { used, ..self }
    }

    pub(super) fn passing(what: String) -> Self {
        Self {
            retry: Retry::Soon,
            ..Self::lasting(what)
        }
    }

    fn late(what: String) -> Self {
        Self {
            retry: Retry::Later,
            ..Self::lasting(what)
        }
    }

    /// A failure of the client library. `idle` is the time limit without data.
    pub(super) fn of(error: &Error, idle: Duration) -> Self {
        if let Some(inner) = streamed(error) {
            return Self::of(inner, idle);
        }
        match error {
            Error::HttpError {
                status,
                body,
                headers,
                ..
            } => Self::answered(*status, body, headers),
            // The provider's own error that it cannot continue.
            Error::ChatResponse { body, .. } => {
                let text = body.to_string();
                let passing = ["overloaded", "rate_limit", "api_error", "server_error", "timeout"];
                let what = format!("broke off with an error: {}", said(&text));
                if passing.iter().any(|word| text.contains(word)) {
                    Self::passing(what)
                } else {
                    Self::lasting(what)
                }
            }
            Error::WebStream { error, .. } => Self::of_connection(error.as_ref(), idle),
            Error::WebModelCall { webc_error, .. } => Self::of_connection(webc_error, idle),
            Error::StreamParse { serde_error, .. } => {
                Self::lasting(format!("answered invalid JSON: {serde_error}"))
            }
            other => Self::lasting(format!("cannot be asked this: {}", short(&other.to_string()))),
        }
    }

    fn answered(status: StatusCode, body: &str, headers: &HeaderMap) -> Self {
        let passes = status.is_server_error() || [408, 409, 425, 429].contains(&status.as_u16());
        let text = said(body);
        let text = if text.is_empty() {
            String::new()
        } else {
            format!(": {text}")
        };
        Self {
            status: Some(status),
            what: format!("answers {status}{text}"),
            retry: if is_too_long(status, body) {
                Retry::Shorter
            } else if passes && !body.contains("insufficient_quota") {
                Retry::Soon
            } else {
                Retry::Never
            },
            wait: wait(headers, SystemTime::now()),
            used: Used::default(),
        }
    }

    fn of_connection(error: &(dyn std::error::Error + 'static), idle: Duration) -> Self {
        use genai::webc::StreamTimeout;
        if error.downcast_ref::<StreamTimeout>().is_some() {
            return Self::late(format!("sent nothing for {} s", idle.as_secs_f32()));
        }
        let cause = cause(error);
        match error.downcast_ref::<reqwest::Error>() {
            Some(error) if error.is_connect() => {
                Self::passing(format!("cannot be reached: {}", short(&cause)))
            }
            Some(error) if error.is_body() || error.is_decode() => Self::broken_off(),
            _ => Self::passing(format!("does not answer: {}", short(&cause))),
        }
    }

    /// For display: provider, problem, advice. `attempts` were made.
    pub(super) fn tell(&self, target: &Target, attempts: u32) -> CallError {
        let words = self.words(target);
        let tried = if attempts > 1 {
            format!(" (tried {attempts} times)")
        } else {
            String::new()
        };
        let advice = match self.advice(target) {
            Some(advice) => format!("; {advice}"),
            None => String::new(),
        };
        let text = format!("{words}{tried}{advice}");
        match self.retry {
            Retry::Soon | Retry::Later => CallError::Unavailable(text),
            Retry::Shorter => CallError::TooLong(text),
            Retry::Never => CallError::Other(text),
        }
    }

    /// For display: provider, problem, time of the next attempt.
    pub(super) fn tell_pause(&self, target: &Target, pause: Duration) -> String {
        let seconds = pause.as_secs_f32();
        format!("{}; retrying in {seconds:.1} s", self.words(target))
    }

    fn words(&self, target: &Target) -> String {
        let (name, base_url) = (&target.name, shown(&target.base_url));
        let what = hide(&self.what, target.key.as_deref());
        format!("{name} at {base_url} {what}")
    }

    fn advice(&self, target: &Target) -> Option<String> {
        let key = target.key_variable.as_deref();
        match (self.status?.as_u16(), key) {
            (401 | 403, Some(variable)) => Some(format!("check the key in {variable}")),
            (401 | 403, None) => {
                Some("name the variable of its key: `key_variable` in callsheet.toml".into())
            }
            (404, _) => Some("check the model's name".into()),
            (300..=399, _) => Some("set `base_url` to the address it redirects to".into()),
            _ => None,
        }
    }
}

/// Whether a provider refuses a request for its length, in the words of Anthropic, OpenAI and its imitators, Gemini, and llama.cpp.
fn is_too_long(status: StatusCode, body: &str) -> bool {
    const WORDS: [&str; 7] = [
        "prompt is too long",
        "exceed context limit",
        "context_length_exceeded",
        "maximum context length",
        "exceeds the maximum number of tokens",
        "exceed_context_size",
        "exceeds the context window",
    ];
    let says_so = || WORDS.iter().any(|words| body.contains(words));
    status == StatusCode::PAYLOAD_TOO_LARGE || status == StatusCode::BAD_REQUEST && says_so()
}

/// The error within a stream's error.
fn streamed(error: &Error) -> Option<&Error> {
    match error {
        Error::WebStream { error, .. } => error.downcast_ref::<Error>(),
        _ => None,
    }
}

/// The pause that a provider asks for: in milliseconds, in seconds, or until a time.
fn wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim());
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    let seconds = number("retry-after-ms")
        .map(|wait| wait / 1000.0)
        .or_else(|| number(RETRY_AFTER.as_str()));
    if let Some(seconds) = seconds {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let moment = httpdate::parse_http_date(text(RETRY_AFTER.as_str())?).ok()?;
    // A past time means now.
    Some(moment.duration_since(now).unwrap_or_default())
}

/// A server's message, extracted from JSON.
fn said(body: &str) -> String {
    let json: Option<serde_json::Value> = serde_json::from_str(body).ok();
    let places = [
        "/error/message",
        "/0/error/message",
        "/message",
        "/error",
        "/detail",
    ];
    let text = json
        .as_ref()
        .and_then(|json| places.iter().find_map(|place| json.pointer(place)?.as_str()));
    short(text.unwrap_or(body))
}

/// On one line, without control characters.
fn short(text: &str) -> String {
    const LONGEST: usize = 300;
    let words: Vec<&str> = text
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let text = words.join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Without the key or parts of it: servers repeat part of a key that they refuse.
fn hide(text: &str, key: Option<&str>) -> String {
    const TELLING: usize = 6;
    let Some(key) = key.filter(|key| key.len() >= SHORTEST) else {
        return text.to_owned();
    };
    let text = text.replace(key, "***");
    let Some(start) = key.get(..TELLING) else {
        return text;
    };
    let hidden = |word: &str| match word.find(start) {
        Some(at) => format!("{}***", &word[..at]),
        None => word.to_owned(),
    };
    text.split(' ').map(hidden).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;

    fn target(key: Option<&str>) -> Target {
        Target {
            name: "p:m".into(),
            model: "m".into(),
            kind: Kind::OpenAi,
            base_url: "http://h/v1/".into(),
            key_variable: key.map(|_| "P_KEY".into()),
            key: key.map(str::to_owned),
        }
    }

    fn told(status: u16, body: &str, key: Option<&str>) -> String {
        let status = StatusCode::from_u16(status).unwrap();
        match Failure::answered(status, body, &HeaderMap::new()).tell(&target(key), 1) {
            CallError::Unavailable(text) => format!("unavailable: {text}"),
            CallError::TooLong(text) => format!("too long: {text}"),
            CallError::Other(text) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn failures_name_the_provider_the_cause_and_the_remedy() {
        let key = Some("sk-secret-1234");
        for (status, body, key, expected) in [
            (
                401,
                r#"{"error":{"message":"bad key"}}"#,
                key,
                "p:m at http://h/v1/ answers 401 Unauthorized: bad key; check the key in P_KEY",
            ),
            (
                403,
                "",
                None,
                "p:m at http://h/v1/ answers 403 Forbidden; name the variable of its key: `key_variable` in callsheet.toml",
            ),
            (
                404,
                r#"{"error":"no such model"}"#,
                key,
                "p:m at http://h/v1/ answers 404 Not Found: no such model; check the model's name",
            ),
            (
                307,
                "",
                key,
                "p:m at http://h/v1/ answers 307 Temporary Redirect; set `base_url` to the address it redirects to",
            ),
            (
                400,
                "<html>\n\tno\u{1b}[31m",
                key,
                "p:m at http://h/v1/ answers 400 Bad Request: <html> no [31m",
            ),
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                key,
                "unavailable: p:m at http://h/v1/ answers 529 <unknown status code>: Overloaded",
            ),
        ] {
            assert_eq!(told(status, body, key), expected);
        }
    }

    #[test]
    fn keys_are_masked_in_failures() {
        let key = Some("sk-secret-1234");
        for body in [
            "key sk-secret-1234 is wrong",
            "key sk-secr***1234 is wrong",
            "key \"sk-secret-1234\" is wrong",
        ] {
            let told = told(401, body, key);
            assert!(!told.contains("sk-sec") && told.contains("***"), "{told}");
        }
        assert!(told(401, "short key", Some("ab")).contains("short key"));
    }

    #[test]
    fn secrets_in_addresses_are_not_shown() {
        for (address, expected) in [
            ("https://me:secret@h:1/v1/", "https://h:1/v1/"),
            ("https://h/v1?key=secret", "https://h/v1"),
            ("https://h", "https://h"),
            ("https://h/a@b/", "https://h/a@b/"),
        ] {
            assert_eq!(shown(address), expected);
        }
    }

    #[test]
    fn long_answers_are_truncated() {
        let told = told(400, &"é".repeat(10_000), None);
        assert!(told.chars().count() < 400 && told.ends_with('…'), "{told}");
    }

    #[test]
    fn requests_that_are_too_long_are_recognized() {
        for (status, body, is_too_long) in [
            (
                400,
                r#"{"error":{"message":"prompt is too long: 212000 tokens > 200000 maximum"}}"#,
                true,
            ),
            (
                400,
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}"#,
                true,
            ),
            (
                400,
                r#"{"error":{"message":"The input token count (1050000) exceeds the maximum number of tokens allowed (1048576)."}}"#,
                true,
            ),
            (
                400,
                r#"{"error":{"type":"exceed_context_size_error","message":"too large"}}"#,
                true,
            ),
            (413, "", true),
            (400, r#"{"error":{"message":"max_tokens is too large"}}"#, false),
            (500, "prompt is too long", false),
        ] {
            let found = told(status, body, None).starts_with("too long: ");
            assert_eq!(found, is_too_long, "{status} {body}");
        }
    }

    #[test]
    fn temporary_failures_are_recognized() {
        for (status, retry) in [
            (400, Retry::Never),
            (401, Retry::Never),
            (408, Retry::Soon),
            (429, Retry::Soon),
            (500, Retry::Soon),
            (501, Retry::Soon),
            (529, Retry::Soon),
            (422, Retry::Never),
        ] {
            let failure = Failure::answered(StatusCode::from_u16(status).unwrap(), "", &HeaderMap::new());
            assert_eq!(failure.retry, retry, "{status}");
        }
        let poor = Failure::answered(
            StatusCode::TOO_MANY_REQUESTS,
            r#"{"error":{"code":"insufficient_quota"}}"#,
            &HeaderMap::new(),
        );
        assert_eq!(poor.retry, Retry::Never);
    }

    #[test]
    fn retry_headers_are_read() {
        for (name, value, expected) in [
            ("retry-after", "7", Some(Duration::from_secs(7))),
            ("retry-after-ms", "1500", Some(Duration::from_millis(1500))),
            (
                "retry-after",
                "Wed, 21 Oct 2026 07:28:09 GMT",
                Some(Duration::from_secs(9)),
            ),
            (
                "retry-after",
                "Wednesday, 21-Oct-26 07:28:09 GMT",
                Some(Duration::from_secs(9)),
            ),
            (
                "retry-after",
                "Wed, 21 Oct 2026 07:27:00 GMT",
                Some(Duration::ZERO),
            ),
            ("retry-after", "Wed, 99 Oct 2026 07:28:00 GMT", None),
            ("retry-after", "soon", None),
            ("retry-after-ms", "Wed, 21 Oct 2026 07:28:09 GMT", None),
            ("retry-after", "-1", None),
            ("retry-after", "1e300", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            let now = httpdate::parse_http_date("Wed, 21 Oct 2026 07:28:00 GMT").unwrap();
            assert_eq!(wait(&headers, now), expected, "{name}: {value}");
        }
    }
}
