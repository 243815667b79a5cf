//! `login` and `logout`: sign in to an MCP server, and forget its tokens.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, stdin};
use std::sync::Arc;
use std::thread;

use callsheet::drive;
use callsheet::mcp::{Client, LookUp, Server, SignIns, url_of};
use callsheet::output::text::clean;
use tokio::sync::mpsc;

use super::context::Context;
use super::work::{lend, servers};
use crate::cli::Login;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: Login) -> Result<Exit, Failure> {
    let server = named(context, &command.server)?;
    if server.transport.has_token() {
        let failure = Failure::trouble(format!("{} gives the server a token", clean(&server.source)));
        return Err(failure.help("remove its `Authorization` header to sign in instead"));
    }
    let client = Client {
        id: command.client_id,
        port: command.port,
    };
    let name = clean(&server.name);
    context.pause()?;
    let show = |page: &str| {
        context.remark(&format!(
            "to sign in to {name}, open this page in a browser:\n\n  {}\n",
            clean(page)
        ));
        if stdin().is_terminal() {
            context.remark("if the browser is on another machine, paste the address of the last page here");
        }
    };
    let signing = kept(context)?;
    let signed = drive::block_on(signing.sign_in(&server, &variables(), &client, show, pasted()))?;
    signed.map_err(|reason| Failure::trouble(format!("not signed in to {name}: {}", clean(&reason))))?;
    context.remark(&format!("signed in to {name}"));
    Ok(Exit::Clean)
}

pub(super) fn forget(context: &mut Context, name: &str) -> Result<Exit, Failure> {
    let server = named(context, name)?;
    let url =
        url_of(&server, &variables()).map_err(|reason| Failure::trouble(format!("{name}: {reason}")))?;
    let known = kept(context)?.forget(&url);
    let known = known.map_err(|error| Failure::trouble(format!("cannot forget the tokens: {error}")))?;
    let name = clean(name);
    if !known {
        return Err(Failure::nothing_found(format!("you are not signed in to {name}")));
    }
    context.remark(&format!(
        "signed out of {name}; the server may still accept its tokens until they expire"
    ));
    Ok(Exit::Clean)
}

fn kept(context: &Context) -> Result<SignIns, Failure> {
    let kept = SignIns::of_user(context.options.home.as_deref());
    kept.ok_or_else(|| Failure::trouble("no home directory is known, where tokens could be kept"))
}

fn variables() -> LookUp {
    Arc::new(|name| std::env::var(name).ok())
}

/// The server of this name in a trusted file.
fn named(context: &mut Context, name: &str) -> Result<Server, Failure> {
    let (project, trust) = (lend::project(context)?, lend::trust(context)?);
    let mut plan = servers::planned(context, &project, &trust);
    for dialect in context.dialects()? {
        let mut catalog = context.callsheet.open(&dialect)?;
        let agents = trust.agents(&mut context.callsheet, &mut catalog)?;
        servers::own(context, &agents, &dialect, &mut plan)?;
    }
    let mut known = BTreeMap::new();
    known.extend(
        plan.servers()
            .into_iter()
            .map(|server| (server.name.clone(), server)),
    );
    known.remove(name).ok_or_else(|| {
        let names: Vec<String> = known.into_keys().map(|name| clean(&name)).collect();
        let failure = Failure::nothing_found(format!("no trusted file has an MCP server `{}`", clean(name)));
        failure.help(if names.is_empty() {
            "`callsheet trust FILE` trusts a file, such as .mcp.json".to_owned()
        } else {
            format!("there are: {}", names.join(", "))
        })
    })
}

/// The lines that the user enters. A thread that still waits for one ends with the program.
fn pasted() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(1);
    if stdin().is_terminal() {
        thread::spawn(move || {
            for line in stdin().lines().map_while(Result::ok) {
                let address = line.trim();
                if !address.is_empty() && sender.blocking_send(address.to_owned()).is_err() {
                    break;
                }
            }
        });
    }
    receiver
}
