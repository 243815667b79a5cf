//! The name that a misspelt one probably means.

use alloc::string::String;

use strsim::damerau_levenshtein;

/// A third of the letters may be wrong, at least one and at most three. Beyond that a guess is noise.
fn tolerance(letters: usize) -> usize {
    (letters / 3).clamp(1, 3)
}

/// The fewest letters of a name that can be misspelt.
const SHORTEST: usize = 3;

/// The distance of two names, if they are close at all. Case and separators do not count.
pub fn distance(a: &str, b: &str) -> Option<usize> {
    let (length, other) = (letters(a).count(), letters(b).count());
    let tolerance = tolerance(length);
    // With so few letters, a different one makes a different name.
    if length.max(other) < SHORTEST && fold(a) != fold(b) {
        return None;
    }
    // A larger difference in length is always too far, and measuring takes time proportional to both lengths.
    if length.abs_diff(other) > tolerance {
        return None;
    }
    let distance = damerau_levenshtein(&fold(a), &fold(b));
    (distance <= tolerance).then_some(distance)
}

/// The fewest letters that count as the beginning of a name.
const BEGINNING: usize = 4;

/// The closest of several names, the first among equals. If no name is close, one that begins with the text.
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let beginning = |candidate: &str| {
        let begins = name.len() >= BEGINNING && fold(candidate).starts_with(&fold(name));
        begins.then_some(usize::MAX)
    };
    candidates
        .filter_map(|candidate| {
            Some((
                distance(name, candidate).or_else(|| beginning(candidate))?,
                candidate,
            ))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A name without case and separators.
pub fn fold(name: &str) -> String {
    letters(name).collect()
}

/// Whether two names are the same without case and separators.
pub fn alike(a: &str, b: &str) -> bool {
    letters(a).eq(letters(b))
}

fn letters(name: &str) -> impl Iterator<Item = char> {
    let written = name.chars().filter(|c| !matches!(c, '-' | '_' | ' ' | '.'));
    written.flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_ignores_case_and_has_a_limit() {
        assert_eq!(distance("Code_Reviewer", "code-reviewer"), Some(0));
        assert_eq!(distance("revewer", "reviewer"), Some(1));
        assert_eq!(distance("reviewer", "reviewer-of-code"), None);
        assert_eq!(distance("a", "b"), None);
        assert_eq!(distance("A", "a"), Some(0));
        assert_eq!(distance("a", &"a".repeat(1 << 20)), None);
        let dialects = ["claude-code", "kode", "kode-rs"];
        assert_eq!(closest("claud", dialects.into_iter()), Some("claude-code"));
        assert_eq!(closest("kod", dialects.into_iter()), Some("kode"));
        assert_eq!(closest("vim", dialects.into_iter()), None);
    }
}
