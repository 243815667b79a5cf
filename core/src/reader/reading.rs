//! What a reader makes of a file.

use alloc::string::String;
use alloc::vec::Vec;

use super::hold::Held;
use super::tools::HeldTools;
use crate::verdict::Outcome;

/// The outcome of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Whether it loads.
    pub outcome: Outcome,
    /// What the reader holds of it.
    pub agent: HeldAgent,
    /// The keys of its frontmatter.
    pub keys: Vec<String>,
}

/// What a reader holds of a file that it loads.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldAgent {
    /// Its name.
    pub name: Held,
    /// When to use it.
    pub description: Held,
    /// The tools it may use.
    pub tools: HeldTools,
    /// The tools it may not use.
    pub denied: HeldTools,
    /// The model.
    pub model: Option<Held>,
    /// The color.
    pub color: Option<Held>,
    /// The prompt. Only a reader that keeps invalid UTF-8 has any in it.
    pub prompt: Vec<u8>,
}
