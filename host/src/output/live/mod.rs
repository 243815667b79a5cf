//! Shows a running session: as a tree on a terminal, as lines elsewhere.

mod board;
mod lines;
mod tree;

use std::sync::Arc;

pub use self::lines::Lines;
pub use self::tree::Tree;
use super::text::Look;
use crate::delegation::Usage;
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

/// The usage of a session on one line: `3 turns, 1 agent called, 1,234 tokens, 4.2 s`.
pub fn usage(usage: &Usage, nanoseconds: u64) -> String {
    let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
    let mut parts = vec![board::count(u64::from(usage.turns), "turn")];
    if usage.children > 0 {
        parts.push(format!(
            "{} called",
            board::count(u64::from(usage.children), "agent")
        ));
    }
    parts.push(board::count(tokens, "token"));
    if usage.cost > 0 {
        parts.push(format!(
            "cost {}.{:04}",
            usage.cost / 1_000_000,
            usage.cost % 1_000_000 / 100
        ));
    }
    parts.push(board::seconds(nanoseconds));
    parts.join(", ")
}
