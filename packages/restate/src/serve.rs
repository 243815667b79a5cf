//! A worker: the HTTP endpoint that the engine calls.

use std::convert::Infallible;
use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use http::uri::PathAndQuery;
use http::{Request, Response, Uri};
use http_body_util::{BodyExt as _, Either, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::graceful::GracefulShutdown;
use restate_sdk::endpoint::{Endpoint, ResponseBody};
use serde_json::Value;
use tokio::net::TcpListener;

use crate::names::{Names, ending};
use crate::session::Session;
use crate::step::Taking;
use crate::worker::{Steps, Turns};

/// How long steps may go on after the worker is stopped. The engine then gives them to another one.
const LEAVING: Duration = Duration::from_secs(5);

/// How long no connection is accepted after a failure to accept one.
const PAUSE: Duration = Duration::from_millis(100);

/// What a worker serves.
pub struct Service {
    /// The label of the workers with the same tools and checkout. Each label has an address of its own.
    pub label: Option<String>,
    /// The public key of the engine, as it prints it. Requests of others are refused.
    pub identity: Option<String>,
    /// Changes sessions.
    pub turns: Arc<dyn Turns>,
    /// Takes steps.
    pub steps: Arc<dyn Steps>,
}

/// The identity is no public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadIdentity;

impl fmt::Display for BadIdentity {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("the identity is not a public key such as `publickeyv1_…`")
    }
}

impl std::error::Error for BadIdentity {}

/// Serves until `stop` ends. Steps that are not done then are taken by other workers.
///
/// Fails before it serves if the identity is not one.
pub async fn serve(listener: TcpListener, service: Service, stop: impl Future) -> Result<(), BadIdentity> {
    let Service {
        label,
        identity,
        turns,
        steps,
    } = service;
    let names = Names::of(label.as_deref());
    let mut endpoint = Endpoint::builder()
        .bind(Session {
            names: names.clone(),
            turns,
        })
        .bind(Taking { names, steps });
    if let Some(identity) = &identity {
        endpoint = endpoint.identity_key(identity).map_err(|_| BadIdentity)?;
    }
    let labeled = Labeled {
        endpoint: endpoint.build(),
        ending: ending(label.as_deref()).into(),
    };
    let connections = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else {
                    // Too many are open: some will close.
                    tokio::time::sleep(PAUSE).await;
                    continue;
                };
                let served = http2::Builder::new(TokioExecutor::new())
                    .serve_connection(TokioIo::new(stream), labeled.clone());
                // A connection that breaks is the engine's concern: it repeats what was not answered.
                tokio::spawn(connections.watch(served));
            }
            _ = &mut stop => break,
        }
    }
    let _ = tokio::time::timeout(LEAVING, connections.shutdown()).await;
    Ok(())
}

/// The SDK's names of services are constants: those of a label are changed on the way.
#[derive(Clone)]
struct Labeled {
    endpoint: Endpoint,
    ending: Arc<str>,
}

impl hyper::service::Service<Request<Incoming>> for Labeled {
    type Response = Response<Either<ResponseBody, Full<Bytes>>>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Self::Error>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let this = self.clone();
        Box::pin(async move {
            if let Some(uri) = invoked(request.uri(), &this.ending) {
                *request.uri_mut() = uri;
            }
            let discovers = request.uri().path() == "/discover" && !this.ending.is_empty();
            let response = this.endpoint.handle(request);
            if !discovers {
                return Ok(response.map(Either::Left));
            }
            let (head, body) = response.into_parts();
            let body = body.collect().await.map(http_body_util::Collected::to_bytes);
            let body = labeled(&body.unwrap_or_default(), &this.ending);
            Ok(Response::from_parts(head, Either::Right(Full::new(body))))
        })
    }
}

/// The path of a handler, without the label.
fn invoked(uri: &Uri, ending: &str) -> Option<Uri> {
    let rest = uri.path().strip_prefix("/invoke/")?;
    let (service, handler) = rest.split_once('/')?;
    let path = format!("/invoke/{}/{handler}", service.strip_suffix(ending)?);
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(path).ok()?);
    Uri::from_parts(parts).ok()
}

/// The services, with the label.
fn labeled(manifest: &Bytes, ending: &str) -> Bytes {
    let Ok(mut manifest) = serde_json::from_slice::<Value>(manifest) else {
        return manifest.clone();
    };
    let services = manifest.get_mut("services").and_then(Value::as_array_mut);
    for service in services.into_iter().flatten() {
        if let Some(Value::String(name)) = service.get_mut("name") {
            name.push_str(ending);
        }
    }
    Bytes::from(manifest.to_string())
}
