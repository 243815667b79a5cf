//! What a project has that acts.

use serde::Serialize;
use serde_json::value::RawValue;

use callsheet_contract::projects as wit;

use super::agent::ModelChoice;
use super::diagnostic::{Position, Span};
use super::graph::{Graph, Node};
use super::repository::Repository;

#[derive(Serialize)]
pub(super) struct Inventory<'a> {
    #[serde(flatten)]
    graph: Graph<'a>,
    assets: Vec<Asset<'a>>,
    servers: Vec<Server<'a>>,
    hooks: Vec<Hook<'a>>,
    unread: &'a [String],
}

impl<'a> From<&'a wit::Inventory> for Inventory<'a> {
    fn from(inventory: &'a wit::Inventory) -> Self {
        let nodes = &inventory.graph.nodes;
        let assets = inventory.assets.iter();
        let servers = inventory.servers.iter();
        Self {
            graph: (&inventory.graph).into(),
            assets: assets.map(|asset| Asset::new(asset, nodes)).collect(),
            servers: servers.map(|server| Server::new(server, nodes)).collect(),
            hooks: inventory.hooks.iter().map(Into::into).collect(),
            unread: &inventory.unread,
        }
    }
}

/// The inventories of several repositories.
#[derive(Serialize)]
pub(super) struct Repositories<'a> {
    repositories: Vec<Repository<'a>>,
}

impl<'a> Repositories<'a> {
    pub(super) fn new(repositories: impl Iterator<Item = (&'a str, Result<&'a RawValue, &'a str>)>) -> Self {
        Self {
            repositories: repositories.map(Into::into).collect(),
        }
    }
}

#[derive(Serialize)]
struct Asset<'a> {
    node: u32,
    #[serde(flatten)]
    what: Node<'a>,
    sha256: Option<&'a str>,
    model: ModelChoice<'a>,
    mode: Option<&'a str>,
    any_agent: bool,
    permissions: Vec<Permission<'a>>,
    other_tools: &'a [String],
    reached: Vec<Reached<'a>>,
    errors: u32,
    warnings: u32,
}

impl<'a> Asset<'a> {
    fn new(asset: &'a wit::Asset, nodes: &'a [wit::Node]) -> Self {
        Self {
            node: asset.node,
            what: (&nodes[asset.node as usize]).into(),
            sha256: asset.sha256.as_deref(),
            model: (&asset.model).into(),
            mode: asset.mode.as_deref(),
            any_agent: asset.any_agent,
            permissions: asset.permissions.iter().map(Into::into).collect(),
            other_tools: &asset.other_tools,
            reached: asset.reached.iter().map(Into::into).collect(),
            errors: asset.errors,
            warnings: asset.warnings,
        }
    }
}

#[derive(Serialize)]
struct Permission<'a> {
    name: &'a str,
    patterns: &'a [String],
}

impl<'a> From<&'a wit::Permission> for Permission<'a> {
    fn from(permission: &'a wit::Permission) -> Self {
        Self {
            name: &permission.name,
            patterns: &permission.patterns,
        }
    }
}

#[derive(Serialize)]
struct Reached<'a> {
    permission: &'a str,
    limited: bool,
    next: u32,
    edge: Option<u32>,
    owner: u32,
}

impl<'a> From<&'a wit::Reached> for Reached<'a> {
    fn from(reached: &'a wit::Reached) -> Self {
        Self {
            permission: &reached.permission,
            limited: reached.limited,
            next: reached.next,
            edge: reached.edge,
            owner: reached.owner,
        }
    }
}

#[derive(Serialize)]
struct Server<'a> {
    node: u32,
    name: &'a str,
    transport: Option<&'a str>,
    target: &'a str,
    path: &'a str,
    span: Span,
    start: Position,
    end: Position,
}

impl<'a> Server<'a> {
    fn new(server: &'a wit::Server, nodes: &'a [wit::Node]) -> Self {
        Self {
            node: server.node,
            name: &nodes[server.node as usize].name,
            transport: server.transport.as_deref(),
            target: &server.target,
            path: &server.place.path,
            span: server.place.span.into(),
            start: server.place.start.into(),
            end: server.place.end.into(),
        }
    }
}

#[derive(Serialize)]
struct Hook<'a> {
    event: &'a str,
    runs: &'a str,
    path: &'a str,
    span: Span,
    start: Position,
    end: Position,
}

impl<'a> From<&'a wit::Hook> for Hook<'a> {
    fn from(hook: &'a wit::Hook) -> Self {
        Self {
            event: &hook.event,
            runs: &hook.runs,
            path: &hook.place.path,
            span: hook.place.span.into(),
            start: hook.place.start.into(),
            end: hook.place.end.into(),
        }
    }
}
