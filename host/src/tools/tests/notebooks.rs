//! Edits of notebooks.

use serde_json::{Value, json};

use super::{World, request};
use crate::lent::Tools as _;

/// As Jupyter writes it.
const NOTEBOOK: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "title",
   "metadata": {},
   "source": [
    "# Title\n",
    "ä"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "sum",
   "metadata": {"tags":  []},
   "outputs": [
    {"output_type": "stream", "text": ["3\n"]}
   ],
   "source": [
    "1 + 2"
   ]
  }
 ],
 "metadata": {"scale": 1.50},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

/// The notebook after a call, and its cells.
fn after(notebook: &str, arguments: &Value) -> (String, Vec<Value>) {
    let world = World::new(&[("a.ipynb", notebook)]);
    let mut call = arguments.clone();
    call["notebook_path"] = json!("a.ipynb");
    let shown = world.tools.preview(&request("NotebookEdit", call.clone()));
    let shown = shown.expect("it changes a file").expect("it can be shown");
    let done = world.done("NotebookEdit", call);
    assert!(done.ends_with(&shown), "{shown}\n{done}");
    let text = world.contents("a.ipynb");
    let whole: Value = serde_json::from_str(&text).expect("it is JSON");
    let cells = whole["cells"].as_array().expect("there is a list").clone();
    (text, cells)
}

fn ids(cells: &[Value]) -> Vec<&str> {
    cells
        .iter()
        .map(|cell| cell["id"].as_str().unwrap_or(""))
        .collect()
}

#[test]
fn only_the_cell_changes() {
    let (text, cells) = after(NOTEBOOK, &json!({"cell_id": "sum", "new_source": "x = \"ü\"\nx"}));
    let expected = NOTEBOOK
        .replace("\"execution_count\": 3", "\"execution_count\": null")
        .replace("{\"tags\":  []}", "{\n    \"tags\": []\n   }")
        .replace(
            "[\n    {\"output_type\": \"stream\", \"text\": [\"3\\n\"]}\n   ]",
            "[]",
        )
        .replace("\"1 + 2\"", "\"x = \\\"ü\\\"\\n\",\n    \"x\"");
    assert_eq!(text, expected);
    assert_eq!(ids(&cells), ["title", "sum"]);
}

#[test]
fn a_cell_can_change_its_type() {
    let arguments = json!({"cell_id": "sum", "new_source": "Text", "cell_type": "markdown"});
    let (_, cells) = after(NOTEBOOK, &arguments);
    assert_eq!(
        cells[1],
        json!({"cell_type": "markdown", "id": "sum", "metadata": {"tags": []}, "source": ["Text"]})
    );
    let arguments = json!({"cell_id": "title", "new_source": "", "cell_type": "code"});
    let (_, cells) = after(NOTEBOOK, &arguments);
    assert_eq!(
        (&cells[0]["outputs"], &cells[0]["source"]),
        (&json!([]), &json!([]))
    );
}

#[test]
fn new_cells_come_after_the_named_one_or_first() {
    let new = |more: Value| {
        let mut arguments = json!({"edit_mode": "insert", "cell_type": "code", "new_source": "2"});
        arguments
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        after(NOTEBOOK, &arguments)
    };
    for (more, at) in [
        (json!({}), 0),
        (json!({"cell_id": "title"}), 1),
        (json!({"cell_id": "sum"}), 2),
        (json!({"cell_number": 0}), 1),
    ] {
        let (text, cells) = new(more);
        assert_eq!(cells.len(), 3, "{text}");
        let mut others = ids(&cells);
        assert_eq!(others.remove(at).len(), 8, "{text}");
        assert_eq!(others, ["title", "sum"]);
        let cell = &cells[at];
        assert_eq!(
            (&cell["source"], &cell["outputs"], &cell["execution_count"]),
            (&json!(["2"]), &json!([]), &Value::Null)
        );
        let lines: Vec<&str> = text.lines().collect();
        let kept: Vec<&str> = NOTEBOOK.lines().collect();
        assert!(lines.len() > kept.len());
        assert!(
            text.contains("  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"id\": \""),
            "{text}"
        );
    }
}

#[test]
fn deleted_cells_leave_no_trace() {
    let (text, cells) = after(NOTEBOOK, &json!({"edit_mode": "delete", "cell_id": "title"}));
    assert_eq!(ids(&cells), ["sum"]);
    assert!(
        text.starts_with("{\n \"cells\": [\n  {\n   \"cell_type\": \"code\","),
        "{text}"
    );
    let (text, _) = after(NOTEBOOK, &json!({"edit_mode": "delete", "cell_id": "sum"}));
    assert!(text.contains("   ]\n  }\n ],\n \"metadata\""), "{text}");
    let (text, cells) = after(&text, &json!({"edit_mode": "delete", "cell_id": "title"}));
    assert!(cells.is_empty() && text.contains("\"cells\": []"), "{text}");
    let (text, _) = after(
        &text,
        &json!({"edit_mode": "insert", "cell_type": "markdown", "new_source": "a"}),
    );
    assert!(
        text.contains("\"cells\": [\n  {\n   \"cell_type\": \"markdown\","),
        "{text}"
    );
    assert!(text.contains("\n   ]\n  }\n ],\n \"metadata\""), "{text}");
}

