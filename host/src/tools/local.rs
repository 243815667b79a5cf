//! The tools of this machine, limited to one project.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use super::apart::{Stop, apart};
use super::arguments::Arguments;
use super::background::{Background, UNAVAILABLE, is_meant};
use super::change::Change;
use super::copies::Copies;
use super::fetch::{address, fetch};
use super::offers::{Ability, Offer, offers};
use super::project::Project;
use super::shell::{LINE, Shell, environment, run};
use super::tasks::tasks;
use super::unsaved::Unsaved;
use super::{glob, grep, list, read};
use crate::Result;
use crate::confine::{Confinement, no_reach};
use crate::conversation::{CallError, ToolAnswer, ToolRequest, ToolSpec};
use crate::documents::Dialect;
use crate::lent::{Answer, Caller, FileChange, Tools};
use crate::runtime::entered;
use crate::worktrees::Worktrees;

/// The user's settings of these tools.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Further environment variables of commands, besides harmless ones.
    pub environment: Vec<String>,
    /// The confinement of commands; without it they have the user's permissions.
    pub confinement: Option<Arc<Confinement>>,
    /// Hosts, also with a port as in `localhost:3000`, that may be fetched from although their addresses are private.
    pub private_hosts: Vec<String>,
    /// The worktrees of agents that do not work in the project; without them, their calls fail.
    pub worktrees: Option<Arc<Worktrees>>,
    /// The editor of the project's files, if there is one.
    pub unsaved: Option<Arc<dyn Unsaved>>,
}

/// Reads, writes and searches files of one project, runs commands in it, and fetches pages of the web.
pub struct LocalTools {
    copies: Arc<Copies>,
    offers: Vec<Offer>,
    environment: Vec<(OsString, OsString)>,
    confinement: Option<Arc<Confinement>>,
    private_hosts: Vec<String>,
    background: Background,
}

impl LocalTools {
    /// The tools under a dialect's names.
    ///
    /// Fails with [`Error::Path`](crate::Error::Path) if the project is not a directory that can be opened.
    pub fn new(project: &Path, dialect: &Dialect, options: Options) -> Result<Self> {
        Ok(Self {
            copies: Arc::new(Copies::new(
                Project::open(project, options.unsaved)?,
                options.worktrees,
            )),
            offers: offers(dialect),
            environment: environment(&options.environment),
            confinement: options.confinement,
            private_hosts: options.private_hosts,
            background: Background::default(),
        })
    }

    fn offer(&self, request: &ToolRequest) -> Option<&Offer> {
        self.offers
            .iter()
            .find(|offer| offer.spec.name == request.call.name)
    }

    /// Where a call works. It may have to be made first.
    async fn place(&self, offer: &Offer, request: &ToolRequest) -> Result<Arc<Project>, CallError> {
        let workspace = request.workspace.clone().filter(|_| offer.needs_project());
        if let Some(known) = self.copies.known(workspace.as_ref()) {
            return Ok(known);
        }
        let copies = Arc::clone(&self.copies);
        let made = apart(move |_| copies.of(workspace.as_ref())).await?;
        made.map_err(CallError::Other)
    }

    /// The same without a wait: none if it is not made yet.
    fn known(&self, offer: &Offer, request: &ToolRequest) -> Option<Arc<Project>> {
        let workspace = request.workspace.as_ref();
        self.copies.known(workspace.filter(|_| offer.needs_project()))
    }

    async fn answer(&self, request: &ToolRequest, caller: &Caller) -> Result<ToolAnswer, CallError> {
        let unknown = || CallError::Other(format!("unknown tool `{}`", request.call.name));
        let offer = self.offer(request).ok_or_else(unknown)?;
        let project = self.place(offer, request).await?;
        let done = match prepare(&project, offer, request) {
            Err(reason) => Err(reason),
            Ok((Ability::Shell, arguments)) => {
                let shell = self.shell(&project, caller);
                let mut files = caller.reach.iter().flat_map(|reach| &reach.files);
                let link = files.find_map(|file| project.link(file));
                match (link, is_meant(&arguments), caller.agent) {
                    (Some(reason), _, _) => Err(reason),
                    (None, true, Some(agent)) => self.background.start(&shell, &arguments, agent),
                    (None, true, None) => Err(UNAVAILABLE.to_owned()),
                    (None, false, _) => run(&shell, &arguments, caller.printed.as_ref()).await,
                }
            }
            Ok((Ability::Output, arguments)) => self.background.output(&arguments, caller.agent).await,
            Ok((Ability::Stop, arguments)) => self.background.stop(&arguments, caller.agent).await,
            Ok((Ability::Fetch, arguments)) => {
                entered(async { Ok(fetch(&arguments, &self.private_hosts).await) }).await?
            }
            Ok((ability, arguments)) => apart(move |stop| work(&project, ability, &arguments, stop)).await?,
        };
        let is_error = done.is_err();
        let text = done.unwrap_or_else(|reason| reason);
        Ok(ToolAnswer { text, is_error })
    }
}

