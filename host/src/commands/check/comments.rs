//! Comments that suppress the problems found.

use callsheet::documents::Found;
use callsheet::fix::FixedFile;
use callsheet::output::report::Finding;
use callsheet::write::edited;

use super::chosen::Chosen;
use super::work::Work;
use crate::commands::context::Context;
use crate::exit::Failure;

/// Adds them to the files of the project. The check afterwards reports the problems that no comment can suppress.
pub(super) fn add(context: &mut Context, work: &mut Work, chosen: &Chosen<'_>) -> Result<(), Failure> {
    let mut changed = 0;
    for (path, problems) in work.problems(context, chosen)? {
        let Ok(before) = context.callsheet.read(&path) else {
            continue;
        };
        let after = commented(context, &path, &before, &problems)?;
        let file = FixedFile {
            path,
            before,
            after,
            applied: Vec::new(),
        };
        changed += usize::from(file.after != file.before && work.write(context, &file));
    }
    if changed > 0 {
        let files = if changed == 1 {
            "1 file".to_owned()
        } else {
            format!("{changed} files")
        };
        context.remark(&format!("note: added comments to {files}"));
    }
    Ok(())
}

/// The file with the comments.
fn commented(
    context: &mut Context,
    path: &str,
    before: &[u8],
    problems: &[Finding],
) -> Result<Vec<u8>, Failure> {
    let found = Found {
        path: path.to_owned(),
        dialect: problems
            .iter()
            .find_map(|problem| problem.dialects.first().cloned()),
        level: None,
    };
    let mut contents = before.to_owned();
    let mut added: Vec<(u32, u32)> = Vec::new();
    for problem in problems {
        let problem = &problem.diagnostic;
        // Each comment moves what is behind it.
        let moved = |at: u32, (place, length): &(u32, u32)| if *place <= at { at + length } else { at };
        let at = added.iter().fold(problem.primary.place.span.start, moved);
        let edit = context.callsheet.suppress(&found, &contents, &problem.rule, at)?;
        if let Some(edit) = edit {
            added.push((edit.span.start, edit.text.len() as u32));
            contents = edited(&contents, &[edit]);
        }
    }
    Ok(contents)
}
