//! Dialects: the rules of each product, as data.

mod registry;

use alloc::string::String;

pub use callsheet_schema::edition;
pub use callsheet_schema::{
    BodyRule, BuiltIn, CallRules, Canonical, Clash, CommandPatterns, Condition, Consequence, ContextRules,
    Delegation, Dialect, EntryFill, Extent, FileRule, Form, Format, HookRules, Identity, InstructionRules,
    Json, JsonType, Key, Kind, KindRules, Level, MemoryPlace, ModelAbsent, NoFrontmatter, PluginSource,
    PromptPlace, Runs, Section, Shape, SkillTool, Source, Specifiers, TextForm, Tolerance, ToolDefaults,
    ToolShape, ToolText, ToolsAre, Verdict,
};
pub(crate) use registry::with_kind;
pub use registry::{Dialects, Readers, UnknownDialect, UnknownReader};

/// Where a definition came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The dialect that read it.
    pub dialect: String,
    /// The kind of source.
    pub level: Level,
    /// The source, for display.
    pub source: String,
    /// The file.
    pub path: Option<String>,
}
