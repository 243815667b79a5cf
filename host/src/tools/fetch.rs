//! Fetches a page of the web. The addresses of a host are looked up once, judged, and the connection is made to these.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Client, Response, Url};

use super::arguments::Arguments;
use super::limits::{FETCH_SECONDS, HOPS, PAGE_BYTES};
use super::page;
use super::public::is_public;
use super::text::head;
use crate::error::cause;
use crate::tls;

const AGENT: &str = concat!("callsheet/", env!("CARGO_PKG_VERSION"));

/// Types that are text besides `text/…`.
const TEXTS: &[&str] = &["json", "xml", "javascript", "yaml", "x-ndjson", "toml"];

/// The address of a call, for a question.
pub(super) fn address(arguments: &Arguments) -> Result<Url, String> {
    let written = arguments.demand(&["url"])?;
    // Other spellings, such as `https:example.org`, are judged differently by different readers.
    let start = written
        .split_once("://")
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    if !matches!(start.as_deref(), Some("http" | "https")) {
        return Err(format!(
            "`{written}` is not an address that starts with https:// or http://"
        ));
    }
    let url = Url::parse(written).map_err(|error| format!("`{written}` is not an address: {error}"))?;
    if url.username().is_empty() && url.password().is_none() {
        Ok(url)
    } else {
        Err("an address with a user or a password is not fetched".into())
    }
}

/// The page at the address of a call, as text. Hosts in `private` may have private addresses.
///
/// Redirects within a host are followed; others are the answer, so that the new address is judged like any other.
pub(super) async fn fetch(arguments: &Arguments, private: &[String]) -> Result<String, String> {
    let mut url = address(arguments)?;
    for _ in 0..=HOPS {
        let response = get(&url, private).await?;
        if !response.status().is_redirection() {
            return answer(&url, response).await;
        }
        let next = next(&url, response.headers())?;
        let is_same =
            next.host() == url.host() && next.port_or_known_default() == url.port_or_known_default();
        let is_secured = next.host() == url.host() && (url.scheme(), next.scheme()) == ("http", "https");
        if !is_same && !is_secured {
            return Ok(format!(
                "`{url}` redirects to another host: fetch `{next}` to follow it"
            ));
        }
        url = next;
    }
    Err(format!("`{url}` redirects more than {HOPS} times"))
}

/// The new address of a redirect.
fn next(url: &Url, headers: &HeaderMap) -> Result<Url, String> {
    let location = headers.get(LOCATION).and_then(|value| value.to_str().ok());
    let next = location.and_then(|location| url.join(location).ok());
    let next = next.filter(|next| matches!(next.scheme(), "http" | "https"));
    next.ok_or_else(|| format!("`{url}` redirects to nothing that can be fetched"))
}

async fn get(url: &Url, private: &[String]) -> Result<Response, String> {
    let host = url.host_str().ok_or_else(|| format!("`{url}` has no host"))?;
    let addresses = addresses(url, host, private).await?;
    tls::prepare();
    // A proxy would look up the host again.
    let client = Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .resolve_to_addrs(host, &addresses)
        .timeout(Duration::from_secs(FETCH_SECONDS))
        .user_agent(AGENT)
        .build();
    let client = client.map_err(|error| format!("no connection can be made: {error}"))?;
    let request = client
        .get(url.clone())
        .header(ACCEPT, "text/html, text/*;q=0.9, */*;q=0.5");
    request.send().await.map_err(|error| failed(url, &error))
}

/// The addresses of a host. Fails if one of them is private.
async fn addresses(url: &Url, host: &str, private: &[String]) -> Result<Vec<SocketAddr>, String> {
    let port = url.port_or_known_default().unwrap_or(443);
    let literal = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse::<IpAddr>();
    let found: Vec<SocketAddr> = match literal {
        Ok(address) => [SocketAddr::new(address, port)].into(),
        Err(_) => {
            let found = tokio::net::lookup_host((host, port)).await;
            found
                .map_err(|error| format!("`{host}` has no address: {error}"))?
                .collect()
        }
    };
    let with_port = format!("{host}:{port}");
    if private.iter().any(|known| *known == host || *known == with_port) {
        return Ok(found);
    }
    if let Some(address) = found.iter().find(|address| !is_public(address.ip())) {
        return Err(format!(
            "`{host}` has the private address {}. The user can allow it with `private_hosts` under `[run]` in callsheet.toml",
            address.ip()
        ));
    }
    Ok(found)
}

/// The text of an answer.
async fn answer(url: &Url, response: Response) -> Result<String, String> {
    let status = response.status();
    let kind = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let kind = kind.unwrap_or("text/plain").split(';').next().unwrap_or_default();
    let kind = kind.trim().to_ascii_lowercase();
    let suffix = kind.rsplit(['/', '+']).next().unwrap_or_default();
    if !kind.starts_with("text/") && !TEXTS.contains(&suffix) {
        return Err(format!("`{url}` is not text, but {kind}"));
    }
    let (bytes, is_cut) = body(url, response).await?;
    let text = String::from_utf8_lossy(&bytes);
    let is_page = matches!(&*kind, "text/html" | "application/xhtml+xml");
    let text = if is_page {
        page::text(&text, url)
    } else {
        text.into_owned()
    };
    let mut text = head(text);
    if is_cut {
        text.push_str(&format!("\n[only the first {} MB were read]", PAGE_BYTES >> 20));
    }
    if status.is_success() {
        Ok(text)
    } else {
        Err(format!("`{url}` answers {status}:\n{text}"))
    }
}

/// The start of the body, and whether there is more.
async fn body(url: &Url, mut response: Response) -> Result<(Vec<u8>, bool), String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failed(url, &error))? {
        let room = PAGE_BYTES - bytes.len();
        bytes.extend_from_slice(&chunk[..room.min(chunk.len())]);
        if chunk.len() > room {
            return Ok((bytes, true));
        }
    }
    Ok((bytes, false))
}

fn failed(url: &Url, error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return format!("`{url}` did not answer within {FETCH_SECONDS} s");
    }
    format!("`{url}` cannot be fetched: {}", cause(error))
}
