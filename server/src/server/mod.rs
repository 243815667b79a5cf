//! The state of the server, and the order of its work.

mod notices;
mod publish;
mod waiting;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use callsheet_contract::types::Kind;
use gen_lsp_types::{
    CancelNotification, CancelParams, CodeLensRefreshRequest, Diagnostic, DidChangeWatchedFilesNotification,
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, Notification, ProgressNotification,
    ProgressParams, ProgressToken, Registration, RegistrationParams, RegistrationRequest, Request, Uri,
    WorkDoneProgressCreateParams, WorkDoneProgressCreateRequest,
};
use lsp_server::{ErrorCode, Message, RequestId, Response};
use serde_json::{Value, json};

use super::answers;
use super::client::Client;
use super::host::{Failure, Host};
use super::root::{Look, Root, Seen};
use super::spot::Refused;
use super::state::{Document, State};

/// A change of any of these may change findings: definitions, their configuration, and manifests.
const WATCHED: &str = "**/*.{md,mdc,toml,json,jsonc}";

/// The language server of one client, which takes its messages in order.
///
/// If it [is pausing](Self::is_pausing), the caller starts a [`look`](Self::look) after a pause without messages, runs it in any thread,
/// and gives the result to [`see`](Self::see).
pub struct Server {
    state: State,
    is_shut_down: bool,
    /// The extensions of the files that some tool reads.
    endings: HashSet<String>,
    /// Open files that changed after the last check.
    changed: BTreeSet<PathBuf>,
    /// Open files whose findings were published without a look at the others.
    glanced: BTreeSet<PathBuf>,
    /// How often a file was glanced at.
    glances: u64,
    /// The number of the last look, and whether its result is awaited.
    looks: u64,
    is_looking: bool,
    /// Questions that the next look answers.
    waiting: Vec<lsp_server::Request>,
    /// Whether files changed that are not open.
    is_stale: bool,
    /// The last findings, by file.
    published: BTreeMap<PathBuf, Published>,
    requests: i32,
}

/// The findings in a file.
struct Published {
    diagnostics: Vec<Diagnostic>,
    /// The address that they were sent for; none if the client asks for them.
    sent: Option<Uri>,
}

impl Server {
    /// Opens these folders, at least one. The first check is that of [`start`](Self::start).
    ///
    /// Fails if none of them can be opened. The user is told of the others.
    pub fn new(host: Rc<dyn Host>, client: Client, directories: &[PathBuf]) -> Result<Self, Failure> {
        let (mut roots, mut failures) = (Vec::new(), Vec::new());
        for directory in directories {
            match Root::open(&host, directory) {
                Ok(root) => roots.push(root),
                Err(failure) => failures.push(failure),
            }
        }
        if let (true, Some(failure)) = (roots.is_empty(), failures.pop()) {
            return Err(failure);
        }
        let mut server = Self {
            state: State {
                client,
                roots,
                documents: BTreeMap::new(),
                host,
            },
            is_shut_down: false,
            endings: HashSet::new(),
            changed: BTreeSet::new(),
            glanced: BTreeSet::new(),
            glances: 0,
            looks: 0,
            is_looking: false,
            waiting: Vec::new(),
            is_stale: true,
            published: BTreeMap::new(),
            requests: 0,
        };
        for failure in failures {
            server.complain(&failure.message);
        }
        server.configure();
        let first = server.state.roots.first_mut().expect("there is a directory");
        for kind in [Kind::Agent, Kind::Skill, Kind::Command] {
            let dialects = first.folder.dialects(kind)?;
            let endings = dialects.into_iter().flat_map(|dialect| dialect.endings);
            // Files of some tools have none.
            let last = endings.map(|ending| ending.rsplit_once('.').map_or("", |(_, last)| last).to_owned());
            server.endings.extend(last);
        }
        if server.state.client.watches {
            server.watch();
        }
        Ok(server)
    }

    /// Whether the client asked for the end, which makes its `exit` no error.
    #[must_use]
    pub fn is_shut_down(&self) -> bool {
        self.is_shut_down
    }

    /// Whether to [`look`](Self::look) after a pause.
    #[must_use]
    pub fn is_pausing(&self) -> bool {
        !self.is_looking && (!self.glanced.is_empty() || !self.waiting.is_empty())
    }

    /// A number that another change of an open file increases: the pause begins again.
    #[must_use]
    pub fn glances(&self) -> u64 {
        self.glances
    }

    /// Takes messages: of a burst of changes, only the last state is checked. Breaks at the client's `exit`.
    pub fn take(&mut self, batch: Vec<Message>) -> ControlFlow<()> {
        self.take_all(batch)?;
        self.catch_up();
        ControlFlow::Continue(())
    }

    /// Checks everything for the first time, and shows that it takes long in a large project.
    pub fn start(&mut self) {
        if !self.state.client.progress {
            return self.catch_up();
        }
        let token: ProgressToken = "first check".to_owned().into();
        self.request::<WorkDoneProgressCreateRequest>(WorkDoneProgressCreateParams { token: token.clone() });
        self.notify::<ProgressNotification>(ProgressParams {
            token: token.clone(),
            value: json!({ "kind": "begin", "title": "Checking agent files" }),
        });
        self.catch_up();
        self.notify::<ProgressNotification>(ProgressParams {
            token,
            value: json!({ "kind": "end" }),
        });
    }

