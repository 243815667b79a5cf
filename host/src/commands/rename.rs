//! `rename`: renames an agent and its file.

use callsheet::documents::{FieldValue, KeyChange};
use callsheet::output::report::Written;

use super::context::Context;
use super::written::{Naming, Target, Watch, not_made};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, old: &str, new: &str) -> Result<Exit, Failure> {
    let target = Target::find_own(context, old)?;
    let naming = Naming::of(context, &target.dialect)?;
    naming.check(new)?;
    let after = renamed(context, &target, &naming, new)?;
    let path = naming.renamed(&target.path, old, new);
    let watch = Watch::start(context, &target.dialect)?;
    let changed = path != target.path || after != target.contents;
    if path == target.path {
        context.callsheet.replace(&path, &target.contents, &after)?;
    } else {
        context.callsheet.create(&path, &after).map_err(not_made)?;
        if let Err(error) = context.callsheet.remove(&target.path, &target.contents) {
            // Two files of one agent would be worse than no rename.
            context.callsheet.remove(&path, &after)?;
            return Err(error.into());
        }
    }
    let written = Written {
        command: "rename",
        path: Some(path),
        from: Some(target.path),
        changed,
        now: Vec::new(),
    };
    let names = if new == old { &[new][..] } else { &[new, old] };
    watch.finish(context, written, names)
}

/// The new contents. A file without a name keeps none.
fn renamed(context: &mut Context, target: &Target, naming: &Naming, new: &str) -> Result<Vec<u8>, Failure> {
    let key = naming.0.keys.iter().find(|key| key.canonical == "name");
    let Some(key) = key else {
        return Ok(target.contents.clone());
    };
    let parsed = context
        .callsheet
        .parse(&target.path, &target.contents, Some(&target.dialect))?;
    let fields = parsed.agent.map(|agent| agent.fields).unwrap_or_default();
    let is_said = fields
        .iter()
        .any(|field| field.canonical.as_deref() == Some("name"));
    if !is_said && !key.required {
        return Ok(target.contents.clone());
    }
    let change = KeyChange {
        key: "name".to_owned(),
        value: Some(FieldValue::Text(new.to_owned())),
    };
    target.revised(context, &[change], None)
}
