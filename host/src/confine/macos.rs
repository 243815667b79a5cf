//! Confinement by `sandbox-exec`.

use std::io;
use std::path::Path;

use tokio::process::Command;

use super::Rights;
use super::seatbelt::profile;

const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// How this system confines.
#[derive(Debug, Default)]
pub(super) struct System;

impl System {
    pub(super) fn find(rights: &Rights) -> Result<Self, String> {
        if !Path::new(PROGRAM).exists() {
            return Err(format!("{PROGRAM} not found"));
        }
        let profile = profile(rights);
        let tried = std::process::Command::new(PROGRAM)
            .args(["-p", &profile, "/usr/bin/true"])
            .output();
        match tried {
            Ok(output) if output.status.success() => Ok(Self),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
            Err(error) => Err(format!("{PROGRAM}: {error}")),
        }
    }

    pub(super) fn gap(&self) -> Option<&'static str> {
        None
    }

    pub(super) fn command(&self, program: &str, args: &[String], rights: &Rights) -> io::Result<Command> {
        let mut command = Command::new(PROGRAM);
        command.args(["-p", &profile(rights), program]).args(args);
        Ok(command)
    }
}
