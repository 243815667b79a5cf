//! A fixed file means the same to every release, and needs no second fix.

use callsheet_core::dialect::Dialects;
use callsheet_core::document;
use callsheet_core::fix::{Which, fix};
use callsheet_core::reader::{self, Held, Reader, Readers};
use callsheet_core::yaml::{Plain, read};
use callsheet_tests::backend::native::Native;
use callsheet_tests::backend::{Runtime as _, of_dialect};
use callsheet_tests::commands::Settings;
use callsheet_tests::texts::check;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use proptest::sample::select;

/// What descriptions are made of that were never quoted.
const WORDS: &[&str] = &[
    "Use",
    "this:",
    "when",
    "it's",
    "[WIP]",
    "x: y",
    "\"quoted\"",
    "a,",
    "- dash",
    "*bold*",
    "@me",
    "100%",
    "{x}",
    "yes",
    "don't:",
    "`code`",
    "!now",
    "&more",
    "?",
    "|",
    ">",
    "e.g.:",
    "日本:",
    "'so'",
    "% done",
    "C:\\dir",
    "a:b",
    "Context: user: hi",
    "<example>",
    "(1:30)",
    "...",
];

const ENDS: &[&str] = &["\n", "\r\n"];
const CLOSING: &[&str] = &["---", "---", "---", "----", "..."];
const MARK: &[&str] = &["", "", "\u{feff}"];

fn file() -> impl Strategy<Value = (String, String)> {
    let meant = vec(select(WORDS), 1..8).prop_map(|words| words.join(" "));
    let parts = (select(MARK), select(ENDS), select(CLOSING));
    (meant, parts).prop_map(|(meant, (mark, end, closing))| {
        let lines = [
            "---",
            "name: reviewer # a comment",
            &format!("description: {meant}"),
            "color: 'red'",
            closing,
            "Do it.",
        ];
        (format!("{mark}{}{end}", lines.join(end)), meant)
    })
}

/// Whether the text can only have been meant literally: it is not YAML, or the same text in YAML.
fn is_plainly_meant(text: &str) -> bool {
    let quoted = |quote| text.starts_with(quote) && text.ends_with(quote);
    let Ok(document) = read(&format!("description: {text}\n"), 0) else {
        return !quoted('"') && !quoted('\'') && !text.starts_with(['|', '>']);
    };
    let root = document.root.as_ref();
    let value = root
        .and_then(|root| root.get("description"))
        .filter(|value| value.tag.is_none());
    value.and_then(|value| value.plain()) == Some(Plain::Text(text))
}

/// Whether a release takes such a file without fixes: some refuse the color or so short a prompt, or read TOML.
fn takes_plain(reader: &Reader) -> bool {
    let plain = b"---\nname: reviewer\ndescription: Reviews\ncolor: 'red'\n---\nDo it.\n";
    reader.measured && reader::read("x.md", plain, reader).is_ok()
}

#[test]
fn every_release_reads_fixed_files_as_intended() {
    let folder = tempfile::tempdir().expect("there is room for an empty folder");
    let settings = Settings::of_project(&folder.path().to_string_lossy());
    let native = std::cell::RefCell::new(Native::open(&settings).expect("the project is there"));
    let readers = Readers::embedded();
    let fixed_files = std::cell::Cell::new(0);
    let dialects = Dialects::embedded();
    let found = |contents: &[u8]| {
        let parsed = document::parse("x.md", contents, Some("kode"), None, &dialects);
        parsed.expect("kode is known").document.diagnostics
    };
    let repair = |contents: &[u8]| {
        let fixed = fix(contents, Which::Safe, found);
        let mut fixes = found(&fixed.after).into_iter().flat_map(|found| found.fixes);
        let is_done = !fixed.applied.is_empty() || fixes.all(|fix| !fix.safe);
        assert!(is_done, "no end: {}", String::from_utf8_lossy(contents));
        fixed.after
    };
    check(3000, file(), |(text, meant)| {
        if !is_plainly_meant(&meant) {
            return Ok(());
        }
        let after = repair(text.as_bytes());
        let shown = String::from_utf8_lossy(&after);
        assert_eq!(repair(&after), after, "once is enough: {shown}");
        let parsed = native
            .borrow_mut()
            .parse(&of_dialect("x.md", "kode"), &after)
            .expect("kode is known");
        if parsed.reading != callsheet::types::Reading::Strict {
            // No safe fix if the meaning is uncertain.
            let mut fixes = parsed.diagnostics.iter().flat_map(|found| &found.fixes);
            assert!(!fixes.any(|fix| fix.safe), "{shown}");
            return Ok(());
        }
        fixed_files.set(fixed_files.get() + usize::from(after != text.as_bytes()));
        for line in ["name: reviewer # a comment", "color: 'red'", "Do it."] {
            assert!(shown.contains(line), "{line} of {shown}");
        }
        assert_eq!(shown.contains('\r'), text.contains('\r'), "{shown}");
        for reader in readers.iter().filter(|reader| takes_plain(reader)) {
            let reading = reader::read("x.md", &after, reader);
            let agent = reading
                .unwrap_or_else(|why| panic!("{}: {why:?}: {shown}", reader.id))
                .agent;
            assert_eq!(
                agent.name,
                Held::Text("reviewer".to_owned()),
                "{}: {shown}",
                reader.id
            );
            assert_eq!(
                agent.description,
                Held::Text(meant.clone()),
                "{}: {shown}",
                reader.id
            );
        }
        Ok(())
    });
    let fixed = fixed_files.get();
    assert!(fixed > 500, "only {fixed} files were fixed");
}
