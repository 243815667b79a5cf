//! Clients over streamable HTTP.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::HeaderValue;
use http::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};

use super::gone::Gone;
use super::service::Service;
use super::{Office, ServeError};

/// The path of the server.
const PATH: &str = "/mcp";

/// The most sessions at once. Each takes about 50 KB.
const SESSIONS: usize = 100;

/// A session is closed when it had neither a request nor an open answer for so long.
const IDLE: Duration = Duration::from_secs(300);

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
    uses: Arc<Uses>,
    token: String,
}

/// When sessions were used.
#[derive(Default)]
struct Uses(Mutex<HashMap<String, Use>>);

struct Use {
    latest: Instant,
    /// The answers that are not finished.
    open: usize,
}

impl Uses {
    /// A request or an answer begins; it ends when the result is dropped.
    fn begin(self: &Arc<Self>, session: &str) -> InUse {
        self.change(session, |open| open + 1);
        InUse(Arc::clone(self), session.to_owned())
    }

    fn change(&self, session: &str, open: impl Fn(usize) -> usize) {
        let latest = Instant::now();
        let mut uses = self.lock();
        let it = uses.entry(session.to_owned()).or_insert(Use { latest, open: 0 });
        (it.latest, it.open) = (latest, open(it.open));
    }

    /// Knows these sessions, also those whose first answer was not waited for, and forgets others.
    fn keep(&self, sessions: &BTreeSet<&str>) {
        let latest = Instant::now();
        let mut uses = self.lock();
        uses.retain(|session, it| it.open > 0 || sessions.contains(&**session));
        for session in sessions {
            uses.entry((*session).to_owned())
                .or_insert(Use { latest, open: 0 });
        }
    }

    /// Forgets the sessions that idle, and returns their IDs.
    fn take_idle(&self) -> Vec<String> {
        let is_idle = |it: &Use| it.open == 0 && it.latest.elapsed() >= IDLE;
        self.lock()
            .extract_if(|_, it| is_idle(it))
            .map(|(session, _)| session)
            .collect()
    }

    /// A poisoned lock is safe: it is changed in single steps.
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Use>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct InUse(Arc<Uses>, String);

impl Drop for InUse {
    fn drop(&mut self) {
        self.0.change(&self.1, |open| open.saturating_sub(1));
    }
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
        let mut sessions = LocalSessionManager::default();
        // It would also close a session whose call takes long.
        sessions.session_config.keep_alive = None;
        let sessions = Arc::new(sessions);
        let clients = Clients::new(serve, Arc::clone(&sessions), config);
        let gate = Arc::new(Gate {
            clients,
            sessions,
            uses: Arc::default(),
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
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    }
}

impl Gate {
    async fn answer(&self, request: Request<Incoming>) -> Answer {
        if !self.knows(&request) {
            let mut answer = refusal(StatusCode::UNAUTHORIZED, "a bearer token is needed\n");
            let kind = HeaderValue::from_static("Bearer");
            answer.headers_mut().insert(WWW_AUTHENTICATE, kind);
            return answer;
        }
        let session = request.headers().get(SESSION).cloned();
        if session.is_none() {
            self.close_idle().await;
        }
        if session.is_none() && self.sessions.sessions.read().await.len() >= SESSIONS {
            return refusal(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many sessions: end one first\n",
            );
        }
        match request.uri().path() {
            PATH => {
                let json = is_json(&request);
                let _request = session.as_ref().map(|session| self.begin(session));
                let answer = self.clients.handle(request).await;
                let answer = self.used(session, answer);
                match answer.status() {
                    // The library names the type of the body where its text is wrong.
                    StatusCode::UNSUPPORTED_MEDIA_TYPE if json => invalid(),
                    _ => answer,
                }
            }
            _ => refusal(StatusCode::NOT_FOUND, "not found: only /mcp exists\n"),
        }
    }

    fn begin(&self, session: &HeaderValue) -> InUse {
        self.uses.begin(&String::from_utf8_lossy(session.as_bytes()))
    }

    /// The answer, until whose end its session is in use.
    fn used(&self, session: Option<HeaderValue>, answer: Answer) -> Answer {
        let session = session.or_else(|| answer.headers().get(SESSION).cloned());
        let Some(session) = session.filter(|_| answer.status().is_success()) else {
            return answer;
        };
        let used = self.begin(&session);
        answer.map(|body| {
            let kept = body.map_frame(move |frame| {
                let _ = &used;
                frame
            });
            kept.boxed()
        })
    }

    async fn close_idle(&self) {
        let known = self.sessions.sessions.read().await;
        self.uses.keep(&known.keys().map(|session| &**session).collect());
        drop(known);
        for session in self.uses.take_idle() {
            // One that has ended is closed already.
            let _ = self.sessions.close_session(&session.into()).await;
        }
    }

    fn knows(&self, request: &Request<Incoming>) -> bool {
        let said = request.headers().get(AUTHORIZATION).map(HeaderValue::as_bytes);
        let said = said
            .and_then(|said| said.split_at_checked("Bearer ".len()))
            // The name of a scheme has no case (RFC 9110).
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case(b"Bearer "))
            .map(|(_, token)| token)
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
    let kind = HeaderValue::from_static("application/json");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_with_an_open_answer_do_not_idle() {
        let uses = Arc::new(Uses::default());
        let open = uses.begin("working");
        drop(uses.begin("waiting"));
        drop(uses.begin("new"));
        // A machine that started just now has no earlier time.
        let Some(earlier) = Instant::now().checked_sub(IDLE) else {
            return;
        };
        for session in ["working", "waiting"] {
            uses.lock().get_mut(session).expect("it is known").latest = earlier;
        }
        assert_eq!(uses.take_idle(), ["waiting"]);
        drop(open);
        assert_eq!(uses.take_idle(), <[&str; 0]>::default());
    }
}
