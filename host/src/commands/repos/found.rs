//! The repositories to work on.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::{fs, io};

use callsheet::output::text::clean;

use crate::cli::Shard;
use crate::exit::Failure;

/// How deep repositories are in a directory: as `OWNER/NAME`, and one more level for the host.
const DEPTH: usize = 3;

/// The repositories in a directory, or those that a file names, in the order of their names. Of a shard, only its part. `note` is told what
/// cannot be looked into.
pub(super) fn repositories(
    from: &Path,
    shard: Option<Shard>,
    note: &dyn Fn(&str),
) -> Result<Vec<String>, Failure> {
    let name = from.to_string_lossy().into_owned();
    let failed = |error: io::Error| {
        let failure = Failure::trouble(format!("cannot read {}: {error}", clean(&name)));
        failure.help("name a directory of repositories, or a file with the path of one on each line")
    };
    let mut found = BTreeSet::new();
    if from.metadata().map_err(failed)?.is_dir() {
        look(from, &name, DEPTH, &mut found, note).map_err(failed)?;
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
fn look(
    directory: &Path,
    name: &str,
    depth: usize,
    found: &mut BTreeSet<String>,
    note: &dyn Fn(&str),
) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (file, path) = (entry.file_name(), entry.path());
        if file.as_encoded_bytes().starts_with(b".") || !entry.file_type()?.is_dir() {
            continue;
        }
        let is_repository = path.join(".git").try_exists();
        let file = match file.to_str() {
            Some(file) => file,
            None if is_repository.is_ok_and(|is_one| is_one) => {
                let reason = format!("the name of {} is not UTF-8", clean(&path.to_string_lossy()));
                return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
            }
            None => continue,
        };
        let name = if name == "." {
            file.to_owned()
        } else {
            format!("{}/{file}", name.trim_end_matches('/'))
        };
        let looked = match is_repository {
            Ok(true) => {
                found.insert(name.clone());
                Ok(())
            }
            Ok(false) if depth > 1 => look(&path, &name, depth - 1, found, note),
            Ok(false) => Ok(()),
            Err(error) => Err(error),
        };
        match looked {
            Err(error) if error.kind() != io::ErrorKind::InvalidData => {
                note(&format!("note: {} cannot be looked into: {error}", clean(&name)));
            }
            looked => looked?,
        }
    }
    Ok(())
}
