//! How each release finds the frontmatter and the body.

mod dashes;
mod front_matter;
mod goldmark_meta;
mod gray_matter;
mod lines;
mod patterns;
mod python_frontmatter;

use alloc::borrow::Cow;
use alloc::string::String;

use super::edition::Fences;

/// A file in two parts.
pub(super) struct Split<'text> {
    /// The text between the fences.
    pub(super) frontmatter: Frontmatter<'text>,
    /// The source of the prompt.
    pub(super) body: Cow<'text, str>,
}

/// The text between the fences.
pub(super) enum Frontmatter<'text> {
    /// There are none: every key is absent.
    None,
    /// YAML.
    Yaml(Cow<'text, str>),
    /// JSON.
    Json(Cow<'text, str>),
    /// The whole file is YAML, with the prompt among its keys.
    Whole(&'text str),
    /// The whole file is TOML, with the prompt among its keys.
    Toml(&'text str),
    /// The release refuses it, for this reason.
    Refused(String),
}

/// Splits a text like a release.
pub(super) fn split(text: &str, fences: Fences) -> Split<'_> {
    match fences {
        Fences::GrayMatter => gray_matter::split(text),
        Fences::FrontMatter => front_matter::split(text),
        Fences::PythonFrontmatter => python_frontmatter::split(text),
        Fences::Dashes => dashes::split(text),
        Fences::Lines => lines::split(text),
        Fences::GoldmarkMeta => goldmark_meta::split(text),
        Fences::ClaudeCode => patterns::claude_code(text),
        Fences::GeminiCli => patterns::gemini_cli(text),
        Fences::QwenCode => patterns::qwen_code(text),
        Fences::Copilot => lines::trimmed(text),
        Fences::Toml => Split {
            frontmatter: Frontmatter::Toml(text),
            body: Cow::Borrowed(""),
        },
    }
}

fn without(text: &str) -> Split<'_> {
    Split {
        frontmatter: Frontmatter::None,
        body: Cow::Borrowed(text),
    }
}
