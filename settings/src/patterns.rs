//! Patterns of paths, relative to the configuration's directory.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use toml::Spanned;

use super::error::Problem;

/// A pattern that matches a directory covers everything in it.
pub(super) fn patterns(written: &[Spanned<String>]) -> Result<GlobSet, Problem> {
    let mut set = GlobSetBuilder::new();
    for pattern in written {
        let written = pattern.as_ref();
        let name = written.strip_prefix("./").unwrap_or(written);
        if name.starts_with('/') {
            return Err(absolute(pattern));
        }
        let name = name.trim_end_matches('/');
        for text in [name.to_owned(), format!("{name}/**")] {
            let glob = GlobBuilder::new(&text).literal_separator(true).build();
            set.add(glob.map_err(|error| bad_pattern(pattern, &error))?);
        }
    }
    let whole = written.first().map_or(0..0, Spanned::span);
    set.build()
        .map_err(|error| Problem::new(whole, error.to_string()))
}

fn absolute(pattern: &Spanned<String>) -> Problem {
    let written = pattern.as_ref();
    let relative = match written.trim_matches(['.', '/']) {
        "" => "**",
        relative => relative,
    };
    let message =
        format!("`{written}` starts with `/`; write `{relative}`, relative to this file's directory");
    Problem::new(pattern.span(), message)
}

fn bad_pattern(pattern: &Spanned<String>, error: &globset::Error) -> Problem {
    let message = format!("`{}` is not a path pattern: {}", pattern.as_ref(), error.kind());
    Problem::new(pattern.span(), message)
}

#[cfg(test)]
mod tests {
    use toml::Spanned;

    use super::patterns;

    #[test]
    fn patterns_are_relative() {
        let of = |text: &str| patterns(&[Spanned::new(0..1, text.to_owned())]);
        let covers = |text: &str, path: &str| of(text).expect("it is a pattern").is_match(path);
        assert!(covers("./legacy/", "legacy/a.md"));
        assert!(covers("./*.md", "a.md"));
        let problem = format!("{:?}", of("/legacy").expect_err("it is absolute"));
        assert!(
            problem.contains("`/legacy` starts with `/`; write `legacy`"),
            "{problem}"
        );
    }
}
