//! A client of the engine.

use std::error::Error;
use std::fmt;
use std::iter::successors;
use std::time::Duration;

use reqwest::{Client, StatusCode, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::names::Names;
use crate::wire::{Open, Refused, Told};

/// No answer takes longer: a handler only computes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A durable engine, seen from its clients.
#[derive(Clone, Debug)]
pub struct Remote {
    client: Client,
    base: Url,
    names: Names,
}

/// Why the engine gave no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum RemoteError {
    /// It cannot be reached: nothing was sent.
    NotThere(String),
    /// It gave no answer, and may have received what was sent.
    Silent(String),
    /// It knows no workers of this label.
    NoWorkers,
    /// A worker refused it.
    Refused(Refused),
    /// Anything else.
    Other(String),
}

impl fmt::Display for RemoteError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotThere(reason) => write!(to, "cannot reach the engine: {reason}"),
            Self::Silent(reason) => write!(to, "the engine does not answer: {reason}"),
            Self::NoWorkers => to.write_str("no worker with this label is registered"),
            Self::Refused(refused) => to.write_str(&refused.message),
            Self::Other(reason) => write!(to, "the engine failed: {reason}"),
        }
    }
}

impl Error for RemoteError {}

impl Remote {
    /// A client of the engine with this address of its ingress, for workers of a label.
    ///
    /// Fails with the reason if the address cannot be used.
    pub fn new(address: &str, label: Option<&str>) -> Result<Self, String> {
        let base = Url::parse(address).map_err(|error| error.to_string())?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
            return Err("it is not an HTTP address".to_owned());
        }
        // Another one may be installed already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().timeout(PATIENCE).build();
        Ok(Self {
            client: client.map_err(|error| error.to_string())?,
            base,
            names: Names::of(label),
        })
    }

    /// Opens a session with this ID. If it is open already, nothing changes.
    pub async fn open(&self, session: &str, open: &Open) -> Result<(), RemoteError> {
        self.call::<Value>(session, "open", open).await.map(drop)
    }

    /// What happened in a session, from `from` on.
    pub async fn told(&self, session: &str, from: u32) -> Result<Told, RemoteError> {
        self.call(session, "told", &from).await
    }

    /// Sends the first agent another message after its answer.
    pub async fn send(&self, session: &str, message: &str) -> Result<(), RemoteError> {
        self.call::<Value>(session, "send", &message).await.map(drop)
    }

    /// Ends a session.
    pub async fn cancel(&self, session: &str) -> Result<(), RemoteError> {
        self.call::<Value>(session, "cancel", &()).await.map(drop)
    }

    async fn call<T: DeserializeOwned>(
        &self,
        session: &str,
        handler: &str,
        body: &(impl Serialize + ?Sized),
    ) -> Result<T, RemoteError> {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty()
                .extend([&*self.names.session, session, handler]);
        }
        let mut request = self.client.post(url);
        let body = serde_json::to_string(body).map_err(|error| RemoteError::Other(error.to_string()))?;
        // A handler without a parameter takes no body.
        if body != "null" {
            request = request
                .header(http::header::CONTENT_TYPE, "application/json")
                .body(body);
        }
        let failed_to_send = |error: reqwest::Error| {
            let causes = successors(Some(&error as &dyn Error), |error| (*error).source());
            let reason = causes.last().map(ToString::to_string).unwrap_or_default();
            if error.is_connect() {
                RemoteError::NotThere(reason)
            } else {
                RemoteError::Silent(reason)
            }
        };
        let response = request.send().await.map_err(failed_to_send)?;
        let status = response.status();
        let body = response.bytes().await.map_err(failed_to_send)?;
        if !status.is_success() {
            return Err(failed(status, &body));
        }
        let body: &[u8] = if body.is_empty() { b"null" } else { &body };
        serde_json::from_slice(body).map_err(|error| RemoteError::Other(error.to_string()))
    }
}

fn failed(status: StatusCode, body: &[u8]) -> RemoteError {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let message = body["message"].as_str().unwrap_or_default();
    match status {
        StatusCode::UNPROCESSABLE_ENTITY => match serde_json::from_str(message) {
            Ok(refused) => RemoteError::Refused(refused),
            Err(_) => RemoteError::Other(message.to_owned()),
        },
        StatusCode::NOT_FOUND => RemoteError::NoWorkers,
        status if status.is_server_error() => RemoteError::Silent(format!("{status} {message}")),
        status => RemoteError::Other(format!("{status} {message}")),
    }
}
