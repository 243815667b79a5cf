//! Drafts to try, full of what YAML readers misread.

use callsheet_core::definition::{ToolFilter, ToolRule};
use callsheet_core::dialect::{Canonical, Dialect, Shape};
use callsheet_core::span::Span;
use callsheet_core::write::{Draft, Value};
use callsheet_core::yaml::{self, Entry, Kind, Node};
use proptest::collection;
use proptest::option;
use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::sample::select;

const TEXTS: &[&str] = &[
    "reviewer",
    "Reviews code: bugs first",
    "cut at #1 thing",
    "cut #here",
    "[WIP] x",
    "{braces}",
    "*bold* and &anchor",
    "&anchor",
    "@mention",
    "!tag x",
    "%directive",
    "| block",
    "> folded",
    "\\ backslash",
    "- item",
    "? key",
    "-",
    "---",
    "a --- b",
    "...",
    "yes",
    "No",
    "on",
    "OFF",
    "y",
    "null",
    "~",
    "",
    "true",
    "0777",
    "0x1F",
    "0o17",
    "1_000",
    "1:30",
    "190:20:30",
    "2024-01-02",
    "2001-12-14t21:59:43.10-05:00",
    "12",
    "-7",
    "+1",
    "1.5",
    "1e3",
    ".5",
    ".inf",
    "=",
    "<<",
    "trailing ",
    " leading",
    "\ttab",
    "a\tb",
    "two\nlines",
    "ends\n",
    "crlf\r\nend",
    "nel\u{85}ls\u{2028}ps\u{2029}",
    "\u{feff}mark",
    "bell\u{7}nul\0del\u{7f}",
    "\"quoted\" text",
    "'quoted' text",
    "it's \"both\"",
    "ends:",
    "a:b",
    "a,b",
    "C:\\new\\x41",
    "日本: 語",
    "👩‍💻",
    "e\u{301}",
    "x # y: z - [a] {b} \"c\" 'd'",
];

const TOOLS: &[&str] = &[
    "Read",
    "mcp__srv__do",
    "no",
    "12",
    "Bash",
    "file_read",
    "*",
    "a,b",
    "two words",
    "~",
];

const SPECIFIERS: &[&str] = &[
    "git *",
    "npm run test:*",
    "a, b",
    "x: y",
    "(nested)",
    "(",
    "",
    "# no",
    "\"q\"",
];

/// Answers for any field of a dialect's table.
#[derive(Clone, Debug)]
pub struct Answers {
    texts: Vec<String>,
    words: Vec<String>,
    tools: ToolFilter,
    number: i64,
    yes: bool,
    left_out: Vec<bool>,
    prompt: String,
}

/// Text of any kind: words with another meaning, several of them joined, and noise.
pub fn text() -> impl Strategy<Value = String> {
    let piece = || select(TEXTS).prop_map(str::to_owned);
    let long = (select(TEXTS), 1..400_usize).prop_map(|(text, times)| text.repeat(times));
    prop_oneof![
        6 => piece(),
        2 => collection::vec(piece(), 1..5).prop_map(|pieces| pieces.concat()),
        2 => any::<String>(),
        1 => long,
    ]
}

/// Answers to try.
pub fn answers() -> impl Strategy<Value = Answers> {
    let rule = (select(TOOLS), option::of(select(SPECIFIERS))).prop_map(|(tool, specifier)| ToolRule {
        tool: tool.to_owned(),
        specifier: specifier.map(str::to_owned),
        span: Span::default(),
    });
    let tools = prop_oneof![
        1 => select(&[ToolFilter::Absent, ToolFilter::Null, ToolFilter::None, ToolFilter::All]),
        2 => collection::vec(rule, 1..12).prop_map(ToolFilter::Only),
    ];
    (
        collection::vec(text(), 12),
        collection::vec(text(), 0..6),
        tools,
        any::<i64>(),
        any::<bool>(),
        collection::vec(any::<bool>(), 32),
        text(),
    )
        .prop_map(|(texts, words, tools, number, yes, left_out, prompt)| Answers {
            texts,
            words,
            tools,
            number,
            yes,
            left_out,
            prompt,
        })
}

impl Answers {
    /// A draft of these answers that has the shapes of a dialect's table.
    pub fn draft(&self, dialect: &Dialect) -> Draft {
        let mut texts = self.texts.iter().cycle().cloned();
        let mut fields = Vec::new();
        for (key, left_out) in dialect.keys.iter().zip(self.left_out.iter().cycle()) {
            // A prompt among the fields is up to the body.
            if *left_out && !key.is_required() || key.field == Canonical::Prompt {
                continue;
            }
            let mut text = || texts.next().unwrap_or_default();
            let value = match &key.shape {
                Shape::Text | Shape::Scalar if !key.one_of.is_empty() => Value::Text(key.one_of[0].clone()),
                Shape::Text | Shape::Scalar => Value::Text(text()),
                Shape::Any => Value::Text(text()),
                Shape::Integer | Shape::Number => Value::Integer(self.number),
                Shape::Switches => Value::Yaml(map(vec![("bash", yaml_of("false"))])),
                Shape::Permissions => Value::Yaml(map(vec![("bash", scalar("ask"))])),
                Shape::Boolean => Value::Boolean(self.yes),
                Shape::Tools(_) => Value::Tools(self.tools.clone()),
                Shape::Words | Shape::Spaced => Value::Words(self.words.clone()),
                Shape::Names if key.list_only => listed(self.map("Event", &text())),
                Shape::Names => self.map("Event", &text()),
                Shape::Endpoint => self.map("base_url", &text()),
            };
            fields.push((key.field.name().to_owned(), value));
        }
        let prompt = self.prompt.clone();
        Draft { fields, prompt }
    }

    /// A map with this text as a key and as a value, deep below lists and maps.
    fn map(&self, key: &str, text: &str) -> Value {
        let short: String = text.chars().take(200).collect();
        let value = scalar(text);
        if key == "base_url" {
            return Value::Yaml(map(vec![(key, value)]));
        }
        let number = yaml_of(&self.number.to_string());
        let inner = map(vec![
            ("b", list(vec![list(vec![value.clone()])])),
            ("c", number.clone()),
        ]);
        let nothing = [map(Vec::new()), list(Vec::new())];
        let several = list([number, inner, list(nothing.to_vec())].to_vec());
        let deep = map(vec![("the first", value.clone()), (&short, several)]);
        Value::Yaml(map(vec![(key, list(vec![deep, value])), ("other", scalar(""))]))
    }
}

fn yaml_of(text: &str) -> Node {
    let document = yaml::read(text, 0).expect("a plain scalar is YAML");
    document.root.expect("it is a value")
}

fn scalar(text: &str) -> Node {
    Node::text(text, Span::default())
}

fn list(items: Vec<Node>) -> Node {
    node(Kind::Sequence(items))
}

/// A map as a list of maps with one entry each.
fn listed(value: Value) -> Value {
    match value {
        Value::Yaml(Node {
            kind: Kind::Mapping(entries),
            ..
        }) => {
            let alone = |entry| node(Kind::Mapping(vec![entry]));
            Value::Yaml(list(entries.into_iter().map(alone).collect()))
        }
        value => value,
    }
}

fn map(entries: Vec<(&str, Node)>) -> Node {
    let entry = |(key, value)| Entry {
        key: scalar(key),
        value,
    };
    node(Kind::Mapping(entries.into_iter().map(entry).collect()))
}

fn node(kind: Kind) -> Node {
    Node {
        kind,
        span: Span::default(),
        tag: None,
    }
}
