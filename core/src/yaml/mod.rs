//! YAML with spans: events to a tree that keeps duplicates, comments and styles, and three ways to read a broken one.

mod comments;
mod ladder;
mod line_reader;
mod node;
mod quote;
mod read;
mod scalar;

pub(crate) use comments::MARK;
pub use ladder::{Ladder, Problem, Reading, climb};
pub use node::{Entry, Kind, Node};
pub use quote::requoted;
pub use read::{Document, SyntaxError, read, read_first, touching_comment};
pub use scalar::{Plain, Style, guess};
