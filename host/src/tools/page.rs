//! The text of a page, with its headings, items and links in the marks of Markdown.

use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{Token, Tokenizer};
use reqwest::Url;

/// Elements whose contents are not text.
const HIDDEN: &[&str] = &["script", "style", "template", "noscript", "svg", "iframe"];

/// Elements that begin a line.
const LINES: &[&str] = &["br", "div", "dd", "dt", "li", "option", "tr"];

/// Elements with an empty line around them.
const BLOCKS: &[&str] = &[
    "article",
    "aside",
    "blockquote",
    "dl",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "title",
    "ul",
];

/// What separates the next word from the last one.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
enum Gap {
    #[default]
    None,
    Space,
    Line,
    Block,
}

#[derive(Default)]
struct Text {
    out: String,
    gap: Gap,
    /// The element that is hidden, and how many of its name are open.
    hidden: Option<(String, usize)>,
    /// How many `pre` are open.
    preformatted: usize,
    /// The address of the open link.
    link: Option<String>,
}

/// The text of a page that was fetched from an address. Takes time in proportion to its length.
pub(super) fn text(html: &str, base: &Url) -> String {
    let mut emitter = DefaultEmitter::default();
    // What looks like a tag in a script is none.
    emitter.naively_switch_states(true);
    let mut text = Text::default();
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => text.start(&tag, base),
            Token::EndTag(tag) => text.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(string) => text.say(&String::from_utf8_lossy(&string)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    text.close_link();
    text.out
}

impl Text {
    fn start(&mut self, tag: &StartTag<()>, base: &Url) {
        let name = &*String::from_utf8_lossy(&tag.name);
        if let Some((hidden, depth)) = &mut self.hidden {
            *depth += usize::from(hidden == name && !tag.self_closing);
            return;
        }
        if HIDDEN.contains(&name) && !tag.self_closing {
            self.hidden = Some((name.to_owned(), 1));
            return;
        }
        self.part(name);
        match name {
            "a" => {
                self.close_link();
                let href = tag.attributes.get(&b"href"[..]);
                let href = href.and_then(|href| base.join(&String::from_utf8_lossy(href)).ok());
                if let Some(href) = href.filter(|href| matches!(href.scheme(), "http" | "https")) {
                    self.say_as_is("[");
                    self.link = Some(href.into());
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = usize::from(name.as_bytes()[1] - b'0');
                self.say_as_is(&format!("{} ", "#".repeat(level)));
            }
            "li" => self.say_as_is("- "),
            "td" | "th" => self.widen(Gap::Space),
            "pre" => self.preformatted += 1,
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if let Some((hidden, depth)) = &mut self.hidden {
            *depth -= usize::from(hidden == name);
            if *depth == 0 {
                self.hidden = None;
            }
            return;
        }
        match name {
            "a" => self.close_link(),
            "pre" => self.preformatted = self.preformatted.saturating_sub(1),
            _ => {}
        }
        self.part(name);
    }

    fn part(&mut self, name: &str) {
        if BLOCKS.contains(&name) {
            self.widen(Gap::Block);
        } else if LINES.contains(&name) {
            self.widen(Gap::Line);
        }
    }

    fn widen(&mut self, gap: Gap) {
        if gap > self.gap {
            self.gap = gap;
        }
    }

    fn say(&mut self, string: &str) {
        if self.hidden.is_some() {
            return;
        }
        if self.preformatted > 0 {
            return self.say_as_is(string);
        }
        if string.starts_with(char::is_whitespace) {
            self.widen(Gap::Space);
        }
        for word in string.split_whitespace() {
            self.say_as_is(word);
            self.gap = Gap::Space;
        }
        if !string.ends_with(char::is_whitespace) && self.gap == Gap::Space {
            self.gap = Gap::None;
        }
    }

    fn say_as_is(&mut self, string: &str) {
        let gap = std::mem::take(&mut self.gap);
        if !self.out.is_empty() {
            self.out.push_str(match gap {
                Gap::None => "",
                Gap::Space => " ",
                Gap::Line => "\n",
                Gap::Block => "\n\n",
            });
        }
        self.out.push_str(string);
    }

    fn close_link(&mut self) {
        if let Some(link) = self.link.take() {
            self.out.push_str(&format!("]({link})"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    fn read(html: &str) -> String {
        text(html, &"https://example.org/docs/".parse().unwrap())
    }

    #[test]
    fn pages_become_text() {
        for (html, expected) in [
            ("", ""),
            ("plain  text\n here", "plain text here"),
            (
                "<title>A &amp; B</title><h1>One</h1><p>Two<br>three</p>",
                "A & B\n\n# One\n\nTwo\nthree",
            ),
            ("<ul><li>a</li><li>b <b>c</b>d</li></ul>e", "- a\n- b cd\n\ne"),
            (
                "see <a href='../x?a=1&amp;b'>the <i>page</i></a>.",
                "see [the page](https://example.org/x?a=1&b).",
            ),
            ("<a href='javascript:alert(1)'>no</a> <a>link</a>", "no link"),
            (
                "<a href=/a>one<a href=/b>two",
                "[one](https://example.org/a)[two](https://example.org/b)",
            ),
            (
                "<pre>  let a;\n  let b;</pre>after",
                "  let a;\n  let b;\n\nafter",
            ),
            ("a<script>if (a < b) document.write('<p>x</p>')</script>b", "ab"),
            ("a<style>p { }</style><svg><svg></svg>x</svg>b", "ab"),
            ("a<!-- <p>no</p> -->b", "ab"),
            (
                "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>",
                "1 2\n3",
            ),
            ("a <p", "a"),
            ("</a></pre></svg>fine", "fine"),
        ] {
            assert_eq!(read(html), expected, "{html}");
        }
    }

    /// Twice the page is twice the text: no tag makes the rest of the page be read again.
    #[test]
    fn unclosed_tags_are_read_once() {
        for html in [
            "<a href=x>",
            "<pre>",
            "<div",
            "<li>a",
            "<!--",
            "<b <",
            "&am",
            "</",
        ] {
            let _ = read(&html.repeat(200_000));
        }
    }
}
