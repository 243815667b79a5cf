//! Describes tool calls to an editor.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use agent_client_protocol::v1::schema::{
    Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus, ToolCallLocation, ToolKind,
};
use callsheet::conversation::ToolCall;
use callsheet::output::text::clean;
use callsheet::tools::PATH;
use serde_json::Value;

use super::super::context::Context;
use crate::exit::Failure;

/// A dialect's tools in a project.
pub(super) struct Calls {
    project: PathBuf,
    /// The permissions of each tool.
    rights: HashMap<String, Vec<String>>,
}

impl Calls {
    pub(super) fn of(context: &mut Context, dialect: &str) -> Result<Self, Failure> {
        // An edition has the tools of its dialect.
        let plain = dialect.split('@').next().unwrap_or(dialect);
        let dialects = context.callsheet.dialects()?.into_iter();
        let tools = dialects
            .filter(|known| known.id == plain)
            .flat_map(|known| known.tools);
        Ok(Self {
            rights: tools.map(|tool| (tool.name, tool.rights)).collect(),
            project: context.options.project.clone(),
        })
    }

    fn rights(&self, tool: &str) -> &[String] {
        self.rights.get(tool).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn kind(&self, tool: &str) -> ToolKind {
        match self.rights(tool).first().map(String::as_str) {
            Some("read") => ToolKind::Read,
            Some("glob" | "grep" | "list") => ToolKind::Search,
            Some("write" | "edit") => ToolKind::Edit,
            Some("shell") => ToolKind::Execute,
            Some("web-fetch" | "web-search") => ToolKind::Fetch,
            Some("todo") => ToolKind::Think,
            _ => ToolKind::Other,
        }
    }

    /// What a call does, in a line. Calls of called agents begin with their names.
    pub(super) fn title(&self, agent: &[String], call: &ToolCall, arguments: &Value) -> String {
        let of = |keys: &[&str]| keys.iter().find_map(|key| arguments.get(key)?.as_str());
        let kind = self.kind(&call.name);
        let what = match kind {
            ToolKind::Execute => of(&["command", "cmd"]),
            ToolKind::Fetch => of(&["url", "query"]),
            ToolKind::Search => of(&["pattern", "query", "path"]),
            ToolKind::Other => of(&["description", "prompt", "task"]),
            _ => of(PATH).map(|path| self.below(path)),
        };
        let mut lines = what.unwrap_or_default().lines();
        let mut line = clean(lines.next().unwrap_or_default());
        if lines.next().is_some() {
            line.push_str(" …");
        }
        let name = clean(&call.name);
        let callers = agent.get(1..).unwrap_or_default().iter();
        let mut parts: Vec<String> = callers.map(|name| clean(name)).collect();
        parts.push(match (kind, &*line) {
            (_, "") => name,
            (ToolKind::Execute, _) => line,
            _ => format!("{name}: {line}"),
        });
        parts.join(" › ")
    }

    /// A path as it is below the project.
    fn below<'a>(&self, path: &'a str) -> &'a str {
        let below = Path::new(path).strip_prefix(&self.project).ok();
        below.and_then(Path::to_str).unwrap_or(path)
    }

    /// The file that a call in the project names.
    pub(super) fn locations(&self, arguments: &Value) -> Vec<ToolCallLocation> {
        locations(&self.project, arguments)
    }

    /// The list of tasks that a call writes down.
    pub(super) fn plan(&self, tool: &str, arguments: &Value) -> Option<Plan> {
        let entry = |task: &Value| {
            let status = match task.get("status")?.as_str()? {
                "completed" | "done" => PlanEntryStatus::Completed,
                "in_progress" => PlanEntryStatus::InProgress,
                _ => PlanEntryStatus::Pending,
            };
            let content = task.get("content")?.as_str()?;
            Some(PlanEntry::new(content, PlanEntryPriority::Medium, status))
        };
        let is_list = self.rights(tool).iter().any(|right| right == "todo");
        let tasks = arguments.get("todos").filter(|_| is_list)?.as_array()?;
        Some(Plan::new(tasks.iter().filter_map(entry).collect()))
    }
}

/// The file that a call in this directory names.
pub(super) fn locations(directory: &Path, arguments: &Value) -> Vec<ToolCallLocation> {
    let path = PATH.iter().find_map(|key| arguments.get(key)?.as_str());
    path.map(|path| ToolCallLocation::new(directory.join(path)))
        .into_iter()
        .collect()
}