#[test]
fn other_layouts_are_kept() {
    let windows = format!("\u{feff}{}", NOTEBOOK.replace('\n', "\r\n"));
    let world = World::new(&[("a.ipynb", &windows)]);
    let call = json!({"notebook_path": "a.ipynb", "cell_id": "sum", "new_source": "x"});
    world.done("NotebookEdit", call);
    let text = world.contents("a.ipynb");
    assert!(text.starts_with("\u{feff}{\r\n"), "{text}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text}");
    let dense = r#"{"cells":[{"cell_type":"code","metadata":{},"outputs":[],"source":"a"}],"nbformat":4,"nbformat_minor":4,"metadata":{}}"#;
    let (text, _) = after(dense, &json!({"cell_id": "cell-0", "new_source": "b"}));
    assert_eq!(
        text,
        dense.replace("\"a\"", "[\"b\"]").replace(
            "\"source\":[\"b\"]",
            "\"source\":[\"b\"],\"execution_count\":null"
        )
    );
    let (text, cells) = after(
        dense,
        &json!({"edit_mode": "insert", "cell_type": "markdown", "new_source": "b"}),
    );
    assert!(!text.contains('\n') && cells[0].get("id").is_none(), "{text}");
}

#[test]
fn what_cannot_be_edited_is_refused() {
    let old = NOTEBOOK.replace("\"nbformat\": 4", "\"nbformat\": 3");
    let odd = r#"{"cells": [1], "nbformat": 4}"#;
    let twice = r#"{"cells": [], "cells": [], "nbformat": 4}"#;
    for (notebook, arguments, reason) in [
        ("", json!({"cell_id": "sum", "new_source": ""}), "not a notebook"),
        (
            "{}",
            json!({"cell_id": "sum", "new_source": ""}),
            "not a notebook",
        ),
        (
            "[]",
            json!({"cell_id": "sum", "new_source": ""}),
            "not a notebook",
        ),
        (
            twice,
            json!({"cell_id": "sum", "new_source": ""}),
            "not a notebook",
        ),
        (&old, json!({"cell_id": "sum", "new_source": ""}), "format 3"),
        (
            odd,
            json!({"cell_number": 0, "new_source": ""}),
            "cell 0 is not an object",
        ),
        (
            NOTEBOOK,
            json!({"cell_id": "other", "new_source": ""}),
            "there are title, sum",
        ),
        (
            NOTEBOOK,
            json!({"cell_id": "cell-0", "new_source": ""}),
            "there is no cell `cell-0`",
        ),
        (
            NOTEBOOK,
            json!({"cell_number": 2, "new_source": ""}),
            "there are 2, counted from 0",
        ),
        (
            NOTEBOOK,
            json!({"cell_number": -1, "new_source": ""}),
            "there is no cell -1",
        ),
        (NOTEBOOK, json!({"new_source": ""}), "`cell_id` is missing"),
        (NOTEBOOK, json!({"edit_mode": "delete"}), "`cell_id` is missing"),
        (NOTEBOOK, json!({"cell_id": "sum"}), "`new_source` is missing"),
        (
            NOTEBOOK,
            json!({"edit_mode": "insert", "new_source": ""}),
            "`cell_type` is missing",
        ),
        (
            NOTEBOOK,
            json!({"edit_mode": "insert", "cell_type": "table", "new_source": ""}),
            "`cell_type` is unknown",
        ),
        (
            NOTEBOOK,
            json!({"edit_mode": "move", "cell_id": "sum"}),
            "unknown `edit_mode` `move`",
        ),
    ] {
        let world = World::new(&[("a.ipynb", notebook)]);
        let mut call = arguments;
        call["notebook_path"] = json!("a.ipynb");
        let refused = world.refused("NotebookEdit", call.clone());
        assert!(refused.contains(reason), "{call}: {refused}");
        assert_eq!(world.contents("a.ipynb"), notebook);
    }
    let world = World::new(&[(".git/a.ipynb", NOTEBOOK)]);
    for path in [".git/a.ipynb", "../a.ipynb", "none.ipynb"] {
        world.refused(
            "NotebookEdit",
            json!({"notebook_path": path, "cell_id": "sum", "new_source": ""}),
        );
    }
}
