//! `why`: explains which definition of a name wins.

use callsheet::output::report::Explained;
use callsheet::output::{concise, json_v1, text};
use callsheet::types::Kind;

use super::context::Context;
use super::kinds;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, name: &str) -> Result<Exit, Failure> {
    let name = kinds::named(context, name);
    let mut explained = explain(context, name)?;
    if !known(&explained) && kinds::is_other(context, name)? {
        explained = explain(context, name)?;
    }
    let known = known(&explained);
    match context.format() {
        Format::Json => context.print(&json_v1::why(name, &explained))?,
        _ if !known => return Err(unknown(context.kind, name, &explained)),
        Format::Concise => {
            for entry in explained
                .iter()
                .flat_map(|explained| &explained.explanation.candidates)
            {
                context.print(&concise::entry(entry, &entry.reason))?;
            }
        }
        Format::Text => sections(context, &explained)?,
    }
    Ok(if known { Exit::Clean } else { Exit::Findings })
}

/// The dialects that know the name in sections, then the others.
fn sections(context: &mut Context, explained: &[Explained]) -> Result<(), Failure> {
    let (known, other): (Vec<_>, Vec<_>) = explained.iter().partition(|explained| is_known(explained));
    let section = |explained: &&Explained| text::why(&context.look, explained);
    let mut sections: Vec<String> = known.iter().map(section).collect();
    if !other.is_empty() {
        sections.push(other.iter().map(section).collect());
    }
    Ok(context.print(&sections.join("\n"))?)
}

/// The failure for a name without an active agent.
pub(super) fn not_found(context: &mut Context, name: &str) -> Result<Failure, Failure> {
    let explained = explain(context, name)?;
    let failure = unknown(context.kind, name, &explained);
    let prefix = match context.kind {
        Kind::Agent => String::new(),
        kind => format!("{}:", text::noun(kind)),
    };
    let because = format!("`callsheet why {prefix}{}` explains why", text::clean(name));
    Ok(if known(&explained) {
        failure.help(because)
    } else {
        failure
    })
}

fn explain(context: &mut Context, name: &str) -> Result<Vec<Explained>, Failure> {
    let mut explained = Vec::new();
    for dialect in context.dialects()? {
        let explanation = context.open(&dialect)?.explain(name)?;
        explained.push(Explained {
            dialect,
            kind: context.kind,
            explanation,
        });
    }
    Ok(explained)
}

fn known(explained: &[Explained]) -> bool {
    explained.iter().any(is_known)
}

fn is_known(explained: &Explained) -> bool {
    !explained.explanation.candidates.is_empty()
}

fn unknown(kind: Kind, name: &str, explained: &[Explained]) -> Failure {
    let dialects: Vec<&str> = explained
        .iter()
        .map(|explained| explained.dialect.as_str())
        .collect();
    let (name, noun) = (text::clean(name), text::noun(kind));
    if dialects.is_empty() {
        let failure = Failure::nothing_found(format!("no {noun} `{name}`: no known tool has {noun}s here"));
        return failure.help("`callsheet list` shows the searched folders");
    }
    let mut near: Vec<(&str, String)> = Vec::new();
    for miss in explained.iter().flat_map(|explained| &explained.explanation.near) {
        let name = miss.entry.name.as_str();
        if near.iter().all(|(known, _)| *known != name) {
            near.push((name, text::near(miss)));
        }
    }
    let failure = Failure::nothing_found(format!("no active {noun} `{name}` in {}", dialects.join(", ")));
    let failure = near
        .iter()
        .fold(failure, |failure, (_, line)| failure.help(line.to_string()));
    // Only one product's own message; several would hide the rest.
    match explained {
        [explained] => explained
            .explanation
            .refusal
            .iter()
            .fold(failure, |failure, refusal| {
                failure.help(format!("{} says: {}", explained.dialect, text::clean(refusal)))
            }),
        _ => failure,
    }
}
