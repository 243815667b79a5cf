//! The tools of this machine, limited to one project.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use super::apart::{Stop, apart};
use super::arguments::Arguments;
use super::change::Change;
use super::fetch::{address, fetch};
use super::offers::{Ability, Offer, offers};
use super::project::Project;
use super::shell::{Shell, environment, run};
use super::targets::through_link;
use super::tasks::tasks;
use super::{glob, grep, list, read};
use crate::Result;
use crate::confine::{Confinement, no_reach};
use crate::conversation::{CallError, ToolAnswer, ToolRequest, ToolSpec};
use crate::delegation::Reach;
use crate::documents::Dialect;
use crate::lent::{Answer, FileChange, Tools};
use crate::runtime::entered;

/// The user's settings of these tools.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Further environment variables of commands, besides harmless ones.
    pub environment: Vec<String>,
    /// The confinement of commands; without it they have the user's permissions.
    pub confinement: Option<Arc<Confinement>>,
    /// Hosts, also with a port as in `localhost:3000`, that may be fetched from although their addresses are private.
    pub private_hosts: Vec<String>,
}

/// Reads, writes and searches files of one project, runs commands in it, and fetches pages of the web.
pub struct LocalTools {
    project: Arc<Project>,
    offers: Vec<Offer>,
    environment: Vec<(OsString, OsString)>,
    confinement: Option<Arc<Confinement>>,
    private_hosts: Vec<String>,
}

impl LocalTools {
    /// The tools under a dialect's names.
    ///
    /// Fails with [`Error::Path`](crate::Error::Path) if the project is not a directory that can be opened.
    pub fn new(project: &Path, dialect: &Dialect, options: Options) -> Result<Self> {
        Ok(Self {
            project: Arc::new(Project::open(project)?),
            offers: offers(dialect),
            environment: environment(&options.environment),
            confinement: options.confinement,
            private_hosts: options.private_hosts,
        })
    }

    /// The work of a call to one of these tools.
    fn prepare(&self, request: &ToolRequest) -> Option<Result<(Ability, Arguments), String>> {
        let call = &request.call;
        let offer = self.offers.iter().find(|offer| offer.spec.name == call.name)?;
        let prepared = Arguments::parse(&call.arguments).and_then(|arguments| {
            let ability = offer.ability(&arguments)?;
            let lists = ability == Ability::Read && offer.abilities.contains(&Ability::List);
            let path = arguments.path().and_then(|path| self.project.locate(path));
            let lists = lists && path.is_ok_and(|below| self.project.is_directory(&below));
            Ok((if lists { Ability::List } else { ability }, arguments))
        });
        Some(prepared)
    }

    async fn answer(&self, request: &ToolRequest, reach: Option<&Reach>) -> Result<ToolAnswer, CallError> {
        let unknown = || CallError::Other(format!("unknown tool `{}`", request.call.name));
        let done = match self.prepare(request).ok_or_else(unknown)? {
            Err(reason) => Err(reason),
            Ok((Ability::Shell, arguments)) => {
                let line = arguments.text(&["command", "cmd"]).unwrap_or_default();
                match through_link(&self.project, line) {
                    Some(reason) => Err(reason),
                    None => run(&self.shell(reach), &arguments).await,
                }
            }
            Ok((Ability::Fetch, arguments)) => {
                entered(async { Ok(fetch(&arguments, &self.private_hosts).await) }).await?
            }
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

impl LocalTools {
    /// How a command is run. One without known rights writes nothing.
    fn shell(&self, reach: Option<&Reach>) -> Shell<'_> {
        let confinement = self.confinement.as_deref();
        Shell {
            directory: self.project.path(),
            environment: &self.environment,
            confined: confinement.map(|it| (it, reach.cloned().unwrap_or_else(no_reach))),
        }
    }
}

impl Tools for LocalTools {
    fn specs(&self) -> Vec<ToolSpec> {
        self.offers.iter().map(|offer| offer.spec.clone()).collect()
    }

    fn call<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, ToolAnswer> {
        self.call_within(request, None)
    }

    fn call_within<'a>(
        &'a self,
        request: &'a ToolRequest,
        reach: Option<&'a Reach>,
    ) -> Answer<'a, ToolAnswer> {
        Box::pin(self.answer(request, reach))
    }

    fn preview(&self, request: &ToolRequest) -> Option<Result<String, String>> {
        let (ability, arguments) = match self.prepare(request)? {
            Ok(prepared) => prepared,
            Err(reason) => return Some(Err(reason)),
        };
        match ability {
            Ability::Shell => Some(arguments.demand(&["command", "cmd"]).map(str::to_owned)),
            Ability::Fetch => Some(address(&arguments).map(String::from)),
            Ability::Write | Ability::Edit | Ability::Notebook => {
                let change = Change::plan(&self.project, ability, &arguments);
                Some(change.map(|change| change.difference()))
            }
            _ => None,
        }
    }

    fn change(&self, request: &ToolRequest) -> Option<FileChange> {
        let (ability, arguments) = self.prepare(request)?.ok()?;
        matches!(ability, Ability::Write | Ability::Edit | Ability::Notebook)
            .then(|| {
                Change::plan(&self.project, ability, &arguments)
                    .ok()?
                    .as_text(&self.project)
            })
            .flatten()
    }
}

fn work(project: &Project, ability: Ability, arguments: &Arguments, stop: &Stop) -> Result<String, String> {
    match ability {
        Ability::Read => read::read(project, arguments),
        Ability::Glob => glob::glob(project, arguments, stop),
        Ability::Grep => grep::grep(project, arguments, stop),
        Ability::List => list::list(project, arguments, stop),
        Ability::Write | Ability::Edit | Ability::Notebook => Change::make(project, ability, arguments),
        Ability::Tasks => tasks(arguments),
        Ability::Shell | Ability::Fetch => Err("this is done elsewhere".into()),
    }
}
