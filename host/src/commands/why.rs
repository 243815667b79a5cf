//! `why`: explains which definition of a name wins.

use callsheet::output::report::{Explained, Named, Origins};
use callsheet::output::{concise, json_v1, text};
use callsheet::types::Kind;

use super::context::Context;
use super::{graph, kinds, list, sources};
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, asked: &str) -> Result<Exit, Failure> {
    let of_file = kinds::of_file(context, asked)?;
    let name = match &of_file {
        Some(name) => name,
        None => kinds::named(context, asked),
    };
    let mut explained = explain(context, name)?;
    if !known(&explained) && kinds::is_other(context, name)? {
        explained = explain(context, name)?;
    }
    let is_explained = known(&explained);
    let named = if is_explained {
        kinds::users(context, &kinds::full(context.kind, name))?
    } else {
        kinds::users(context, asked)?
    };
    let known = is_explained || !named.nodes.is_empty();
    match context.format() {
        Format::Json => {
            let compiled = compiled(context, &explained)?;
            context.print(&json_v1::why(name, Some(&named), &explained, &compiled))?;
        }
        _ if !known => return Err(undefined(context.kind, asked, name, &named, &explained)),
        Format::Concise if is_explained => {
            for entry in explained.iter().flat_map(|it| &it.explanation.candidates) {
                context.print(&concise::entry(entry, &entry.reason))?;
            }
        }
        Format::Concise => context.print(&concise::named(&named))?,
        Format::Text if is_explained => sections(context, &named, &explained)?,
        Format::Text => {
            let look = context.look;
            context.print(&text::named(&look, &named))?;
        }
    }
    Ok(if known { Exit::Clean } else { Exit::Findings })
}

/// The failure for a name that nothing has, with what refers to it.
fn undefined(kind: Kind, asked: &str, name: &str, named: &Named, explained: &[Explained]) -> Failure {
    let is_close = explained.iter().any(|it| !it.explanation.near.is_empty());
    let failure = if is_close || !kinds::is_of_graph(asked) {
        unknown(kind, name, explained)
    } else {
        graph::unknown(asked, &named.instead)
    };
    let users = named.users.iter();
    users.fold(failure, |failure, user| {
        failure.help(format!("{} refers to it", text::user(user)))
    })
}

/// The dialects that know the name in sections, then the others.
fn sections(context: &mut Context, named: &Named, explained: &[Explained]) -> Result<(), Failure> {
    let (known, other): (Vec<_>, Vec<_>) = explained.iter().partition(|explained| is_known(explained));
    let section = |explained: &&Explained| text::why(&context.look, explained);
    let mut sections: Vec<String> = known.iter().map(section).collect();
    if !other.is_empty() {
        sections.push(other.iter().map(section).collect());
    }
    for (path, origins) in compiled(context, explained)? {
        let fields = text::origins(&origins).into_iter();
        let fields: String = fields.map(|line| format!("  {line}\n")).collect();
        let (path, source) = (text::clean(&path), text::clean(&origins.source));
        sections.push(format!("{path} is compiled from {source}:\n{fields}"));
    }
    if !named.users.is_empty() {
        sections.push(text::users(&context.look, &named.users));
    }
    Ok(context.print(&sections.join("\n"))?)
}

/// The candidates that are compiled, and where their fields are stated.
fn compiled(context: &mut Context, explained: &[Explained]) -> Result<Vec<(String, Origins)>, Failure> {
    let candidates = explained.iter().flat_map(|it| &it.explanation.candidates);
    let paths: Vec<&str> = candidates
        .filter_map(|entry| entry.origin.path.as_deref())
        .collect();
    sources::origins(context, &paths)
}

/// The failure for a name without an active agent.
pub(super) fn not_found(context: &mut Context, name: &str) -> Result<Failure, Failure> {
    let explained = explain(context, name)?;
    let failure = unknown(context.kind, name, &explained);
    let full = match context.kind {
        Kind::Agent => name.to_owned(),
        kind => kinds::full(kind, name),
    };
    let because = format!("`callsheet why {}` explains why", text::clean(&full));
    if known(&explained) {
        return Ok(failure.help(because));
    }
    let around = list::around(context)?;
    let failure = around.into_iter().fold(failure, Failure::help);
    Ok(match in_file(context, name) {
        Some(own) => {
            let noun = text::noun(context.kind);
            failure.help(format!(
                "the {noun} in this file is called `{}`",
                text::clean(&own)
            ))
        }
        None => failure,
    })
}

/// The name of what a file defines, if this is the path of one.
fn in_file(context: &mut Context, path: &str) -> Option<String> {
    if !std::path::Path::new(path).is_file() {
        return None;
    }
    context.callsheet.discover(path).ok()?;
    let contents = context.callsheet.read(path).ok()?;
    let parsed = context.callsheet.parse(path, &contents, None).ok()?;
    Some(parsed.agent?.name).filter(|name| !name.is_empty())
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
        let of_kind = match kind {
            Kind::Agent => String::new(),
            _ => format!(" --kind {noun}"),
        };
        return failure.help(format!("`callsheet list{of_kind}` shows the searched folders"));
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
