//! Starts `callsheet lsp` for Zed. The server has all answers; the extension finds the program.

use std::collections::BTreeMap;

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{Command, Extension, LanguageServerId, Result, Worktree, register_extension};

/// The program on `PATH`.
const PROGRAM: &str = "callsheet";

const MISSING: &str =
    "the program `callsheet` is not on PATH: install it, or set `lsp.callsheet.binary.path` in the settings";

struct Callsheet;

impl Extension for Callsheet {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(server.as_ref(), worktree)?.binary;
        let (path, arguments, own) = match binary {
            Some(binary) => (binary.path, binary.arguments, binary.env.unwrap_or_default()),
            None => Default::default(),
        };
        let command = path
            .or_else(|| worktree.which(PROGRAM))
            .ok_or_else(|| MISSING.to_owned())?;
        let mut env: BTreeMap<String, String> = worktree.shell_env().into_iter().collect();
        env.extend(own);
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_owned()]),
            env: env.into_iter().collect(),
        })
    }
}

register_extension!(Callsheet);
