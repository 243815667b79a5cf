//! Shows a running session: as a tree on a terminal, as lines elsewhere.

mod board;
mod lines;
mod tree;
mod view;

use std::sync::Arc;

pub(in crate::output) use self::board::{amount, number, seconds};
pub use self::lines::Lines;
pub use self::tree::Tree;
pub use self::view::View;
use super::report::{AgentUsage, Ended};
use super::text::Look;
use crate::drive::Observer;
use crate::tools::Aside;

/// Shows a session on the error stream, as a tree or lines. Other output there is coordinated with it.
pub fn on_stderr(look: Look, terminal: bool) -> (Arc<dyn Observer>, Aside) {
    if !terminal {
        let lines = Arc::new(Lines::new(std::io::stderr()));
        return (lines, Arc::new(|work: &mut dyn FnMut()| work()));
    }
    let tree = Arc::new(Tree::new(look));
    let drawn = Arc::clone(&tree);
    (tree, Arc::new(move |work: &mut dyn FnMut()| drawn.aside(work)))
}

/// The usage of a session on one line: `3 turns, 1 agent called, 1,234 tokens (1,000 from the cache), 4.2 s`. `priced` is the date of
/// its prices.
pub fn usage(ended: &Ended, priced: Option<&str>, nanoseconds: u64) -> String {
    let Ended { usage, agents, .. } = ended;
    let mut parts = vec![board::count(u64::from(usage.turns), "turn")];
    if usage.children > 0 {
        parts.push(format!(
            "{} called",
            board::count(u64::from(usage.children), "agent")
        ));
    }
    let sum = AgentUsage {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cost: usage.cost,
        ..AgentUsage::sum(agents)
    };
    parts.extend(used(&sum));
    if let Some(date) = priced.filter(|_| usage.cost > 0) {
        parts.push(format!("prices of {date}"));
    }
    parts.push(board::seconds(nanoseconds));
    parts.join(", ")
}

/// A line for each agent, if there are several.
pub fn by_agent(agents: &[AgentUsage]) -> Vec<String> {
    if agents.len() < 2 {
        return Vec::new();
    }
    let names: Vec<String> = agents.iter().map(|one| board::path(&one.agent)).collect();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default();
    let line = |(one, name): (&AgentUsage, &String)| {
        let turns = board::count(u64::from(one.turns), "turn");
        format!("{name:width$}  {turns}, {}", used(one).join(", "))
    };
    agents.iter().zip(&names).map(line).collect()
}

/// Tokens, and the cost if there is one.
fn used(usage: &AgentUsage) -> Vec<String> {
    let tokens = board::count(usage.input_tokens.saturating_add(usage.output_tokens), "token");
    let cached = match usage.cache_read_tokens {
        0 => String::new(),
        read => format!(" ({} from the cache)", board::number(read)),
    };
    let cost = (usage.cost > 0).then(|| format!("cost {}", board::amount(usage.cost)));
    [format!("{tokens}{cached}")].into_iter().chain(cost).collect()
}
