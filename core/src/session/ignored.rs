//! What a file says and a session does not heed, because it would act on the user's behalf.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::Definition;

/// Each in words.
pub(super) fn ignored(definition: &Definition, trusted: bool) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(endpoint) = definition.endpoint.as_ref().filter(|_| !trusted) {
        all.extend(
            endpoint
                .base_url
                .as_ref()
                .map(|url| format!("the endpoint `{url}`")),
        );
        let variable = endpoint.api_key_variable.as_ref();
        all.extend(variable.map(|name| format!("the variable `{name}` for the key")));
    }
    all.extend(
        definition
            .hooks
            .iter()
            .map(|event| format!("the hook on `{event}`")),
    );
    all.extend(
        definition
            .mcp_servers
            .iter()
            .map(|server| format!("the MCP server `{server}`")),
    );
    let mode = definition.permission_mode.as_deref();
    let heeded = |mode: &&str| matches!(*mode, "plan" | "default");
    all.extend(
        mode.filter(|mode| !heeded(mode))
            .map(|mode| format!("the permission mode `{mode}`")),
    );
    all
}
