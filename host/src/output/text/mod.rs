//! What people read on a terminal, in a pipe or in a log.

mod cell;
mod check;
mod convert;
mod dialects;
mod diff;
mod entry;
mod excerpt;
mod grants;
mod list;
mod look;
mod readers;
mod rules;
mod search;
mod show;
mod source;
mod table;
mod watch;
mod why;
mod written;

pub(super) use cell::visible;
pub use cell::{clean, clean_lines};
pub use check::{fixed, more, statistics, summary};
pub use convert::{conversion, conversions};
pub use dialects::{dialect, dialects};
pub use diff::diff;
pub use excerpt::Excerpts;
pub use grants::grants;
pub use list::{list, looked_for};
pub use look::Look;
pub use readers::{matrix, readings};
pub use rules::{rule, rules};
pub use search::search;
pub use show::show;
pub use watch::{changes, watching};
pub use why::{near, why};
pub use written::{done, now};
