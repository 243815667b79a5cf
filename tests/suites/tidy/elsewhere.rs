//! What answers elsewhere, in pages, workers and packages, passes on what the component says and knows no more itself.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{NOTHING, files, mentions, root, section};

/// Its code and its manifests, without its tests and examples, and without what is made of the component.
fn everything() -> Vec<(String, String)> {
    let apart = [
        "/component/",
        "/test/",
        "/tests/",
        "/bench/",
        "/example/",
        "/examples/",
    ];
    let mut found = files("web-demo");
    found.extend(files("packages"));
    found.retain(|(path, _)| !apart.iter().any(|folder| path.contains(folder)));
    found
}

/// The code, with comments left out.
fn code() -> Vec<(String, String)> {
    let mut code = everything();
    let endings = [".ts", ".mjs", ".js", ".py", ".rs"];
    code.retain(|(path, _)| endings.iter().any(|ending| path.ends_with(ending)));
    let marks = ["//", "/*", "* ", "# "];
    let is_comment = |line: &str| marks.iter().any(|mark| line.trim_start().starts_with(mark));
    for (_, text) in &mut code {
        let lines = text.lines().map(|line| if is_comment(line) { "" } else { line });
        *text = lines.collect::<Vec<_>>().join("\n");
    }
    for host in [
        "web-demo/browser",
        "web-demo/edge",
        "web-demo/shared",
        "packages/node",
        "packages/python",
        "packages/restate",
        "packages/wasi",
    ] {
        assert!(
            code.iter().any(|(path, _)| path.starts_with(host)),
            "there is code in {host}"
        );
    }
    code
}

/// Lines of code that say any of these words in quotes.
fn quoted(code: &[(String, String)], words: impl Iterator<Item = String>) -> Vec<String> {
    let words: Vec<String> = words
        .flat_map(|word| [format!("\"{word}\""), format!("'{word}'")])
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    mentions(code, &words)
}

#[test]
fn packages_name_no_rule() {
    let rules = fs::read_to_string(root().join("docs/rules.md")).expect("it is generated and committed");
    let rules = rules.lines().filter_map(|line| line.strip_prefix("## "));
    // Names of the contract that equal a rule's name are not rules.
    let said = files("wit").into_iter().flat_map(|(_, text)| {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let words = lines.flat_map(|line| line.split(|c: char| c != '-' && !c.is_alphanumeric()));
        words.map(str::to_owned).collect::<Vec<_>>()
    });
    let said: BTreeSet<String> = said.collect();
    let rules = rules.filter(|rule| !said.contains(*rule));
    assert_eq!(quoted(&code(), rules.map(str::to_owned)), NOTHING);
}

#[test]
fn packages_name_no_dialect() {
    let dialects = files("core/dialects");
    assert!(!dialects.is_empty(), "there are dialects");
    let id = |path: &str| {
        Path::new(path)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let mut code = code();
    let directories = dialects
        .iter()
        .flat_map(|(_, text)| text.split("directory = \"").skip(1));
    let directories = directories.filter_map(|rest| Some(rest.split_once('"')?.0));
    // Of a bare `agents` there are too many.
    let directories: Vec<&str> = directories.filter(|directory| directory.contains('/')).collect();
    assert_eq!(mentions(&code, &directories), NOTHING);

    // The initial values of the page.
    let choices = [
        "web-demo/browser/src/project/project.ts",
        "web-demo/browser/src/panels/convert.ts",
    ];
    code.retain(|(path, _)| !choices.contains(&&**path));
    let ids = dialects.iter().map(|(path, _)| id(path));
    assert_eq!(quoted(&code, ids), NOTHING);
}

#[test]
fn packages_parse_no_format() {
    let formats = [
        "yaml",
        "toml",
        "markdown",
        "frontmatter",
        "front-matter",
        "gray-matter",
        "mistune",
        "remark",
        "marked",
    ];
    let parses = |name: &String| formats.iter().any(|format| name.to_lowercase().contains(format));
    // They color text in the editor.
    let colors = ["@codemirror/lang-yaml", "@lezer/markdown"];
    let mut needed = Vec::new();
    for (path, text) in everything() {
        let names = needs(&path, &text);
        needed.extend(names.into_iter().map(|name| (path.clone(), name)));
    }
    assert!(
        needed.iter().any(|(_, name)| colors.contains(&&**name)),
        "they are listed"
    );
    needed.retain(|(_, name)| parses(name) && !colors.contains(&&**name));
    assert_eq!(needed, []);

    // What the language brings itself, and what came along with something else.
    let mut code = code();
    code.retain(|(path, _)| !path.starts_with("web-demo/browser/src/editor/"));
    let imports = formats.iter().flat_map(|format| {
        [
            format!("import {format}"),
            format!("from {format}"),
            format!("from \"{format}"),
        ]
    });
    let imports: Vec<String> = imports.chain(["import tomllib".to_owned()]).collect();
    let imports: Vec<&str> = imports.iter().map(String::as_str).collect();
    assert_eq!(mentions(&code, &imports), NOTHING);
}

/// The packages that a manifest names.
fn needs(path: &str, text: &str) -> Vec<String> {
    match path.rsplit('/').next() {
        Some("package.json") => {
            let manifest: serde_json::Value = serde_json::from_str(text).expect("npm reads it, too");
            let sections = ["dependencies", "devDependencies"];
            let sections = sections
                .iter()
                .filter_map(|section| manifest[section].as_object());
            sections.flat_map(|section| section.keys().cloned()).collect()
        }
        Some("pyproject.toml") => {
            let manifest: toml::Table = text.parse().expect("pip reads it, too");
            let project = manifest["project"].get("dependencies");
            let list = project.and_then(toml::Value::as_array).into_iter().flatten();
            list.filter_map(|it| it.as_str().map(str::to_owned)).collect()
        }
        Some("Cargo.toml") => {
            let package = path.trim_end_matches("Cargo.toml");
            let section = section(package, "dependencies").into_iter();
            section.map(|(name, _)| name).collect()
        }
        _ => Vec::new(),
    }
}
