//! Generates the description of this server from the worker's. Only sessions differ.

use std::path::Path;
use std::{env, fs};

use serde_json::{Map, Value, json};

const EDGE: &str = "../edge/openapi.json";
const OWN: &str = "openapi.json";

fn main() {
    let mut described = read(EDGE);
    let own = read(OWN);
    described["info"]["description"] = own["info"]["description"].clone();
    let paths = described["paths"].as_object_mut().expect("paths are a map");
    paths.retain(|path, _| !path.starts_with("/v1/sessions"));
    paths.extend(own["paths"].as_object().expect("paths are a map").clone());
    let schemas = described["components"]["schemas"].as_object_mut();
    let schemas = schemas.expect("schemas are a map");
    schemas.extend(own["schemas"].as_object().expect("schemas are a map").clone());
    let session = &mut schemas["Session"];
    session["properties"]["id"] = json!({ "$ref": "#/components/schemas/Snapshot" });
    rename(&mut session["properties"], "id", "snapshot");
    session["required"][0] = json!("snapshot");
    let requests = requests(&described);
    write("openapi.json", &described);
    write("requests.json", &requests);
}

fn rename(map: &mut Value, from: &str, to: &str) {
    let map = map.as_object_mut().expect("it is a map");
    let value = map.shift_remove(from).expect("it is there");
    map.insert(to.to_owned(), value);
}

/// The schemas for validation, without descriptions and examples.
fn requests(described: &Value) -> Value {
    let schemas = &described["components"]["schemas"];
    let mut needed = Map::new();
    let mut open: Vec<String> = schemas
        .as_object()
        .expect("schemas are a map")
        .keys()
        .filter(|name| name.ends_with("Request") && !matches!(name.as_str(), "ModelRequest" | "ToolRequest"))
        .cloned()
        .collect();
    while let Some(name) = open.pop() {
        if needed.contains_key(&name) {
            continue;
        }
        let mut schema = schemas[&name].clone();
        strip(&mut schema, &mut open);
        needed.insert(name, schema);
    }
    Value::Object(needed)
}

fn strip(schema: &mut Value, open: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::String(reference)) = map.get_mut("$ref") {
                let name = reference.rsplit('/').next().unwrap_or_default().to_owned();
                open.push(name.clone());
                *reference = name;
            }
            for key in ["examples", "contentEncoding"] {
                map.shift_remove(key);
            }
            if map.get("description").is_some_and(Value::is_string) {
                map.shift_remove("description");
            }
            map.values_mut().for_each(|value| strip(value, open));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| strip(item, open)),
        _ => {}
    }
}

fn read(file: &str) -> Value {
    println!("cargo::rerun-if-changed={file}");
    let text = fs::read_to_string(file).expect("it is in the project");
    serde_json::from_str(&text).expect("it is JSON")
}

fn write(name: &str, value: &Value) {
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    fs::write(Path::new(&folder).join(name), value.to_string()).expect("OUT_DIR can be written");
}
