//! Parses, validates and resolves AI agent files.
//!
//! Data flows one way, and each stage is a module: bytes become a [`source`] text, split by [`frontmatter`] fences, read as
//! [`yaml`] with spans, decoded by a [`dialect`] into a [`definition`] with diagnostics. Definitions from several sources
//! are resolved and kept in a [`catalog`].
//!
//! Nothing here fails on content: every stage returns its value *and* its findings. Nothing here accesses the outside world: files come
//! through the [`files::Files`] of the caller.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod calls;
mod cast;
pub mod catalog;
pub mod closest;
pub mod compose;
pub mod convert;
mod cycles;
mod decode;
pub mod definition;
pub mod diagnostic;
pub mod dialect;
pub mod document;
pub mod examples;
mod file_names;
pub mod files;
pub mod fix;
pub mod frontmatter;
mod hooks;
mod ignore;
mod ignored;
pub mod json;
pub mod limits;
pub mod lines;
mod listing;
mod manifests;
pub mod markdown;
mod mentions;
pub mod names;
mod offered;
mod order;
pub mod permission;
mod phrase;
mod places;
pub mod project;
pub mod reader;
mod references;
pub mod rules;
mod scripts;
pub mod session;
mod settings;
mod skills;
pub mod source;
pub mod span;
mod subject;
mod toml;
mod tool_lists;
pub mod verdict;
pub mod vocabulary;
pub mod write;
pub mod yaml;
