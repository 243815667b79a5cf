//! `copy`: copies a file to another place of the same dialect.

use std::path::Path;

use callsheet::output::report::Written;
use callsheet::output::text::clean;
use callsheet::types::Level;

use super::context::Context;
use super::kinds;
use super::written::{Naming, Target, Watch, directory, not_made};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, name: &str, to: &str) -> Result<Exit, Failure> {
    let name = kinds::of_agent(name, "copy")?;
    let target = Target::find(context, name)?;
    let directory = match to {
        "user" => directory(context, &target.dialect, Level::User)?,
        "project" => directory(context, &target.dialect, Level::Project)?,
        named => given(context, named)?,
    };
    let naming = Naming::of(context, &target.dialect)?;
    // A plugin's name is not in the file.
    let own = match name.split_once(':') {
        Some((_, own)) if target.is_of_plugin() => own,
        _ => name,
    };
    let path = format!("{directory}/{}", naming.below(&target.path, own));
    let watch = Watch::start(context, &target.dialect)?;
    context
        .callsheet
        .create(&path, &target.contents)
        .map_err(not_made)?;
    let written = Written {
        command: "copy",
        path: Some(path),
        from: Some(target.path),
        changed: true,
        also: Vec::new(),
        now: Vec::new(),
    };
    watch.finish(context, written, &[own])
}

fn given(context: &mut Context, named: &str) -> Result<String, Failure> {
    let directory = named.trim_end_matches('/');
    if !Path::new(named).is_dir() {
        let failure = Failure::trouble(format!("directory not found: {}", clean(named)));
        return Err(failure.help("`--to` takes `user`, `project` or an existing directory"));
    }
    // A path that the user names may be written anywhere.
    context.callsheet.discover(named)?;
    Ok(directory.to_owned())
}