impl LocalTools {
    /// How a command is run. One without known rights writes nothing.
    fn shell<'a>(&'a self, project: &'a Project, caller: &Caller) -> Shell<'a> {
        let confinement = self.confinement.as_deref();
        let reach = caller.reach.clone();
        Shell {
            directory: project.path(),
            environment: &self.environment,
            confined: confinement.map(|it| (it, reach.unwrap_or_else(no_reach))),
        }
    }
}

impl Tools for LocalTools {
    fn specs(&self) -> Vec<ToolSpec> {
        self.offers.iter().map(|offer| offer.spec.clone()).collect()
    }

    fn ready<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, ()> {
        Box::pin(async {
            match self.offer(request) {
                Some(offer) => self.place(offer, request).await.map(drop),
                None => Ok(()),
            }
        })
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, caller: &'a Caller) -> Answer<'a, ToolAnswer> {
        Box::pin(self.answer(request, caller))
    }

    fn ended(&self, session: u64, run: Option<u32>) {
        self.background.ended(session, run);
    }

    fn preview(&self, request: &ToolRequest) -> Option<Result<String, String>> {
        let offer = self.offer(request)?;
        let project = self.known(offer, request)?;
        let (ability, arguments) = match prepare(&project, offer, request) {
            Ok(prepared) => prepared,
            Err(reason) => return Some(Err(reason)),
        };
        match ability {
            Ability::Shell => Some(arguments.demand(LINE).map(str::to_owned)),
            Ability::Fetch => Some(address(&arguments).map(String::from)),
            Ability::Write | Ability::Edit | Ability::Notebook => {
                let change = Change::plan(&project, ability, &arguments);
                Some(change.map(|change| change.difference()))
            }
            _ => None,
        }
    }

    fn change(&self, request: &ToolRequest) -> Option<FileChange> {
        let offer = self.offer(request)?;
        let project = self.known(offer, request)?;
        let (ability, arguments) = prepare(&project, offer, request).ok()?;
        matches!(ability, Ability::Write | Ability::Edit | Ability::Notebook)
            .then(|| {
                Change::plan(&project, ability, &arguments)
                    .ok()?
                    .as_text(&project)
            })
            .flatten()
    }
}

/// The work of a call.
fn prepare(project: &Project, offer: &Offer, request: &ToolRequest) -> Result<(Ability, Arguments), String> {
    let arguments = Arguments::parse(&request.call.arguments)?;
    let ability = offer.ability(&arguments)?;
    let lists = ability == Ability::Read && offer.abilities.contains(&Ability::List);
    let path = arguments.path().and_then(|path| project.locate(path));
    let lists = lists && path.is_ok_and(|below| project.is_directory(&below));
    Ok((if lists { Ability::List } else { ability }, arguments))
}

fn work(project: &Project, ability: Ability, arguments: &Arguments, stop: &Stop) -> Result<String, String> {
    match ability {
        Ability::Read => read::read(project, arguments),
        Ability::Glob => glob::glob(project, arguments, stop),
        Ability::Grep => grep::grep(project, arguments, stop),
        Ability::List => list::list(project, arguments, stop),
        Ability::Write | Ability::Edit | Ability::Notebook => Change::make(project, ability, arguments),
        Ability::Tasks => tasks(arguments),
        Ability::Shell | Ability::Output | Ability::Stop | Ability::Fetch => {
            Err("this is done elsewhere".into())
        }
    }
}
