//! `rename`: another name for an agent and for its file.

use callsheet::documents::{FieldValue, KeyChange};
use callsheet::output::report::Written;

use super::context::Context;
use super::written::{Target, Watch, new_name, not_made};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, old: &str, new: &str) -> Result<Exit, Failure> {
    new_name(new)?;
    let target = Target::find_own(context, old)?;
    let change = KeyChange {
        key: "name".to_owned(),
        value: Some(FieldValue::Text(new.to_owned())),
    };
    let after = target.revised(context, &[change])?;
    let path = beside(&target.path, new);
    let watch = Watch::start(context, &target.dialect)?;
    let changed = path != target.path || after != target.contents;
    if path == target.path {
        context.callsheet.replace(&path, &target.contents, &after)?;
    } else {
        context.callsheet.create(&path, &after).map_err(not_made)?;
        if let Err(error) = context.callsheet.remove(&target.path, &target.contents) {
            // Two agents for one would be worse than none renamed.
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

/// The path of a file of another name in the same directory, with the same ending.
fn beside(path: &str, stem: &str) -> String {
    let (directory, file) = path
        .rsplit_once('/')
        .map_or(("", path), |(directory, file)| (directory, file));
    let ending = file.rfind('.').filter(|at| *at > 0).map_or("", |at| &file[at..]);
    let slash = if path.contains('/') { "/" } else { "" };
    format!("{directory}{slash}{stem}{ending}")
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn the_directory_and_the_ending_stay() {
        assert_eq!(beside(".claude/agents/a.md", "b"), ".claude/agents/b.md");
        assert_eq!(beside("/a.md", "b"), "/b.md");
        assert_eq!(beside("agents/a", "b"), "agents/b");
        assert_eq!(beside("a.b.md", "c"), "c.md");
    }
}
