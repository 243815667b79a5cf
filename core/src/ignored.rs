//! Parts of a file that runs ignore or refuse, because they would act on the user's behalf or are not supported.

use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::Definition;
use crate::dialect::{Canonical, Dialect};

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
    for unsupported in [Canonical::Background, Canonical::Memory] {
        let is_supported = unsupported == Canonical::Background && dialect.delegation.background;
        let field = definition.field(unsupported).filter(|_| !is_supported);
        if let Some(field) = field.filter(|field| !is_off(&field.value)) {
            add("the field", &field.key, &[", as runs do not support it"]);
        }
    }
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
