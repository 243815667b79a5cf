//! Workspaces of agents whose files ask for isolation.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Session;
use super::conversation::Workspace;
use super::settings::Isolation;
use super::state::Run;
use crate::ignored::{isolation, unsupported_isolation};

impl Session {
    /// Why an agent cannot run: without its isolation, it would change the files that it is to leave alone.
    pub(super) fn lacks_isolation(&self, run: &Run) -> Option<String> {
        let definition = self.agents.get(run.agent as usize)?;
        let wanted = isolation(definition)?;
        unsupported_isolation(definition).or_else(|| match &self.state.settings.isolation {
            Isolation::Worktrees(_) => None,
            Isolation::Unavailable(reason) => {
                let name = &definition.name;
                Some(format!("`{name}` requires isolation `{wanted}`: {reason}"))
            }
        })
    }

    /// Where a run works, if not in the project: an agent shares the workspace of its caller, unless it has its own.
    pub(super) fn workspace(&self, mut number: u32) -> Option<Workspace> {
        let Isolation::Worktrees(places) = &self.state.settings.isolation else {
            return None;
        };
        loop {
            let run = self.state.run(number)?;
            if self.is_isolated(run) {
                let mut root = format!("{}/{number}", places.directory);
                if !places.project.is_empty() {
                    root.push('/');
                    root.push_str(&places.project);
                }
                return Some(Workspace {
                    id: number,
                    root,
                    agent: run.path.clone(),
                });
            }
            number = run.caller?.run;
        }
    }

    /// The base of a run's relative paths.
    pub(super) fn root(&self, number: u32) -> Cow<'_, str> {
        match self.workspace(number) {
            Some(workspace) => workspace.root.into(),
            None => (&*self.state.settings.root).into(),
        }
    }

    /// The workspaces of agents that have not ended, and the first agent's.
    pub fn workspaces(&self) -> Vec<Workspace> {
        let runs = self.state.runs.iter().zip(0..);
        let own = runs.filter(|(run, _)| run.as_ref().is_some_and(|run| self.is_isolated(run)));
        own.filter_map(|(_, number)| self.workspace(number)).collect()
    }

    fn is_isolated(&self, run: &Run) -> bool {
        let definition = self.agents.get(run.agent as usize);
        definition.is_some_and(|definition| isolation(definition).is_some())
    }

    /// Keeps snapshots readable by versions without workspaces.
    pub(super) fn forget_unneeded_isolation(&mut self) {
        if self.agents.iter().all(|agent| isolation(agent).is_none()) {
            self.state.settings.isolation = Isolation::default();
        }
    }
}
