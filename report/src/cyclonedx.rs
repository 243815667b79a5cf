//! CycloneDX 1.6, for bills of materials. Without time and serial number, so that the same project has the same document.
//!
//! An agent is an `application`: it acts, with permissions of its own. Skills and commands are `data`: texts that an agent follows. A named
//! model is a `machine-learning-model`, an MCP server a service.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use callsheet_contract::projects::{Asset, Hook, Inventory, Node, NodeKind, Server};
use callsheet_contract::types::ModelChoice;

use crate::assets::{permission, ways};
use crate::{json, words};

/// What the whole document is about.
const PROJECT: &str = "project";

/// The type of a model.
const MODEL: &str = "machine-learning-model";

/// What references to models begin with.
const OF_MODEL: &str = "model/";

/// The contents of a document.
#[derive(Default, Deserialize, Serialize)]
struct Bill {
    components: Vec<Value>,
    services: Vec<Value>,
    dependencies: Vec<Value>,
}

/// The document of a project of this name.
pub fn inventory(inventory: &Inventory, project: &str) -> String {
    document(project, Bill::of(inventory))
}

/// The contents of that document, to be kept.
pub fn kept(inventory: &Inventory) -> Box<RawValue> {
    serde_json::value::to_raw_value(&Bill::of(inventory)).expect("the values are JSON")
}

/// The document of several repositories: each is a component, on which the whole depends.
pub fn repositories<'a>(name: &str, bills: impl Iterator<Item = (&'a str, &'a RawValue)>) -> String {
    let (mut all, mut paths, mut models) = (Bill::default(), Vec::new(), BTreeSet::new());
    for (path, bill) in bills {
        let repository = format!("repository/{path}");
        all.components
            .push(json!({ "type": "application", "bom-ref": repository, "name": path }));
        let mut bill: Bill = serde_json::from_str(bill.get()).unwrap_or_default();
        bill.move_below(path, &repository);
        // A model is the same everywhere.
        let is_new = |part: &Value| part["type"] != MODEL || models.insert(part["bom-ref"].to_string());
        all.components.extend(bill.components.into_iter().filter(is_new));
        all.services.extend(bill.services);
        all.dependencies.extend(bill.dependencies);
        paths.push(repository);
    }
    all.dependencies
        .insert(0, json!({ "ref": PROJECT, "dependsOn": paths }));
    document(name, all)
}

fn document(name: &str, bill: Bill) -> String {
    json::pretty(&json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "tools": {
                "components": [{ "type": "application", "name": "callsheet", "version": env!("CARGO_PKG_VERSION") }],
            },
            "component": { "type": "application", "bom-ref": PROJECT, "name": name },
        },
        "components": bill.components,
        "services": bill.services,
        "dependencies": bill.dependencies,
    }))
}

impl Bill {
    /// Makes its references those of a repository.
    fn move_below(&mut self, path: &str, repository: &str) {
        let moved = |reference: &mut Value| {
            let of_model = |reference: &&str| !reference.starts_with(OF_MODEL);
            let Some(old) = reference.as_str().filter(of_model) else {
                return;
            };
            *reference = match old {
                PROJECT => repository.into(),
                old => format!("{path}/{old}").into(),
            };
        };
        for part in self.components.iter_mut().chain(&mut self.services) {
            moved(&mut part["bom-ref"]);
        }
        for dependency in &mut self.dependencies {
            moved(&mut dependency["ref"]);
            let on = dependency["dependsOn"].as_array_mut();
            on.into_iter().flatten().for_each(moved);
        }
    }

    fn of(inventory: &Inventory) -> Self {
        let nodes = &inventory.graph.nodes;
        let mut hooks: BTreeMap<&str, Vec<&Hook>> = BTreeMap::new();
        for hook in &inventory.hooks {
            hooks.entry(&hook.place.path).or_default().push(hook);
        }
        let assets = inventory.assets.iter().map(|asset| {
            let path = nodes[asset.node as usize].path.as_deref();
            let hooks = path.and_then(|path| hooks.get(path));
            component(inventory, asset, hooks.map_or(&[], Vec::as_slice))
        });
        let others = nodes.iter().filter_map(|node| {
            let kind = match node.kind {
                NodeKind::File => "file",
                NodeKind::Plugin => "data",
                _ => return None,
            };
            Some(json!({ "type": kind, "bom-ref": reference(node), "name": node.name }))
        });
        let models: BTreeSet<&str> = inventory
            .assets
            .iter()
            .filter_map(|asset| model(&asset.model))
            .collect();
        let models = models
            .into_iter()
            .map(|name| json!({ "type": MODEL, "bom-ref": of_model(name), "name": name }));
        let mut configured: BTreeMap<u32, Vec<&Server>> = BTreeMap::new();
        for server in &inventory.servers {
            configured.entry(server.node).or_default().push(server);
        }
        let servers = nodes
            .iter()
            .zip(0..)
            .filter(|(node, _)| node.kind == NodeKind::Server);
        let services =
            servers.map(|(node, at)| service(node, configured.get(&at).map_or(&[], Vec::as_slice)));
        Self {
            components: assets.chain(others).chain(models).collect(),
            services: services.collect(),
            dependencies: dependencies(inventory),
        }
    }
}

