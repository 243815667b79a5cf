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

pub(super) fn man(context: &mut Context, name: Option<&str>) -> Result<Exit, Failure> {
    let mut program = Cli::command();
    // Sets every command's full name and global options.
    program.build();
    let page = match name {
        None => program,
        Some(name) => named(&program, name)?,
    };
    let mut text = Vec::new();
    let version = format!("callsheet {}", env!("CARGO_PKG_VERSION"));
    Man::new(page).source(version).render(&mut text)?;
    context.print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Clean)
}

fn named(program: &clap::Command, name: &str) -> Result<clap::Command, Failure> {
    if let Some(command) = program.find_subcommand(name) {
        let title = format!("callsheet-{name}");
        return Ok(command.clone().display_name(title));
    }
    let near = closest(name, program.get_subcommands().map(clap::Command::get_name));
    let guess = near
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    Err(Failure::trouble(format!("unknown command `{name}`{guess}"))
        .help("run `callsheet --help` for the list"))
}
