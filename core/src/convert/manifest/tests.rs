//! Every manifest in every format.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Stop, convert};
use crate::convert::plan::Fate;
use crate::dialect::Json;
use crate::json;
use crate::manifests::{Format, Unknown, check, formats};

/// A manifest of each format, with fields that others lack, read differently or do not know.
const SAMPLES: &[&str] = &[
    r#"{"$schema": "https://json.schemastore.org/claude-code-plugin-manifest.json", "name": "My_Tools", "displayName": "My Tools",
      "version": "1.0.0", "author": {"name": "someone", "url": "https://example.com", "more": 1}, "keywords": ["a"],
      "agents": ["./a.md", "./b.md"], "skills": "./", "commands": {"a": {"source": "./a.md"}}, "hooks": ["./hooks.json", {}],
      "mcpServers": {"docs": {"command": "${CLAUDE_PLUGIN_ROOT}/docs"}}, "dependencies": ["other"], "unknown": [1, {"a": null}]}"#,
    r#"{"name": "tools.more", "category": "b", "tags": ["c"], "agents": "agents", "skills": ["skills/", "more"], "mcpServers": ".mcp.json",
      "hooks": {"version": 1}, "lspServers": "lsp.json", "author": {"name": "someone"}}"#,
    r#"{"name": "tools", "logo": "logo.svg", "rules": "rules/*.mdc", "skills": "skills/*", "agents": ["agents/a.md"], "variables": {"type": "object"},
      "mcpServers": ["./mcp.json", {"a": {"url": "https://example.com"}}], "publisher": "someone"}"#,
    r#"{"version": null, "skills": ["./skills/"], "apps": "./.app.json", "hooks": "./hooks.json", "mcpServers": "./.mcp.json",
      "interface": {"displayName": "Tools", "category": null, "brandColor": "\u0023fff"}}"#,
    r#"{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "tools", "author": {"email": "a@example.com"},
      "extensions": {"com.openai": {"apps": "./a.json", "hooks": 1, "other": 1}, "com.example": {"a": 1}, "com.other": 1}, "agents": "./a.md"}"#,
    r#"{"name": "a", "name": "b", "description": "caf\u00e9 \"x\"", "keywords": [], "author": {}}"#,
    "{}",
    "[]",
    "{",
    "",
];

fn targets() -> impl Iterator<Item = (&'static str, &'static Format)> {
    formats()
        .iter()
        .filter_map(|format| Some((format.target?, format)))
}

fn problems(format: &Format, text: &str) -> Vec<String> {
    let root = json::tree(text, Json::Strict).expect("it is JSON");
    let found = check(&format.shape, &root, &mut Unknown).findings.into_iter();
    found
        .map(|found| format!("{}: {}", found.rule, found.message))
        .collect()
}

#[test]
fn a_result_has_no_findings_and_nothing_is_lost_in_silence() {
    for (to, target) in targets() {
        for (from, _) in targets().filter(|(from, _)| *from != to) {
            for sample in SAMPLES {
                let path = "plugins/tools/plugin.json";
                let converted = convert(path, sample.as_bytes(), Some(from), to, true);
                let Ok(written) = converted else { continue };
                let text = written.text.expect("it is another format");
                assert_eq!(problems(target, &text), [""; 0], "{from} to {to}: {text}");
                assert_eq!(written.file, format!("plugins/tools/{}", target.file));
                let root = json::tree(sample, Json::Strict).expect("it is JSON");
                for entry in root.entries() {
                    let name = entry.key.as_text().unwrap_or_default();
                    let is_about = |field: &str| field.split('.').next() == Some(name);
                    let is_said = written.report.iter().any(|loss| is_about(&loss.field));
                    assert!(is_said || name == "$schema", "{from} to {to}: {name} in {text}");
                }
                // The strict conversion only differs where something is lost.
                match convert(path, sample.as_bytes(), Some(from), to, false) {
                    Ok(strict) => assert_eq!(strict.text, Some(text)),
                    Err(Stop::Refused(report)) => {
                        let lost = |fate| move |loss: &&crate::convert::Loss| loss.fate == fate;
                        let refused: Vec<_> = report.iter().filter(lost(Fate::Refused)).collect();
                        assert!(!refused.is_empty());
                        let dropped = written.report.iter().filter(lost(Fate::Dropped));
                        assert!(refused.len() <= dropped.count(), "{from} to {to}");
                    }
                    Err(Stop::Unusable(reason)) => panic!("{from} to {to}: {reason}"),
                }
            }
        }
    }
}

#[test]
fn formats_are_told_by_their_places() {
    let of = |path: &str, schema: &str| {
        let root = json::tree(&format!(r#"{{"$schema": "{schema}"}}"#), Json::Strict).expect("it is JSON");
        super::format(path, None, &root).and_then(|format| format.target)
    };
    let mark = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
    assert_eq!(of("a/.claude-plugin/plugin.json", mark), Some("claude-code"));
    assert_eq!(of(".codex-plugin/plugin.json", ""), Some("codex"));
    assert_eq!(of("plugin.json", mark), Some("agent-plugins"));
    assert_eq!(
        of("plugin.json", "https://Agent-Plugins.ORG/"),
        Some("agent-plugins")
    );
    assert_eq!(of("plugin.json", ""), None);
    assert_eq!(of("a/.claude-plugin/marketplace.json", ""), None);
    assert_eq!(super::folder("a/.github/plugin/plugin.json"), "a");
    assert_eq!(super::folder("a/b/plugin.json"), "a/b");
    assert_eq!(super::folder("plugin.json"), "");
}
