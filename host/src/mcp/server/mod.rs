//! A server that offers the active agents as tools.

mod error;
mod gone;
mod http;
mod office;
mod permitted;
mod progress;
mod results;
mod service;
mod shelf;
mod tools;

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use rmcp::ServiceExt as _;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::sync::Notify;

pub use self::error::ServeError;
pub use self::office::Office;

use self::http::Http;
use self::service::Service;
use crate::Callsheet;
use crate::mcp::paced::Paced;
use crate::watch::Watch;

/// The transport of clients.
#[derive(Clone, Debug)]
pub enum Way {
    /// One client, over standard input and output.
    Stdio,
    /// Any number, over streamable HTTP.
    Http {
        /// The address to listen on.
        address: SocketAddr,
        /// The token that they must send.
        token: String,
    },
}

/// Serves until the only client disconnects, or `stop` is notified. Reports the address.
///
/// `follower` follows the files of the agents. Must be called within [`block_on`](crate::drive::block_on).
pub async fn serve(
    office: Arc<Office>,
    follower: Callsheet,
    way: Way,
    say: &dyn Fn(&str),
    stop: Arc<Notify>,
) -> Result<(), ServeError> {
    follow(follower, Arc::clone(&office))?;
    tokio::select! {
        served = by(way, office, say) => served,
        () = stop.notified() => Ok(()),
    }
}

async fn by(way: Way, office: Arc<Office>, say: &dyn Fn(&str)) -> Result<(), ServeError> {
    match way {
        Way::Stdio => stdio(office).await,
        Way::Http { address, token } => {
            let http = Http::listen(office, address, token).await?;
            say(&format!("serving at {}; Ctrl-C ends it", http.url()));
            match http.serve().await {}
        }
    }
}

async fn stdio(office: Arc<Office>) -> Result<(), ServeError> {
    let (input, gone) = gone::watched(tokio::io::stdin());
    let client = AsyncRwTransport::new(input, tokio::io::stdout());
    let service = Service::new(office, gone).serve(Paced::new(client)).await;
    let service = service.map_err(|error| ServeError::Client(error.to_string()))?;
    let ended = service.waiting().await;
    ended
        .map(drop)
        .map_err(|error| ServeError::Client(error.to_string()))
}

/// Refreshes the agents whenever their files change, as long as the program runs.
fn follow(mut callsheet: Callsheet, office: Arc<Office>) -> Result<(), ServeError> {
    let dialect = office.catalog().dialect().to_owned();
    let mut watch = Watch::start(&mut callsheet, Some(vec![dialect]))?;
    let runtime = tokio::runtime::Handle::current();
    thread::spawn(move || {
        // If following fails, clients still see the last agents.
        while let Ok(Some(_)) = watch.wait(&mut callsheet) {
            if runtime.block_on(office.refresh()).is_err() {
                return;
            }
        }
    });
    Ok(())
}
