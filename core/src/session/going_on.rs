//! Resumes a session that stopped at a limit, or because no model answered.

use super::event::Outcome;
use super::settings::{Bounds, ModelChoice};
use super::{Session, SessionError};

impl Session {
    /// Resumes the session where it stopped. New limits and a new model of the first agent replace the old ones, also in a running session.
    /// Fails after an answer and after `cancel`.
    pub fn go_on(&mut self, bounds: Option<Bounds>, model: Option<ModelChoice>) -> Result<(), SessionError> {
        if let Some(Outcome::Answer(_) | Outcome::Cancelled) = self.state.outcome {
            return Err(SessionError::Finished);
        }
        bounds.into_iter().for_each(|bounds| self.rebound(bounds));
        model.into_iter().for_each(|model| self.remodel(&model));
        self.state.outcome = None;
        if let Some((run, answer)) = self.state.held.take() {
            self.go_through(run, answer);
        }
        self.start_waiting();
        Ok(())
    }

    fn rebound(&mut self, bounds: Bounds) {
        for run in self.state.runs.iter_mut().flatten() {
            let own = self.agents.get(run.agent as usize);
            let own = own.and_then(|agent| agent.limits.turns);
            run.turn_limit = own.map_or(bounds.turns, |own| own.min(bounds.turns));
        }
        self.state.settings.bounds = bounds;
    }

    /// Agents with the first agent's model get the new one.
    fn remodel(&mut self, choice: &ModelChoice) {
        let Some(first) = self.state.run(0).map(|run| run.model.clone()) else {
            return;
        };
        for run in self.state.runs.iter_mut().flatten() {
            let model = &mut run.model;
            if (&model.provider, &model.model) == (&first.provider, &first.model) {
                model.provider.clone_from(&choice.provider);
                model.model.clone_from(&choice.model);
                model.endpoint = Default::default();
            }
        }
        self.state.settings.default_model = choice.clone();
    }
}
