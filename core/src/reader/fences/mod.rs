//! How each release finds the frontmatter and the body.

mod dashes;
mod front_matter;
mod goldmark_meta;
mod gray_matter;
mod lines;
mod parts;
mod patterns;
mod python_frontmatter;

use alloc::borrow::Cow;

pub(super) use gray_matter::PROGRAM;
pub(super) use parts::{Frontmatter, Split};

use crate::dialect::edition::Fences;

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
        Fences::Codex => lines::spaced(text),
        Fences::QwenCodeSkill => patterns::qwen_code_skill(text),
        Fences::QwenCodeCommand => patterns::qwen_code_command(text),
        Fences::Toml => Split {
            frontmatter: Frontmatter::Toml(text),
            body: Cow::Borrowed(""),
        },
    }
}
