//! Core types to contract types. Plain data both ways: exhaustive matches, no decisions.
//!
//! The component converts to the types that it exports. Natively, these are the types of its hosts, for tests that compare the core with
//! the component.
#![allow(missing_docs, reason = "a function converts what its name says")]

pub mod bindings;
mod builds;
mod catalogs;
mod common;
pub mod conversation;
mod dialects;
mod documents;
mod projects;
pub mod sessions;
pub mod written;

pub use builds::{build, composition};
pub use catalogs::{
    card, catalog_error, change, core_card, counters, entries, explanation, grants, location, options,
    visited,
};
pub use common::{agent, core_kind, core_level, diagnostic, diagnostics, span};
pub use dialects::{dialect, reader, seen};
pub use documents::{
    annotations, convert_error, converted, fix_result, found, guessed, parsed, rule, unknown_dialect,
};
pub use projects::{
    completions, fixed, graph, inventory, left, part, places, project, renaming, report, request, scope, spot,
};
