//! All conversations of an editor, by their IDs.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use agent_client_protocol::Result;
use agent_client_protocol::v1::Responder;
use agent_client_protocol::v1::schema::{
    ClientCapabilities, CloseSessionRequest, CloseSessionResponse, DeleteSessionRequest,
    DeleteSessionResponse, ListSessionsRequest, ListSessionsResponse, PromptRequest, PromptResponse,
    SessionId, SetSessionModeRequest, SetSessionModeResponse,
};
use callsheet::traces::Collector;
use tokio::sync::Notify;

use super::agents::Modes;
use super::desk::{Desk, Place};
use super::errors::{invalid, refused, told, unknown};
use super::screen::Editor;
use super::start::Start;
use super::unsaved::Waiting;
use super::{history, words};
use crate::cli::{Options, Work};
use crate::exit::Failure;

/// The conversations.
pub(super) struct Desks {
    options: Options,
    work: Work,
    collector: Option<Arc<Collector>>,
    /// Whether the editor shares its files.
    has_files: AtomicBool,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    seats: HashMap<SessionId, Seat>,
    /// The threads of conversations that were closed.
    closed: Vec<(SessionId, JoinHandle<()>)>,
}

/// An open conversation.
struct Seat {
    messages: Sender<Message>,
    /// Stops the answer to the last message.
    stop: Arc<Notify>,
    waiting: Arc<Waiting>,
    /// Whether a message is being answered.
    is_busy: Arc<AtomicBool>,
    modes: Arc<Modes>,
    thread: JoinHandle<()>,
}

impl Seat {
    /// Stops the answer to the last message.
    fn end(&self) {
        self.stop.notify_one();
        self.waiting.cancel();
    }
}

/// A message to be answered.
struct Message {
    text: String,
    stop: Arc<Notify>,
    responder: Responder<PromptResponse>,
}

impl Desks {
    /// None yet. `options` and `work` are those of the command line; `collector` gets their traces.
    pub(super) fn new(options: Options, work: Work, collector: Option<Arc<Collector>>) -> Self {
        Self {
            options,
            work,
            collector,
            has_files: AtomicBool::default(),
            open: Mutex::default(),
        }
    }

    /// Takes what the editor can do.
    pub(super) fn meet(&self, editor: &ClientCapabilities) {
        let has_files = editor.fs.read_text_file && editor.fs.write_text_file;
        self.has_files.store(has_files, Ordering::SeqCst);
    }

    /// Opens a conversation on a thread of its own. One that is open already is closed first.
    pub(super) fn start(self: &Arc<Self>, start: Start, editor: Editor) {
        let id = start.id().unwrap_or_else(random);
        if !start.place().0.is_absolute() {
            // If it fails, the connection is closed.
            let _ = start.answer(id, Err(invalid("`cwd` is not an absolute path")));
            return;
        }
        let waiting = Arc::default();
        let place = self.place(&start, id.clone(), editor, &waiting);
        let (messages, received) = channel();
        let (stop, is_busy, modes) = (Arc::default(), Arc::default(), Arc::default());
        let (desks, busy, offered) = (Arc::clone(self), Arc::clone(&is_busy), Arc::clone(&modes));
        let mut open = self.open();
        let before = open.close(&id);
        let thread = thread::spawn(move || {
            wait(before);
            let seated = Seated(&desks, place.id.clone(), Arc::clone(&busy));
            serve(place, start, offered, &received, seated);
        });
        let seat = Seat {
            messages,
            stop,
            waiting,
            is_busy,
            modes,
            thread,
        };
        open.seats.insert(id, seat);
    }

    fn place(&self, start: &Start, id: SessionId, editor: Editor, waiting: &Arc<Waiting>) -> Place {
        let (project, servers) = start.place();
        let mut options = self.options.clone();
        options.project = project;
        Place {
            id,
            options,
            work: self.work.clone(),
            collector: self.collector.clone(),
            servers,
            editor,
            has_files: self.has_files.load(Ordering::SeqCst),
            waiting: Arc::clone(waiting),
        }
    }

    /// Answers a message. A conversation answers one at a time.
    pub(super) fn prompt(&self, request: PromptRequest, responder: Responder<PromptResponse>) -> Result<()> {
        let text = match words::text(&request.prompt) {
            Ok(text) => text,
            Err(reason) => return responder.respond_with_error(invalid(reason)),
        };
        let mut open = self.open();
        let Some(seat) = open.seats.get_mut(&request.session_id) else {
            return responder.respond_with_error(unknown(&request.session_id));
        };
        if seat.is_busy.swap(true, Ordering::SeqCst) {
            return responder.respond_with_error(refused("the last message is still being answered"));
        }
        seat.stop = Arc::default();
        seat.waiting.begin();
        let stop = Arc::clone(&seat.stop);
        // If the thread has ended, the responder is dropped, which answers with an error.
        let _ = seat.messages.send(Message {
            text,
            stop,
            responder,
        });
        Ok(())
    }

