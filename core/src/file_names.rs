//! Names as macOS and Windows compare those of files.

use alloc::string::String;

/// Combining marks, each with the small Latin letters that it is put on and what they become together. Other letters have two forms, too,
/// but the tables for all of them are larger than the rest of the core's.
const COMPOSED: &[(char, &str)] = &[
    ('\u{300}', "aàeèiìoòuù"),
    ('\u{301}', "aáeéiíoóuúyýcćlĺnńrŕsśzź"),
    ('\u{302}', "aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷ"),
    ('\u{303}', "aãnñoõiĩuũ"),
    ('\u{304}', "aāeēiīoōuū"),
    ('\u{306}', "aăeĕgğiĭoŏuŭ"),
    ('\u{307}', "cċeėgġzż"),
    ('\u{308}', "aäeëiïoöuüyÿ"),
    ('\u{30a}', "aåuů"),
    ('\u{30b}', "oőuű"),
    ('\u{30c}', "cčdďeělľnňrřsštťzž"),
    ('\u{327}', "cçgģkķlļnņrŗsştţ"),
    ('\u{328}', "aąeęiįuų"),
];

/// A name without case, and with letters and their marks as one character: names that are equal then may be one file.
pub(crate) fn same_file(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for c in name.chars() {
        match folded.chars().next_back().and_then(|letter| composed(letter, c)) {
            Some(both) => {
                folded.pop();
                folded.push(both);
            }
            None => folded.extend(c.to_lowercase()),
        }
    }
    folded
}

fn composed(letter: char, mark: char) -> Option<char> {
    let (_, pairs) = COMPOSED.iter().find(|(known, _)| *known == mark)?;
    let mut pairs = pairs.chars();
    while let (Some(plain), both) = (pairs.next(), pairs.next()) {
        if plain == letter {
            return both;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::same_file;

    #[test]
    fn case_and_forms_of_letters_do_not_count() {
        assert_eq!(same_file("Cafe\u{301}"), "caf\u{e9}");
        assert_eq!(same_file("CAF\u{c9}"), "caf\u{e9}");
        assert_eq!(same_file("I\u{307}"), same_file("\u{130}"));
        assert_eq!(same_file("\u{301}e"), "\u{301}e");
        assert_ne!(same_file("cafe"), same_file("caf\u{e9}"));
    }
}
