//! Readers on small files. What the releases do with thousands of real ones is held against them elsewhere.

use alloc::format;
use alloc::string::String;

use super::{Held, HeldTools, Readers, Reading, read};
use crate::verdict::Outcome;

const ALL: [&str; 7] = [
    "kode@1.1.23",
    "kode@2.0.2",
    "kode-rs@c978855",
    "kode-rs@82af2a0",
    "openhands@1.58.0",
    "neovate@0.27.1",
    "kodelet@19051b5",
];

fn reading(reader: &str, text: &str) -> Result<Reading, Outcome> {
    let readers = Readers::embedded();
    read(
        "folder/stem.md",
        text.as_bytes(),
        readers
            .get(reader, crate::dialect::Kind::Agent)
            .expect("there is such a reader"),
    )
}

/// The name that each reader holds; `-` where the file is dropped.
fn names(name: &str) -> [String; 7] {
    let text = format!("---\nname: {name}\ndescription: D\n---\nBody\n");
    ALL.map(|reader| match reading(reader, &text) {
        Ok(reading) => String::from(reading.agent.name.shown()),
        Err(_) => String::from("-"),
    })
}

#[test]
fn scalars_differ_between_readers() {
    let expect = |name: &str, expected: [&str; 7]| assert_eq!(names(name), expected, "{name}");
    expect("a", ["a"; 7]);
    expect("yes", ["yes", "yes", "yes", "yes", "True", "yes", "stem"]);
    expect("null", ["-", "-", "-", "null", "None", "-", "stem"]);
    expect("", ["-", "-", "-", "", "None", "-", "stem"]);
    expect("0777", ["511", "-", "0777", "0777", "511", "-", "stem"]);
    expect("08", ["08", "-", "08", "08", "08", "08", "stem"]);
    expect("1:30", ["90", "1:30", "1:30", "1:30", "90", "-", "1:30"]);
    expect("1.50", ["1.5", "-", "-", "1.50", "1.5", "-", "stem"]);
    expect("1e3", ["1000", "-", "-", "1e3", "1e3", "-", "stem"]);
    expect("1e400", ["null", "-", "1e400", "1e400", "1e400", "-", "1e400"]);
    expect("0x1F", ["31", "-", "-", "0x1F", "31", "-", "stem"]);
    expect(
        "[a, 1]",
        ["[\"a\",1]", "-", "-", "-", "['a', 1]", "[\"a\",1]", "stem"],
    );
    expect("!foo a", ["-", "-", "a", "a", "-", "!foo a", "a"]);
    expect("@a", ["-", "-", "-", "-", "-", "@a", "stem"]);
    let boat = "\u{26f5}";
    expect("\"\\u26f5\"", [boat; 7]);
    let rocket = "\u{1f680}";
    expect(
        "\"\\ud83d\\ude80\"",
        [rocket, rocket, "-", "-", "-", rocket, "stem"],
    );
    let escaped = "\\ud83d";
    expect("\"\\\\ud83d\"", [escaped; 7]);
}

#[test]
fn dates_differ_between_readers() {
    let shown = |name: &str| {
        let names = names(name);
        (names[0].clone(), names[4].clone())
    };
    let both = |script: &str, python: &str| (String::from(script), String::from(python));
    assert_eq!(
        shown("2024-01-02"),
        both("\"2024-01-02T00:00:00.000Z\"", "2024-01-02")
    );
    assert_eq!(
        shown("2024-01-02 03:04:05.6 +01:30"),
        both("\"2024-01-02T01:34:05.600Z\"", "2024-01-02 03:04:05.600000+01:30")
    );
    assert_eq!(shown("2024-02-30"), both("\"2024-03-01T00:00:00.000Z\"", "-"));
    assert_eq!(shown("2024-1-2"), both("2024-1-2", "2024-1-2"));
}

