//! Runs git so that it runs no program that a repository names, and fetches nothing.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{environment, processes};

/// Settings that a repository cannot override: no hooks, no programs that watch files or verify signatures.
const SETTINGS: [&str; 6] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "log.showSignature=false",
    "submodule.recurse=false",
    "advice.graftFileDeprecated=false",
];

/// For commands that compare files: git would start itself in repositories within this one, and run the filters that they configure.
pub(crate) const NOT_WITHIN: &str = "--ignore-submodules=dirty";

/// The user's choice of configuration files, which also name the repositories that git trusts.
const CONFIGURATION: [&str; 4] = [
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
];

/// Git in a directory.
pub(crate) struct Git {
    directory: PathBuf,
    settings: Vec<String>,
}

impl Git {
    /// Without the filters that the repository itself configures: those of the user's own configuration run.
    pub(crate) fn within(directory: &Path) -> Result<Self, String> {
        let mut git = Self {
            directory: directory.to_owned(),
            settings: SETTINGS.map(str::to_owned).into(),
        };
        let listed = git.run(&["config", "--null", "--show-scope", "--list"])?;
        let mut fields = listed.split(|byte| *byte == 0);
        let mut settings = Vec::new();
        while let (Some(scope), Some(entry)) = (fields.next(), fields.next()) {
            if scope != b"local" && scope != b"worktree" {
                continue;
            }
            let entry = String::from_utf8_lossy(entry);
            let key = entry.split('\n').next().unwrap_or_default();
            settings.extend(disabled(key)?);
        }
        git.settings.extend(settings);
        Ok(git)
    }

    /// The output of a command that succeeds; otherwise the reason.
    pub(super) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Vec<u8>, String> {
        let mut command = Command::new("git");
        command
            .current_dir(&self.directory)
            .env_clear()
            .envs(environment::inherited(&CONFIGURATION.map(str::to_owned)))
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOW_PROTOCOL", "")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for setting in &self.settings {
            command.arg("-c").arg(setting);
        }
        command.args(arguments);
        let output = processes::output(&mut command).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if self.directory.is_dir() => "git is not installed".to_owned(),
            _ => format!("git cannot be run in {}: {error}", self.directory.display()),
        })?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let wrong = |line: &&str| line.starts_with("fatal: ") || line.starts_with("error: ");
        let line = text.lines().find(wrong).or(text.lines().next());
        let line = line.unwrap_or("it failed without a message");
        let line = line.trim_start_matches("fatal: ").trim_start_matches("error: ");
        Err(format!("git: {line}"))
    }

    /// The same as text without its final line end.
    pub(crate) fn text<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<String, String> {
        let output = String::from_utf8(self.run(arguments)?);
        let mut text = output.map_err(|_| "git: a name is not valid UTF-8".to_owned())?;
        if text.ends_with('\n') {
            text.pop();
        }
        Ok(text)
    }

    /// A list of names that end with a zero byte.
    pub(super) fn names<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Vec<String>, String> {
        let output = self.run(arguments)?;
        let names = output.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect())
    }
}

/// The settings that disable the filter or the hook of a key.
fn disabled(key: &str) -> Result<Vec<String>, String> {
    let Some((section, rest)) = key.split_once('.') else {
        return Ok(Vec::new());
    };
    let Some((name, _)) = rest
        .rsplit_once('.')
        .filter(|_| matches!(section, "filter" | "hook"))
    else {
        return Ok(Vec::new());
    };
    if name.contains(['=', '\n']) {
        return Err(format!(
            "the repository configures a {section} with an unusual name"
        ));
    }
    Ok(if section == "hook" {
        vec![format!("hook.{name}.enabled=false")]
    } else {
        let programs = ["clean", "smudge", "process"].map(|it| format!("filter.{name}.{it}="));
        programs
            .into_iter()
            .chain([format!("filter.{name}.required=false")])
            .collect()
    })
}
