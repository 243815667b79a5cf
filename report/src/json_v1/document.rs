//! One file read on its own.

use serde::Serialize;

use callsheet_contract::documents as wit;

use super::diagnostic::{Diagnostic, Span};
use crate::words;

#[derive(Serialize)]
pub(super) struct Document<'a> {
    dialect: &'a str,
    reading: &'static str,
    loads: bool,
    outline: Outline<'a>,
    diagnostics: Vec<Diagnostic<'a>>,
}

impl<'a> From<&'a wit::Parsed> for Document<'a> {
    fn from(parsed: &'a wit::Parsed) -> Self {
        Self {
            dialect: &parsed.dialect,
            reading: words::reading(parsed.reading),
            loads: parsed.loads,
            outline: (&parsed.outline).into(),
            diagnostics: parsed.diagnostics.iter().map(Into::into).collect(),
        }
    }
}

#[derive(Serialize)]
struct Outline<'a> {
    headings: Vec<Heading<'a>>,
    code_blocks: Vec<CodeBlock<'a>>,
    links: Vec<Link<'a>>,
    examples: Vec<Example<'a>>,
}

impl<'a> From<&'a wit::Outline> for Outline<'a> {
    fn from(outline: &'a wit::Outline) -> Self {
        let heading = |it: &'a wit::Heading| Heading {
            depth: it.depth,
            text: &it.text,
            span: it.span.into(),
        };
        let code_block = |it: &'a wit::CodeBlock| CodeBlock {
            language: &it.language,
            span: it.span.into(),
        };
        let link = |it: &'a wit::Link| Link {
            target: &it.target,
            span: it.span.into(),
        };
        let example = |it: &'a wit::Example| Example {
            text: &it.text,
            span: it.span.into(),
        };
        Self {
            headings: outline.headings.iter().map(heading).collect(),
            code_blocks: outline.code_blocks.iter().map(code_block).collect(),
            links: outline.links.iter().map(link).collect(),
            examples: outline.examples.iter().map(example).collect(),
        }
    }
}

#[derive(Serialize)]
struct Heading<'a> {
    depth: u8,
    text: &'a str,
    span: Span,
}

#[derive(Serialize)]
struct CodeBlock<'a> {
    language: &'a str,
    span: Span,
}

#[derive(Serialize)]
struct Link<'a> {
    target: &'a str,
    span: Span,
}

#[derive(Serialize)]
struct Example<'a> {
    text: &'a str,
    span: Span,
}
