//! What the agents of several sessions did and used.

use std::collections::BTreeMap;

use serde::Serialize;

use super::SavedSession;
use crate::output::json;
use crate::output::live::{amount, number, seconds};
use crate::output::report::AgentUsage;
use crate::output::text::{Column, Last, Look, Table, clean};

const COLUMNS: [Column; 8] = [
    Column::new("AGENT", 8, 9),
    Column::new("CALLS", 5, 8),
    Column::new("FAILED", 6, 7),
    Column::new("DENIED", 6, 6),
    Column::new("TURNS", 5, 2),
    Column::new("TOKENS", 6, 5),
    Column::new("COST", 4, 4),
    Column::new("TIME", 4, 3),
];

/// The usage of agents by name, wherever they were called.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// The number of sessions.
    pub sessions: usize,
    /// Those of them that were saved by versions that counted less.
    pub older: usize,
    /// By the agent's name.
    pub agents: BTreeMap<String, AgentUsage>,
}

impl Stats {
    /// Adds up sessions.
    pub fn of<'a>(sessions: impl Iterator<Item = &'a SavedSession>) -> Self {
        let mut stats = Self::default();
        for session in sessions {
            stats.sessions += 1;
            // The first agent of a session has a task.
            stats.older += usize::from(session.agents.iter().all(|agent| agent.calls == 0));
            for agent in &session.agents {
                let name = agent.agent.last().cloned().unwrap_or_default();
                stats.agents.entry(name).or_default().add(agent);
            }
        }
        stats
    }
}

/// One row per agent.
pub fn table(look: &Look, stats: &Stats) -> String {
    if stats.agents.is_empty() {
        return String::new();
    }
    let row = |(name, it): (&String, &AgentUsage)| {
        vec![
            clean(name),
            number(it.calls.into()),
            number(it.failures.into()),
            number(it.denials.into()),
            number(it.turns.into()),
            number(it.input_tokens.saturating_add(it.output_tokens)),
            // Without a price, it is not known.
            match it.cost {
                0 => String::new(),
                cost => amount(cost),
            },
            seconds(it.nanoseconds),
        ]
    };
    let table = Table {
        columns: &COLUMNS,
        rows: stats.agents.iter().map(row).collect(),
        last: Last::Cut,
    };
    table.render(look)
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    command: &'static str,
    sessions: usize,
    older_sessions: usize,
    agents: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    agent: &'a str,
    calls: u32,
    failures: u32,
    denials: u32,
    turns: u32,
    input_tokens: u64,
    cache_read_tokens: u64,
    cache_write_tokens: u64,
    output_tokens: u64,
    cost: u64,
    nanoseconds: u64,
}

/// The document that `stats` prints, described in `docs/json.md`.
pub fn document(stats: &Stats) -> String {
    let rows = stats.agents.iter().map(|(agent, it)| Row {
        agent,
        calls: it.calls,
        failures: it.failures,
        denials: it.denials,
        turns: it.turns,
        input_tokens: it.input_tokens,
        cache_read_tokens: it.cache_read_tokens,
        cache_write_tokens: it.cache_write_tokens,
        output_tokens: it.output_tokens,
        cost: it.cost,
        nanoseconds: it.nanoseconds,
    });
    json::pretty(&Document {
        version: 1,
        command: "stats",
        sessions: stats.sessions,
        older_sessions: stats.older,
        agents: rows.collect(),
    })
}
