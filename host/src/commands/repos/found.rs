//! The repositories to work on.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use callsheet::output::text::clean;

use crate::cli::Shard;
use crate::exit::Failure;

/// How deep repositories are in a directory: as `OWNER/NAME`, and one more level for the host.
const DEPTH: usize = 3;

/// The repositories in a directory, or those that a file names, in the order of their names. Of a shard, only its part.
pub(super) fn repositories(from: &Path, shard: Option<Shard>) -> Result<Vec<String>, Failure> {
    let name = from.to_string_lossy().into_owned();
    let failed = |error: std::io::Error| {
        let failure = Failure::trouble(format!("cannot read {}: {error}", clean(&name)));
        failure.help("name a directory of repositories, or a file with the path of one on each line")
    };
    let mut found = BTreeSet::new();
    if from.metadata().map_err(failed)?.is_dir() {
        look(from, &name, DEPTH, &mut found).map_err(failed)?;
    } else {
        let text = callsheet::regular::text(from).map_err(failed)?;
        let lines = text.lines().map(str::trim);
        let named = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        found.extend(named.map(|line| line.trim_end_matches('/').to_owned()));
    }
    if found.is_empty() {
        let failure = Failure::trouble(format!("no repositories in {}", clean(&name)));
        return Err(failure.help(format!(
            "a repository has `.git` and is at most {DEPTH} levels deep; a file may name other directories, one on each line"
        )));
    }
    let Some(shard) = shard else {
        return Ok(found.into_iter().collect());
    };
    let mine = found.into_iter().skip(shard.part - 1).step_by(shard.parts);
    Ok(mine.collect())
}

/// Nothing in a repository is another one: it has submodules.
fn look(directory: &Path, name: &str, depth: usize, found: &mut BTreeSet<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (file, path) = (entry.file_name(), entry.path());
        let file = file.to_string_lossy();
        if file.starts_with('.') || !entry.file_type()?.is_dir() {
            continue;
        }
        let name = if name == "." {
            file.into_owned()
        } else {
            format!("{}/{file}", name.trim_end_matches('/'))
        };
        if path.join(".git").exists() {
            found.insert(name);
        } else if depth > 1 {
            // A directory that cannot be read is no repository that can.
            let _ = look(&path, &name, depth - 1, found);
        }
    }
    Ok(())
}