    fn take_all(&mut self, batch: Vec<Message>) -> ControlFlow<()> {
        let cancelled: HashSet<RequestId> = batch.iter().filter_map(cancelled).collect();
        self.cancel(&cancelled);
        for message in batch {
            match message {
                Message::Notification(notification) if notification.method == "exit" => {
                    return ControlFlow::Break(());
                }
                Message::Notification(notification) => {
                    if let Err((_, reason)) = self.notice(notification) {
                        self.complain(&reason);
                    }
                }
                Message::Request(request) => {
                    let answer = if self.is_shut_down {
                        Err((ErrorCode::InvalidRequest, "the server is shut down".to_owned()))
                    } else if request.method == "shutdown" {
                        self.is_shut_down = true;
                        self.give_up();
                        Ok(Value::Null)
                    } else if cancelled.contains(&request.id) {
                        Err((ErrorCode::RequestCanceled, "cancelled".to_owned()))
                    } else {
                        self.catch_up();
                        if self.may_wait(&request) {
                            self.waiting.push(request);
                            continue;
                        }
                        answers::answer(&mut self.state, &request.method, request.params)
                    };
                    self.respond(request.id, answer);
                }
                // Registrations and refreshes need no reply.
                Message::Response(_) => {}
            }
        }
        ControlFlow::Continue(())
    }

    /// Starts a look at the files that were only glanced at and all that they depend on, and at what questions wait for: one for each
    /// folder. Its result is obsolete if [`is_awaited`](Self::is_awaited) does not hold for its number any more.
    pub fn look(&mut self) -> (u64, Vec<Look>) {
        let wanted = self.wanted();
        let none = wanted.iter().map(|at| (*at, BTreeMap::new()));
        let mut by_root: BTreeMap<usize, BTreeMap<PathBuf, Vec<u8>>> = none.collect();
        for path in std::mem::take(&mut self.glanced) {
            let document = self.state.documents.get(&path);
            let address = |document: &Document| self.state.host.path(&document.uri);
            let is_there =
                |document: &&Document| address(document).is_some_and(|address| self.is_at(&path, &address));
            if let Some(document) = document.filter(is_there) {
                let contents = document.text.as_bytes().to_vec();
                by_root
                    .entry(self.state.root_of(&path))
                    .or_default()
                    .insert(path, contents);
            }
        }
        let (mut looks, mut has_failed) = (Vec::new(), false);
        for (at, files) in by_root {
            let documents = self.state.documents.iter();
            let readable = documents.filter(|(path, _)| self.is_readable(path));
            let unsaved = readable.map(|(path, document)| (path.clone(), document.text.as_bytes().to_vec()));
            let root = &self.state.roots[at];
            match root.look(files, unsaved, wanted.contains(&at)) {
                Ok(look) => looks.push(look),
                Err(failure) => {
                    self.state.host.complain(&failure);
                    has_failed = true;
                }
            }
        }
        if has_failed {
            self.give_up();
        }
        self.looks += 1;
        self.is_looking = true;
        (self.looks, looks)
    }

    /// Whether the result of this look is of use: a check of everything makes it obsolete.
    #[must_use]
    pub fn is_awaited(&self, look: u64) -> bool {
        self.is_looking && self.looks == look
    }

    /// Takes in what was seen. A file that has changed since is glanced at again.
    pub fn see(&mut self, look: u64, seen: Vec<Seen>) {
        if !self.is_awaited(look) {
            return;
        }
        self.is_looking = false;
        let (mut unchanged, mut has_failed) = (BTreeSet::new(), false);
        for seen in seen {
            for (path, contents) in &seen.files {
                let document = self.state.documents.get(path);
                let is_same = document.is_some_and(|document| document.text.as_bytes() == contents);
                let paths = if is_same {
                    &mut unchanged
                } else {
                    &mut self.changed
                };
                paths.insert(path.clone());
            }
            let mut roots = self.state.roots.iter_mut();
            let root = roots.find(|root| root.directory == seen.directory);
            let root = root.expect("a change of the folders drops the look");
            if let Err(failure) = root.take_look(seen) {
                self.state.host.complain(&failure);
                has_failed = true;
            }
        }
        if has_failed {
            self.give_up();
        }
        self.publish(unchanged, true);
        self.catch_up();
        self.answer_waiting();
    }

