//! Parts of a file that runs ignore or refuse, because they would act on the user's behalf or are not supported.

use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::Definition;
use crate::dialect::{Canonical, Dialect, MemoryPlace};

/// Each in words. The host decides on the endpoints and servers of a trusted file.
pub(crate) fn ignored(definition: &Definition, trusted: bool, dialect: &Dialect) -> Vec<String> {
    const DISTRUST: &str = ", as its file is not trusted";
    let mut all = Vec::new();
    let mut add =
        |what: &str, name: &str, why: &[&str]| all.push([what, " `", name, "`", &why.concat()].concat());
    if let Some(endpoint) = definition.endpoint.as_ref().filter(|_| !trusted) {
        if let Some(url) = &endpoint.base_url {
            add("the endpoint", url, &[DISTRUST]);
        }
        if let Some(name) = &endpoint.api_key_variable {
            add("the variable", name, &[" for the key", DISTRUST]);
        }
    }
    for event in &definition.hooks {
        add("the hook on", event, &[", as hooks never run"]);
    }
    for server in definition.mcp_servers.iter().filter(|_| !trusted) {
        add("the MCP server", server, &[DISTRUST]);
    }
    match definition.permission_mode.as_deref() {
        None | Some("plan" | "default") => {}
        Some(mode) => add("the permission mode", mode, &[", as only the user may choose it"]),
    }
    let background = definition.field(Canonical::Background);
    if let Some(field) = background.filter(|field| !is_off(&field.value) && !dialect.delegation.background) {
        add("the field", &field.key, &[", as runs do not support it"]);
    }
    all.extend(memory_place(dialect, definition).and_then(Result::err));
    all
}

fn is_off(value: &str) -> bool {
    matches!(value, "" | "false" | "[]")
}

/// Whether an agent always works in the background when another one calls it.
pub(crate) fn in_background(definition: &Definition) -> bool {
    let field = definition.field(Canonical::Background);
    field.is_some_and(|field| !is_off(&field.value))
}

/// The place of an agent's memory, or why a run gives it none. None if its file does not ask for one.
pub(crate) fn memory_place<'d>(
    dialect: &'d Dialect,
    definition: &Definition,
) -> Option<Result<&'d MemoryPlace, String>> {
    let field = definition.field(Canonical::Memory)?;
    if is_off(&field.value) {
        return None;
    }
    let of = |reason: &str| Some(Err(["the field `", &field.key, "`, ", reason].concat()));
    let mut places = dialect.memory.places.iter();
    match places.find(|place| place.scope == field.value) {
        None => of("as runs do not support it"),
        Some(_) if !is_folder(&definition.name) => of("as the agent's name cannot be that of a folder"),
        Some(place) => Some(Ok(place)),
    }
}

/// Whether a folder, and a pattern of its files, can have this name.
fn is_folder(name: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ' ' | '.');
    !name.starts_with('.') && !name.ends_with(['.', ' ']) && name.chars().all(plain)
}

/// The only isolation that hosts support.
const WORKTREE: &str = "worktree";

/// The isolation that an agent's file asks for.
pub(crate) fn isolation(definition: &Definition) -> Option<&str> {
    let field = definition.field(Canonical::Isolation);
    field.map(|field| &*field.value).filter(|value| !value.is_empty())
}

/// Why an agent cannot run in any host.
pub(crate) fn unsupported_isolation(definition: &Definition) -> Option<String> {
    let value = isolation(definition).filter(|value| *value != WORKTREE)?;
    let parts = [
        "`",
        &definition.name,
        "` requires isolation `",
        value,
        "`, which runs do not support",
    ];
    Some(parts.concat())
}
