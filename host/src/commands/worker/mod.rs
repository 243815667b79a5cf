//! `worker`: runs steps of sessions for a durable engine. It keeps no session.

mod desk;
mod steps;
mod turns;

use std::net::TcpListener;
use std::sync::Arc;

use callsheet::drive::{self, Interrupts};
use callsheet::processes::Ending;
use callsheet_restate::{Service, serve};
use tokio::sync::mpsc;

use self::desk::Desk;
use self::steps::Hands;
use self::turns::Turner;
use super::context::Context;
use crate::cli::Worker;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Worker) -> Result<Exit, Failure> {
    let address = command.listen;
    if !address.ip().is_loopback() && command.identity.is_none() {
        let failure = Failure::trouble("listening beyond loopback requires `--identity KEY`");
        return Err(failure.help(
            "KEY is the public key of the only engine that may call tools here; the engine prints it if it is started with a private key",
        ));
    }
    let ending = Ending::watch();
    let _guard = ending.guard();
    let interrupts = Interrupts::listen(ending.clone())?;
    let mut desk = Desk::new(context, command.confined.into())?;
    desk.context.pause()?;
    let (asks, mut asked) = mpsc::unbounded_channel();
    let service = Service {
        label: command.label.clone(),
        identity: command.identity.clone(),
        steps: Arc::new(Hands::new(
            asks.clone(),
            desk.project.clone(),
            desk.models.clone(),
        )),
        turns: Arc::new(Turner(asks)),
    };
    let failed = |error| Failure::trouble(format!("cannot listen on {address}: {error}"));
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let stop = interrupts.stop();
    // The component is not shared between threads: this one has it.
    let server = std::thread::spawn(move || {
        drive::block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            Ok(serve(listener, service, stop.notified()).await)
        })
    });
    desk.context.remark(&format!("listening on http://{address}"));
    while let Some(ask) = asked.blocking_recv() {
        desk.answer(ask);
    }
    ending.end_soon();
    let served: std::io::Result<_> = server
        .join()
        .unwrap_or_else(|_| Err(std::io::Error::other("the server failed")))
        .and_then(|served| served);
    served?.map_err(|error| Failure::trouble(error.to_string()))?;
    Ok(Exit::Clean)
}