    /// Chooses the agent that answers the next message.
    pub(super) fn choose(&self, request: &SetSessionModeRequest) -> Result<SetSessionModeResponse> {
        let open = self.open();
        let seat = open.seats.get(&request.session_id);
        let seat = seat.ok_or_else(|| unknown(&request.session_id))?;
        if seat.modes.set(&request.mode_id) {
            Ok(SetSessionModeResponse::new())
        } else {
            Err(invalid("no such agent; open the conversation again if it is new"))
        }
    }

    /// Stops the answer to a conversation's last message.
    pub(super) fn cancel(&self, id: &SessionId) {
        let open = self.open();
        let seat = open.seats.get(id);
        if let Some(seat) = seat.filter(|seat| seat.is_busy.load(Ordering::SeqCst)) {
            seat.end();
        }
    }

    /// Closes a conversation, which stays saved.
    pub(super) fn leave(&self, request: &CloseSessionRequest) -> Result<CloseSessionResponse> {
        let mut open = self.open();
        if !open.seats.contains_key(&request.session_id) {
            return Err(unknown(&request.session_id));
        }
        let closed = open.close(&request.session_id);
        open.closed.retain(|(_, thread)| !thread.is_finished());
        let id = |thread| (request.session_id.clone(), thread);
        open.closed.extend(closed.into_iter().map(id));
        Ok(CloseSessionResponse::new())
    }

    pub(super) fn list(&self, request: &ListSessionsRequest) -> Result<ListSessionsResponse> {
        let listed = history::list(self.options.home.as_deref(), request.cwd.as_deref());
        listed
            .map(ListSessionsResponse::new)
            .map_err(|failure| told(&failure))
    }

    /// Deletes a conversation, once it is closed.
    pub(super) fn delete(
        &self,
        request: DeleteSessionRequest,
        responder: Responder<DeleteSessionResponse>,
    ) -> Result<()> {
        let mut open = self.open();
        if open.seats.contains_key(&request.session_id) {
            return responder.respond_with_error(refused("the conversation is open: close it first"));
        }
        let (before, home) = (open.close(&request.session_id), self.options.home.clone());
        thread::spawn(move || {
            wait(before);
            let deleted = history::delete(home.as_deref(), &request.session_id);
            let deleted = deleted.map(|()| DeleteSessionResponse::new());
            responder.respond_with_result(deleted.map_err(|failure| told(&failure)))
        });
        Ok(())
    }

    /// Closes all, and waits until they are saved.
    pub(super) fn close(&self) {
        let mut open = self.open();
        let ids: Vec<SessionId> = open.seats.keys().cloned().collect();
        let mut threads: Vec<_> = ids.iter().flat_map(|id| open.close(id)).collect();
        threads.extend(open.closed.drain(..).map(|(_, thread)| thread));
        drop(open);
        wait(threads);
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Stops a conversation. Returns the threads that are still saving it.
    fn close(&mut self, id: &SessionId) -> Vec<JoinHandle<()>> {
        let (its, others) = self.closed.drain(..).partition(|(closed, _)| closed == id);
        self.closed = others;
        let its: Vec<_> = its;
        let mut threads: Vec<_> = its.into_iter().map(|(_, thread)| thread).collect();
        if let Some(seat) = self.seats.remove(id) {
            seat.end();
            threads.push(seat.thread);
        }
        threads
    }
}

/// An open conversation, which is removed when its thread ends, also by a panic.
struct Seated<'a>(&'a Desks, SessionId, Arc<AtomicBool>);

impl Drop for Seated<'_> {
    fn drop(&mut self) {
        let Self(desks, id, is_busy) = self;
        let mut open = desks.open();
        let is_its = |seat: &Seat| Arc::ptr_eq(&seat.is_busy, is_busy);
        if open.seats.get(id).is_some_and(is_its) {
            open.seats.remove(id);
        }
    }
}

/// The life of a conversation. It ends if the editor cannot be answered.
fn serve(place: Place, start: Start, modes: Arc<Modes>, messages: &Receiver<Message>, seated: Seated<'_>) {
    let id = place.id.clone();
    let opened = open(place, &start, Arc::clone(&modes));
    let mut desk = match opened {
        Ok(desk) => desk,
        Err(failure) => {
            // An editor that knows of the failure may delete the conversation.
            drop(seated);
            return drop(start.answer(id, Err(told(&failure))));
        }
    };
    if start.answer(id, Ok(modes.shown())).is_err() {
        return;
    }
    for message in messages {
        let ended = desk.prompt(message.text, message.stop);
        seated.2.store(false, Ordering::SeqCst);
        let ended = ended.map(PromptResponse::new).map_err(|failure| told(&failure));
        if message.responder.respond_with_result(ended).is_err() {
            return;
        }
    }
}

fn open(place: Place, start: &Start, modes: Arc<Modes>) -> std::result::Result<Desk, Failure> {
    let mut desk = Desk::open(place, modes)?;
    match start {
        Start::New(..) => {}
        Start::Load(..) => desk.recall(true)?,
        Start::Resume(..) => desk.recall(false)?,
    }
    Ok(desk)
}

fn wait(threads: Vec<JoinHandle<()>>) {
    for thread in threads {
        // A thread that panicked has nothing left to save.
        let _ = thread.join();
    }
}

/// An ID that no other conversation has.
fn random() -> SessionId {
    let name = RandomState::new().build_hasher().finish();
    SessionId::new(format!("{name:016x}"))
}
