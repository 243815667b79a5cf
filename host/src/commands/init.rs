//! `init`: writes a configuration file for what is here.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use callsheet::config;
use callsheet::output::report::Written;
use callsheet::output::text::clean;
use callsheet::output::{json_v1, text};

use super::context::Context;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context) -> Result<Exit, Failure> {
    let file = Path::new(&context.root()?).join(config::FILE);
    let path = file.to_string_lossy().into_owned();
    let shown = clean(path.trim_start_matches("./"));
    let contents = contents(context)?;
    let created = OpenOptions::new().write(true).create_new(true).open(&file);
    let written = created.and_then(|mut file| file.write_all(contents.as_bytes()));
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Failure::trouble(format!("{shown} already exists")).help("edit it, or delete it first")
        }
        _ => Failure::trouble(format!("cannot write {shown}: {error}")),
    })?;
    let written = Written {
        command: "init",
        path: Some(shown),
        from: None,
        changed: true,
        also: Vec::new(),
        now: Vec::new(),
    };
    match context.format() {
        Format::Json => context.print(&json_v1::written(&written))?,
        Format::Text | Format::Concise => context.print(&text::done(&written))?,
    }
    context.remark("`callsheet check` uses it; docs/configuration.md lists all settings");
    Ok(Exit::Clean)
}

fn contents(context: &mut Context) -> Result<String, Failure> {
    let mut text = String::new();
    let dialects = context.callsheet.dialects_in_use()?;
    let quoted: Vec<String> = dialects.iter().map(|dialect| format!("{dialect:?}")).collect();
    if dialects.is_empty() {
        text.push_str("# No tool has agents here yet. To check files for some tools:\n")
    } else {
        let _ = writeln!(text, "# Tools with agents here: {}.", dialects.join(", "));
        text.push_str(
            "# Each file is checked for the tool that owns it. To check every file for all of them:\n",
        );
    }
    let example = ["\"claude-code\"".to_owned()];
    let targets = if quoted.is_empty() {
        &example[..]
    } else {
        &quoted[..]
    };
    let _ = writeln!(text, "# targets = [{}]", targets.join(", "));
    text.push_str(
        "\n# Files that `check` skips, besides those that git ignores.\nexclude = []\n\n\
         # Severities: error, warning, note or off. `callsheet rules` lists the rules.\n[rules]\n# unknown-key = \"off\"\n",
    );
    Ok(text)
}
