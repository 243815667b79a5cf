//! The shape of dialect files and of editions, which are written in TOML.
//!
//! The build script of the core reads them, and the core embeds what it wrote.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod call;
mod context;
mod delegation;
mod dialect;
pub mod edition;
mod fields;
mod files;
mod hooks;
mod instructions;
mod keys;
mod kind;
mod manifest;
mod memory;
mod paths;
mod places;
mod servers;
mod settings;
mod skills;
mod tools;
mod verdict;

pub use call::{CallRules, Runs, ToolsAre};
pub use context::ContextRules;
pub use delegation::{CommandPatterns, Delegation, ModelAbsent, PromptPlace};
pub use dialect::{BuiltIn, Dialect, PluginSource, Section};
pub use fields::Canonical;
pub use files::{Clash, Format, Identity, Kind};
pub use hooks::HookRules;
pub use instructions::InstructionRules;
pub use keys::{Condition, EntryFill, Form, Key, Shape, leading_integer};
pub use kind::KindRules;
pub use manifest::{
    Consequence, JsonType, Manifest, ManifestKey, ManifestPart, SettingsFormat, Taken, TextForm,
};
pub use memory::{MemoryPlace, MemoryRules};
pub use paths::stem;
pub use places::{FileRule, Level, Relocation, Source};
pub use servers::ServerRules;
pub use settings::{Json, SettingRules, TextNames};
pub use skills::SkillTool;
pub use tools::{Extent, Specifiers, ToolDefaults, ToolShape, ToolText};
pub use verdict::{BodyRule, NoFrontmatter, Tolerance, Verdict};
