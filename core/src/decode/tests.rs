//! What a file says of MCP servers.

use alloc::format;
use alloc::string::String;

use crate::dialect::Dialects;
use crate::document;

fn servers_of(dialect: &str, text: &str) -> String {
    let dialects = Dialects::embedded();
    let dialect = dialects.get(dialect).expect("it is built in");
    document::read("a", text.as_bytes(), None, dialect, &dialects)
        .definition
        .servers
}

fn agent(yaml: &str) -> String {
    format!("---\nname: a\ndescription: D\n{yaml}---\nP\n")
}

#[test]
fn servers_are_decoded_as_written() {
    for (yaml, expected) in [
        ("", ""),
        ("mcpServers:\n", "null"),
        ("mcpServers: github\n", r#""github""#),
        ("mcpServers: [github, slack]\n", r#"["github","slack"]"#),
        ("mcpServers: {}\n", "{}"),
        ("mcpServers: [\n", r#""[""#),
        (
            "mcpServers:\n  bell:\n    command: ring\n    args: [-x, 8080, 'a: \"b\"']\n    env: {A: 1, B: yes}\n",
            r#"{"bell":{"command":"ring","args":["-x",8080,"a: \"b\""],"env":{"A":1,"B":"yes"}}}"#,
        ),
        (
            "mcpServers:\n  - github\n  - bell:\n      command: ring # loud\n",
            r#"["github",{"bell":{"command":"ring"}}]"#,
        ),
        (
            "mcpServers:\n  a: {command: x}\n  a: {command: y}\n",
            r#"{"a":{"command":"y"}}"#,
        ),
    ] {
        assert_eq!(servers_of("qwen-code", &agent(yaml)), expected, "{yaml}");
    }
}

#[test]
fn servers_are_decoded_in_every_dialect() {
    let bell = r#"{"bell":{"command":"ring","args":["-x"]}}"#;
    let role = "name = \"a\"\ndescription = \"D\"\ndeveloper_instructions = \"P\"\n\n[mcp_servers.bell]\ncommand = \"ring\"\nargs = [\"-x\"]\n";
    assert_eq!(servers_of("codex", role), bell);
    let yaml = agent("mcp-servers:\n  bell:\n    command: ring\n    args: [-x]\n");
    assert_eq!(servers_of("copilot", &yaml), bell);
    assert_eq!(servers_of("kode", &yaml), "", "it has no such key");
    let map = agent("mcpServers:\n  bell: {command: ring}\n");
    assert_eq!(servers_of("claude-code", &map), "", "it reads only lists");
}