#[test]
fn fences_differ_between_readers() {
    let loads = |before: &str, opening: &str, closing: &str| {
        let text = format!("{before}{opening}\nname: a\ndescription: D\n{closing}\nBody\n");
        ALL.map(|reader| match reading(reader, &text) {
            Ok(reading) if reading.agent.name == Held::Text(String::from("a")) => 'y',
            Ok(_) => 's',
            Err(_) => 'n',
        })
    };
    assert_eq!(loads("", "---", "---"), ['y'; 7]);
    assert_eq!(loads("\n", "---", "---"), ['n', 'n', 'y', 'n', 'y', 'n', 's']);
    assert_eq!(
        loads("\u{feff}", "---", "---"),
        ['y', 'y', 'y', 'n', 's', 'y', 's']
    );
    assert_eq!(loads("", "--- ", "---"), ['y', 'y', 'y', 'n', 'y', 'n', 'y']);
    assert_eq!(loads("", "----", "---"), ['n', 'n', 'n', 'n', 'y', 'n', 'y']);
    assert_eq!(loads("", "---yaml", "---"), ['y', 'y', 'n', 'n', 's', 'n', 's']);
    assert_eq!(loads("", "---js", "---"), ['n', 'n', 'n', 'n', 's', 'n', 's']);
    assert_eq!(loads("", "---", "----"), ['y', 'y', 'y', 'n', 'y', 'n', 'y']);
    assert_eq!(loads("", "---", "..."), ['n', 'n', 'n', 'n', 's', 'y', 'y']);
    assert_eq!(loads("", "---", ""), ['n', 'n', 'n', 'n', 's', 'n', 's']);
}

#[test]
fn repairing_readers_read_what_others_reject() {
    let text = "---\nname: a\ndescription: Use this: when \"b\"\ntools: A, B\n---\nBody\n";
    let dropped = ALL.map(|reader| reading(reader, text).is_err());
    assert_eq!(dropped, [true, true, true, true, true, false, false]);
    let neovate = reading(ALL[5], text).expect("it repairs").agent;
    assert_eq!(neovate.description.shown(), "Use this: when \"b\"");
    assert_eq!(
        neovate.tools,
        HeldTools::Only(["A", "B"].map(String::from).to_vec())
    );
    let kodelet = reading(ALL[6], text).expect("it reads on without metadata").agent;
    assert_eq!((kodelet.name.shown(), kodelet.description.shown()), ("stem", ""));
}

#[test]
fn invalid_utf8_differs_between_readers() {
    let readers = Readers::embedded();
    let text = b"---\nname: a\ndescription: D\n---\nBody \xff\n";
    let prompts = ALL.map(|reader| {
        let reader = readers
            .get(reader, crate::dialect::Kind::Agent)
            .expect("there is such a reader");
        read("a.md", text, reader)
            .ok()
            .map(|reading| reading.agent.prompt)
    });
    assert_eq!(prompts[0].as_deref(), Some("Body \u{fffd}".as_bytes()));
    assert_eq!(prompts[2], None);
    assert_eq!(prompts[6].as_deref(), Some(&b"Body \xff\n"[..]));
}

/// The description that each of js-yaml 3, js-yaml 4 and PyYAML holds; `-` where the file is dropped.
fn descriptions(rest: &str) -> [String; 3] {
    let text = format!("---\nname: a\ndescription: {rest}\n---\nBody\n");
    ["kode@1.1.23", "kode@2.0.2", "openhands@1.58.0"].map(|reader| match reading(reader, &text) {
        Ok(reading) => String::from(reading.agent.description.shown()),
        Err(_) => String::from("-"),
    })
}

