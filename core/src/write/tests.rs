//! Edits: what comes of a file, byte by byte.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::unchanged::edited;
use super::{Change, EditError, Value, edit};
use crate::dialect::Dialects;

/// `key=value` sets, `key` alone unsets.
fn change(text: &str) -> Change {
    let (key, value) = match text.split_once('=') {
        Some((key, value)) => (key, Some(Value::Entered(value.to_owned()))),
        None => (text, None),
    };
    Change {
        key: key.to_owned(),
        value,
    }
}

fn edit_as(dialect: &str, text: &str, changes: &[&str]) -> Result<String, EditError> {
    let dialects = Dialects::embedded();
    let dialect = dialects.get(dialect).expect("it is built in");
    let changes: Vec<Change> = changes.iter().map(|text| change(text)).collect();
    edit(text.as_bytes(), dialect, &changes, None).map(|edits| edited(text, &edits))
}

#[track_caller]
fn check(text: &str, changes: &[&str], expected: &str) {
    let file = |keys: &str| ["---\nname: a\ndescription: D\n", keys, "---\n\nmodel: prose\n"].concat();
    let after = edit_as("claude-code", &file(text), changes);
    assert_eq!(after, Ok(file(expected)));
}

#[track_caller]
fn refused(dialect: &str, text: &str, changes: &[&str], reason: &str) {
    let reasons = match edit_as(dialect, text, changes).expect_err("it is refused") {
        EditError::Unreadable(reason) => alloc::vec![reason],
        EditError::Refused(refusals) => refusals.into_iter().map(|refusal| refusal.reason).collect(),
    };
    assert_eq!(reasons.join("; "), reason);
}

#[test]
fn values_are_replaced_in_place() {
    check("model: sonnet # fast\n", &["model=opus"], "model: opus # fast\n");
    check("model:   'sonnet'\n", &["model=opus"], "model:   'opus'\n");
    check("model: \"sonnet\"\n", &["model=it's"], "model: \"it's\"\n");
    check("model: sonnet\n", &["model=a: b"], "model: \"a: b\"\n");
    check("model:\n", &["model=opus"], "model: opus\n");
    check("model: # none yet\n", &["model=opus"], "model: opus # none yet\n");
    check(
        "model:\n  sonnet\ncolor: red\n",
        &["model=opus"],
        "model:\n  opus\ncolor: red\n",
    );
    check(
        "initialPrompt: |\n  one\n  model: two\n\nmodel: x\n",
        &["model=z"],
        "initialPrompt: |\n  one\n  model: two\n\nmodel: z\n",
    );
    check(
        "initialPrompt: >-\n  one\n  two\nmodel: x\n",
        &["initialPrompt=1\n2"],
        "initialPrompt: \"1\\n2\"\nmodel: x\n",
    );
    check("\"model\" : x\n", &["model=z"], "\"model\" : z\n");
}

#[test]
fn lists_keep_their_style() {
    check(
        "tools: Read, Grep # few\n",
        &["tools=Read"],
        "tools: Read # few\n",
    );
    check(
        "tools: \"Read, Grep\"\n",
        &["tools=Read,Bash(git *)"],
        "tools: \"Read, Bash(git *)\"\n",
    );
    check(
        "tools: [Read, Grep]\n",
        &["tools=Read,Glob"],
        "tools: Read, Glob\n",
    );
    check(
        "tools: # few\n  - Read # one\n  - Grep\nmodel: x\n",
        &["tools=Glob,Read,LS"],
        "tools: # few\n  - Glob\n  - Read\n  - LS\nmodel: x\n",
    );
    check(
        "tools:\n- Read\n- Grep\nmodel: x\n",
        &["tools=Glob"],
        "tools:\n- Glob\nmodel: x\n",
    );
    check(
        "tools: # few\n- Read\n- Grep\nmodel: x\n",
        &["tools=*"],
        "tools: \"*\" # few\nmodel: x\n",
    );
    check("tools: Read\n", &["tools="], "tools: []\n");
    check("skills: [a, b]\n", &["skills=b"], "skills: [b]\n");
}

#[test]
fn kept_items_keep_their_comments() {
    let old = "tools:\n  - Read # one\n  - Grep # two\n  - 'Glob' # three\nmodel: x\n";
    check(old, &["tools=Read,Grep,Glob"], old);
    check(
        old,
        &["tools=Read,LS,Glob"],
        "tools:\n  - Read # one\n  - LS\n  - 'Glob' # three\nmodel: x\n",
    );
    check(
        old,
        &["tools=Read,Glob"],
        "tools:\n  - Read # one\n  - 'Glob' # three\nmodel: x\n",
    );
    check(
        old,
        &["tools=Read,Grep,Glob,LS"],
        "tools:\n  - Read # one\n  - Grep # two\n  - 'Glob' # three\n  - LS\nmodel: x\n",
    );
}

