//! The contract in `wit/`, and the component that is built: it names what its world names and nothing else.

use std::collections::BTreeSet;
use std::path::Path;

use wit_parser::decoding::{DecodedWasm, decode};
use wit_parser::{Docs, Interface, Resolve, Stability, TypeDef, TypeDefKind, World, WorldItem, WorldKey};

fn source() -> (Resolve, World) {
    let mut resolve = Resolve::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let (package, _) = resolve.push_dir(&folder).expect("the contract parses");
    let world = resolve
        .select_world(&[package], Some("callsheet"))
        .expect("it has this world");
    let world = resolve.worlds[world].clone();
    (resolve, world)
}

fn built() -> (Resolve, World) {
    match decode(callsheet::component()).expect("the component can be decoded") {
        DecodedWasm::Component(resolve, world) => {
            let world = resolve.worlds[world].clone();
            (resolve, world)
        }
        DecodedWasm::WitPackage(..) => panic!("this is not a component"),
    }
}

/// What a world imports and exports, down to the functions.
fn names(resolve: &Resolve, world: &World) -> (BTreeSet<String>, BTreeSet<String>) {
    let items = |items: &mut dyn Iterator<Item = (&WorldKey, &WorldItem)>| {
        items
            .flat_map(|(key, item)| item_names(resolve, key, item))
            .collect()
    };
    (items(&mut world.imports.iter()), items(&mut world.exports.iter()))
}

fn item_names(resolve: &Resolve, key: &WorldKey, item: &WorldItem) -> Vec<String> {
    let name = resolve.name_world_key(key);
    let WorldItem::Interface { id, .. } = item else {
        return vec![name];
    };
    let functions = resolve.interfaces[*id].functions.keys();
    let functions = functions.map(|function| format!("{name}#{function}"));
    functions.chain([name.clone()]).collect()
}

#[test]
fn the_component_matches_its_world() {
    let (source, world) = source();
    let (component, built) = built();
    assert_eq!(names(&component, &built), names(&source, &world));
}

#[test]
fn the_component_imports_only_files_model_and_tools() {
    let (component, built) = built();
    let imports: Vec<String> = built
        .imports
        .keys()
        .map(|key| component.name_world_key(key))
        .collect();
    let lent = ["files", "conversation", "model", "tools"];
    let lent = lent.map(|name| format!("callsheet:agents/{name}@0.1.0"));
    assert_eq!(imports, lent);
}

#[test]
fn everything_is_documented() {
    let (resolve, _) = source();
    let mut bare = Vec::new();
    let mut note = |what: String, docs: &Docs| {
        if docs.contents.as_deref().unwrap_or_default().trim().is_empty() {
            bare.push(what);
        }
    };
    for (_, interface) in &resolve.interfaces {
        let name = interface.name.as_deref().unwrap_or_default();
        note(name.to_owned(), &interface.docs);
        for (function, it) in &interface.functions {
            note(format!("{name}.{function}"), &it.docs);
        }
        for (_, it) in own_types(&resolve, interface) {
            type_docs(name, it, &mut note);
        }
    }
    for (_, world) in &resolve.worlds {
        note(world.name.clone(), &world.docs);
    }
    assert_eq!(bare, [""; 0], "these have no doc comment");
}

fn own_types<'a>(
    resolve: &'a Resolve,
    interface: &'a Interface,
) -> impl Iterator<Item = (&'a String, &'a TypeDef)> {
    let types = interface
        .types
        .iter()
        .map(|(name, id)| (name, &resolve.types[*id]));
    // What `use` brings in is documented where it comes from.
    types.filter(|(_, it)| !matches!(it.kind, TypeDefKind::Type(wit_parser::Type::Id(_))))
}

fn type_docs(interface: &str, it: &TypeDef, note: &mut dyn FnMut(String, &Docs)) {
    let name = format!("{interface}.{}", it.name.as_deref().unwrap_or_default());
    note(name.clone(), &it.docs);
    match &it.kind {
        TypeDefKind::Record(record) => record
            .fields
            .iter()
            .for_each(|it| note(format!("{name}.{}", it.name), &it.docs)),
        TypeDefKind::Variant(variant) => variant
            .cases
            .iter()
            .for_each(|it| note(format!("{name}.{}", it.name), &it.docs)),
        TypeDefKind::Enum(set) => set
            .cases
            .iter()
            .for_each(|it| note(format!("{name}.{}", it.name), &it.docs)),
        TypeDefKind::Flags(flags) => flags
            .flags
            .iter()
            .for_each(|it| note(format!("{name}.{}", it.name), &it.docs)),
        _ => {}
    }
}

/// A released item states its first version. Methods have the version of their resource.
#[test]
fn every_released_item_states_its_version() {
    let (resolve, world) = source();
    let mut bare = Vec::new();
    let mut note = |what: String, stability: &Stability| {
        if !matches!(stability, Stability::Stable { .. }) {
            bare.push(what);
        }
    };
    note(world.name.clone(), &world.stability);
    for (key, item) in world.imports.iter().chain(&world.exports) {
        let WorldItem::Interface { id, stability, .. } = item else {
            continue;
        };
        let interface = &resolve.interfaces[*id];
        let name = resolve.name_world_key(key);
        // What an interface uses is imported without a word in the world.
        if interface.name.as_deref() != Some("types") {
            note(format!("world: {name}"), stability);
        }
        note(name.clone(), &interface.stability);
        for (function, it) in interface
            .functions
            .iter()
            .filter(|(_, it)| it.kind.resource().is_none())
        {
            note(format!("{name}.{function}"), &it.stability);
        }
        for (it, type_) in own_types(&resolve, interface) {
            note(format!("{name}.{it}"), &type_.stability);
        }
    }
    assert_eq!(bare, [""; 0], "these have no @since");
}
