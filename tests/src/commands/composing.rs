//! Compiles the sources of a folder, as `build` does before it writes.

use callsheet::documents::Transfer;
use callsheet::output::json_v1;
use callsheet::output::report::Checked;
use callsheet::projects::{Build, BuildState, Compiled, Composition, FieldSource, Request, ToolSet};
use callsheet::types::{Diagnostic, Place, Severity};
use clap::Args;
use serde_json::{Map, Value, json};

use super::{Ran, Room};
use crate::backend::Answer;

#[derive(Args, Debug)]
pub(super) struct Composing {
    folder: String,
    #[arg(long, default_value = "claude-code")]
    to: Vec<String>,
    /// `NAME=TOOL,TOOL`
    #[arg(long)]
    set: Vec<String>,
    #[arg(long)]
    allow_loss: bool,
    /// Show where the fields are stated instead of the files.
    #[arg(long)]
    origins: bool,
    /// Show what a check reports instead, of these paths or of all.
    #[arg(long)]
    check: bool,
    paths: Vec<String>,
}

pub(super) fn run(room: &mut Room, command: &Composing, dialect: Option<&String>) -> Answer<Ran> {
    let set = |text: &String| {
        let (name, tools) = text.split_once('=').unwrap_or((text, ""));
        let tools = tools.split(',').filter(|tool| !tool.is_empty());
        ToolSet {
            name: name.to_owned(),
            tools: tools.map(str::to_owned).collect(),
        }
    };
    let build = Build {
        project: None,
        directory: command.folder.clone(),
        dialect: dialect.cloned(),
        targets: command.to.clone(),
        sets: command.set.iter().map(set).collect(),
        allow_loss: command.allow_loss,
    };
    if command.check {
        let request = Request {
            dialect: None,
            targets: Vec::new(),
            paths: command.paths.clone(),
        };
        let report = room.runtime.check(&request, Some(&build))?;
        let checked = Checked::new(report);
        let exit = i32::from(checked.count(Severity::Error) > 0);
        return Ok(Ran::exit(exit, json_v1::check(&checked)));
    }
    Ok(match room.runtime.compose(&build)? {
        Ok(composition) => print(&composition, command.origins),
        Err(reason) => Ran::exit(2, format!("{reason}\n")),
    })
}

fn print(composition: &Composition, origins: bool) -> Ran {
    let sources = composition.sources.iter();
    let mut document = Map::new();
    let shown = if origins {
        let fields = |fields: &Vec<FieldSource>| -> Map<String, Value> {
            let field = |it: &FieldSource| (it.field.clone(), it.places.iter().map(place).collect());
            fields.iter().map(field).collect()
        };
        sources
            .map(|it| (it.path.clone(), json!(fields(&it.fields))))
            .collect()
    } else {
        sources.flat_map(|it| &it.outputs).map(compiled).collect()
    };
    document.insert("files".to_owned(), Value::Object(shown));
    if !composition.leftovers.is_empty() {
        let leftover = |it: &callsheet::projects::Leftover| {
            let state = if it.intact { "intact" } else { "edited" };
            (it.path.clone(), json!(format!("{state}, from {}", it.source)))
        };
        let leftovers: Map<String, Value> = composition.leftovers.iter().map(leftover).collect();
        document.insert("leftovers".to_owned(), Value::Object(leftovers));
    }
    if !composition.findings.is_empty() {
        let findings = composition.findings.iter().map(finding).collect();
        document.insert("findings".to_owned(), findings);
    }
    let text = serde_json::to_string_pretty(&document).expect("a value has string keys");
    Ran::exit(u8::from(!composition.findings.is_empty()).into(), text + "\n")
}

/// Its lines; of a file that is not new, its state.
fn compiled(it: &Compiled) -> (String, Value) {
    let state = match it.state {
        BuildState::Created => "created",
        BuildState::Unchanged => "unchanged",
        BuildState::Changed => "changed",
        BuildState::Edited => "edited",
        BuildState::Foreign => "foreign",
    };
    let losses = it.report.iter().filter(|it| it.fate == Transfer::Refused);
    let value = match &it.contents {
        None => losses.map(|it| json!(format!("refused {}", it.field))).collect(),
        Some(contents) if it.state == BuildState::Created => {
            let text = String::from_utf8_lossy(contents);
            text.split_inclusive('\n')
                .map(|line| json!(line.trim_end_matches('\n')))
                .collect()
        }
        Some(_) => json!(state),
    };
    (it.path.clone(), value)
}

fn finding(it: &Diagnostic) -> Value {
    let severity = match it.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let help = it.help.as_ref().map(|help| format!("; {help}"));
    let (place, help) = (place(&it.primary.place), help.unwrap_or_default());
    json!(format!("{place} {severity} {} {}{help}", it.rule, it.message))
}

fn place(place: &Place) -> String {
    format!("{}:{}:{}", place.path, place.start.line, place.start.column)
}
