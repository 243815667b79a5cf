//! Lists the types of the contract, so that no type has to be written down a second time to cross to a driver.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use wit_parser::{InterfaceId, Resolve, TypeDefKind, World, WorldItem};

const CONTRACT: &str = "../wit";

fn main() {
    println!("cargo::rerun-if-changed={CONTRACT}");
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(CONTRACT).expect("the contract parses");
    let world = resolve
        .select_world(&[package], Some("callsheet"))
        .expect("it has this world");
    let list = list(&resolve, &resolve.worlds[world]);
    let folder = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&folder).join("contract.rs"), list).expect("cargo made the folder");
}

/// A line for each type, in the words of the macros of `src/backend/remote/values.rs`.
fn list(resolve: &Resolve, world: &World) -> String {
    let mut list = String::new();
    let exported = interfaces(world.exports.values());
    let imported = interfaces(world.imports.values());
    for id in imported.iter().filter(|id| !exported.contains(id)) {
        add(&mut list, resolve, *id, "callsheet::bindings::callsheet::agents");
    }
    for id in exported {
        add(
            &mut list,
            resolve,
            id,
            "callsheet::bindings::exports::callsheet::agents",
        );
    }
    list
}

fn interfaces<'a>(items: impl Iterator<Item = &'a WorldItem>) -> Vec<InterfaceId> {
    let interface = |item: &WorldItem| match item {
        WorldItem::Interface { id, .. } => Some(*id),
        _ => None,
    };
    items.filter_map(interface).collect()
}

fn add(list: &mut String, resolve: &Resolve, id: InterfaceId, module: &str) {
    let interface = &resolve.interfaces[id];
    let module = format!("{module}::{}", interface.name.as_deref().expect("all have names"));
    for (name, id) in &interface.types {
        let (kind, parts) = match &resolve.types[*id].kind {
            TypeDefKind::Record(record) => {
                let fields = record
                    .fields
                    .iter()
                    .map(|it| format!("{} {:?}", snake(&it.name), camel(&it.name)));
                ("record", fields.collect::<Vec<_>>())
            }
            TypeDefKind::Enum(listed) => {
                let cases = listed.cases.iter();
                let cases = cases.map(|it| format!("{} {:?}", pascal(&it.name), it.name));
                ("enumeration", cases.collect())
            }
            TypeDefKind::Variant(variant) => {
                let cases = variant.cases.iter().map(|it| {
                    let held = if it.ty.is_some() { "(val)" } else { "" };
                    format!("{}{held} {:?}", pascal(&it.name), it.name)
                });
                ("variant", cases.collect())
            }
            // Other names for types that are listed, and resources, which are driven by their own calls.
            _ => continue,
        };
        let _ = writeln!(
            list,
            "{kind}!({module}::{} {{ {} }});",
            pascal(name),
            parts.join(", ")
        );
    }
}

fn snake(name: &str) -> String {
    name.replace('-', "_")
}

fn pascal(name: &str) -> String {
    let words = name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]);
    words.collect()
}

fn camel(name: &str) -> String {
    let name = pascal(name);
    name[..1].to_lowercase() + &name[1..]
}
