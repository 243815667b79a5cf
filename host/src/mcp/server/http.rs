//! Clients over streamable HTTP.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use http::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};

use super::gone::Gone;
use super::service::Service;
use super::{Office, ServeError};

/// The path of the server.
const PATH: &str = "/mcp";

/// The most sessions at once; ones that idle for five minutes are closed. Each takes about 50 KB.
const SESSIONS: usize = 100;

/// The header of every request in a session.
const SESSION: &str = "mcp-session-id";

type Clients = StreamableHttpService<Service, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// A listening server.
pub(super) struct Http {
    listener: TcpListener,
    gate: Arc<Gate>,
}

/// The access rules.
struct Gate {
    clients: Clients,
    sessions: Arc<LocalSessionManager>,
    token: String,
}

impl Http {
    /// Listens. Clients must send the token.
    pub(super) async fn listen(
        office: Arc<Office>,
        address: SocketAddr,
        token: String,
    ) -> Result<Self, ServeError> {
        let loopback = address.ip().is_loopback();
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| ServeError::Listen(address, error))?;
        // Browser pages are not clients: requests with an origin are refused.
        let config = StreamableHttpServerConfig::default().enforce_origin_validation();
        let config = if loopback {
            // A foreign host name indicates an attack on browsers.
            config.with_allowed_hosts(hosts(address.ip()))
        } else {
            config.disable_allowed_hosts()
        };
        let serve = move || Ok(Service::new(Arc::clone(&office), Gone::never()));
        let sessions = Arc::new(LocalSessionManager::default());
        let clients = Clients::new(serve, Arc::clone(&sessions), config);
        let gate = Arc::new(Gate {
            clients,
            sessions,
            token,
        });
        Ok(Self { listener, gate })
    }

    /// The server's URL.
    pub(super) fn url(&self) -> String {
        let address = self.listener.local_addr().map(|address| address.to_string());
        format!("http://{}{PATH}", address.unwrap_or_default())
    }

    /// Serves clients until it is dropped.
    pub(super) async fn serve(self) -> Infallible {
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => drop(tokio::spawn(serve(stream, Arc::clone(&self.gate)))),
                // Too many are open: some will close.
                Err(_) => tokio::time::sleep(std::time::Duration::from_millis(100)).await,
            }
        }
    }
}

impl Gate {
    async fn answer(&self, request: Request<Incoming>) -> Answer {
        if !self.knows(&request) {
            let mut answer = refusal(StatusCode::UNAUTHORIZED, "a bearer token is needed\n");
            let kind = http::HeaderValue::from_static("Bearer");
            answer.headers_mut().insert(WWW_AUTHENTICATE, kind);
            return answer;
        }
        if !request.headers().contains_key(SESSION) && self.sessions.sessions.read().await.len() >= SESSIONS {
            return refusal(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many sessions: end one first\n",
            );
        }
        match request.uri().path() {
            PATH => {
                let json = is_json(&request);
                let answer = self.clients.handle(request).await;
                match answer.status() {
                    // The library names the type of the body where its text is wrong.
                    StatusCode::UNSUPPORTED_MEDIA_TYPE if json => invalid(),
                    _ => answer,
                }
            }
            _ => refusal(StatusCode::NOT_FOUND, "not found: only /mcp exists\n"),
        }
    }

    fn knows(&self, request: &Request<Incoming>) -> bool {
        let said = request
            .headers()
            .get(AUTHORIZATION)
            .map(http::HeaderValue::as_bytes);
        let said = said
            .and_then(|said| said.strip_prefix(b"Bearer "))
            .unwrap_or_default();
        // Constant time: reveals nothing about the token except its length.
        let differs = said
            .iter()
            .zip(self.token.as_bytes())
            .fold(0, |differs, (a, b)| differs | (a ^ b));
        said.len() == self.token.len() && differs == 0
    }
}

fn refusal(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *answer.status_mut() = status;
    answer
}

fn is_json(request: &Request<Incoming>) -> bool {
    let kind = request.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
}

/// The answer to a body that is not a message of JSON-RPC.
fn invalid() -> Answer {
    const ERROR: &str = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the body is not a valid JSON-RPC message"}}"#;
    let mut answer = refusal(StatusCode::BAD_REQUEST, ERROR);
    let kind = http::HeaderValue::from_static("application/json");
    answer.headers_mut().insert(CONTENT_TYPE, kind);
    answer
}

fn hosts(ip: IpAddr) -> [String; 4] {
    [
        "localhost".into(),
        "127.0.0.1".into(),
        "::1".into(),
        ip.to_string(),
    ]
}

async fn serve(stream: TcpStream, gate: Arc<Gate>) {
    let answer = service_fn(|request| {
        let gate = Arc::clone(&gate);
        async move { Ok::<_, Infallible>(gate.answer(request).await) }
    });
    let mut connection = http1::Builder::new();
    // A disconnected client is no error.
    let _ = connection
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), answer)
        .await;
}
