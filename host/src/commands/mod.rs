//! The commands: each calls the library, and passes the result to the output.

mod acp;
mod build;
mod changed;
mod check;
mod configuration;
mod context;
mod convert;
mod copy;
mod dialects;
mod doctor;
mod edit;
mod editor;
mod explain;
mod export;
mod graph;
mod help;
mod hook;
mod init;
mod inventory;
mod kinds;
mod late;
mod list;
mod login;
mod lsp;
mod mcp;
mod named;
mod new;
mod readers;
mod remarks;
mod rename;
mod repos;
mod rm;
mod rules;
mod run;
mod search;
mod sessions;
mod show;
mod sources;
mod stats;
mod task;
mod test;
mod tools;
mod trust;
mod watch;
mod why;
mod work;
mod worker;
mod written;

use self::context::Context;
use crate::cli::{Action, Cli, Command, Output, Sessions};
use crate::exit::{Exit, Failure};

/// Runs the command.
pub(crate) fn run(cli: Cli) -> Result<Exit, Failure> {
    let owners: &[&str] = match cli.options.format {
        Output::Sarif | Output::Github | Output::Gitlab => &["check"],
        Output::Dot | Output::Mermaid => &["graph"],
        Output::CycloneDx => &["inventory"],
        Output::Junit | Output::Markdown => &["test"],
        Output::Html => &["test", "sessions export"],
        Output::Text | Output::Concise | Output::Json => &[],
    };
    let asked = match cli.command {
        Command::Check(_) => "check",
        Command::Graph(_) => "graph",
        Command::Inventory(_) => "inventory",
        Command::Test(_) => "test",
        Command::Sessions(Sessions {
            action: Some(Action::Export { .. }),
            ..
        }) => "sessions export",
        _ => "",
    };
    if !owners.is_empty() && !owners.contains(&asked) {
        let owners = owners.join("` and `");
        let failure = Failure::trouble(format!("this format is only available for `{owners}`"));
        return Err(failure.help("other commands print `--format text`, `concise` or `json`"));
    }
    let check = matches!(
        cli.command,
        Command::Check(_) | Command::Hook | Command::Watch { .. } | Command::Mcp(_)
    );
    let mut context = Context::new(cli.options, check)?;
    if cli.command.asks_about_files() {
        context.configure()?;
    }
    let exit = match cli.command {
        Command::Check(command) => check::run(&mut context, &command),
        Command::List { all, kind } => {
            context.kind = kind.into();
            list::run(&mut context, all)
        }
        Command::Show {
            name,
            prompt,
            readers,
        } => show::run(&mut context, &name, prompt, readers.as_deref()),
        Command::Why { name } => why::run(&mut context, &name),
        Command::Search { query, limit, kind } => {
            context.kind = kind.into();
            search::run(&mut context, &query, limit)
        }
        Command::Graph(command) => graph::run(&mut context, &command),
        Command::Inventory(command) => inventory::run(&mut context, &command),
        Command::Mcp(command) => mcp::run(&mut context, command),
        Command::Acp(command) => acp::run(&mut context, command),
        Command::Worker(command) => worker::run(&mut context, &command),
        Command::Watch { json } => watch::run(&mut context, json),
        Command::Convert(command) => convert::run(&mut context, &command),
        Command::Build(command) => build::run(&mut context, &command),
        Command::Export(command) => export::run(&mut context, &command),
        Command::Lsp { stdio: _ } => lsp::run(&context),
        Command::Hook => hook::run(&mut context),
        Command::Dialects { name } => dialects::run(&mut context, name.as_deref()),
        Command::Tools { name, confined } => tools::run(&mut context, &name, confined.into()),
        Command::Run(command) => run::run(&mut context, command),
        Command::Task(command) => task::run(&mut context, command),
        Command::Test(command) => test::run(&mut context, &command),
        Command::Sessions(command) => sessions::run(&mut context, command),
        Command::Stats { all, since } => stats::run(&mut context, all, since),
        Command::New(command) => new::run(&mut context, command),
        Command::Edit(command) => edit::run(&mut context, &command),
        Command::Rename(command) => rename::run(&mut context, &command),
        Command::Rm { name, yes } => rm::run(&mut context, &name, yes),
        Command::Copy { name, to } => copy::run(&mut context, &name, &to),
        Command::Login(command) => login::run(&mut context, command),
        Command::Logout { server } => login::forget(&mut context, &server),
        Command::Trust(command) => trust::run(&mut context, &command),
        Command::Init => init::run(&mut context),
        Command::Doctor => doctor::run(&mut context),
        Command::Rules => rules::run(&mut context),
        Command::Explain { rule } => explain::run(&mut context, &rule),
        Command::Completions { shell } => help::completions(&mut context, shell),
        Command::Man { command } => help::man(&mut context, &command),
    }?;
    context.finish()?;
    Ok(exit)
}
