//! `completions` and `man`: generated from the command line.

use callsheet::closest::closest;
use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_complete::env::Shells;
use clap_mangen::Man;

use super::context::Context;
use crate::cli::{COMPLETING, Cli};
use crate::exit::{Exit, Failure};

pub(super) fn completions(context: &mut Context, shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    let writer = shells.completer(&shell.to_string());
    let writer = writer.expect("both lists have the same shells");
    writer.write_registration(COMPLETING, "callsheet", "callsheet", "callsheet", &mut script)?;
    context.print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Clean)
}

/// `path` is the name of a command, and of one of its own.
pub(super) fn man(context: &mut Context, path: &[String]) -> Result<Exit, Failure> {
    let mut page = Cli::command();
    // Sets every command's full name and global options.
    page.build();
    let mut title = "callsheet".to_owned();
    for name in path {
        page = named(&page, name)?;
        title = format!("{title}-{name}");
    }
    let mut text = Vec::new();
    let version = format!("callsheet {}", env!("CARGO_PKG_VERSION"));
    Man::new(page.display_name(title))
        .source(version)
        .render(&mut text)?;
    context.print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Clean)
}

fn named(above: &clap::Command, name: &str) -> Result<clap::Command, Failure> {
    if let Some(command) = above.find_subcommand(name) {
        return Ok(command.clone());
    }
    let near = closest(name, above.get_subcommands().map(clap::Command::get_name));
    let guess = near
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    let all = above.get_bin_name().unwrap_or("callsheet");
    Err(Failure::trouble(format!("unknown command `{name}`{guess}"))
        .help(format!("run `{all} --help` for the list")))
}
