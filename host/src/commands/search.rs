//! `search`: finds agents by a query.

use callsheet::output::report::Hits;
use callsheet::output::{concise, json_v1, text};

use super::context::Context;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, query: &str, limit: u32) -> Result<Exit, Failure> {
    let mut hits = Vec::new();
    for dialect in context.dialects()? {
        let entries = context.open(&dialect)?.search(query, limit)?;
        hits.push(Hits { dialect, entries });
    }
    let found = hits.iter().any(|hits| !hits.entries.is_empty());
    match context.format() {
        Format::Json => context.print(&json_v1::search(query, &hits))?,
        _ if !found => {
            let failure = Failure::nothing_found(format!(
                "no active {} matches `{}`",
                text::noun(context.kind),
                text::clean(query)
            ));
            return Err(failure.help("`callsheet list` shows all that are active"));
        }
        Format::Concise => {
            for entry in hits.iter().flat_map(|hits| &hits.entries) {
                context.print(&concise::entry(entry, &entry.description))?;
            }
        }
        Format::Text => {
            let some = hits.iter().filter(|hits| !hits.entries.is_empty());
            let sections: Vec<String> = some.map(|hits| text::search(&context.look, hits)).collect();
            context.print(&sections.join("\n"))?;
        }
    }
    Ok(if found { Exit::Clean } else { Exit::Findings })
}
