//! The boundaries between the crates, and habits that no compiler checks.

mod elsewhere;
mod order;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every text file below a folder of the project, without what is built or fetched.
fn files(below: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    walk(&root().join(below), &mut found);
    found.sort();
    let name = |path: &Path| {
        path.strip_prefix(root())
            .unwrap_or(path)
            .to_string_lossy()
            .replace('\\', "/")
    };
    let read = |path: PathBuf| Some((name(&path), fs::read_to_string(&path).ok()?));
    found.into_iter().filter_map(read).collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let passed_over = [".git", "target", "node_modules", "dist", ".astro"]
            .iter()
            .any(|other| name == **other);
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !passed_over => walk(&path, found),
            Ok(kind) if kind.is_file() => found.push(path),
            _ => {}
        }
    }
}

fn sources(below: &str) -> Vec<(String, String)> {
    let mut sources = files(below);
    sources.retain(|(path, _)| path.ends_with(".rs"));
    assert!(!sources.is_empty(), "there is code in {below}");
    sources
}

fn manifest(package: &str) -> toml::Table {
    let text = fs::read_to_string(root().join(package).join("Cargo.toml")).expect("every package has one");
    text.parse().expect("cargo reads it, too")
}

/// A section of a package's dependencies on all targets, as written.
fn section(package: &str, section: &str) -> Vec<(String, toml::Value)> {
    let manifest = manifest(package);
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(toml::Table::values);
    let tables = [manifest.get(section)].into_iter();
    let tables = tables.chain(targets.map(|target| target.get(section))).flatten();
    let tables = tables.filter_map(toml::Value::as_table).cloned();
    tables.flatten().collect()
}

/// The dependencies of a package, with what the workspace adds to each.
fn dependencies(package: &str, section: &str) -> Vec<(String, toml::Value)> {
    let shared = self::manifest("")["workspace"]["dependencies"].clone();
    let whole = |(name, own): (String, toml::Value)| match (shared.get(&name), own.as_table()) {
        (Some(toml::Value::Table(shared)), Some(own)) => {
            let both = shared.clone().into_iter().chain(own.clone());
            (name, toml::Value::Table(both.collect()))
        }
        _ => (name, own),
    };
    self::section(package, section).into_iter().map(whole).collect()
}

/// Lines with any of these words, outside of comments.
fn mentions(sources: &[(String, String)], words: &[&str]) -> Vec<String> {
    let hits = sources.iter().flat_map(|(path, text)| {
        let lines = text.lines().zip(1..);
        let code = lines.filter(|(line, _)| !line.trim_start().starts_with("//"));
        let hit = code.filter(|(line, _)| words.iter().any(|word| line.contains(word)));
        hit.map(move |(line, number)| format!("{path}:{number}: {}", line.trim()))
    });
    hits.collect()
}

const NOTHING: [String; 0] = [];

/// A package states a version only if it needs another one than the workspace.
#[test]
fn every_version_is_stated_once() {
    let members = manifest("")["workspace"]["members"].clone();
    let mut named = Vec::new();
    for package in members
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(toml::Value::as_str)
    {
        for section in ["dependencies", "build-dependencies", "dev-dependencies"] {
            let mut own = self::section(package, section);
            own.retain(|(_, value)| value.get("workspace").is_none());
            named.extend(own.iter().map(|(name, _)| format!("{package}: {name}")));
        }
    }
    assert_eq!(named, ["tests: base64", "tests: sha2", "tests: wit-parser"]);
}

/// The first value of a key in a manifest or lock, such as `"version": "0.1.0"` or `version = "0.1.0"`.
fn value_of(path: &str, key: &str) -> String {
    let text = fs::read_to_string(root().join(path)).expect("it is there");
    let line = text
        .lines()
        .map(|line| line.trim().trim_start_matches('"'))
        .find(|line| line.starts_with(key));
    let value = line.and_then(|line| line.trim_end_matches(',').rsplit('"').nth(1));
    value.unwrap_or_default().to_owned()
}

/// Everything that is published or quotes a release has the version of the workspace.
#[test]
fn there_is_one_version() {
    let version = manifest("")["workspace"]["package"]["version"].clone();
    let version = version.as_str().unwrap_or_default();
    for path in [
        "editors/claude-code/.claude-plugin/plugin.json",
        "editors/claude-code/.github/plugin/plugin.json",
        "editors/zed/Cargo.toml",
        "editors/zed/extension.toml",
        "packages/node/package.json",
        "packages/node/package-lock.json",
        "packages/python/pyproject.toml",
        "web-demo/browser/package.json",
        "web-demo/edge/openapi.json",
        "web-demo/edge/package.json",
    ] {
        assert_eq!(value_of(path, "version"), version, "{path}");
    }
    let page = fs::read_to_string(root().join("docs/ci.md")).expect("it is there");
    for line in page
        .lines()
        .filter(|line| line.contains("rev: v") || line.contains("/callsheet@v"))
    {
        assert!(line.ends_with(&format!("v{version}")), "docs/ci.md: {line}");
    }
}

