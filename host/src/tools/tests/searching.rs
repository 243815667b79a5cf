//! Searching the web by a tool of a server.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{dialect, request};
use crate::conversation::{ToolAnswer, ToolRequest, ToolSpec};
use crate::documents::{Dialect, DialectTool};
use crate::lent::{Answer, Caller, Tools};
use crate::tools::WebSearch;

/// A server with one tool, which answers with its arguments.
struct Echo(Value);

impl Tools for Echo {
    fn specs(&self) -> Vec<ToolSpec> {
        [ToolSpec {
            name: "mcp__s__find".into(),
            description: String::new(),
            schema: self.0.to_string(),
        }]
        .into()
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, _: &'a Caller) -> Answer<'a, ToolAnswer> {
        let text = format!("{} {}", request.call.name, request.call.arguments);
        Box::pin(std::future::ready(Ok(ToolAnswer {
            text,
            is_error: false,
        })))
    }
}

fn searching() -> Dialect {
    let tool = |name: &str, rights: &[&str]| DialectTool {
        name: name.into(),
        may: Vec::new(),
        rights: rights.iter().map(|right| (*right).into()).collect(),
    };
    let tools = [
        tool("WebSearch", &["web-search"]),
        tool("web/search", &["web-search"]),
        tool("web", &["web-fetch", "web-search"]),
        tool("Read", &["read"]),
    ];
    Dialect {
        tools: tools.into(),
        ..dialect()
    }
}

fn by(properties: Value, required: &[&str]) -> Result<WebSearch, String> {
    let schema = json!({"type": "object", "properties": properties, "required": required});
    WebSearch::new(Arc::new(Echo(schema)), "mcp__s__find", &searching())
}

#[test]
fn the_server_gets_the_query_alone() {
    for (properties, passed) in [
        (json!({"query": {}, "count": {}}), r#"{"query":"rust"}"#),
        (json!({"q": {}}), r#"{"q":"rust"}"#),
        (json!({"text": {}, "keywords": {}}), r#"{"keywords":"rust"}"#),
    ] {
        let search = by(properties, &[]).unwrap();
        let names: Vec<String> = search.specs().into_iter().map(|spec| spec.name).collect();
        assert_eq!(names, ["WebSearch"]);
        let call = request(
            "WebSearch",
            json!({"query": "rust", "allowed_domains": ["example.org"]}),
        );
        assert_eq!(search.preview(&call), Some(Ok("rust".to_owned())));
        let answer = futures_executor::block_on(search.call(&call, &Caller::default())).unwrap();
        assert_eq!(
            (&*answer.text, answer.is_error),
            (&*format!("mcp__s__find {passed}"), false)
        );
    }
}

#[test]
fn a_call_without_a_query_is_an_error() {
    let search = by(json!({"query": {}}), &["query"]).unwrap();
    for (arguments, expected) in [
        (json!({}), "the argument `query` is missing"),
        (json!({"query": 3}), "the argument `query` must be text"),
        (json!({"queries": ["rust"]}), "the argument `query` is missing"),
    ] {
        let answer =
            futures_executor::block_on(search.call(&request("WebSearch", arguments), &Caller::default()))
                .unwrap();
        assert_eq!((&*answer.text, answer.is_error), (expected, true));
    }
}

#[test]
fn tools_that_need_something_else_are_refused() {
    for (properties, required, reason) in [
        (
            json!({}),
            &[][..],
            "`mcp__s__find` has none of the arguments query, q,",
        ),
        (json!(["query"]), &[], "has none of the arguments"),
        (
            json!({"query": {}, "engine": {}}),
            &["query", "engine"],
            "requires the argument `engine`",
        ),
    ] {
        let refused = by(properties, required).err().unwrap();
        assert!(refused.contains(reason), "{refused}");
    }
    let none = WebSearch::new(Arc::new(Echo(json!({}))), "mcp__s__other", &searching())
        .err()
        .unwrap();
    assert_eq!(none, "no server has the tool `mcp__s__other`");
}