/// An agent, a skill or a command.
fn component(inventory: &Inventory, asset: &Asset, hooks: &[&Hook]) -> Value {
    let node = &inventory.graph.nodes[asset.node as usize];
    let mut component = json!({
        "type": if node.kind == NodeKind::Agent { "application" } else { "data" },
        "bom-ref": reference(node),
        "name": node.name,
        "properties": properties(inventory, asset, hooks),
    });
    if let Some(digits) = &asset.sha256 {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": digits }]);
    }
    if let Some(path) = &node.path {
        component["evidence"] = json!({ "occurrences": [{ "location": path }] });
    }
    component
}

fn properties(inventory: &Inventory, asset: &Asset, hooks: &[&Hook]) -> Vec<Value> {
    let node = &inventory.graph.nodes[asset.node as usize];
    let mut all = vec![property("kind", words::node_kind(node.kind))];
    all.extend(node.dialect.iter().map(|dialect| property("dialect", dialect)));
    all.extend(
        node.standing
            .map(|standing| property("standing", words::standing(standing))),
    );
    all.extend(asset.mode.iter().map(|mode| property("permission-mode", mode)));
    all.extend(asset.any_agent.then(|| property("any-agent", "true")));
    let own = asset.permissions.iter();
    all.extend(own.map(|own| property("permission", &permission(own))));
    for (way, permissions) in ways(inventory, asset) {
        let reached = permissions.into_iter();
        all.extend(
            reached.map(|reached| property("reached-permission", &format!("{reached} through {way}"))),
        );
    }
    all.extend(
        asset
            .other_tools
            .iter()
            .map(|tool| property("unknown-tool", tool)),
    );
    let runs = |hook: &&Hook| property("hook", &format!("{}: {}", hook.event, hook.runs));
    all.extend(hooks.iter().map(runs));
    all.push(property("errors", &asset.errors.to_string()));
    all.push(property("warnings", &asset.warnings.to_string()));
    all
}

fn property(name: &str, value: &str) -> Value {
    json!({ "name": format!("callsheet:{name}"), "value": value })
}

fn service(node: &Node, configured: &[&Server]) -> Value {
    let (mut endpoints, mut properties) = (Vec::new(), Vec::new());
    properties.extend(node.path.iter().map(|path| property("configured-in", path)));
    for server in configured {
        let transport = server.transport.as_deref();
        properties.extend(transport.map(|transport| property("transport", transport)));
        if is_address(&server.target) {
            endpoints.push(server.target.as_str());
        } else if !server.target.is_empty() {
            properties.push(property("target", &server.target));
        }
    }
    let mut service = json!({ "bom-ref": reference(node), "name": node.name, "properties": properties });
    if !endpoints.is_empty() {
        service["endpoints"] = json!(endpoints);
    }
    service
}

/// Whether a text may stand where the format requires an address: variables may not.
fn is_address(text: &str) -> bool {
    let is_allowed = |c: char| !c.is_whitespace() && !c.is_control() && !"{}<>\"\\^`|".contains(c);
    text.contains("://") && text.chars().all(is_allowed)
}

/// What the project has, and what each thing names.
fn dependencies(inventory: &Inventory) -> Vec<Value> {
    let nodes = &inventory.graph.nodes;
    let mut names: Vec<BTreeSet<String>> = vec![BTreeSet::new(); nodes.len()];
    for edge in &inventory.graph.edges {
        let target = edge.target.map(|target| reference(&nodes[target as usize]));
        names[edge.source as usize].extend(target);
    }
    for asset in &inventory.assets {
        names[asset.node as usize].extend(model(&asset.model).map(of_model));
    }
    let own = nodes.iter().filter(|node| node.path.is_some());
    let all: BTreeSet<String> = own.map(reference).collect();
    let whole = json!({ "ref": PROJECT, "dependsOn": all });
    let each = nodes.iter().zip(&names).filter(|(_, names)| !names.is_empty());
    let each = each.map(|(node, names)| json!({ "ref": reference(node), "dependsOn": names }));
    [whole].into_iter().chain(each).collect()
}

fn model(choice: &ModelChoice) -> Option<&str> {
    match choice {
        ModelChoice::Alias(name) | ModelChoice::Id(name) => Some(name),
        ModelChoice::Absent | ModelChoice::Inherit => None,
    }
}

fn of_model(name: &str) -> String {
    format!("{OF_MODEL}{name}")
}

/// A reference to a node: one of a kind, a dialect, a file and a name.
fn reference(node: &Node) -> String {
    let kind = words::node_kind(node.kind);
    let (dialect, path) = (node.dialect.as_deref(), node.path.as_deref());
    [
        kind,
        dialect.unwrap_or_default(),
        path.unwrap_or_default(),
        &node.name,
    ]
    .join("/")
}
