//! The tools, held against what models send.

mod asking;
mod attacks;
#[cfg(unix)]
mod background;
mod changing;
mod editing;
mod fetching;
mod notebooks;
mod reading;
mod running;
mod searching;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{LocalTools, Options};
use crate::conversation::{ToolAnswer, ToolCall, ToolRequest};
use crate::documents::{Dialect, DialectTool, Identity};
use crate::lent::{Caller, Tools};

/// A project in a directory that has more than it.
pub(super) struct World {
    directory: TempDir,
    pub(super) tools: LocalTools,
}

impl World {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let project = directory.path().join("project");
        fs::create_dir(&project).unwrap();
        for (name, contents) in files {
            let path = project.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }
        let tools = LocalTools::new(&project, &dialect(), Options::default()).unwrap();
        Self { directory, tools }
    }

    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(super) fn project(&self) -> PathBuf {
        self.path().join("project")
    }

    pub(super) fn contents(&self, name: &str) -> String {
        fs::read_to_string(self.project().join(name)).unwrap()
    }

    pub(super) fn call(&self, tool: &str, arguments: Value) -> ToolAnswer {
        futures_executor::block_on(self.tools.call(&request(tool, arguments), &Caller::default())).unwrap()
    }

    /// The result of what has to succeed.
    pub(super) fn done(&self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments);
        assert!(!answer.is_error, "{}", answer.text);
        answer.text
    }

    /// The reason of what has to fail.
    pub(super) fn refused(&self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments.clone());
        assert!(answer.is_error, "{arguments}: {}", answer.text);
        answer.text
    }
}

pub(crate) fn request(tool: &str, arguments: Value) -> ToolRequest {
    ToolRequest {
        agent: ["tester".into()].into(),
        call: ToolCall {
            id: "1".into(),
            name: tool.into(),
            arguments: arguments.to_string(),
        },
        permitted: true,
        workspace: None,
    }
}

pub(crate) fn dialect() -> Dialect {
    let tools: [(&str, &[&str]); 13] = [
        ("Read", &["read"]),
        ("Write", &["write"]),
        ("Edit", &["edit"]),
        ("NotebookEdit", &["notebook-edit"]),
        ("Glob", &["glob"]),
        ("Grep", &["grep"]),
        ("LS", &["list"]),
        ("Bash", &["shell"]),
        ("TaskOutput", &["shell-output"]),
        ("TaskStop", &["shell-kill"]),
        ("file_editor", &["read", "write", "edit", "list"]),
        ("WebFetch", &["web-fetch"]),
        ("TodoWrite", &["todo"]),
    ];
    let tools = tools.map(|(name, rights)| DialectTool {
        name: name.into(),
        may: Vec::new(),
        rights: rights.iter().map(|right| (*right).into()).collect(),
    });
    Dialect {
        id: "test".into(),
        title: String::new(),
        evidence: String::new(),
        sources: Vec::new(),
        clash: String::new(),
        file_names: String::new(),
        endings: Vec::new(),
        identity: Identity::FileName,
        prompt_key: None,
        keys: Vec::new(),
        models: Vec::new(),
        tools: tools.into(),
    }
}

#[test]
fn invalid_arguments_are_errors() {
    let world = World::new(&[]);
    for (arguments, reason) in [
        ("", "not valid JSON"),
        ("[]", "not a JSON object"),
        ("{", "not valid JSON"),
        ("{}", "`file_path` is missing"),
        (r#"{"file_path": 3}"#, "`file_path` must be text"),
    ] {
        let mut request = request("Read", json!({}));
        request.call.arguments = arguments.into();
        let answer = futures_executor::block_on(world.tools.call(&request, &Caller::default())).unwrap();
        assert!(
            answer.is_error && answer.text.contains(reason),
            "{arguments}: {}",
            answer.text
        );
    }
    let unknown = request("Teleport", json!({}));
    assert!(futures_executor::block_on(world.tools.call(&unknown, &Caller::default())).is_err());
}
