//! Signing in to a server with OAuth: the user agrees on a page of the server, which leads back to a port of this machine.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::auth::{AuthError, AuthorizationManager, AuthorizationRequest, AuthorizationSession};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::config::{LookUp, Server, Transport};
use super::expand::expanded;
use super::sign_ins::SignIns;
use crate::error::cause;
use crate::tls;

/// The path to which the page of the server leads.
const PATH: &str = "/callback";

/// The name by which servers know this program.
const CLIENT: &str = "Callsheet";

/// How long the user may take.
const PATIENCE: Duration = Duration::from_secs(600);

/// How this program is known to a server.
#[derive(Clone, Debug, Default)]
pub struct Client {
    /// An ID that the server's owner gave; otherwise the program registers itself.
    pub id: Option<String>,
    /// The port to which the page leads back; otherwise any.
    pub port: Option<u16>,
}

impl SignIns {
    /// Signs in to a server: shows the address of a page, and waits for the user's return from it. `pasted` has the addresses that the user
    /// enters, if the browser is on another machine.
    ///
    /// Fails with the problem, for display.
    pub async fn sign_in(
        &self,
        server: &Server,
        variables: &LookUp,
        client: &Client,
        show: impl FnOnce(&str),
        mut pasted: mpsc::Receiver<String>,
    ) -> Result<(), String> {
        let url = url_of(server, variables)?;
        if !is_private(&url) {
            return Err("tokens would be sent unencrypted; use an `https` URL".into());
        }
        tls::prepare();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, client.port.unwrap_or_default())).await;
        let listener = listener.map_err(|error| format!("cannot listen for the answer: {error}"))?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        let back = format!("http://127.0.0.1:{port}");
        let session = self.begin(&url, client, &[&back, PATH].concat()).await;
        let session = session.map_err(|error| told(&error))?;
        let page = session.get_authorization_url();
        let state = parameter(page, "state").unwrap_or_default();
        show(page);
        let (sender, mut arrived) = mpsc::channel(1);
        let returned = timeout(PATIENCE, async {
            let heard = listen(&listener, &back, &state, &sender);
            tokio::select! {
                never = heard => match never {},
                address = arrived.recv() => address,
                Some(address) = pasted.recv() => Some(address),
            }
        });
        let address = returned.await.ok().flatten();
        let address = address
            .ok_or_else(|| format!("there was no answer within {} minutes", PATIENCE.as_secs() / 60))?;
        if parameter(&address, "state") != Some(state) {
            return Err("this address is not the one of the last page".into());
        }
        if let Some(reason) = parameter(&address, "error") {
            let more = parameter(&address, "error_description").map(|more| format!(" ({more})"));
            return Err(format!(
                "the server refused: {reason}{}",
                more.unwrap_or_default()
            ));
        }
        let done = session.handle_callback_url(&address).await;
        done.map(drop).map_err(|error| told(&error))
    }

    async fn begin(&self, url: &str, client: &Client, back: &str) -> Result<AuthorizationSession, AuthError> {
        let mut manager = AuthorizationManager::new(url).await?;
        let found = manager.resolve_metadata().await?;
        if !found.source.is_discovered() {
            return Err(AuthError::NoAuthorizationSupport);
        }
        manager.set_metadata(found.metadata);
        manager.set_credential_store(self.store(url));
        let mut request = AuthorizationRequest::new(back).with_client_name(CLIENT);
        if let Some(id) = &client.id {
            request = request.with_preregistered_client(id);
        }
        let session = AuthorizationSession::new(manager, request).await;
        session.map_err(|(_, error)| error)
    }
}

/// The URL of a server with expanded variables.
pub fn url_of(server: &Server, variables: &LookUp) -> Result<String, String> {
    let (server, _) =
        expanded(server.clone(), variables).map_err(|name| format!("the variable `{name}` is not set"))?;
    match server.transport {
        Transport::Http { url, .. } => Ok(url),
        Transport::Stdio { .. } => Err("it is a program on this machine, which needs no sign-in".into()),
    }
}

/// Whether others on the way cannot read what is sent.
fn is_private(url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(url) else {
        return false;
    };
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    url.scheme() == "https" || host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Passes on the addresses with this state; those without it are not about this sign-in.
async fn listen(
    listener: &TcpListener,
    back: &str,
    state: &str,
    sender: &mpsc::Sender<String>,
) -> Infallible {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let (back, state, sender) = (back.to_owned(), state.to_owned(), sender.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let address = [&back, &*request.uri().to_string()].concat();
            let is_meant =
                request.uri().path() == PATH && parameter(&address, "state").as_ref() == Some(&state);
            // Only the first one counts.
            let is_new = is_meant && sender.try_send(address).is_ok();
            async move { Ok::<_, Infallible>(answer(is_new)) }
        });
        let mut server = http1::Builder::new();
        server.timer(TokioTimer::new());
        tokio::spawn(server.serve_connection(TokioIo::new(stream), service));
    }
}

fn answer(is_meant: bool) -> Response<Full<Bytes>> {
    let (status, text) = if is_meant {
        (
            StatusCode::OK,
            "Return to the terminal: Callsheet has the answer.\n",
        )
    } else {
        (StatusCode::NOT_FOUND, "Not found.\n")
    };
    let mut answer = Response::new(Full::from(text));
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(CONTENT_TYPE, kind);
    answer
}

fn parameter(address: &str, name: &str) -> Option<String> {
    let address = reqwest::Url::parse(address).ok()?;
    let mut pairs = address.query_pairs();
    pairs
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

/// What is wrong, and what to do about it.
fn told(error: &AuthError) -> String {
    match error {
        AuthError::NoAuthorizationSupport => {
            "the server offers no sign-in with OAuth; it may want a token in `headers`".into()
        }
        AuthError::RegistrationFailed(reason) => format!(
            "programs cannot register themselves at the server: {reason}; if it has an ID for you, add `--client-id ID`"
        ),
        error => {
            let (text, cause) = (error.to_string(), cause(error));
            if text.contains(&cause) {
                text
            } else {
                [text, cause].join(": ")
            }
        }
    }
}
