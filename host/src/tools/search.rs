//! The tools that search the web under a dialect's names: a tool of an MCP server does it.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::offers::is_sayable;
use crate::conversation::{CallError, ToolAnswer, ToolCall, ToolRequest, ToolSpec};
use crate::documents::Dialect;
use crate::lent::{Answer, Caller, Tools};

/// The names that servers give to what is searched for.
const QUERY: [&str; 6] = ["query", "q", "search_query", "search_term", "keywords", "text"];

/// Searches the web with a tool of a server.
pub struct WebSearch {
    servers: Arc<dyn Tools>,
    tool: String,
    /// The argument of the tool that is searched for.
    query: String,
    specs: Vec<ToolSpec>,
}

impl WebSearch {
    /// The dialect's tools that only search the web, by this tool of the servers: `mcp__SERVER__TOOL`.
    ///
    /// Fails with the reason if there is no such tool, or if it needs more than a query.
    pub fn new(servers: Arc<dyn Tools>, tool: &str, dialect: &Dialect) -> Result<Self, String> {
        let specs = servers.specs();
        let Some(found) = specs.into_iter().find(|spec| spec.name == tool) else {
            return Err(format!("no server has the tool `{tool}`"));
        };
        let query = query(&found.schema).map_err(|reason| format!("`{tool}` {reason}"))?;
        let searching = dialect.tools.iter().filter(|tool| tool.rights == ["web-search"]);
        let specs = searching
            .filter(|tool| is_sayable(&tool.name))
            .map(|tool| ToolSpec {
                name: tool.name.clone(),
                description: "Searches the web.".to_owned(),
                schema: json!({
                    "type": "object",
                    "properties": {"query": {"type": "string", "description": "What to search for"}},
                    "required": ["query"],
                })
                .to_string(),
            });
        Ok(Self {
            specs: specs.collect(),
            servers,
            tool: tool.to_owned(),
            query,
        })
    }

    fn passed_on(&self, request: &ToolRequest) -> Result<ToolRequest, String> {
        let query = searched(request)?;
        let arguments = Map::from_iter([(self.query.clone(), Value::String(query))]);
        Ok(ToolRequest {
            call: ToolCall {
                id: request.call.id.clone(),
                name: self.tool.clone(),
                arguments: Value::Object(arguments).to_string(),
            },
            ..request.clone()
        })
    }
}

/// The argument for what is searched for. No other may be required.
fn query(schema: &str) -> Result<String, String> {
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    let known = schema["properties"].as_object();
    let query = QUERY
        .into_iter()
        .find(|name| known.is_some_and(|known| known.contains_key(*name)));
    let query = query.ok_or_else(|| format!("has none of the arguments {}", QUERY.join(", ")))?;
    let required = schema["required"].as_array().into_iter().flatten();
    match required.filter_map(Value::as_str).find(|name| *name != query) {
        Some(other) => Err(format!(
            "requires the argument `{other}`, which agents do not know"
        )),
        None => Ok(query.to_owned()),
    }
}

/// What a call searches for.
fn searched(request: &ToolRequest) -> Result<String, String> {
    let arguments = Arguments::parse(&request.call.arguments)?;
    Ok(arguments.demand(&QUERY)?.to_owned())
}

impl Tools for WebSearch {
    fn specs(&self) -> Vec<ToolSpec> {
        self.specs.clone()
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, caller: &'a Caller) -> Answer<'a, ToolAnswer> {
        Box::pin(async move {
            match self.passed_on(request) {
                Ok(request) => self.servers.call(&request, caller).await,
                Err(text) => Ok::<_, CallError>(ToolAnswer { text, is_error: true }),
            }
        })
    }

    fn preview(&self, request: &ToolRequest) -> Option<Result<String, String>> {
        let is_ours = self.specs.iter().any(|spec| spec.name == request.call.name);
        is_ours.then(|| searched(request))
    }
}
