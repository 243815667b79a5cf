//! `rename`: renames an agent, a skill or a command, with its file or folder and every reference to it.

use callsheet::fix::FixedFile;
use callsheet::output::report::Written;
use callsheet::output::secrets::Secrets;
use callsheet::output::text::{self, clean};
use callsheet::projects::{Renaming, Request, Rewritten};
use callsheet::types::Diagnostic;

use super::context::Context;
use super::kinds;
use super::written::{Target, Watch, not_made};
use crate::cli::{Format, Rename};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Rename) -> Result<Exit, Failure> {
    if command.diff && context.format() != Format::Text {
        return Err(Failure::trouble(
            "`--diff` prints a diff and supports no other format",
        ));
    }
    let old = kinds::named(context, &command.old);
    let new = match kinds::split(&command.new) {
        (Some(kind), new) if kind == context.kind => new,
        _ => &command.new,
    };
    let target = Target::find_own(context, old)?;
    let renaming = context.callsheet.rename(&target.path, new)?;
    if command.diff {
        let changes = changes(context, &renaming)?;
        context.print(&changes)?;
        return Ok(Exit::Clean);
    }
    // Without a terminal, the user has asked for it by name.
    let is_wide = renaming.files.iter().any(|file| file.path != target.path);
    if is_wide && !command.yes && context.asks() {
        let changes = changes(context, &renaming)?;
        context.print(&changes)?;
        if !context.confirm("Apply these changes?", true)? {
            context.remark("nothing was changed");
            return Ok(Exit::Findings);
        }
    }
    let watch = Watch::start(context, &target.dialect)?;
    context.callsheet.apply(&renaming).map_err(not_made)?;
    // That of a plugin, if it has one.
    let prefix = old.strip_suffix(&*renaming.name).unwrap_or_default();
    let new = [prefix, new.strip_prefix(prefix).unwrap_or(new)].concat();
    let old = [prefix, &*renaming.name].concat();
    let names = [&*new, &*old];
    let names = if names[0] == names[1] { &names[..1] } else { &names };
    watch.finish(context, written(&renaming, target.path), names)
}

/// The result, with paths as they are now.
fn written(renaming: &Renaming, path: String) -> Written {
    let now = |path: &str| match &renaming.moved {
        Some((from, to)) if path == from => to.clone(),
        Some((from, to)) => match path.strip_prefix(&**from) {
            Some(rest) if rest.starts_with('/') => format!("{to}{rest}"),
            _ => path.to_owned(),
        },
        None => path.to_owned(),
    };
    let others = renaming.files.iter().filter(|file| file.path != path);
    Written {
        command: "rename",
        path: Some(now(&path)),
        changed: renaming.moved.is_some() || !renaming.files.is_empty(),
        also: others.map(|file| now(&file.path)).collect(),
        from: Some(path),
        now: Vec::new(),
    }
}

/// The move and the diffs, without secrets.
fn changes(context: &mut Context, renaming: &Renaming) -> Result<String, Failure> {
    let mut out = String::new();
    if let Some((from, to)) = &renaming.moved {
        out = format!("rename {} to {}\n", clean(from), clean(to));
    }
    let request = Request {
        dialect: context.options.dialect.clone(),
        targets: Vec::new(),
        paths: renaming.files.iter().map(|file| file.path.clone()).collect(),
    };
    let report = context.callsheet.check(&request, None)?;
    let found: Vec<Diagnostic> = report
        .findings
        .into_iter()
        .chain(report.suppressed)
        .map(|it| it.diagnostic)
        .collect();
    for Rewritten { path, before, after } in renaming.files.clone() {
        let look = context.look;
        let found = found.iter().filter(|found| found.primary.place.path == path);
        // A file that the check leaves out may have secrets, too.
        let secrets =
            super::written::secrets(context, &path, &before, None)?.join(Secrets::of(&before, found));
        let diff = FixedFile {
            path,
            before,
            after,
            applied: Vec::new(),
        };
        out.push_str(&text::diff(&look, &secrets.in_diff(diff)));
    }
    Ok(out)
}
