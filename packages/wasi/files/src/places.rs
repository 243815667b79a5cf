//! The directories that were opened, and what leads into them.

use wasip2::filesystem::preopens;
use wasip2::filesystem::types::Descriptor;

use crate::bindings::exports::callsheet::agents::files::FileError;

/// A directory that the WASI host opened, by the parts of its name.
struct Place {
    name: Vec<String>,
    directory: Descriptor,
}

thread_local! {
    /// Asked for once: each question hands out new handles.
    static PLACES: Vec<Place> = preopens::get_directories()
        .into_iter()
        .map(|(directory, name)| Place {
            name: segments(&name).map(str::to_owned).collect(),
            directory,
        })
        .collect();
}

/// Does something with a path: below which opened directory it is, and where there.
pub(crate) fn at<T>(
    path: &str,
    then: impl FnOnce(&Descriptor, &str) -> Result<T, FileError>,
) -> Result<T, FileError> {
    PLACES.with(|places| {
        let path: Vec<&str> = segments(path).collect();
        let place = places.iter().filter(|place| begins(&path, &place.name));
        // What was not opened is not there, as for every program in WASI.
        let place = place
            .max_by_key(|place| place.name.len())
            .ok_or(FileError::NotFound)?;
        let below = &path[place.name.len()..];
        if below.first() == Some(&"/") {
            return Err(FileError::NotFound);
        }
        // What leads out by `..` or by a link the WASI host refuses.
        match below.is_empty() {
            true => then(&place.directory, "."),
            false => then(&place.directory, &below.join("/")),
        }
    })
}

fn begins(path: &[&str], name: &[String]) -> bool {
    path.len() >= name.len() && path.iter().zip(name).all(|(a, b)| a == b)
}

/// A path's parts; the leading slash of an absolute path is one.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let absolute = path.starts_with('/').then_some("/");
    absolute
        .into_iter()
        .chain(path.split('/').filter(|segment| !matches!(*segment, "" | ".")))
}
