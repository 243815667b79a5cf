//! Confinement of commands and servers.

use std::path::Path;
use std::sync::Arc;

use callsheet::confine::{Confinement, Extras};
use callsheet::output::text::clean;
use callsheet::trust::Trust;

use super::super::context::Context;
use crate::cli::{self, Confine};
use crate::exit::Failure;

/// Set where programs run unattended.
const CI: &str = "CI";

/// The user's choice of confinement.
#[derive(Clone, Copy)]
pub(in crate::commands) struct Confined {
    how: Confine,
    network: bool,
}

impl Confined {
    /// The confinement of this system, if any. Prints its gaps.
    pub(super) fn on_this_system(
        self,
        context: &Context,
        project: &Path,
        trust: &Trust,
    ) -> Result<Option<Arc<Confinement>>, Failure> {
        if self.how == Confine::Off {
            return Ok(None);
        }
        // Programs look for their files in the real home directory, regardless of `--home`.
        let (home, extras) = (std::env::home_dir(), self.extras(context, trust));
        let (confinement, gap) = match Confinement::new(project, home.as_deref(), extras) {
            Ok(confinement) => {
                let gap = confinement.gap().map(str::to_owned);
                (Some(Arc::new(confinement)), gap)
            }
            Err(reason) => (
                None,
                Some(format!("commands cannot be confined here: {}", clean(&reason))),
            ),
        };
        match (gap, self.how) {
            (Some(gap), Confine::Require) => {
                let failure = Failure::trouble(gap);
                Err(failure.help("`--confine best` runs agents with the protection that this system has"))
            }
            (gap, _) => {
                if let Some(gap) = gap {
                    context.remark(&format!("note: {gap}"));
                }
                Ok(confinement)
            }
        }
    }

    fn extras(self, context: &Context, trust: &Trust) -> Extras {
        let run = &context.config.run;
        if trust.holds_for(&context.config) {
            Extras {
                reads: run.reads.clone(),
                writes: run.writes.clone(),
                network: self.network || run.network,
            }
        } else {
            Extras {
                network: self.network,
                ..Extras::default()
            }
        }
    }
}

impl From<cli::Confined> for Confined {
    fn from(given: cli::Confined) -> Self {
        let usual = if std::env::var_os(CI).is_some_and(|value| !value.is_empty() && value != "false") {
            Confine::Require
        } else {
            Confine::Best
        };
        Self {
            how: given.how.unwrap_or(usual),
            network: given.network,
        }
    }
}
