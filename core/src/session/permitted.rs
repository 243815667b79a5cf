//! Calls that need no confirmation, and the reach of commands.

use super::Session;
use super::conversation::ToolCall;
use super::settings::PermissionMode;
use super::state::Run;
use crate::json::{self, Value};
use crate::permission::{self, Call, Reach};

impl Session {
    /// Whether the permission mode or a rule of the settings covers a call that the agent may make.
    pub(super) fn permitted(&self, run: u32, call: &ToolCall) -> bool {
        let settings = &self.state.settings;
        if settings.mode == PermissionMode::Bypass {
            return true;
        }
        let Ok(arguments) = json::parse(&call.arguments) else {
            return false;
        };
        let root = self.root(run);
        let call = self.judged(call, &arguments, &root);
        let edits = settings.mode == PermissionMode::AcceptEdits;
        permission::changes_nothing(&self.dialect, call.tool)
            || permission::background_tool(&self.dialect, call.tool).is_some()
            || edits && permission::edits_the_project(&call)
            || permission::is_among(&settings.allow, &call)
    }

    /// The files that the command of an outstanding call may change, and its network access. None if the step runs no command.
    pub fn reach(&self, id: u32) -> Option<Reach> {
        let waiting = self.state.outstanding.iter().find(|waiting| waiting.id == id)?;
        let run = self.state.run(waiting.run)?;
        let call = &run.slots.get(waiting.slot? as usize)?.call;
        let arguments = json::parse(&call.arguments).ok()?;
        let root = self.root(waiting.run);
        let call = self.judged(call, &arguments, &root);
        let mut reach = run.rights.reach(&call, self.fetches(run))?;
        // The user may have confirmed or permitted the call for another reason, but this one would have been enough.
        reach
            .files
            .extend(permission::files_among(&self.state.settings.allow, &call));
        Some(reach)
    }

    /// Whether a run may fetch from anywhere: by its own list, and by its caller's if that limits it.
    fn fetches(&self, run: &Run) -> bool {
        let Some(definition) = self.agents.get(run.agent as usize) else {
            return false;
        };
        let caller = run.caller.and_then(|caller| self.state.run(caller.run));
        let bound = self.state.settings.attenuate || permission::inherits(definition, &self.dialect);
        permission::fetches(&self.dialect, definition)
            && caller.is_none_or(|caller| !bound || self.fetches(caller))
    }

    fn judged<'a>(&'a self, call: &'a ToolCall, arguments: &'a Value, root: &'a str) -> Call<'a> {
        let settings = &self.state.settings;
        Call {
            tool: &call.name,
            arguments,
            dialect: &self.dialect,
            root,
            home: settings.home.as_deref(),
        }
    }
}
