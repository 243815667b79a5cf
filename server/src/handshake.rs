//! The beginning: what the client can do, and what it is told of the server.

use std::path::PathBuf;

use gen_lsp_types::Uri;
use serde::Deserialize;
use serde_json::{Value, json};

use super::actions::FIX_ALL;
use super::annotations;
use super::client::Client;
use super::host::Host;

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

/// What follows from the client's `initialize`.
pub struct Handshake {
    /// The client.
    pub client: Client,
    /// The answer.
    pub result: Value,
    folders: Vec<Uri>,
    root: Option<Uri>,
}

impl Handshake {
    /// Reads the parameters.
    ///
    /// Fails with the reason if they are not those of the protocol.
    pub fn read(params: Value) -> Result<Self, String> {
        let params: Initialize = serde_json::from_value(params)
            .map_err(|error| format!("the client's `initialize` cannot be read: {error}"))?;
        let mut client = Client::of(&params.capabilities);
        let folders: Vec<Folder> = params.workspace_folders.into_iter().flatten().collect();
        client.names_folders = !folders.is_empty() || params.root_uri.is_some();
        let result = json!({
            "capabilities": capabilities(&client),
            "serverInfo": { "name": "callsheet", "version": env!("CARGO_PKG_VERSION") },
        });
        Ok(Self {
            client,
            folders: folders.into_iter().map(|folder| folder.uri).collect(),
            root: params.root_uri,
            result,
        })
    }

    /// The folders of the editor, else the host's own one.
    pub fn directories(&self, host: &dyn Host) -> Vec<PathBuf> {
        let paths = |addresses: &[Uri]| -> Vec<PathBuf> {
            addresses
                .iter()
                .filter_map(|address| host.path(address))
                .collect()
        };
        let of_root = || paths(self.root.as_slice());
        let found = [paths(&self.folders), of_root(), vec![host.fallback()]];
        found
            .into_iter()
            .find(|paths| !paths.is_empty())
            .unwrap_or_default()
    }
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
