//! The repositories to work on.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::{fs, io};

use callsheet::output::text::clean;

use crate::cli::Shard;
use crate::exit::Failure;

/// How deep repositories are in a directory: as `OWNER/NAME`, and one more level for the host.
const DEPTH: usize = 3;

/// The repositories in a directory, or those that a file names, in the order of their names. Of a shard, only its part.
pub(super) fn repositories(from: &Path, shard: Option<Shard>) -> Result<Vec<String>, Failure> {
    let name = from.to_string_lossy().into_owned();
    let failed = |error: io::Error| {
        let failure = Failure::trouble(format!("cannot read {}: {error}", clean(&name)));
        failure.help("name a directory of repositories, or a file with the path of one on each line")
    };
    let mut found = BTreeSet::new();
    if from.metadata().map_err(failed)?.is_dir() {
        look(from, &name, DEPTH, &mut found).map_err(failed)?;
    } else {
        let text = callsheet::regular::text(from).map_err(failed)?;
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        let named = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        found.extend(named.map(|line| match line.trim_end_matches('/') {
            "" => "/".to_owned(),
            name => name.to_owned(),
        }));
    }
    let mut known = HashSet::new();
    // What cannot be resolved is reported when it is read.
    found.retain(|name| {
        Path::new(name)
            .canonicalize()
            .map_or(true, |real| known.insert(real))
    });
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
fn look(directory: &Path, name: &str, depth: usize, found: &mut BTreeSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (file, path) = (entry.file_name(), entry.path());
        if file.as_encoded_bytes().starts_with(b".") || !entry.file_type()?.is_dir() {
            continue;
        }
        let Some(file) = file.to_str() else {
            let reason = format!("the name of {} is not UTF-8", clean(&path.to_string_lossy()));
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        };
        let name = if name == "." {
            file.to_owned()
        } else {
            format!("{}/{file}", name.trim_end_matches('/'))
        };
        // What cannot be looked into may be a repository, and is reported when it is read.
        if path.join(".git").try_exists().unwrap_or(true) {
            found.insert(name);
        } else if depth > 1 {
            match look(&path, &name, depth - 1, found) {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    found.insert(name);
                }
                looked => looked?,
            }
        }
    }
    Ok(())
}
