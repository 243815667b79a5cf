//! `rm`: deletes an agent's file.

use callsheet::output::report::Written;
use callsheet::output::text::clean;

use super::context::Context;
use super::kinds;
use super::written::{Target, Watch};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, name: &str, yes: bool) -> Result<Exit, Failure> {
    let name = kinds::of_agent(name, "rm")?;
    let target = Target::find_own(context, name)?;
    let path = clean(&target.path);
    if !yes && !context.asks() {
        let failure = Failure::trouble(format!("not a terminal; cannot ask before removing {path}"));
        return Err(failure.help("add `--yes` to confirm"));
    }
    if !yes && !context.confirm(&format!("Remove {path}?"), false)? {
        context.remark("nothing was removed");
        return Ok(Exit::Findings);
    }
    let watch = Watch::start(context, &target.dialect)?;
    context.callsheet.remove(&target.path, &target.contents)?;
    let written = Written {
        command: "rm",
        path: None,
        from: Some(target.path),
        changed: true,
        also: Vec::new(),
        now: Vec::new(),
    };
    watch.finish(context, written, &[name])
}
