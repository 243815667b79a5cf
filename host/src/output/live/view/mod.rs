//! A full-screen view of a running session: its agents, what each did, and questions to the user.

mod agents;
mod columns;
mod draw;
mod keys;
mod scene;
#[cfg(test)]
mod tests;
mod words;

use std::io::{self, Stderr, Write as _, stderr};
use std::pin::Pin;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event as Input, KeyEvent, KeyEventKind};
use tokio::sync::oneshot;

use self::draw::Picture;
use self::keys::{Place, Wish};
use self::scene::Scene;
use crate::conversation::{ModelRequest, ToolAnswer, ToolCall};
use crate::delegation::{Event, Usage};
use crate::drive::{InFlight, Interrupts, Observer};
use crate::output::report::AgentUsage;
use crate::output::text::clean_lines;
use crate::screen;
use crate::tools::{Asker, Decision, Question};

/// The time between two pictures, so that times on the screen advance.
const TICK: Duration = Duration::from_millis(100);

/// The most keys that wait for the next picture.
const KEYS: usize = 64;

/// Shows a session on the whole terminal, on its error stream. What has to stay is printed at the end.
pub struct View {
    shared: Arc<Shared>,
    color: bool,
    interrupts: Interrupts,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared(Mutex<State>);

#[derive(Default)]
struct State {
    scene: Scene,
    place: Place,
    asked: Option<Asked>,
    /// The number of the next question.
    next: u64,
    stage: Stage,
    /// The time of the session's clock at its end.
    ended: Option<u64>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    /// Nothing is drawn yet: remarks are printed.
    #[default]
    Before,
    Shown,
    /// The session ended, and the user reads on.
    Over,
    Closed,
}

struct Asked {
    number: u64,
    question: Question,
    reply: oneshot::Sender<Decision>,
}

impl View {
    /// Shows nothing before [`View::open`].
    pub fn new(color: bool, interrupts: Interrupts) -> Self {
        Self {
            shared: Arc::default(),
            color,
            interrupts,
            thread: Mutex::default(),
        }
    }

    /// Shows the session from now on, which is this time of its clock.
    pub fn open(&self, now: u64) -> io::Result<()> {
        screen::enter()?;
        let opened = Terminal::new(CrosstermBackend::new(stderr()));
        let terminal = opened.inspect_err(|_| screen::restore())?;
        let mut state = self.shared.state();
        state.scene.begin(now);
        state.stage = Stage::Shown;
        drop(state);
        let (shared, color, interrupts) = (Arc::clone(&self.shared), self.color, self.interrupts.clone());
        let thread = thread::spawn(move || {
            // Without a terminal, there is no way to report. The session continues, and its questions are not answered.
            let _ = shared.show(terminal, color, &interrupts);
            screen::restore();
            let mut state = shared.state();
            state.stage = Stage::Closed;
            state.asked = None;
        });
        *self.thread() = Some(thread);
        Ok(())
    }

    /// Waits until the user has read the end, unless they interrupted the session or it failed, then prints what has to stay.
    pub fn close(&self, is_at_end: bool) {
        let Some(thread) = self.thread().take() else {
            return;
        };
        if !is_at_end || self.interrupts.signal().is_some() {
            self.shared.state().stage = Stage::Closed;
        }
        // A panic of the thread has been printed.
        let _ = thread.join();
        for line in std::mem::take(&mut self.shared.state().scene.lasting) {
            // Without an error stream, there is no way to report.
            let _ = writeln!(stderr(), "{line}");
        }
    }

    /// Prints a remark, or shows it.
    pub fn say(&self, words: &str) {
        let mut state = self.shared.state();
        match state.stage {
            Stage::Shown | Stage::Over => state.scene.remark(words),
            Stage::Before | Stage::Closed => drop(writeln!(stderr(), "{}", clean_lines(words))),
        }
    }

