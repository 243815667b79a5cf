//! `edit`: changes what an agent's file says, and nothing else in it.

use callsheet::documents::{FieldValue, KeyChange};
use callsheet::fix::Mended;
use callsheet::output::report::Written;
use callsheet::output::text;

use super::context::Context;
use super::written::{Target, Watch, new_name};
use crate::cli::{Edit, Format};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Edit) -> Result<Exit, Failure> {
    if command.diff && context.format() != Format::Text {
        return Err(Failure::trouble(
            "`--diff` prints a diff and knows no other format",
        ));
    }
    let renamed = command
        .set
        .iter()
        .rfind(|(key, _)| key == "name")
        .map(|(_, name)| name.as_str());
    renamed.map_or(Ok(()), new_name)?;
    let target = Target::find_own(context, &command.name)?;
    let after = target.revised(context, &changes(command))?;
    if command.diff {
        let look = context.look;
        let diff = Mended {
            path: target.path,
            before: target.contents,
            after,
            applied: Vec::new(),
        };
        context.print(&text::diff(&look, &diff))?;
        return Ok(Exit::Clean);
    }
    let watch = Watch::start(context, &target.dialect)?;
    let changed = after != target.contents;
    if changed {
        context
            .callsheet
            .replace(&target.path, &target.contents, &after)?;
    }
    let written = Written {
        command: "edit",
        path: Some(target.path),
        from: None,
        changed,
        now: Vec::new(),
    };
    let old = command.name.as_str();
    let new = renamed.filter(|name| *name != old);
    let names: Vec<&str> = new.into_iter().chain([old]).collect();
    watch.finish(context, written, &names)
}

fn changes(command: &Edit) -> Vec<KeyChange> {
    let set = command.set.iter().map(|(key, value)| KeyChange {
        key: key.clone(),
        value: Some(FieldValue::Entered(value.clone())),
    });
    let unset = command.unset.iter().map(|key| KeyChange {
        key: key.clone(),
        value: None,
    });
    set.chain(unset).collect()
}
