//! What the reader makes of documents.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::read;
use crate::yaml::Node;

#[test]
fn toml_gives_the_same_tree_as_yaml() {
    let text =
        "name = \"a\"\nä = 0x10\nprompt = '''\nSay: \"hi\"\n'''\nlist = [1, true]\n[mcp.x]\ncommand = 'c'\n";
    let (root, error) = read(text, 0);
    assert_eq!(
        error.map(|error| error.message),
        Some("invalid unquoted key, expected letters, numbers, `-`, `_`".to_owned())
    );
    let text = text.replace('ä', "b");
    let (root2, error) = read(&text, 0);
    assert_eq!(error, None);
    assert_eq!(root.entries().len(), root2.entries().len());
    let written: Vec<(&str, &str)> = root2
        .entries()
        .iter()
        .map(|entry| (entry.key.span.of(&text), entry.value.span.of(&text)))
        .collect();
    assert_eq!(written[0], ("name", "\"a\""));
    assert_eq!(root2.get("b").and_then(Node::as_text), Some("16"));
    assert_eq!(root2.get("prompt").and_then(Node::as_text), Some("Say: \"hi\"\n"));
    let mcp = root2
        .get("mcp")
        .and_then(|mcp| mcp.get("x"))
        .and_then(|x| x.get("command"));
    assert_eq!(mcp.and_then(Node::as_text), Some("c"));
}

#[test]
fn duplicates_and_deep_nesting_are_errors() {
    assert!(read("a = 1\na = 2\n", 0).1.is_some());
    let deep = alloc::format!("a = {}", "[".repeat(10_000));
    assert!(read(&deep, 0).1.is_some());
    let (_, error) = read("\u{feff}a = ", 3);
    assert!(error.is_some_and(|error| error.span.end.index() <= 7));
}

/// Compared with the `toml` crate.
#[test]
fn validity_agrees_with_another_parser() {
    let documents = [
        "",
        "a.b = 1\na.c = 2\n",
        "a.b = 1\na = 2\n",
        "a = 1\na.b = 2\n",
        "a = {}\na.b = 1\n",
        "a = { b = 1 }\n[a]\n",
        "a = { b.c = 1, b.d = 2 }\n",
        "a = { b.c = 1, b = 2 }\n",
        "a = { b = {}, b.c = 2 }\n",
        "a = [1]\n[a.b]\n",
        "a = [1]\n[[a]]\n",
        "[a]\n[a]\n",
        "[a.b]\n[a]\nc = 1\n",
        "[a.b]\n[a]\nb = 1\n",
        "[a.b]\n[a]\nb.c = 1\n",
        "[a]\nb.c = 1\n[a.b]\n",
        "[a]\nb.c = 1\n[a.b.d]\n",
        "[a]\nb.c = 1\n[a.b.c]\n",
        "[a]\n[a.b.c]\n[a.b]\n",
        "[[a]]\n[[a]]\n[a.b]\n[[a]]\n[a.b]\n",
        "[[a]]\n[a]\n",
        "[a]\n[[a]]\n",
        "[a.b]\n[[a]]\n",
        "[[a.b]]\n[a.b.c]\n[a]\nd = 1\n",
        "a = [[1, [2]], {b = [3]}]\nc = 1\n",
        "a = [{b = 1}, {b = 2}]\n",
        "a = 2026-11-22\nb = 07:32:00\n",
        "a = 2026-13-41\n",
        "a = 0x1g\n",
        "a = 1__0\n",
        "a = \"\\q\"\n",
        "a =\nb = 1\n",
        "a\nb = 1\n",
        "[a\nb = 1\n",
        "[]\n",
        "a = [1, 2\nb = 3\n",
        "a = {b = 1\nc = 3\n",
        "\"a\".'b' = 1\na.b = 2\n",
    ];
    for text in documents {
        let yardstick = ::toml::from_str::<::toml::Table>(text);
        let (root, error) = read(text, 0);
        assert_eq!(
            error.is_none(),
            yardstick.is_ok(),
            "{text:?}: {error:?} {yardstick:?}"
        );
        if let Ok(table) = yardstick {
            assert_eq!(root.entries().len(), table.len(), "{text:?}");
        }
    }
}
