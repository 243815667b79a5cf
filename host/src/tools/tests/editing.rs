//! Edits of arbitrary texts.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::tools::edit::{Edit, edited};

fn edit(old: &str, new: &str, all: bool) -> Edit {
    Edit {
        old: old.into(),
        new: new.into(),
        all,
        expected: None,
    }
}

fn dos(text: &str) -> String {
    text.replace('\n', "\r\n")
}

proptest! {
    // The same values each time.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// An edit gives the same result with CRLF or a byte order mark as without, apart from these.
    #[test]
    fn line_endings_and_byte_order_marks_are_kept(text in "[ab\n]{0,40}\n", old in "[ab\n]{1,3}", new in "[ab\n]{0,3}", all: bool) {
        let edits = [edit(&old, &new, all)];
        let plain = edited(text.as_bytes(), &edits);
        let expected = plain.clone().map(|after| dos(&String::from_utf8(after).unwrap()).into_bytes());
        prop_assert_eq!(&edited(dos(&text).as_bytes(), &edits), &expected);
        let marked = |text: &[u8]| [b"\xef\xbb\xbf", text].concat();
        prop_assert_eq!(edited(&marked(text.as_bytes()), &edits), plain.map(|after| marked(&after)));
        prop_assert_eq!(edited(&marked(dos(&text).as_bytes()), &edits), expected.map(|after| marked(&after)));
    }

    /// Only a text that occurs once is replaced, and nothing else changes.
    #[test]
    fn only_the_unique_match_changes(text in "[abc]{0,20}", old in "[abc]{1,3}", new in "[xyz]{0,3}") {
        let places: Vec<usize> = (0..text.len()).filter(|at| text[*at..].starts_with(&old)).collect();
        match (&*places, edited(text.as_bytes(), &[edit(&old, &new, false)])) {
            ([only], Ok(after)) => {
                let expected = format!("{}{new}{}", &text[..*only], &text[only + old.len()..]);
                prop_assert_eq!(String::from_utf8(after).unwrap(), expected);
            }
            ([_], Err(reason)) => prop_assert!(false, "{}", reason),
            (_, result) => prop_assert!(result.is_err()),
        }
    }

    /// Bytes around the edit are kept, valid UTF-8 or not.
    #[test]
    fn invalid_utf8_is_kept(before: Vec<u8>, after: Vec<u8>) {
        let clean = |bytes: Vec<u8>| -> Vec<u8> { bytes.into_iter().filter(|byte| !b"\0@\r\n\xef".contains(byte)).collect() };
        let (before, after) = (clean(before), clean(after));
        let text = [&*before, b"@", &*after].concat();
        let expected = [&*before, b"#", &*after].concat();
        prop_assert_eq!(edited(&text, &[edit("@", "#", false)]), Ok(expected));
    }
}