#[test]
fn the_core_does_no_io() {
    for lib in ["core/src/lib.rs", "core/schema/src/lib.rs"] {
        let text = fs::read_to_string(root().join(lib)).expect("it is there");
        assert!(text.contains("#![no_std]"), "{lib}");
    }
    let words = [
        "std::fs",
        "std::env",
        "std::time",
        "std::net",
        "std::process",
        "std::thread",
        "std::io",
        "async ",
    ];
    assert_eq!(mentions(&sources("core/src"), &words), NOTHING);
    let needed = ["core", "core/schema"].map(|package| dependencies(package, "dependencies"));
    for (name, dependency) in needed.into_iter().flatten() {
        assert!(
            !matches!(
                &*name,
                "wit-bindgen" | "wasmtime" | "tokio" | "serde_json" | "clap"
            ),
            "{name}"
        );
        let bare = dependency.get("default-features").and_then(toml::Value::as_bool) == Some(false);
        let own = name == "callsheet-schema";
        assert!(own || bare, "{name}: default features usually mean std");
    }
}

#[test]
fn the_host_uses_only_the_contract() {
    for package in ["contract", "host", "report", "server", "settings"] {
        for section in ["dependencies", "build-dependencies", "dev-dependencies"] {
            let core = dependencies(package, section)
                .into_iter()
                .find(|(name, _)| name == "callsheet-core");
            assert!(
                core.is_none(),
                "{package}: {section}: what the command line needs, the contract has to say"
            );
        }
        let code = sources(&format!("{package}/src"));
        assert_eq!(mentions(&code, &["callsheet_core"]), NOTHING);
    }
}

/// A file belongs to one crate. What several need is a crate of its own.
#[test]
fn no_file_is_compiled_twice() {
    // Assembled here so that the test does not find itself.
    let attribute = ["#[pa", "th"].concat();
    assert_eq!(mentions(&sources(""), &[&attribute]), NOTHING);
}

#[test]
fn the_guest_only_converts_types() {
    for (package, may) in [
        ("guest", &["callsheet-convert", "callsheet-core"][..]),
        (
            "guest/convert",
            &["callsheet-core", "callsheet-contract", "wit-bindgen"],
        ),
    ] {
        let names = dependencies(package, "dependencies").into_iter();
        assert_eq!(names.map(|(name, _)| name).collect::<Vec<_>>(), may, "{package}");
    }
    assert_eq!(
        mentions(&sources("guest"), &[" if ", "\" =>", "std::fs", "std::env"]),
        NOTHING
    );
}

/// Code for WASI runtimes asks the component, too.
#[test]
fn wasi_packages_use_only_the_contract() {
    for (package, may) in [
        ("packages/wasi/files", &["wasip2", "wit-bindgen"][..]),
        (
            "packages/wasi/answers",
            &["callsheet-contract", "callsheet-report"],
        ),
        (
            "packages/wasi/command",
            &[
                "callsheet-answers",
                "callsheet-contract",
                "callsheet-report",
                "lexopt",
                "strsim",
                "wasip2",
                "wit-bindgen",
            ],
        ),
        (
            "web-demo/http",
            &[
                "base64",
                "callsheet-answers",
                "callsheet-contract",
                "callsheet-report",
                "regex-lite",
                "serde",
                "serde_json",
                "wasip2",
                "wit-bindgen",
            ],
        ),
        ("web-demo/http/store", &["wit-bindgen"]),
        (
            "packages/editor",
            &[
                "callsheet-answers",
                "callsheet-contract",
                "callsheet-report",
                "callsheet-server",
                "callsheet-settings",
                "gen-lsp-types",
                "lsp-server",
                "percent-encoding",
                "serde_json",
                "wit-bindgen",
            ],
        ),
    ] {
        let names = dependencies(package, "dependencies")
            .into_iter()
            .map(|(name, _)| name);
        assert_eq!(names.collect::<Vec<_>>(), may, "{package}");
    }
}

#[test]
fn each_parser_is_used_in_one_file() {
    let but = |door: &str| {
        let mut others = sources("core");
        others.extend(sources("guest"));
        others.extend(sources("host"));
        others.retain(|(path, _)| path != door);
        others
    };
    assert_eq!(
        mentions(&but("core/src/yaml/read.rs"), &["granit_parser"]),
        NOTHING
    );
    assert_eq!(
        mentions(&but("core/src/markdown.rs"), &["pulldown_cmark"]),
        NOTHING
    );
}

#[test]
fn every_file_has_a_description() {
    let silent = sources("")
        .into_iter()
        .filter(|(_, text)| !text.starts_with("//!"));
    assert_eq!(silent.map(|(path, _)| path).collect::<Vec<_>>(), NOTHING);
}

/// Users choose their own registries. The names are assembled here so that the test does not find itself.
#[test]
fn registries_are_not_named() {
    let hosts = [
        ["crates", "io"],
        ["docs", "rs"],
        ["npmjs", "org"],
        ["npmjs", "com"],
        ["pypi", "org"],
    ];
    let hosts = hosts.map(|parts| parts.join("."));
    let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
    let mut files = files("");
    // Locks name them by nature.
    files.retain(|(path, _)| !path.ends_with("Cargo.lock") && !path.ends_with("package-lock.json"));
    let named = files
        .iter()
        .filter(|(_, text)| hosts.iter().any(|host| text.contains(host)));
    assert_eq!(named.map(|(path, _)| path.clone()).collect::<Vec<_>>(), NOTHING);
}
