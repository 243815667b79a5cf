//! `convert DIR`: every agent, skill and command below a directory.

use std::collections::BTreeSet;

use callsheet::documents::{Carried, Transfer};
use callsheet::output::report::{Conversion, Conversions};
use callsheet::output::text::clean;
use callsheet::output::{json_v1, text};
use callsheet::types::Kind;

use super::file::{convert, target};
use crate::cli::{Convert, Format};
use crate::commands::context::Context;
use crate::commands::{kinds, written};
use crate::exit::{Exit, Failure};

/// Its paths begin with it and a slash.
fn folder(named: &str) -> &str {
    match named.trim_end_matches('/') {
        "" => named,
        folder => folder,
    }
}

pub(super) fn run(context: &mut Context, command: &Convert) -> Result<Exit, Failure> {
    let (found, _) = context.callsheet.discover(folder(&command.what))?;
    let chosen = context.options.dialect.clone();
    let mut conversions = Conversions::new(&command.to);
    let root = context.root()?;
    let mut targets = BTreeSet::new();
    let (mut failed, mut is_done) = (false, false);
    for found in found {
        let Some(dialect) = chosen.clone().or(found.dialect) else {
            continue;
        };
        let ((own, of), (kind, to)) = (kinds::split(&dialect), kinds::split(&command.to));
        if of == to && kind.is_none_or(|kind| kind == own.unwrap_or(Kind::Agent)) {
            is_done = true;
            continue;
        }
        let mut conversion = match convert(context, command, found.path.clone(), Some(&dialect)) {
            Err(callsheet::Error::Unusable(reason)) => unusable(found.path, &command.to, reason),
            converted => converted?,
        };
        let target = conversion
            .converted
            .as_ref()
            .map(|converted| target(&root, converted));
        if target.as_ref() == Some(&conversion.path) {
            continue;
        }
        if let (Some(converted), Some(target)) = (&conversion.converted, target) {
            if !targets.insert(target.clone()) {
                let message = format!("another file is converted to {}, too", clean(&target));
                context.complain(&Failure::trouble(message));
                failed = true;
            } else if command.write {
                match context.callsheet.create(&target, &converted.contents) {
                    Ok(()) => conversion.written = Some(target.clone()),
                    Err(error) => {
                        context.complain(&written::not_made(error));
                        failed = true;
                    }
                }
            }
            conversions.targets.push(Some(target));
        } else {
            conversions.targets.push(None);
        }
        conversions.files.push(conversion);
    }
    if conversions.files.is_empty() && is_done {
        let (what, to) = (clean(&command.what), clean(&command.to));
        return Err(Failure::nothing_found(format!(
            "all files in {what} are for {to} already"
        )));
    }
    if conversions.files.is_empty() {
        let message = format!("no agent files in {}", clean(&command.what));
        return Err(Failure::nothing_found(message).help("`--as DIALECT` converts every Markdown file there"));
    }
    match context.format() {
        Format::Json => context.print(&json_v1::conversions(&conversions))?,
        _ => context.print(&text::conversions(&context.look, &conversions))?,
    }
    let refused = conversions.files.iter().any(|file| file.converted.is_none());
    Ok(match (failed, refused) {
        (true, _) => Exit::Trouble,
        (false, true) => Exit::Findings,
        (false, false) => Exit::Clean,
    })
}

/// A file that its source dialect does not load.
fn unusable(path: String, to: &str, reason: String) -> Conversion {
    let line = Carried {
        field: "file".to_owned(),
        fate: Transfer::Refused,
        before: String::new(),
        after: String::new(),
        reason,
    };
    Conversion::refused(path, to, vec![line])
}
