//! The tools offered under a dialect's names, and their arguments.

use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use crate::conversation::ToolSpec;
use crate::documents::{Dialect, DialectTool};

/// The action of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ability {
    Read,
    Write,
    Edit,
    Notebook,
    Glob,
    Grep,
    List,
    Shell,
    Output,
    Stop,
    Fetch,
    Tasks,
}

/// A tool under one of its names.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub(super) spec: ToolSpec,
    /// Its action; of several, the argument `command` selects one.
    pub(super) abilities: Vec<Ability>,
}

impl Offer {
    /// Whether it works on files of a project.
    pub(super) fn needs_project(&self) -> bool {
        let without = |ability: &Ability| {
            matches!(
                ability,
                Ability::Tasks | Ability::Fetch | Ability::Output | Ability::Stop
            )
        };
        !self.abilities.iter().all(without)
    }
}

/// One argument: its name, its type, its description, whether it is required.
type Argument = (&'static str, &'static str, &'static str, bool);

/// The definition of an action: the canonical right, the word of an editor's `command`, the description, the arguments.
struct Row {
    ability: Ability,
    right: &'static str,
    command: &'static str,
    does: &'static str,
    arguments: &'static [Argument],
}

const TABLE: &[Row] = &[
    Row {
        ability: Ability::Read,
        right: "read",
        command: "view",
        does: "Reads a text file of the project. Lines are numbered.",
        arguments: &[
            ("file_path", "string", "The file", true),
            ("offset", "integer", "The first line, counted from 1", false),
            ("limit", "integer", "The number of lines", false),
        ],
    },
    Row {
        ability: Ability::Write,
        right: "write",
        command: "create",
        does: "Creates or replaces a file of the project.",
        arguments: &[
            ("file_path", "string", "The file", true),
            ("content", "string", "The whole contents of the file", true),
        ],
    },
    Row {
        ability: Ability::Edit,
        right: "edit",
        command: "str_replace",
        does: "Replaces a text in a file of the project. The old text must occur exactly once, unless `replace_all` is set.",
        arguments: &[
            ("file_path", "string", "The file", true),
            (
                "old_string",
                "string",
                "The exact text to be replaced in the file",
                true,
            ),
            ("new_string", "string", "The new text", true),
            ("replace_all", "boolean", "Replace all occurrences", false),
        ],
    },
    Row {
        ability: Ability::Notebook,
        right: "notebook-edit",
        command: "edit_cell",
        does: "Replaces, inserts or deletes a cell of a Jupyter notebook of the project. What an earlier source of the cell printed is removed.",
        arguments: &[
            ("notebook_path", "string", "The notebook", true),
            (
                "cell_id",
                "string",
                "The cell: its ID, or cell-0, cell-1, … where cells have none. A new cell comes after it, or without it first",
                false,
            ),
            ("new_source", "string", "The new source of the cell", false),
            (
                "cell_type",
                "string",
                "`code` or `markdown`; required for a new cell",
                false,
            ),
            (
                "edit_mode",
                "string",
                "`replace` (default), `insert` or `delete`",
                false,
            ),
        ],
    },
    Row {
        ability: Ability::Glob,
        right: "glob",
        command: "glob",
        does: "Finds files of the project by a pattern of names such as `src/**/*.rs`.",
        arguments: &[
            ("pattern", "string", "The pattern, relative to `path`", true),
            ("path", "string", "The directory to look in", false),
        ],
    },
    Row {
        ability: Ability::Grep,
        right: "grep",
        command: "grep",
        does: "Searches in files of the project by a regular expression.",
        arguments: &[
            ("pattern", "string", "The regular expression", true),
            ("path", "string", "The file or directory to search", false),
            (
                "glob",
                "string",
                "Only files with matching names, such as `*.rs`",
                false,
            ),
            (
                "output_mode",
                "string",
                "`content` for lines, `files_with_matches` or `count`",
                false,
            ),
            ("-i", "boolean", "Ignore case", false),
            ("-C", "integer", "Lines of context", false),
            ("head_limit", "integer", "The number of lines or files", false),
        ],
    },
    Row {
        ability: Ability::List,
        right: "list",
        command: "list",
        does: "Lists a directory of the project.",
        arguments: &[("path", "string", "The directory", true)],
    },
    Row {
        ability: Ability::Shell,
        right: "shell",
        command: "run",
        does: "Runs a command in the project with `sh -c` and waits for its end. Processes that it leaves running are ended.",
        arguments: &[
            ("command", "string", "The command", true),
            ("description", "string", "What it does, in a few words", false),
            ("timeout", "integer", "Time limit in milliseconds", false),
            (
                IN_BACKGROUND,
                "boolean",
                "Start it and do not wait: it ends when you answer",
                false,
            ),
        ],
    },
    Row {
        ability: Ability::Output,
        right: "shell-output",
        command: "output",
        does: "Reads what a command in the background has printed since the last call, and whether it has ended.",
        arguments: &[
            ("task_id", "string", "The ID of the command", true),
            ("block", "boolean", "Wait for its end (default: true)", false),
            (
                "timeout",
                "integer",
                "How long to wait, in milliseconds (default: 30000)",
                false,
            ),
        ],
    },
    Row {
        ability: Ability::Stop,
        right: "shell-kill",
        command: "stop",
        does: "Ends a command in the background.",
        arguments: &[("task_id", "string", "The ID of the command", true)],
    },
    Row {
        ability: Ability::Fetch,
        right: "web-fetch",
        command: "fetch",
        does: "Fetches a page of the web as text.",
        arguments: &[(
            "url",
            "string",
            "The address, which starts with https:// or http://",
            true,
        )],
    },
    Row {
        ability: Ability::Tasks,
        right: "todo",
        command: "tasks",
        does: "Writes down the list of tasks and their states. Each call replaces the list.",
        arguments: &[("todos", "array", "All tasks, in order", true)],
    },
];

/// The argument of commands that is offered only if there is a tool that reads what they print.
const IN_BACKGROUND: &str = "run_in_background";

/// The tools of a dialect that can be offered under their names.
pub(super) fn offers(dialect: &Dialect) -> Vec<Offer> {
    let mut offers: Vec<Offer> = dialect.tools.iter().filter_map(offer).collect();
    if !offers.iter().any(|offer| offer.abilities == [Ability::Output]) {
        offers.iter_mut().for_each(Offer::wait_only);
    }
    offers
}

/// Whether wire formats accept a name.
pub(super) fn is_sayable(name: &str) -> bool {
    let mut letters = name.chars();
    letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'))
}

/// Tools that work in another way than their rights suggest.
const OTHERS: &[&str] = &["powershell", "monitor", "view_background_processes"];

fn offer(tool: &DialectTool) -> Option<Offer> {
    // A Windows shell is not offered. Tools for parts of a list of tasks, and for events and lists of commands, have other arguments.
    let lower = tool.name.to_ascii_lowercase();
    let is_partial = tool.rights == ["todo"] && (tool.name.starts_with("Task") || lower.contains("read"));
    if !is_sayable(&tool.name) || OTHERS.contains(&&*lower) || is_partial || tool.rights.is_empty() {
        return None;
    }
    let rows: Option<Vec<&Row>> = tool
        .rights
        .iter()
        .map(|right| TABLE.iter().find(|row| row.right == right))
        .collect();
    let rows = rows?;
    let spec = ToolSpec {
        name: tool.name.clone(),
        description: description(&rows),
        schema: schema(&rows).to_string(),
    };
    Some(Offer {
        spec,
        abilities: rows.iter().map(|row| row.ability).collect(),
    })
}

fn description(rows: &[&Row]) -> String {
    if let [row] = rows {
        return row.does.to_owned();
    }
    let lines = rows.iter().map(|row| format!("`{}`: {}", row.command, row.does));
    lines.collect::<Vec<_>>().join("\n")
}

/// The arguments as JSON Schema. A tool with several actions has those of all of them.
fn schema(rows: &[&Row]) -> Value {
    let several = rows.len() > 1;
    let mut properties = Map::new();
    let mut required = Vec::new();
    if several {
        let commands: Vec<&str> = rows.iter().map(|row| row.command).collect();
        properties.insert(
            "command".into(),
            json!({"type": "string", "description": "What to do", "enum": commands}),
        );
        required.push("command");
    }
    for (name, kind, description, needed) in rows.iter().flat_map(|row| row.arguments) {
        let everywhere = rows.iter().all(|row| {
            row.arguments
                .iter()
                .any(|argument| argument.0 == *name && argument.3)
        });
        if *needed && everywhere && !required.contains(name) {
            required.push(name);
        }
        let mut property = json!({"type": kind, "description": description});
        if *kind == "array" {
            property["items"] = task();
        }
        properties.insert((*name).into(), property);
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// The schema of one task.
fn task() -> Value {
    json!({
        "type": "object",
        "properties": {
            "content": {"type": "string", "description": "What to do"},
            "status": {"type": "string", "enum": ["pending", "in_progress", "completed", "cancelled"]},
        },
        "required": ["content", "status"],
    })
}

impl Offer {
    /// Without background commands.
    fn wait_only(&mut self) {
        if let Ok(mut schema) = serde_json::from_str::<Value>(&self.spec.schema)
            && let Some(properties) = schema["properties"].as_object_mut()
            && properties.remove(IN_BACKGROUND).is_some()
        {
            self.spec.schema = schema.to_string();
        }
    }

    /// The action of a call.
    pub(super) fn ability(&self, arguments: &Arguments) -> Result<Ability, String> {
        if let [only] = *self.abilities {
            return Ok(only);
        }
        let wanted = match arguments.text(&["command"]) {
            Some("view" | "read") => Ability::Read,
            Some("create" | "write") => Ability::Write,
            Some("str_replace" | "edit") => Ability::Edit,
            Some("list" | "ls") => Ability::List,
            Some("glob") => Ability::Glob,
            Some("grep" | "search") => Ability::Grep,
            Some(other) => return Err(self.no_command(other)),
            None => guess(arguments),
        };
        if self.abilities.contains(&wanted) {
            Ok(wanted)
        } else {
            Err(self.no_command(arguments.text(&["command"]).unwrap_or_default()))
        }
    }

    fn no_command(&self, command: &str) -> String {
        let rows = TABLE.iter().filter(|row| self.abilities.contains(&row.ability));
        let commands: Vec<&str> = rows.map(|row| row.command).collect();
        format!("unknown command `{command}`; use one of {}", commands.join(", "))
    }
}

/// The action for arguments without a `command`.
fn guess(arguments: &Arguments) -> Ability {
    if arguments.has(&["old_string", "oldString", "old_str", "edits"]) {
        Ability::Edit
    } else if arguments.has(&["content", "contents", "file_text"]) {
        Ability::Write
    } else if arguments.has(&["pattern", "query"]) {
        Ability::Grep
    } else {
        Ability::Read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, rights: &[&str]) -> DialectTool {
        DialectTool {
            name: name.into(),
            may: Vec::new(),
            rights: rights.iter().map(|right| (*right).into()).collect(),
        }
    }

    #[test]
    fn only_supported_tools_are_offered() {
        for (name, rights, offered) in [
            ("Read", &["read"][..], true),
            ("file_editor", &["read", "write", "edit", "list"], true),
            ("PowerShell", &["shell"], false),
            ("edit/editFiles", &["edit"], false),
            ("browser", &["browser", "web-fetch"], false),
            ("mixed", &["read", "web-search"], false),
            ("WebFetch", &["web-fetch"], true),
            ("write_todos", &["todo"], true),
            ("todoread", &["todo"], false),
            ("TaskUpdate", &["todo"], false),
            ("Artifact", &[], false),
        ] {
            assert_eq!(offer(&tool(name, rights)).is_some(), offered, "{name}");
        }
    }

    #[test]
    fn a_tool_with_several_commands_has_a_choice() {
        let editor = offer(&tool("editor", &["read", "write", "edit"])).unwrap();
        let schema: Value = serde_json::from_str(&editor.spec.schema).unwrap();
        assert_eq!(schema["required"], json!(["command", "file_path"]));
        let commands = json!(["view", "create", "str_replace"]);
        assert_eq!(schema["properties"]["command"]["enum"], commands);
        for (arguments, ability) in [
            (json!({"command": "view"}), Some(Ability::Read)),
            (json!({"command": "str_replace"}), Some(Ability::Edit)),
            (json!({"command": "grep"}), None),
            (json!({"command": "rm"}), None),
            (json!({"old_string": "a"}), Some(Ability::Edit)),
            (json!({"content": "a"}), Some(Ability::Write)),
            (json!({}), Some(Ability::Read)),
            (json!({"pattern": "a"}), None),
        ] {
            let parsed = Arguments::parse(&arguments.to_string()).unwrap();
            assert_eq!(editor.ability(&parsed).ok(), ability, "{arguments}");
        }
    }
}