#[test]
fn js_yaml_reads_quotes_its_own_way() {
    let expect = |rest: &str, expected: [&str; 3]| assert_eq!(descriptions(rest), expected, "{rest}");
    // Blanks at the end of a line stay.
    expect("\"a \n  b\"", ["a  b", "a  b", "a b"]);
    expect("'a\t\n \n  b '", ["a\t\nb ", "a\t\nb ", "a\nb "]);
    // The next key may stand behind them.
    expect("\"a\" is b: c", ["a", "-", "-"]);
    expect("\"a\nb\" k: v\ntools: x", ["a b", "a b", "-"]);
    expect("'a\n b' k: v", ["-", "-", "-"]);
    expect("\"a\" b", ["-"; 3]);
    expect("\"a\": b", ["-"; 3]);
    expect("d\ntools: [a, b] model: c", ["d", "-", "-"]);
    // Any line end is one.
    expect("\"a\rb\"", ["a b", "a b", "a b"]);
    // Continued lines in brackets are indented.
    expect("d\ntools: [a\nb, c]", ["-", "-", "d"]);
    expect("d\ntools: [a,\nb, c]", ["d"; 3]);
    // Where a line end is put in, what follows stands elsewhere than in the file.
    expect("d\ntools: [\u{e9}] \u{e9}:\r- [\u{e9}\r  b]", ["d", "-", "-"]);
}

/// What a reader holds as the description; `-` where the file is dropped.
fn description(reader: &str, rest: &str) -> String {
    let text = format!("---\nname: ab\ndescription: {rest}\n---\nA prompt of some length.\n");
    match reading(reader, &text) {
        Ok(reading) => String::from(reading.agent.description.shown()),
        Err(_) => String::from("-"),
    }
}

#[test]
fn repairs_differ_between_readers() {
    let owners = [
        "claude-code@2.1.330",
        "copilot@1.0.102",
        "gemini-cli@0.61.0",
        "opencode@1.18.33",
        "qwen-code@0.24.4",
    ];
    let expect = |rest: &str, expected: [&str; 5]| {
        assert_eq!(owners.map(|owner| description(owner, rest)), expected, "{rest}");
    };
    let colon = "Use it when: tests fail";
    expect(colon, [colon, "-", "-", colon, colon]);
    expect("@a", ["@a", "-", "-", "", "@a"]);
    expect("\"a\" b", ["-", "-", "-", "", "\"a\" b"]);
    expect("a\\nb", ["a\nb", "a\\nb", "a\\nb", "a\\nb", "a\\nb"]);
    expect("5", ["-", "-", "-", "-", "5"]);
    expect(
        "a --- b",
        ["a ", "a --- b", "a --- b", "a --- b", "a --- b"].map(str::trim_end),
    );
    expect("a\u{7}b", ["a\u{7}b", "-", "-", "", "a\u{7}b"]);
    expect("a\ncolor: red", ["a", "a", "-", "-", "a"]);
    expect("a\nhooks:\n  pre: b", ["a", "-", "-", "a", "a"]);
    expect("a\ntools: read_file, glob", ["a", "a", "-", "-", "a"]);
    expect("a\ntools: [read_file, glob]", ["a", "a", "a", "-", "a"]);
    expect("a\nmodel:", ["a", "-", "-", "-", "a"]);
}

#[test]
fn codex_repairs_skills_up_to_comments() {
    let readers = Readers::embedded();
    let codex = readers.get("codex@0.169.0", crate::dialect::Kind::Skill);
    let codex = codex.expect("there is such a reader");
    let description = |rest: &str| {
        let text = format!("---\nname: mail\ndescription: {rest}\n---\nBody\n");
        let reading = read("mail/SKILL.md", text.as_bytes(), codex).ok()?;
        Some(String::from(reading.agent.description.shown()))
    };
    for (rest, expected) in [
        ("Sorts: letters # first", Some("Sorts: letters")),
        ("the user's mail: all", Some("the user's mail: all")),
        ("{what: mail}", Some("{what: mail}")),
        ("|\n  a: b\n  c: d\nhint: <days: 7>", Some("a: b c: d")),
        ("@mail", Some("@mail")),
        ("Sorts\nmetadata:", Some("Sorts")),
        ("Sorts\nmetadata:\n\tauthor: me", None),
        ("Sorts\nmetadata: author: me", None),
        ("Sorts\nmetadata: 3", None),
        ("Sorts\nmetadata:\n  short-description: [a]", None),
    ] {
        assert_eq!(description(rest).as_deref(), expected, "{rest}");
    }
}
