//! The name that a misspelt one probably means.

use strsim::damerau_levenshtein;

/// The fewest letters that count as the beginning of a name.
const BEGINNING: usize = 4;

/// The closest of several names, the first among equals; up to a third of the letters may be wrong. Case does not count, and `_` is `-`. If
/// no name is close, one that begins with the text.
pub fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let fold = |name: &str| name.to_lowercase().replace('_', "-");
    let tolerance = (name.chars().count() / 3).clamp(1, 3);
    let begins = |other: &str| name.len() >= BEGINNING && fold(other).starts_with(&fold(name));
    let near = known.filter_map(|other| match damerau_levenshtein(&fold(name), &fold(other)) {
        distance if distance <= tolerance => Some((distance, other)),
        _ => begins(other).then_some((usize::MAX, other)),
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn only_close_names_are_suggested() {
        let known = ["unquoted-value", "unknown-value", "shadowed"];
        assert_eq!(
            closest("Unquoted_Vaule", known.into_iter()),
            Some("unquoted-value")
        );
        assert_eq!(closest("shadow", known.into_iter()), Some("shadowed"));
        assert_eq!(closest("unquoted", known.into_iter()), Some("unquoted-value"));
        assert_eq!(closest("duplicate-key", known.into_iter()), None);
        assert_eq!(closest("", known.into_iter()), None);
    }
}
