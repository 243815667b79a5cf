//! The Python contract, `packages/python/src/callsheet/contract`: a module for each interface. `BLESS=1` writes it again.

mod calls;
mod names;
mod types;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use wit_parser::{Docs, Interface, InterfaceId, PackageName, Resolve, WorldItem};

use self::names::{Scope, camel, docs};

/// What the modules may need, and from where.
const WORDS: &str = "ClassVar, Literal, Optional, Protocol, Union";
const BASES: &str = "S64, U8, U32, U64, Failure, Function, Interface, Own, Resource, Sandbox, Word";

#[test]
fn the_python_modules_match_the_contract() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../packages/python/src/callsheet/contract");
    let modules = modules();
    if std::env::var_os("BLESS").is_some() {
        for (name, text) in &modules {
            fs::write(folder.join(name), text).expect("the modules can be written");
        }
    }
    let stale = "is stale: BLESS=1 cargo test -p callsheet-tests --test python";
    for (name, text) in &modules {
        let stated = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(stated == *text, "{name} {stale}");
    }
    for entry in fs::read_dir(&folder).expect("the modules are there") {
        let name = entry.expect("it can be listed").file_name();
        let name = name.to_string_lossy();
        assert!(
            !name.ends_with(".py") || modules.contains_key(&*name),
            "{name} is of no interface"
        );
    }
}

/// The modules by their file names.
fn modules() -> BTreeMap<String, String> {
    let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(&wit).expect("the contract parses");
    let world = resolve.select_world(&[package], Some("callsheet"));
    let world = &resolve.worlds[world.expect("it has this world")];
    let exported: Vec<InterfaceId> = world.exports.values().filter_map(interface).collect();
    let package = &resolve.packages[package];
    let modules = package.interfaces.iter().filter_map(|(name, &id)| {
        let text = module(&resolve, &package.name, id, exported.contains(&id))?;
        Some((format!("{name}.py"), text))
    });
    let start = "\"\"\"The contract of the component: a module for each interface, made from `wit/`.\"\"\"\n";
    modules
        .chain([("__init__.py".to_owned(), start.to_owned())])
        .collect()
}

fn interface(item: &WorldItem) -> Option<InterfaceId> {
    match item {
        WorldItem::Interface { id, .. } => Some(*id),
        _ => None,
    }
}

/// None if Python has nothing to see in it.
fn module(resolve: &Resolve, package: &PackageName, id: InterfaceId, exported: bool) -> Option<String> {
    let interface = &resolve.interfaces[id];
    let mut scope = Scope::new(resolve, id);
    let mut body = types::all(&mut scope, interface);
    let id = package.interface_id(interface.name.as_deref().unwrap_or_default());
    body += &if exported {
        calls::all(&mut scope, interface, &id)
    } else {
        calls::lent(&mut scope, interface, &id)
    };
    (!body.is_empty()).then(|| format!("{}{}{body}", head(interface), imports(&scope, &body)))
}

fn head(interface: &Interface) -> String {
    let summary = interface.docs.contents.as_deref().unwrap_or_default().trim();
    format!(
        "\"\"\"{summary}\n\nMade from `wit/`: change it there.\n\"\"\"\n\nfrom __future__ import annotations\n\n"
    )
}

/// What the body mentions, and nothing else.
fn imports(scope: &Scope<'_>, body: &str) -> String {
    let mentioned = |name: &&str| {
        let word = |letter: char| !letter.is_alphanumeric() && letter != '_';
        body.split(word).any(|found| found == *name)
    };
    let chosen = |names: &str| names.split(", ").filter(mentioned).collect::<Vec<_>>().join(", ");
    let mut lines = from("dataclasses", &chosen("dataclass")) + &from("typing", &chosen(WORDS));
    if !lines.is_empty() {
        lines.push('\n');
    }
    lines += &from(".._contract", &chosen(BASES));
    for (module, names) in &scope.used {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        lines.push_str(&from(&format!(".{module}"), &names.join(", ")));
    }
    lines
}

fn from(module: &str, names: &str) -> String {
    match names {
        "" => String::new(),
        names => format!("from {module} import {names}\n"),
    }
}

/// A class with its documentation, ready for its members.
fn class(name: &str, base: &str, documented: &Docs) -> String {
    let base = match base {
        "" => String::new(),
        base => format!("({base})"),
    };
    format!("class {}{base}:\n{}", camel(name), docs(documented, 4))
}
