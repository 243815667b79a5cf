//! Texts to try: the parts of agent files in every order, mixed with what should not be in them.

use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::sample::select;
use proptest::strategy::{Just, Union};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

const PIECES: &[&str] = &[
    "---\n",
    "---",
    "--- \n",
    "----\n",
    "...\n",
    "+++\n",
    "---js\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "  ",
    "    ",
    "\t",
    "name: ",
    "description: ",
    "tools: ",
    "model: ",
    "allowed_tools: ",
    "max_tokens: ",
    "key",
    "Read",
    "*",
    "null",
    "~",
    "true",
    "0x1F",
    "1e3",
    ": ",
    ":",
    "- ",
    "-",
    ", ",
    "[",
    "]",
    "{",
    "}",
    "|\n",
    ">-\n",
    "|2-\n",
    "? ",
    "\"",
    "'",
    "''",
    "\\\"",
    "\\",
    "&a ",
    "*a",
    "<<: *a\n",
    "!!str ",
    "!!js/function ",
    "# ",
    "#",
    "%YAML 1.2\n",
    "@",
    "`",
    "```",
    "```rs\n",
    "# Title\n",
    "<example>",
    "</example>",
    "<b>",
    "[x](y)",
    "Bash(git *)",
    "Agent(a, b)",
    "mcp__s__*",
    "é",
    "👩‍💻",
    "日本",
    "\u{feff}",
    "\u{2028}",
    "\u{85}",
    "\0",
    "\u{7f}",
    "\u{202e}",
    "\u{fffd}",
];

const KEYS: &[&str] = &[
    "name",
    "description",
    "tools",
    "disallowedTools",
    "allowed_tools",
    "allowed_commands",
    "model",
    "model_name",
    "color",
    "max_tokens",
    "provider",
    "skills",
    "hooks",
    "mcpServers",
    "forkContext",
    "permissionMode",
    "note",
];

const VALUES: &[&str] = &[
    "reviewer",
    "Reviews code",
    "Use this: it is good",
    "\"quoted \\\" text\"",
    "'it''s'",
    "[Read, Write]",
    "Read, Write",
    "\n  - Read\n  - Bash(git *)",
    "|\n  one\n\n  two",
    ">-\n  one\n  two",
    "*",
    "\"*\"",
    "sonnet",
    "inherit",
    "8192",
    "-1",
    "null",
    "",
    "{a: 1}",
    "&x y",
    "*x",
    "# only a comment",
    "a #b",
    "a # b",
    "true",
    "Use `x`: <example>hi</example>",
    "日本: 語",
    "\tindented",
    "@at",
    "%percent",
    "[unclosed",
    "\"unclosed",
    "x: y: z",
];

const BODIES: &[&str] = &[
    "",
    "Prompt.\n",
    "\n# Title\n\nText with `code` and [a link](https://example.com).\n",
    "```sh\n---\n```\n",
    "<example>\nuser: hi\n</example>\n",
    "---\nnot: frontmatter\n---\n",
    "    indented\n",
    "no line end",
];

/// Tests a property on so many values, always the same ones; `CALLSHEET_CASES` raises the number.
pub fn check<S: Strategy>(tries: u32, strategy: S, property: impl Fn(S::Value) -> TestCaseResult) {
    let more = std::env::var("CALLSHEET_CASES")
        .ok()
        .and_then(|number| number.parse().ok());
    let config = Config {
        cases: more.map_or(tries, |more: u32| more.max(tries)),
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    if let Err(failure) = runner.run(&strategy, property) {
        panic!("{failure}");
    }
}

/// Text that is an agent file, almost one, or a mix of their parts.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![4 => agent(), 2 => heap(), 1 => any::<String>()]
}

/// Bytes that are such text, mostly.
pub fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let noise = vec(any::<u8>(), 0..24);
    prop_oneof![
        6 => text().prop_map(String::into_bytes),
        2 => (text(), noise.clone(), any::<proptest::sample::Index>()).prop_map(|(text, noise, at)| {
            let mut bytes = text.into_bytes();
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..at, noise);
            bytes
        }),
        1 => noise,
    ]
}

fn heap() -> impl Strategy<Value = String> {
    vec(select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

fn agent() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        6 => select(VALUES).prop_map(str::to_owned),
        1 => heap(),
        1 => "[ -~]{0,20}",
    ];
    let line = (select(KEYS), value).prop_map(|(key, value)| format!("{key}: {value}\n"));
    let opening = Union::new_weighted(vec![
        (8, Just("---\n")),
        (1, Just("\u{feff}---\n")),
        (1, Just("\n--- \n")),
        (1, Just("--- \t\n")),
    ]);
    let closing = Union::new_weighted(vec![
        (8, Just("---\n")),
        (1, Just("---")),
        (1, Just("...\n")),
        (1, Just("")),
    ]);
    (opening, vec(line, 0..8), closing, select(BODIES))
        .prop_map(|(opening, lines, closing, body)| [opening, &lines.concat(), closing, body].concat())
}
