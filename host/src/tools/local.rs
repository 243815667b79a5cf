//! The tools of this machine, confined to one project.

use std::path::Path;
use std::sync::Arc;

use super::apart::{Stop, apart};
use super::arguments::Arguments;
use super::offers::{Ability, Offer, offers};
use super::project::Project;
use super::{glob, grep, list, read};
use crate::Result;
use crate::conversation::{CallError, ToolAnswer, ToolRequest, ToolSpec};
use crate::documents::Dialect;
use crate::lent::{Answer, Tools};

/// What the user says of the tools of this machine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Variables of the environment that commands see, besides the harmless ones.
    pub environment: Vec<String>,
}

/// Reads, writes and searches files of one project, and runs commands in it.
pub struct LocalTools {
    project: Arc<Project>,
    offers: Vec<Offer>,
}

impl LocalTools {
    /// The tools under the names that a dialect has for them.
    ///
    /// Fails with [`Error::Path`](crate::Error::Path) if the project is no directory that can be opened.
    pub fn new(project: &Path, dialect: &Dialect, _options: Options) -> Result<Self> {
        Ok(Self {
            project: Arc::new(Project::open(project)?),
            offers: offers(dialect),
        })
    }

    async fn answer(&self, request: &ToolRequest) -> Result<ToolAnswer, CallError> {
        let name = &request.call.name;
        let offer = self.offers.iter().find(|offer| offer.spec.name == *name);
        let offer = offer.ok_or_else(|| CallError::Other(format!("there is no tool `{name}`")))?;
        let prepared = Arguments::parse(&request.call.arguments)
            .and_then(|arguments| Ok((offer.ability(&arguments)?, arguments)));
        let done = match prepared {
            Err(reason) => Err(reason),
            Ok((ability, arguments)) => {
                let project = Arc::clone(&self.project);
                apart(move |stop| work(&project, ability, &arguments, stop)).await?
            }
        };
        let is_error = done.is_err();
        let text = done.unwrap_or_else(|reason| reason);
        Ok(ToolAnswer { text, is_error })
    }
}

impl Tools for LocalTools {
    fn specs(&self) -> Vec<ToolSpec> {
        self.offers.iter().map(|offer| offer.spec.clone()).collect()
    }

    fn call<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, ToolAnswer> {
        Box::pin(self.answer(request))
    }
}

fn work(project: &Project, ability: Ability, arguments: &Arguments, stop: &Stop) -> Result<String, String> {
    match ability {
        Ability::Read => {
            let view = arguments.text(&["command"]).is_some();
            match view
                && project
                    .locate(arguments.path()?)
                    .is_ok_and(|below| project.is_directory(&below))
            {
                true => list::list(project, arguments, stop),
                false => read::read(project, arguments),
            }
        }
        Ability::Glob => glob::glob(project, arguments, stop),
        Ability::Grep => grep::grep(project, arguments, stop),
        Ability::List => list::list(project, arguments, stop),
        Ability::Write | Ability::Edit | Ability::Shell => Err("this is not offered yet".into()),
    }
}
