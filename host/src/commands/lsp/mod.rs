//! `lsp`: a language server. It translates positions and questions; the answers are the component's.

mod actions;
mod annotations;
mod answers;
mod completion;
mod converting;
mod glance;
mod hover;
mod lenses;
mod lines;
mod marks;
mod places;
mod renames;
mod root;
mod server;
mod spot;
mod state;

use std::io::{IsTerminal as _, stdin};
use std::path::PathBuf;

use callsheet::output::text::clean;
use gen_lsp_types::Uri;
use lsp_server::{Connection, ProtocolError};
use serde::Deserialize;
use serde_json::{Value, json};

use self::actions::FIX_ALL;
use self::server::Server;
use self::state::Client;
use crate::cli::Options;
use crate::commands::context::Context;
use crate::exit::{Exit, Failure};

/// Files whose names may be those of definitions.
const RENAMED: &str = "**/*.{md,mdc,toml}";

/// What matters of `initialize`. The type of the protocol has every capability of every client, half a megabyte of code.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Initialize {
    /// Of clients without folders.
    root_uri: Option<Uri>,
    workspace_folders: Option<Vec<Folder>>,
    #[serde(default)]
    capabilities: Value,
}

#[derive(Deserialize)]
struct Folder {
    uri: Uri,
}

/// Serves one client on standard input and output.
pub(super) fn run(context: &Context) -> Result<Exit, Failure> {
    let options = &context.options;
    if stdin().is_terminal() {
        context.remark("note: waiting for an editor, which starts this command itself: see docs/editors.md; press Ctrl-C to stop");
    }
    let (connection, threads) = Connection::stdio();
    let (id, params) = connection.initialize_start().map_err(broken)?;
    let params: Initialize = match serde_json::from_value(params) {
        Ok(params) => params,
        Err(error) => {
            let failure = format!("the client's `initialize` cannot be read: {error}");
            let code = lsp_server::ErrorCode::InvalidParams as i32;
            let response = lsp_server::Response::new_err(id, code, failure.clone());
            // It fails for the same reason.
            let _ = connection.sender.send(response.into());
            return Err(Failure::trouble(clean(&failure)));
        }
    };
    let client = Client::of(&params.capabilities);
    let result = json!({
        "capabilities": capabilities(&client),
        "serverInfo": { "name": "callsheet", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, result).map_err(broken)?;
    let Connection { sender, receiver } = connection;
    let mut server = Server::new(options, client, sender, &directories(&params, options))?;
    let is_shut_down = server.serve(&receiver);
    // The threads end with the channels.
    drop((server, receiver));
    threads.join().map_err(|error| {
        let reason = clean(&error.to_string());
        Failure::trouble(format!("cannot read what the client sent: {reason}"))
    })?;
    // The protocol: without a request to shut down, the end is an error.
    Ok(if is_shut_down { Exit::Clean } else { Exit::Findings })
}

fn broken(error: ProtocolError) -> Failure {
    let reason = if error.channel_is_disconnected() {
        "the client ended the connection before `initialize`".to_owned()
    } else {
        clean(&error.to_string())
    };
    Failure::trouble(reason).help("an editor starts `callsheet lsp`: see docs/editors.md")
}

/// The folders of the editor, else the project of the command line.
fn directories(params: &Initialize, options: &Options) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten();
    let folders = folders.map(|folder| &folder.uri);
    let mut directories: Vec<PathBuf> = folders.filter_map(|uri| uri.to_file_path().ok()).collect();
    if let (true, Some(root)) = (directories.is_empty(), &params.root_uri) {
        directories.extend(root.to_file_path());
    }
    if directories.is_empty() {
        directories.push(options.project.clone());
    }
    directories
}

fn capabilities(client: &Client) -> Value {
    let mut capabilities = json!({
        "positionEncoding": client.encoding.name(),
        // Changes are sent, not whole texts.
        "textDocumentSync": { "openClose": true, "change": 2, "save": {} },
        "hoverProvider": true,
        // A value follows its key, its list and the tool before it.
        "completionProvider": { "triggerCharacters": [" ", ",", "[", "(", "\""] },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "documentLinkProvider": {},
        "codeLensProvider": {},
        "inlayHintProvider": true,
        "semanticTokensProvider": { "legend": annotations::legend(), "full": true },
        "codeActionProvider": { "codeActionKinds": ["quickfix", "refactor", FIX_ALL] },
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
    });
    capabilities["renameProvider"] = if client.prepares {
        json!({ "prepareProvider": true })
    } else {
        true.into()
    };
    if client.follows {
        capabilities["workspace"]["fileOperations"] = json!({ "willRename": { "filters": [
            { "scheme": "file", "pattern": { "glob": RENAMED, "matches": "file" } },
            // A skill is a folder.
            { "scheme": "file", "pattern": { "glob": "**/*", "matches": "folder" } },
        ] } });
    }
    if client.pulls {
        // A file may shadow another.
        capabilities["diagnosticProvider"] = json!({ "identifier": "callsheet", "interFileDependencies": true, "workspaceDiagnostics": false });
    }
    capabilities
}
