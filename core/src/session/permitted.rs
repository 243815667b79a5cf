//! What is done without asking the user.

use super::Session;
use super::conversation::ToolCall;
use super::settings::PermissionMode;
use crate::json;
use crate::permission::{self, Call};

impl Session {
    /// Whether the permission mode or a rule of the settings covers a call that the agent may make.
    pub(super) fn permitted(&self, call: &ToolCall) -> bool {
        let settings = &self.state.settings;
        if settings.mode == PermissionMode::Bypass {
            return true;
        }
        let Ok(arguments) = json::parse(&call.arguments) else {
            return false;
        };
        let call = Call {
            tool: &call.name,
            arguments: &arguments,
            dialect: &self.dialect,
            root: &settings.root,
            home: settings.home.as_deref(),
        };
        let edits = settings.mode == PermissionMode::AcceptEdits;
        permission::changes_nothing(&self.dialect, call.tool)
            || edits && permission::edits_the_project(&call)
            || permission::is_among(&settings.allow, &call)
    }
}
