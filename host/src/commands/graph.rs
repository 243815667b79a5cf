//! `graph`: what the files of the project refer to.

use callsheet::output::{concise, drawing, json_v1, text};
use callsheet::projects::Part;

use super::context::Context;
use crate::cli::{self, Output};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &cli::Graph) -> Result<Exit, Failure> {
    let part = command.part();
    let shown = context.callsheet.part_of_graph(&command.scope(), part)?;
    if let (Some(name), Some(instead)) = (&command.focus, &shown.instead) {
        return Err(unknown(name, instead));
    }
    let nothing = match part {
        Part::Whole => "no agents, skills or commands",
        Part::Missing => "no reference is missing",
        Part::Orphans => "every file has a reference",
        Part::Cycles => "no cycles",
    };
    let text = match context.options.format {
        Output::Json => json_v1::graph(&shown),
        Output::Dot => drawing::dot(&shown),
        Output::Mermaid => drawing::mermaid(&shown),
        Output::Concise => concise::references(&shown),
        Output::Text => text::references(&context.look, &shown, nothing),
        _ => unreachable!("other commands are run with these"),
    };
    context.print(&text)?;
    let is_mermaid = context.options.format == Output::Mermaid;
    if let Some(note) = drawing::too_many(&shown).filter(|_| is_mermaid) {
        context.remark(&note);
    }
    Ok(Exit::Clean)
}

pub(super) fn unknown(name: &str, instead: &[String]) -> Failure {
    let failure = Failure::nothing_found(format!("nothing here is called `{}`", text::clean(name)));
    match instead.first() {
        Some(meant) => failure.help(format!("did you mean `{}`?", text::clean(meant))),
        None => failure.help("`callsheet graph` shows all names"),
    }
}
