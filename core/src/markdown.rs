//! The structure of a Markdown body. The only file that uses the Markdown crate.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::examples::examples;
use crate::lines::find;
use crate::order::sorted;
use crate::span::Span;

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub depth: u8,
    /// Its text, without markup.
    pub text: String,
    /// Where it is.
    pub span: Span,
}

/// A block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBlock {
    /// The info string of its fence; empty for an indented block.
    pub language: String,
    /// Where it is, fences included.
    pub span: Span,
}

/// A link or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its target.
    pub target: String,
    /// Where it is.
    pub span: Span,
    /// Where its target is written: the same, or behind the label that it refers to.
    pub written: Span,
    /// Whether that is the label of a footnote.
    pub is_note: bool,
}

/// An `<example>` element outside of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyExample {
    /// The text between its tags, trimmed.
    pub text: String,
    /// Where it is, tags included.
    pub span: Span,
}

/// The structure of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// In order.
    pub headings: Vec<Heading>,
    /// In order.
    pub code_blocks: Vec<CodeBlock>,
    /// In order.
    pub links: Vec<Link>,
    /// In order.
    pub examples: Vec<BodyExample>,
}

/// Reads the body, a span of `text`.
pub fn outline(text: &str, body: Span) -> Outline {
    read(text, body).0
}

/// The comments of a body that contain `mark`, with their text.
pub(crate) fn html_comments(text: &str, body: Span, mark: &str) -> Vec<(Span, Span)> {
    let mut comments = Vec::new();
    if find(text, body, mark).is_none() {
        return comments;
    }
    for mut rest in read(text, body).1 {
        while let Some(opening) = find(text, rest, "<!--")
            && let Some(closing) = find(text, Span::new(opening.end.index(), rest.end.index()), "-->")
        {
            rest = Span::new(closing.end.index(), rest.end.index());
            let words = Span::new(opening.end.index(), closing.start.index());
            comments.push((opening.to(closing), words));
        }
    }
    comments
}

/// The code and the HTML of a body, in order.
pub(crate) fn unread(text: &str, body: Span) -> Vec<Span> {
    let (_, html, code) = read(text, body);
    sorted(html.into_iter().chain(code).collect(), |a: &Span, b: &Span| {
        a.start.cmp(&b.start)
    })
}

/// All in one walk: the parser is large, and each walk over its events would add a copy of it.
fn read(text: &str, body: Span) -> (Outline, Vec<Span>, Vec<Span>) {
    let markdown = body.of(text);
    let base = body.start.index();
    let place = |range: &Range<usize>| Span::new(base + range.start, base + range.end);
    let mut outline = Outline::default();
    let mut heading: Option<Heading> = None;
    let mut code: Vec<Range<usize>> = Vec::new();
    let mut html = Vec::new();
    let mut events = Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter();
    while let Some((event, range)) = events.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                heading = Some(Heading {
                    depth: level as u8,
                    text: String::new(),
                    span: place(&range),
                });
            }
            Event::End(TagEnd::Heading(_)) => outline.headings.extend(heading.take()),
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => info.trim().to_owned(),
                    CodeBlockKind::Indented => String::new(),
                };
                outline.code_blocks.push(CodeBlock {
                    language,
                    span: place(&range),
                });
                code.push(range);
            }
            Event::Start(Tag::Link { dest_url, id, .. } | Tag::Image { dest_url, id, .. }) => {
                let definition = events.reference_definitions().get(&id).map(|definition| {
                    let Range { start, end } = definition.span;
                    start + markdown[start..end].find("]:").unwrap_or_default()..end
                });
                outline.links.push(Link {
                    target: dest_url.into_string(),
                    span: place(&range),
                    written: place(definition.as_ref().unwrap_or(&range)),
                    is_note: id.starts_with('^'),
                });
            }
            Event::Text(piece) => {
                if let Some(heading) = &mut heading {
                    heading.text.push_str(&piece);
                }
            }
            Event::Code(piece) => {
                if let Some(heading) = &mut heading {
                    heading.text.push_str(&piece);
                }
                code.push(range);
            }
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => html.push(place(&range)),
            _ => {}
        }
    }
    let in_code = |span: Span| code.iter().any(|range| range.contains(&span.start.index()));
    outline.examples = examples(markdown)
        .filter(|example| !in_code(example.span))
        .map(|example| BodyExample {
            text: example.text.to_owned(),
            span: place(&example.span.range()),
        })
        .collect();
    (outline, html, code.iter().map(place).collect())
}

impl Outline {
    /// Applies `to` to every span.
    pub(crate) fn map_spans(&mut self, to: impl Fn(Span) -> Span) {
        let headings = self.headings.iter_mut().map(|heading| &mut heading.span);
        let blocks = self.code_blocks.iter_mut().map(|block| &mut block.span);
        let links = self.links.iter_mut();
        let links = links.flat_map(|link| [&mut link.span, &mut link.written]);
        let examples = self.examples.iter_mut().map(|example| &mut example.span);
        for span in headings.chain(blocks).chain(links).chain(examples) {
            *span = to(*span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outline_lists_the_parts_of_a_body() {
        let text =
            "x# A `b`\n\n```rust\n<example>no</example>\n```\n\n[l](https://x) <example>yes</example>\n";
        let outline = outline(text, Span::new(1, text.len()));
        assert_eq!(outline.headings[0].text, "A b");
        assert_eq!(outline.headings[0].span.of(text).trim(), "# A `b`");
        assert_eq!(outline.code_blocks[0].language, "rust");
        assert_eq!(outline.links[0].target, "https://x");
        assert_eq!(outline.examples.len(), 1);
        assert_eq!(outline.examples[0].span.of(text), "<example>yes</example>");
    }
}
