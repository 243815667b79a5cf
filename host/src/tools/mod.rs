//! The host's tools: files of the project and a shell, under the names of a dialect.
//!
//! The component decides what an agent may do. A tool does what it is told within the project only: no path leads out, by `..` or by a
//! link.

mod apart;
mod arguments;
mod asking;
mod background;
mod change;
mod copies;
mod edit;
mod fetch;
mod glob;
mod grep;
mod joined;
mod limits;
mod list;
mod local;
mod notebook;
mod offers;
mod output;
mod page;
mod project;
mod public;
mod read;
mod rule;
mod search;
mod shell;
mod tasks;
mod terminal;
#[cfg(test)]
mod tests;
mod text;
mod unsaved;
mod walk;

pub use self::arguments::PATH;
pub use self::asking::{Asker, Asking, Decision, Question, Remember, Unattended};
pub use self::joined::Joined;
pub use self::local::{LocalTools, Options};
pub use self::search::WebSearch;
pub use self::terminal::{Aside, Terminal};
pub use self::unsaved::Unsaved;
