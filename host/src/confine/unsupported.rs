//! Systems without confinement.

use std::io;

use tokio::process::Command;

use super::Rights;

/// How this system confines: not at all.
#[derive(Debug, Default)]
pub(super) struct System;

impl System {
    pub(super) fn find(_rights: &Rights) -> Result<Self, String> {
        Err("only Linux and macOS can do that".into())
    }

    pub(super) fn gap(&self) -> Option<&'static str> {
        None
    }

    pub(super) fn command(&self, _program: &str, _args: &[String], _rights: &Rights) -> io::Result<Command> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
