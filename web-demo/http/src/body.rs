//! The bodies of requests, read within limits, and of responses.

use callsheet_report::json;
use serde_json::Value;
use wasip2::http::types::IncomingRequest;
use wasip2::io::streams::{InputStream, StreamError};

use crate::limits::{DEPTH, DRAINED_BYTES};
use crate::problem::Problem;

/// Bytes per read.
const CHUNK: u64 = 64 << 10;

/// The body of a request as JSON.
pub(crate) fn read(request: &IncomingRequest, limit: usize) -> Result<Value, Problem> {
    let kind = header(request, "content-type");
    let plain = kind.split(';').next().unwrap_or_default().trim();
    if !plain.eq_ignore_ascii_case("application/json") {
        let found = if kind.is_empty() {
            "is missing".to_owned()
        } else {
            format!("is `{kind}`")
        };
        let detail = format!("Content-Type {found}; send JSON with `content-type: application/json`");
        return Err(Problem::new(415, "not-json", detail));
    }
    let bytes = bytes(request, limit)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| {
        let detail = "the body is not valid UTF-8; send files with other bytes as `{\"base64\": …}`";
        Problem::new(400, "not-utf-8", detail)
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let body = serde_json::from_str(text).map_err(|error| malformed(&error))?;
    if is_deeper(&body, DEPTH) {
        Err(too_deep())
    } else {
        Ok(body)
    }
}

/// Discards the unread body of a request. The server would otherwise close the connection, and a client that is still sending
/// would lose the response.
pub(crate) fn drain(request: &IncomingRequest) {
    // A consumed body has been read.
    let Ok(body) = request.consume() else { return };
    if let Ok(stream) = body.stream() {
        skip(&stream);
    }
}

fn skip(stream: &InputStream) {
    let mut left = DRAINED_BYTES;
    while left > 0
        && let Ok(skipped) = stream.blocking_skip(left)
    {
        left -= skipped;
    }
}

fn malformed(error: &serde_json::Error) -> Problem {
    let reason = error.to_string();
    if reason.starts_with("recursion limit") {
        return too_deep();
    }
    // JSON allows lone surrogates, but Rust strings do not.
    if reason.contains("hex escape") {
        return Problem::new(422, "unfit", "a string in the body contains a lone surrogate");
    }
    Problem::new(400, "malformed", format!("the body is not valid JSON: {reason}"))
}

fn too_deep() -> Problem {
    Problem::new(
        422,
        "too-deep",
        format!("the body has more than {DEPTH} levels of nesting"),
    )
}

fn is_deeper(value: &Value, most: usize) -> bool {
    let deeper = |inner: &Value| is_deeper(inner, most - 1);
    match value {
        Value::Object(map) => most == 0 || map.values().any(deeper),
        Value::Array(items) => most == 0 || items.iter().any(deeper),
        _ => false,
    }
}

/// Content-Length only avoids reading; the counted bytes decide.
fn bytes(request: &IncomingRequest, limit: usize) -> Result<Vec<u8>, Problem> {
    let too_large = || {
        let detail = format!("the body is larger than {limit} bytes; send fewer files per request");
        Problem::new(413, "body-too-large", detail)
    };
    let cut = || Problem::new(400, "malformed", "the body ends early");
    let stated = header(request, "content-length").parse::<usize>();
    if stated.is_ok_and(|length| length > limit) {
        return Err(too_large());
    }
    let body = request.consume().map_err(|()| cut())?;
    let stream = body.stream().map_err(|()| cut())?;
    let mut all = Vec::new();
    loop {
        match stream.blocking_read(CHUNK) {
            Ok(more) if all.len() + more.len() > limit => break,
            Ok(more) => all.extend(more),
            Err(StreamError::Closed) => return Ok(all),
            Err(StreamError::LastOperationFailed(_)) => return Err(cut()),
        }
    }
    skip(&stream);
    Err(too_large())
}

fn header(request: &IncomingRequest, name: &str) -> String {
    let values = request.headers().get(name);
    let value = values.into_iter().next().unwrap_or_default();
    String::from_utf8_lossy(&value).trim().to_owned()
}

/// A document on one line, with control characters escaped.
pub(crate) fn compact(document: &str) -> String {
    let value: Value = serde_json::from_str(document).expect("a document is JSON");
    json::line(&value)
}
