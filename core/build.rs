//! Turns the dialect files into what the library embeds, and fails on a mistake in them.

extern crate alloc;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "src/dialect/schema.rs"]
#[allow(dead_code, unreachable_pub, reason = "the library uses and publishes it")]
mod schema;

use schema::{BuiltIn, Dialect};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-changed=dialects");
    println!("cargo::rerun-if-changed=builtins");
    let mut dialects: Vec<Dialect> = files(&root.join("dialects"))
        .iter()
        .map(|path| dialect(&root, path))
        .collect();
    dialects.sort_by(|a, b| a.id.cmp(&b.id));
    let bytes = postcard::to_allocvec(&dialects).expect("plain data can be written");
    fs::write(out.join("dialects.bin"), bytes).expect("cargo made the folder");
    println!("cargo::rerun-if-changed=src/rules");
    fs::create_dir_all(out.join("rules")).expect("cargo made the folder above");
    for path in files(&root.join("src/rules")) {
        write_page(&path, &out.join("rules"));
    }
}

/// The page of a rule is the documentation of its file.
fn write_page(rule: &Path, folder: &Path) {
    let stem = rule.file_stem().and_then(|stem| stem.to_str());
    let name = stem.expect("our own files have plain names").replace('_', "-");
    let text = fs::read_to_string(rule).unwrap_or_else(|error| panic!("{}: {error}", rule.display()));
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let page: String = lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n")
        .collect();
    fs::write(folder.join(name + ".md"), page).expect("the folder was just made");
}

fn dialect(root: &Path, path: &Path) -> Dialect {
    let place = path.display();
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{place}: {error}"));
    let mut dialect: Dialect = toml::from_str(&text).unwrap_or_else(|error| panic!("{place}: {error}"));
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    assert_eq!(stem, Some(&*dialect.id), "{place}: the id is not the file's name");
    let mut spellings = BTreeSet::new();
    for spelling in dialect.keys.iter().flat_map(|key| &key.spellings) {
        assert!(spellings.insert(spelling), "{place}: `{spelling}` stands twice");
    }
    dialect.built_ins = files(&root.join("builtins").join(&dialect.id))
        .iter()
        .map(|path| built_in(path))
        .collect();
    dialect
}

fn built_in(path: &Path) -> BuiltIn {
    let file = path.file_name().and_then(|name| name.to_str());
    BuiltIn {
        file: file.expect("our own files have plain names").to_owned(),
        text: fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    }
}

/// The files of a folder by name; none if there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    files
}
