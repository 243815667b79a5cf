//! `graph`: what the files of the project refer to.

use callsheet::closest::closest;
use callsheet::output::{concise, drawing, graph, json_v1, text};
use callsheet::projects::Graph;

use super::context::Context;
use crate::cli::{self, Output, Part};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &cli::Graph) -> Result<Exit, Failure> {
    let all = context.callsheet.graph()?;
    let shown = match &command.focus {
        None => all,
        Some(name) => graph::around(&all, name).ok_or_else(|| unknown(&all, name))?,
    };
    let (shown, nothing) = match command.part() {
        Part::Whole => (shown, "no agents, skills or commands"),
        Part::Missing => (graph::missing(&shown), "no reference is missing"),
        Part::Orphans => (graph::orphans(&shown), "every file has a reference"),
        Part::Cycles => (graph::cycles(&shown), "no cycles"),
    };
    let text = match context.options.format {
        Output::Json => json_v1::graph(&shown),
        Output::Dot => drawing::dot(&shown),
        Output::Mermaid => drawing::mermaid(&shown),
        Output::Concise => concise::references(&shown),
        Output::Text => text::references(&context.look, &shown, nothing),
        Output::Sarif | Output::Github | Output::Gitlab => unreachable!("only `check` is run with these"),
    };
    context.print(&text)?;
    let references = shown.edges.len();
    if context.options.format == Output::Mermaid && references > MERMAID_MOST {
        context.remark(&format!(
            "note: Mermaid draws at most {MERMAID_MOST} references unless `maxEdges` is set, and this has {references}: choose a name with \
             `--focus`, or use `--format dot`"
        ));
    }
    Ok(Exit::Clean)
}

/// The default of Mermaid's option `maxEdges`, which a diagram cannot set.
const MERMAID_MOST: usize = 500;

fn unknown(all: &Graph, name: &str) -> Failure {
    let failure = Failure::nothing_found(format!("nothing here is called `{}`", text::clean(name)));
    let names = all.nodes.iter().map(|node| &*node.name);
    // What a plugin has may be known by its own name.
    let mut own = all.nodes.iter().filter_map(|node| {
        let (_, last) = node.name.split_once(':')?;
        closest(name, [last].into_iter()).map(|_| &*node.name)
    });
    match closest(name, names).or_else(|| own.next()) {
        Some(meant) => failure.help(format!("did you mean `{}`?", text::clean(meant))),
        None => failure.help("`callsheet graph` shows all names"),
    }
}