#[test]
fn fields_are_added_and_removed() {
    check("color: red\n", &["model=opus"], "model: opus\ncolor: red\n");
    check(
        "color: red\n",
        &["tools=Read", "model=opus"],
        "tools: Read\nmodel: opus\ncolor: red\n",
    );
    check(
        "# note\nmodel: x # fast\n# other\ncolor: red\n",
        &["model"],
        "# note\n# other\ncolor: red\n",
    );
    check(
        "model: x\nhooks:\n  Stop:\n    - a: b\n\ncolor: red\n",
        &["hooks"],
        "model: x\n\ncolor: red\n",
    );
    check(
        "initialPrompt: |+\n  one\n\n\nmodel: x\n",
        &["initialPrompt"],
        "model: x\n",
    );
    check(
        "initialPrompt: |+\n  one\n\n\n",
        &["background=true"],
        "background: true\ninitialPrompt: |+\n  one\n\n\n",
    );
    check("model: x\nmodel: y\n", &["model=z"], "model: z\n");
    check("model: x\nmodel: y\n", &["model"], "");
    check("color: red\n", &["model"], "color: red\n");
    check("note: x\n", &["note=y: z"], "note: \"y: z\"\n");
    check(
        "model: x\ncolor: red\n",
        &["model", "color=blue", "tools=Read"],
        "tools: Read\ncolor: blue\n",
    );
}

#[test]
fn byte_order_marks_line_endings_and_indentation_are_kept() {
    let as_kode = |text, changes: &[&str]| edit_as("kode", text, changes);
    let marked = as_kode(
        "\u{feff}---\r\nname: a\r\ndescription: D\r\n---\r\nX",
        &["model=m", "color=red"],
    );
    assert_eq!(
        marked.as_deref(),
        Ok("\u{feff}---\r\nname: a\r\ndescription: D\r\nmodel: m\r\ncolor: red\r\n---\r\nX")
    );
    let indented = as_kode("---\n  name: a\n  description: D\n---\n", &["model=m"]);
    assert_eq!(
        indented.as_deref(),
        Ok("---\n  name: a\n  description: D\n  model: m\n---\n")
    );
    let empty = edit_as("openhands", "---\n---\n", &["name=a"]);
    assert_eq!(empty.as_deref(), Ok("---\nname: a\n---\n"));
    let words = "Read,".repeat(20);
    let long = as_kode(
        "---\r\nname: a\r\ndescription: D\r\n---\r\n",
        &[&["tools=", &words].concat()],
    );
    let items = "  - Read\r\n".repeat(20);
    assert_eq!(
        long,
        Ok([
            "---\r\nname: a\r\ndescription: D\r\ntools:\r\n",
            &items,
            "---\r\n"
        ]
        .concat())
    );
}

#[test]
fn invalid_changes_are_refused() {
    let file = "---\nname: a\ndescription: D\n---\nX";
    refused(
        "kode",
        file,
        &["colour=red"],
        "kode has no field `colour`; did you mean `color`?",
    );
    refused(
        "kode",
        file,
        &["name"],
        "kode does not load an agent without `name`",
    );
    refused("kode", file, &["name= "], "`name` is empty");
    refused(
        "neovate",
        file,
        &["description=a\nb"],
        "`description` has several lines; neovate accepts one",
    );
    refused(
        "claude-code",
        file,
        &["maxTurns=many", "color=beige"],
        "`maxTurns` is `many`, but claude-code takes a whole number; invalid value `beige` of `color` for claude-code; use: red, blue, green, yellow, purple, orange, pink, cyan",
    );
    refused("kode", file, &["model=a", "model=b"], "`model` is changed twice");
    refused("kode", "Prose.", &["model=a"], "it has no frontmatter");
    refused(
        "kode",
        "---\nname: a: b\n---\n",
        &["model=a"],
        "its YAML is invalid: mapping values are not allowed in this context",
    );
    refused(
        "kode",
        "---\n{name: a}\n---\n",
        &["model=a"],
        "its fields are in braces",
    );
    refused(
        "kode",
        "---\nname: &n a\ndescription: *n\n---\n",
        &["name=b"],
        "its values depend on each other, so one cannot be changed alone",
    );
}

#[test]
fn invalid_utf8_is_kept() {
    let dialects = Dialects::embedded();
    let kode = dialects.get("kode").expect("it is built in");
    let bytes = b"---\nname: a\n# \xff\xfe\ndescription: D\nmodel: m\n---\n\xff";
    let edits = edit(bytes, kode, &[change("model=x")], None).expect("it can be edited");
    let at = bytes
        .windows(2)
        .rposition(|window| window == b" m")
        .expect("it is there")
        + 1;
    let places: Vec<_> = edits
        .iter()
        .map(|edit| (edit.span.range(), edit.text.to_string()))
        .collect();
    assert_eq!(places, [(at..at + 1, "x".to_owned())]);
}
