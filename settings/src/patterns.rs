//! Patterns of paths, relative to the configuration's directory.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use toml::Spanned;

use super::error::Problem;

/// A pattern that matches a directory covers everything in it.
pub(super) fn patterns(written: &[Spanned<String>]) -> Result<GlobSet, Problem> {
    let mut set = GlobSetBuilder::new();
    for pattern in written {
        let name = pattern.as_ref().trim_end_matches('/');
        for text in [name.to_owned(), format!("{name}/**")] {
            let glob = GlobBuilder::new(&text).literal_separator(true).build();
            set.add(glob.map_err(|error| bad_pattern(pattern, &error))?);
        }
    }
    let whole = written.first().map_or(0..0, Spanned::span);
    set.build()
        .map_err(|error| Problem::new(whole, error.to_string()))
}

fn bad_pattern(pattern: &Spanned<String>, error: &globset::Error) -> Problem {
    let message = format!("`{}` is not a path pattern: {}", pattern.as_ref(), error.kind());
    Problem::new(pattern.span(), message)
}