    fn thread(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.thread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.close(false);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(
        &self,
        mut terminal: Terminal<CrosstermBackend<Stderr>>,
        color: bool,
        interrupts: &Interrupts,
    ) -> io::Result<()> {
        let keys = keys();
        loop {
            let mut state = self.state();
            let is_interrupted = state.stage == Stage::Over && interrupts.signal().is_some();
            if state.stage == Stage::Closed || is_interrupted {
                return Ok(());
            }
            terminal.draw(|frame| state.draw(frame, color))?;
            drop(state);
            let key = match keys.recv_timeout(TICK) {
                Ok(key) => key,
                Err(RecvTimeoutError::Timeout) => continue,
                // Nothing can be read any more.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            let wish = self.state().press(key);
            match wish {
                Some(Wish::Interrupt) => interrupts.interrupt(),
                Some(Wish::Close) => return Ok(()),
                Some(Wish::Answer(_)) | None => {}
            }
        }
    }
}

/// The keys that are pressed while the receiver is there. They are read by a thread of their own, which nothing waits for: reading from a
/// closed terminal does not return.
fn keys() -> Receiver<KeyEvent> {
    let (sender, keys) = mpsc::sync_channel(KEYS);
    thread::spawn(move || -> io::Result<()> {
        while screen::is_shown() {
            if event::poll(TICK)?
                && let Input::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && sender.send(key).is_err()
            {
                break;
            }
        }
        Ok(())
    });
    keys
}

impl State {
    fn draw(&mut self, frame: &mut ratatui::Frame<'_>, color: bool) {
        let picture = Picture {
            scene: &self.scene,
            question: self.asked.as_ref().map(|asked| &asked.question),
            is_over: self.stage == Stage::Over,
            now: self.ended.unwrap_or_else(|| self.scene.now()),
            color,
        };
        picture.draw(frame, &mut self.place);
    }

    /// Handles a key; answers a question.
    fn press(&mut self, key: KeyEvent) -> Option<Wish> {
        let question = self.asked.as_ref().map(|asked| &asked.question);
        let is_over = self.stage == Stage::Over;
        match self.place.press(key, &self.scene, question, is_over) {
            Some(Wish::Answer(decision)) => {
                if let Some(asked) = self.asked.take() {
                    // The call may be canceled already.
                    let _ = asked.reply.send(decision);
                }
                None
            }
            wish => wish,
        }
    }
}

impl Observer for View {
    fn event(&self, event: &Event) {
        self.shared.state().scene.event(event);
    }

    fn heard(&self, run: u32, piece: &str) {
        self.shared.state().scene.heard(run, piece);
    }

    fn printed(&self, agent: &[String], call: &ToolCall, text: &str) {
        self.shared.state().scene.printed(agent, call, text);
    }

    fn answered(&self, agent: &[String], call: &ToolCall, answer: &ToolAnswer) {
        self.shared.state().scene.answered(agent, call, answer);
    }

    fn denied(&self, agent: &[String], call: &ToolCall, reason: &str) {
        self.shared.state().scene.denied(agent, call, reason);
    }

    fn again(&self, run: u32, at: u64, request: &ModelRequest) {
        self.shared.state().scene.again(run, at, request);
    }

    fn in_doubt(&self, call: &InFlight) {
        self.shared.state().scene.in_doubt(call);
    }

    fn spent(&self, run: u32, usage: &AgentUsage) {
        self.shared.state().scene.spent(run, usage);
    }

    fn used(&self, usage: &Usage) {
        self.shared.state().scene.usage = Some(*usage);
    }

    fn end(&self) {
        let mut state = self.shared.state();
        state.ended = Some(state.scene.now());
        if state.stage == Stage::Shown {
            state.stage = Stage::Over;
        }
    }
}

impl Asker for View {
    fn ask<'a>(&'a self, question: &'a Question) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        let (reply, answer) = oneshot::channel();
        let mut state = self.shared.state();
        let number = state.next;
        state.next += 1;
        // Nothing answers a view that is not there: the sender is dropped.
        if state.stage == Stage::Shown {
            let State { place, scene, .. } = &mut *state;
            place.asked(scene, question);
            let question = question.clone();
            state.asked = Some(Asked {
                number,
                question,
                reply,
            });
        }
        drop(state);
        let asking = Asking {
            shared: Arc::clone(&self.shared),
            number,
        };
        Box::pin(async move {
            let _asking = asking;
            answer.await.unwrap_or(Decision::Unasked)
        })
    }

    fn tell(&self, remark: &str) {
        self.say(remark);
    }
}

/// Removes a question that needs no answer any more when it is dropped.
struct Asking {
    shared: Arc<Shared>,
    number: u64,
}

impl Drop for Asking {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        if state
            .asked
            .as_ref()
            .is_some_and(|asked| asked.number == self.number)
        {
            state.asked = None;
        }
    }
}
