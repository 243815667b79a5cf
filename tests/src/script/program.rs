//! Scripts run by the program, whose model is a recording of the script's own lines.
//!
//! A recording only answers the requests that it was made of, by agent, model, tools and messages. So the program asks these, or it fails;
//! other settings of a request, and which calls need a confirmation, are those of the native session.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use callsheet::model::Recorder;
use serde_json::Value;

use super::account::{Account, End, Used};
use super::{Script, Stage};
use crate::backend::Backend;
use crate::case::Case;

/// The result of a script run by the program.
pub fn by_program(case: &Case, program: &OsStr) -> Result<Account, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let tree = folder.path().canonicalize().map_err(|error| error.to_string())?;
    case.lay_out(&tree)
        .map_err(|error| format!("cannot lay out the case: {error}"))?;
    let mut stage = Stage::set(case, Backend::Native)?;
    let recording = tree.join("recording.jsonl");
    let told = stage.script.settings(&tree).surroundings;
    let recorder = Recorder::new(Arc::clone(&stage.models), &recording, told.as_ref());
    stage.models = Arc::new(recorder.map_err(|error| error.to_string())?);
    let mut account = stage.account();
    stage
        .script
        .configure(&tree.join("project"))
        .map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args(stage.script.words(&recording));
    let done = command.current_dir(&tree).env_clear().output();
    let done = done.map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&done.stdout);
    account.exit = done.status.code().unwrap_or(-1);
    account.refused.clear();
    account.invalid.clear();
    account.ignored.clear();
    account.shortened.clear();
    (account.end, account.used) = (End::Endless, Used::default());
    for line in printed.lines() {
        let event: Value = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        account.read(&event);
    }
    if account.end == End::Endless {
        return Err(String::from_utf8_lossy(&done.stderr).into_owned());
    }
    account.sort();
    Ok(account)
}

impl Script {
    fn words(&self, recording: &Path) -> Vec<String> {
        let model = format!("replay:{}", recording.display());
        let mut words = vec!["run", &self.agent, &self.task, "--json", "--model", &model];
        words.extend(["--as", &self.dialect, "--project", "project", "--home", "home"]);
        words.extend(self.attenuate.then_some("--attenuate"));
        words.extend(
            self.mode
                .iter()
                .flat_map(|mode| ["--permission-mode", mode.as_str()]),
        );
        words.extend(self.allow.iter().flat_map(|rule| ["--allow", rule.as_str()]));
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        for (bound, value) in &self.bounds {
            let millionths = *value as f64 / 1e6;
            let value = if bound == "cost" {
                millionths.to_string()
            } else {
                value.to_string()
            };
            words.extend([format!("--{bound}"), value]);
        }
        words
    }

    /// Words for models go into the configuration.
    fn configure(&self, project: &Path) -> std::io::Result<()> {
        if self.aliases.is_empty() {
            return Ok(());
        }
        let lines = self
            .aliases
            .iter()
            .map(|(word, model)| format!("{word} = {model:?}\n"));
        std::fs::write(
            project.join("callsheet.toml"),
            format!("[models]\n{}", lines.collect::<String>()),
        )
    }
}

impl Account {
    /// A line of the program's output.
    fn read(&mut self, event: &Value) {
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        let number = |key: &str| event[key].as_u64().unwrap_or_default();
        let path = event["agent"].as_array().into_iter().flatten();
        let who: Vec<&str> = path.filter_map(Value::as_str).collect();
        match &*text("event") {
            "refused" => self.refuse(&who.join("/"), &text("tool"), &text("reason")),
            "invalid" => self.reject(&who.join("/"), &text("tool"), &text("reason")),
            "ignored" => self.ignore(&who.join("/"), &text("what")),
            "compacted" => self.shorten(&who.join("/"), number("results")),
            "outcome" => {
                self.end = match &*text("outcome") {
                    "answer" => End::Answer(text("text")),
                    "bound" => End::Bound {
                        name: text("bound"),
                        partial: text("text"),
                    },
                    "failed" => End::Failed(text("reason")),
                    _ => End::Cancelled,
                };
                self.used = Used {
                    turns: number("turns"),
                    children: number("children"),
                    input_tokens: number("input_tokens"),
                    output_tokens: number("output_tokens"),
                    cost: number("cost"),
                };
            }
            _ => {}
        }
    }
}
