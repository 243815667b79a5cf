//! Parsers of option values.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// `KEY=VALUE`
pub(super) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
        _ => Err("use the form KEY=VALUE".to_owned()),
    }
}

/// `NAME=DIR`
pub(super) fn plugin(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, directory)) if !name.is_empty() && !directory.is_empty() => {
            Ok((name.to_owned(), directory.into()))
        }
        _ => Err("use the form NAME=DIR".to_owned()),
    }
}

/// A model of a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub enum Model {
    /// That of the first agent, and of others without one.
    Named(String),
    /// An alias, and its model as `provider:name`.
    Alias(String, String),
}

/// `provider:name`, or `alias=provider:name`.
pub(super) fn model(text: &str) -> Result<Model, String> {
    // The name of a model may contain `=`, as may a file.
    let Some((word, named)) = text
        .split_once('=')
        .filter(|(word, _)| !word.contains([':', '/']))
    else {
        return Ok(Model::Named(text.to_owned()));
    };
    let is_whole = named
        .split_once(':')
        .is_some_and(|(provider, name)| !provider.is_empty() && !name.is_empty());
    if word.is_empty() || !is_whole {
        return Err("use PROVIDER:NAME or ALIAS=PROVIDER:NAME".to_owned());
    }
    Ok(Model::Alias(word.to_owned(), named.to_owned()))
}

/// `restate:URL`
pub(super) fn engine(text: &str) -> Result<String, String> {
    match text.strip_prefix("restate:") {
        Some(address) if address.starts_with("http") => Ok(address.to_owned()),
        _ => Err("use the form restate:URL, such as restate:http://127.0.0.1:8080".to_owned()),
    }
}

/// An address of HTTP, or `host:port`.
pub(super) fn address(text: &str) -> Result<String, String> {
    let rest = text.split_once("://");
    let host = match rest {
        Some(("http" | "https", rest)) => rest.split(['/', '?', '#']).next().unwrap_or_default(),
        Some(_) => "",
        None => text
            .rsplit_once(':')
            .map_or("", |(host, port)| match port.parse::<u16>() {
                Ok(_) if !host.contains('/') => host,
                _ => "",
            }),
    };
    if host.is_empty() || host.contains('@') || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err("use the form https://HOST/PATH, or HOST:PORT for gRPC".to_owned());
    }
    Ok(text.to_owned())
}

/// Text that is not empty.
pub(super) fn word(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    Ok(text.to_owned())
}

/// `NAME=URL`
pub(super) fn provider(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, url)) if !name.trim().is_empty() && url.contains("://") => {
            Ok((name.trim().to_owned(), address(url)?))
        }
        _ => Err("use the form NAME=URL".to_owned()),
    }
}

/// A name in the names of services.
pub(super) fn label(text: &str) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if !text.is_empty() && text.bytes().all(fits) {
        Ok(text.to_owned())
    } else {
        Err("use letters, digits, `-` and `_`".to_owned())
    }
}

/// An amount such as `0.5` in millionths.
pub(super) fn millionths(text: &str) -> Result<u64, String> {
    let amount: f64 = text.parse().map_err(|_| "use a number, such as 0.5")?;
    if amount.is_finite() && amount >= 0.0 {
        Ok((amount * 1e6).round() as u64)
    } else {
        Err("not an amount".to_owned())
    }
}

/// An age such as `12h`, `30d` or `2w`.
pub(super) fn age(text: &str) -> Result<Duration, String> {
    const FORM: &str = "use a form like 12h, 30d or 2w";
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "h" => 3_600,
        "d" => 86_400,
        "w" => 604_800,
        _ => return Err(FORM.to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| FORM)?;
    let seconds = number.checked_mul(seconds);
    seconds.map(Duration::from_secs).ok_or_else(|| FORM.to_owned())
}

/// A time such as `90s`, `10m` or `2h`.
pub(super) fn nanoseconds(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return Err("use a form like 90s, 10m or 2h".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "use a form like 90s, 10m or 2h")?;
    number
        .checked_mul(seconds * 1_000_000_000)
        .ok_or_else(|| "the time is too long".to_owned())
}
