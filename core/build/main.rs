//! Turns the data files into what the library embeds, and fails on a mistake in them.

mod dialects;
mod editions;
mod kinds;
mod manifests;
mod retired_models;
mod rules;
mod tables;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    for folder in [
        "build",
        "builtins",
        "dialects",
        "editions",
        "kinds",
        "manifests",
        "settings",
        "src/rules",
        "tables",
    ] {
        println!("cargo::rerun-if-changed={folder}");
    }
    let dialects = dialects::read(&root);
    let bytes = postcard::to_allocvec(&dialects).expect("plain data can be written");
    fs::write(out.join("dialects.bin"), bytes).expect("cargo made the folder");
    let (kinds, of_kinds) = kinds::read(&root, &dialects);
    let bytes = postcard::to_allocvec(&kinds).expect("plain data can be written");
    fs::write(out.join("kinds.bin"), bytes).expect("cargo made the folder");
    fs::write(out.join("manifests.rs"), manifests::source(&root)).expect("cargo made the folder");
    let mut readers = editions::read(&root, &dialects);
    readers.extend(of_kinds);
    let bytes = postcard::to_allocvec(&readers).expect("plain data can be written");
    fs::write(out.join("editions.bin"), bytes).expect("cargo made the folder");
    let ids: Vec<&str> = dialects.iter().map(|dialect| &*dialect.id).collect();
    let (rights, tools) = tools::sources(&root.join("tables/tools.toml"), &ids);
    fs::write(out.join("rights.rs"), rights).expect("cargo made the folder");
    fs::write(out.join("tools.rs"), tools).expect("cargo made the folder");
    let retired = retired_models::source(&root.join("tables/retired-models.toml"));
    fs::write(out.join("retired_models.rs"), retired).expect("cargo made the folder");
    let tables = tables::source(&root.join("tables"), &ids);
    fs::write(out.join("tables.rs"), tables).expect("cargo made the folder");
    fs::write(out.join("rules.rs"), rules::tables(&root.join("src/rules"))).expect("cargo made the folder");
    rules::write(&root.join("src/rules"), &out.join("rules"));
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
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