    fn respond(&self, id: RequestId, answer: Result<Value, Refused>) {
        let response = match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, reason)) => Response::new_err(id, code as i32, reason),
        };
        self.state.host.send(response.into());
    }

    /// Whether some tool reads a file, or may read a new one of its name.
    fn is_readable(&self, path: &Path) -> bool {
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let is_other = || self.state.roots[self.state.root_of(path)].is_other(path);
        !State::is_untitled(path) && (self.endings.contains(ending) || is_other())
    }

    /// Whether an address still leads to the path of its document: one that does not would fail the check of the others.
    fn is_at(&self, path: &Path, address: &Path) -> bool {
        self.state.host.real(address).as_deref() == Some(path)
    }

    /// Whether an open document is checked.
    fn is_checked(&self, path: &Path) -> bool {
        self.is_readable(path) || State::is_untitled(path)
    }

    /// Checks what changed, and tells the client.
    fn catch_up(&mut self) {
        let is_whole = std::mem::take(&mut self.is_stale);
        if is_whole {
            (self.is_looking, self.glanced) = (false, BTreeSet::new());
            for root in &mut self.state.roots {
                if let Err(failure) = root.check() {
                    self.state.host.complain(&failure);
                }
            }
            // Open files may be excluded, or of no project.
            self.changed = self
                .state
                .documents
                .keys()
                .filter(|path| self.is_checked(path))
                .cloned()
                .collect();
        } else if self.changed.is_empty() {
            return;
        }
        let changed = std::mem::take(&mut self.changed);
        let unclear = changed
            .iter()
            .filter(|path| !self.glance(path))
            .cloned()
            .collect();
        self.check_all(unclear);
        if is_whole {
            let found = self.state.roots.iter().flat_map(Root::found);
            self.publish(found.chain(self.published.keys()).cloned().collect(), true);
            if self.state.client.lenses {
                self.request::<CodeLensRefreshRequest>(());
            }
        } else {
            self.publish(changed, false);
        }
    }

    /// Whether a glance at a changed file is enough for now.
    fn glance(&mut self, path: &Path) -> bool {
        if State::is_untitled(path) {
            self.guess(path);
            return true;
        }
        let client = &self.state.client;
        // A client that asks once has to be told everything.
        if client.pulls && !client.refreshes {
            return false;
        }
        let Some(document) = self.state.documents.get(path) else {
            return false;
        };
        let at = self.state.root_of(path);
        let root = &mut self.state.roots[at];
        // What is wrong with one of the others depends on what it names.
        let is_enough =
            root.is_other(path) || matches!(root.glance(path, document.text.as_bytes()), Ok(Some(())));
        if is_enough {
            self.glanced.insert(path.to_owned());
            self.glances += 1;
        }
        is_enough
    }

    /// Checks a text without a path.
    fn guess(&mut self, address: &Path) {
        let at = self.state.root_of(address);
        if let Some(document) = self.state.documents.get(address) {
            let root = &mut self.state.roots[at];
            if let Err(failure) = root.guess(address, document.text.as_bytes()) {
                self.state.host.complain(&failure);
            }
        }
    }

    /// Checks these files and all that they depend on.
    fn check_all(&mut self, paths: Vec<PathBuf>) {
        let mut by_root = BTreeMap::<usize, BTreeMap<PathBuf, PathBuf>>::new();
        for path in paths {
            self.glanced.remove(&path);
            let address = self.state.documents.get(&path);
            let address = address.and_then(|document| self.state.host.path(&document.uri));
            if let Some(address) = address.filter(|address| self.is_at(&path, address)) {
                let at = self.state.root_of(&path);
                by_root.entry(at).or_default().insert(path, address);
            }
        }
        for (at, files) in by_root {
            let root = &mut self.state.roots[at];
            let mut checked = root.check_files(&files);
            for path in files.keys() {
                let contents = self.state.documents[path].text.as_bytes();
                checked = checked.and_then(|()| root.keep(path, contents));
            }
            if let Err(failure) = checked {
                self.state.host.complain(&failure);
            }
        }
    }

    fn watch(&mut self) {
        let options = DidChangeWatchedFilesRegistrationOptions {
            watchers: vec![FileSystemWatcher {
                glob_pattern: WATCHED.to_owned().into(),
                kind: None,
            }],
        };
        self.request::<RegistrationRequest>(RegistrationParams {
            registrations: vec![Registration {
                id: "files".into(),
                method: DidChangeWatchedFilesNotification::METHOD.as_str().into(),
                register_options: serde_json::to_value(options).ok(),
            }],
        });
    }

    fn request<R: Request>(&mut self, params: R::Params) {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        let request = lsp_server::Request::new(id, R::METHOD.as_str().into(), params);
        self.state.host.send(request.into());
    }

    fn notify<N: Notification>(&self, params: N::Params) {
        let notification = lsp_server::Notification::new(N::METHOD.as_str().into(), params);
        self.state.host.send(notification.into());
    }

    fn complain(&self, reason: &str) {
        self.state.host.complain(&Failure::new(reason));
    }
}

fn cancelled(message: &Message) -> Option<RequestId> {
    let Message::Notification(notification) = message else {
        return None;
    };
    if notification.method != CancelNotification::METHOD.as_str() {
        return None;
    }
    let params: CancelParams = serde_json::from_value(notification.params.clone()).ok()?;
    match params.id {
        gen_lsp_types::Id::Int(id) => Some(id.into()),
        gen_lsp_types::Id::String(id) => Some(id.into()),
    }
}
