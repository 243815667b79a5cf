//! What acts in a project.

use std::collections::BTreeSet;

use callsheet_contract::catalogs::Standing;
use callsheet_contract::projects::{Asset, Inventory, Node, NodeKind};
use callsheet_contract::types::ModelChoice;
use serde::{Deserialize, Serialize};

use super::cell::{clean, wrap};
use super::check::plural;
use super::entry::{model, standing};
use super::graph::{line, title};
use super::look::Look;
use crate::assets::{self, permission, ways};

/// The width of the words before the facts about something.
const LABELS: usize = 9;

/// The fewest columns for facts.
const LEAST: usize = 20;

/// The digits of a hash that are enough to compare files by eye.
const DIGITS: usize = 12;

/// Agents, skills and commands by dialect, then servers and hooks, and their numbers.
pub fn inventory(look: &Look, inventory: &Inventory) -> String {
    let mut out = String::new();
    let nodes = &inventory.graph.nodes;
    let mut assets: Vec<(&Node, &Asset)> = Vec::new();
    assets.extend(
        inventory
            .assets
            .iter()
            .map(|asset| (&nodes[asset.node as usize], asset)),
    );
    assets.sort_by_key(|(node, _)| &node.dialect);
    let mut dialect = None;
    for (node, asset) in assets {
        if dialect != Some(&node.dialect) {
            dialect = Some(&node.dialect);
            heading(look, &mut out, node.dialect.as_deref().unwrap_or_default());
        }
        out.push_str(&entry(look, inventory, asset, node));
    }
    for (at, server) in inventory.servers.iter().enumerate() {
        if at == 0 {
            heading(look, &mut out, "MCP servers");
        }
        let place = format!("{}:{}", clean(&server.place.path), server.place.start.line);
        out.push_str(&line(look, 2, &title(&nodes[server.node as usize]), None, &place));
        let transport = server.transport.as_deref().unwrap_or("at");
        fact(look, &mut out, &clean(transport), &server.target);
    }
    for (at, hook) in inventory.hooks.iter().enumerate() {
        if at == 0 {
            heading(look, &mut out, "Hooks");
        }
        let place = format!("{}:{}", clean(&hook.place.path), hook.place.start.line);
        out.push_str(&line(look, 2, &clean(&hook.event), None, &place));
        fact(look, &mut out, "runs", &hook.runs);
    }
    for path in &inventory.unread {
        out.push_str(&format!("\n{} {}\n", look.bad("cannot be read:"), clean(path)));
    }
    let gap = if out.is_empty() { "" } else { "\n" };
    let summary = wrap(&Numbers::of(inventory).words(), look.width.max(LEAST)).join("\n");
    format!("{out}{gap}{summary}\n")
}

fn heading(look: &Look, out: &mut String, text: &str) {
    let gap = if out.is_empty() { "" } else { "\n" };
    out.push_str(&format!("{gap}{}\n", look.heading(clean(text))));
}

fn entry(look: &Look, inventory: &Inventory, asset: &Asset, node: &Node) -> String {
    let state = match node.standing {
        Some(Standing::Active) => None,
        Some(other) => Some(format!(": {}", standing(other))),
        None if node.path.is_none() => Some(": built-in".to_owned()),
        None => None,
    };
    let path = node.path.as_deref().map(clean).unwrap_or_default();
    let mut out = line(look, 2, &title(node), state.as_deref(), &path);
    fact(look, &mut out, "may", &granted(asset));
    for (way, permissions) in ways(inventory, asset) {
        fact(
            look,
            &mut out,
            "reaches",
            &format!("{} through {way}", permissions.join(", ")),
        );
    }
    fact(look, &mut out, "unknown", &asset.other_tools.join(", "));
    if asset.model != ModelChoice::Absent {
        fact(look, &mut out, "model", &model(&asset.model));
    }
    fact(look, &mut out, "mode", asset.mode.as_deref().unwrap_or_default());
    let found = [(asset.errors, "error"), (asset.warnings, "warning")];
    let found = found.iter().filter(|(count, _)| *count > 0);
    let found: Vec<String> = found.map(|(count, word)| plural(*count as usize, word)).collect();
    fact(look, &mut out, "findings", &found.join(", "));
    let digits = asset.sha256.as_ref().and_then(|digits| digits.get(..DIGITS));
    fact(look, &mut out, "sha256", digits.unwrap_or_default());
    out
}

/// What it may do itself.
fn granted(asset: &Asset) -> String {
    let own = asset.permissions.iter();
    let mut own: Vec<String> = own.map(permission).collect();
    if asset.any_agent {
        let delegate = own.iter_mut().find(|own| *own == assets::DELEGATE);
        delegate.into_iter().for_each(|own| own.push_str(" (any agent)"));
    }
    own.join(", ")
}

/// A fact below something; nothing if there is none.
fn fact(look: &Look, out: &mut String, label: &str, text: &str) {
    let text = clean(text);
    if text.is_empty() {
        return;
    }
    let columns = look.width.saturating_sub(4 + LABELS).max(LEAST);
    for (at, part) in wrap(&text, columns).iter().enumerate() {
        let label = if at == 0 { label } else { "" };
        out.push_str(&format!("    {}{part}\n", look.faint(format!("{label:LABELS$}"))));
    }
}

/// How much an inventory has.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub struct Numbers {
    agents: usize,
    skills: usize,
    commands: usize,
    servers: usize,
    hooks: usize,
    /// Those that reach more permissions through others.
    reaching: usize,
}

impl Numbers {
    /// Counts an inventory.
    pub fn of(inventory: &Inventory) -> Self {
        let count = |kind| {
            let nodes = inventory
                .assets
                .iter()
                .map(|asset| &inventory.graph.nodes[asset.node as usize]);
            // Several tools may read a file.
            let paths: BTreeSet<&String> = nodes
                .filter(|node| node.kind == kind)
                .filter_map(|node| node.path.as_ref())
                .collect();
            paths.len()
        };
        let reaching = inventory.assets.iter().filter(|asset| !asset.reached.is_empty());
        Self {
            agents: count(NodeKind::Agent),
            skills: count(NodeKind::Skill),
            commands: count(NodeKind::Command),
            servers: inventory.servers.len(),
            hooks: inventory.hooks.len(),
            reaching: reaching.count(),
        }
    }

    /// Counts another inventory, too.
    pub fn add(&mut self, other: &Self) {
        self.agents += other.agents;
        self.skills += other.skills;
        self.commands += other.commands;
        self.servers += other.servers;
        self.hooks += other.hooks;
        self.reaching += other.reaching;
    }

    fn words(&self) -> String {
        [
            plural(self.agents, "agent"),
            plural(self.skills, "skill"),
            plural(self.commands, "command"),
            plural(self.servers, "MCP server"),
            plural(self.hooks, "hook"),
            format!("{} with more permissions through others", self.reaching),
        ]
        .join(", ")
    }
}

/// `PATH: ` and the numbers of its inventory.
pub fn repository_inventory(look: &Look, path: &str, numbers: &Numbers) -> String {
    look.heading(format!("{}: {}", clean(path), numbers.words()))
}

/// The numbers of repositories, and of their inventories.
pub fn inventories(look: &Look, repositories: usize, numbers: &Numbers) -> String {
    let repositories = match repositories {
        1 => "1 repository".to_owned(),
        all => format!("{all} repositories"),
    };
    let line = format!("{repositories}: {}", numbers.words());
    format!("{}\n", wrap(&line, look.width.max(LEAST)).join("\n"))
}
