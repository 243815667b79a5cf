//! Which of several names is meant by a misspelt one.

use strsim::damerau_levenshtein;

/// The nearest of several names, the first among equals; a third of the letters may be wrong. Separators and case do not count.
pub fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let fold = |name: &str| name.to_lowercase().replace('_', "-");
    let tolerance = (name.chars().count() / 3).clamp(1, 3);
    let near = known.map(|other| (damerau_levenshtein(&fold(name), &fold(other)), other));
    let near = near.filter(|(distance, _)| *distance <= tolerance);
    near.min_by_key(|(distance, _)| *distance).map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn near_and_far() {
        let known = ["unquoted-value", "unknown-value", "shadowed"];
        assert_eq!(
            closest("Unquoted_Vaule", known.into_iter()),
            Some("unquoted-value")
        );
        assert_eq!(closest("shadow", known.into_iter()), Some("shadowed"));
        assert_eq!(closest("duplicate-key", known.into_iter()), None);
        assert_eq!(closest("", known.into_iter()), None);
    }
}
