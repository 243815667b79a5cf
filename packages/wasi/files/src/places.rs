//! Resolves paths to opened directories.

use wasip2::filesystem::preopens;
use wasip2::filesystem::types::Descriptor;

use crate::bindings::exports::callsheet::agents::files::FileError;

/// A directory that the WASI host opened, with the segments of its name.
struct Place {
    name: Vec<String>,
    directory: Descriptor,
}

thread_local! {
    /// Cached, because each call creates new handles.
    static PLACES: Vec<Place> = preopens::get_directories()
        .into_iter()
        .map(|(directory, name)| Place {
            name: segments(&name).map(str::to_owned).collect(),
            directory,
        })
        .collect();
}

/// Calls a function with the opened directory of a path and the path in it.
pub(crate) fn at<T>(
    path: &str,
    then: impl FnOnce(&Descriptor, &str) -> Result<T, FileError>,
) -> Result<T, FileError> {
    PLACES.with(|places| {
        let path: Vec<&str> = segments(path).collect();
        let place = places.iter().filter(|place| begins(&path, &place.name));
        // Other directories do not exist for WASI programs.
        let place = place
            .max_by_key(|place| place.name.len())
            .ok_or(FileError::NotFound)?;
        let below = &path[place.name.len()..];
        if below.first() == Some(&"/") {
            return Err(FileError::NotFound);
        }
        // The WASI host refuses paths that lead out by `..` or by a link.
        if below.is_empty() {
            then(&place.directory, ".")
        } else {
            then(&place.directory, &below.join("/"))
        }
    })
}

fn begins(path: &[&str], name: &[String]) -> bool {
    path.len() >= name.len() && path.iter().zip(name).all(|(a, b)| a == b)
}

/// The segments of a path; the leading slash of an absolute path is one.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let absolute = path.starts_with('/').then_some("/");
    absolute
        .into_iter()
        .chain(path.split('/').filter(|segment| !matches!(*segment, "" | ".")))
}
