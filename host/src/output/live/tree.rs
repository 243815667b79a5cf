//! A tree of the working agents, redrawn on changes; permanent lines are printed above it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::board::{Board, Row, count};
use super::lines;
use crate::conversation::{ModelRequest, ToolAnswer, ToolCall};
use crate::delegation::{Event, Happening};
use crate::drive::{InFlight, Observer};
use crate::output::text::{Look, clean};

const TICK: Duration = Duration::from_millis(100);

/// Draws a tree on the error stream.
pub struct Tree {
    screen: MultiProgress,
    style: ProgressStyle,
    state: Mutex<State>,
    /// Lines that wait until a question is answered.
    held: Mutex<Option<Vec<String>>>,
}

#[derive(Default)]
struct State {
    board: Board,
    bars: HashMap<u32, ProgressBar>,
    over: bool,
}

impl Tree {
    /// An empty tree.
    pub fn new(look: Look) -> Self {
        let template = if look.color {
            "{prefix}{spinner:.cyan} {wide_msg} {elapsed:.dim}"
        } else {
            "{prefix}{spinner} {wide_msg} {elapsed}"
        };
        Self {
            screen: MultiProgress::new(),
            style: ProgressStyle::with_template(template).expect("the template is well formed"),
            state: Mutex::default(),
            held: Mutex::default(),
        }
    }

    /// Does something else with the terminal, such as asking a question, while nothing is drawn.
    /// No lock is held meanwhile, so a question can be interrupted.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.is_held() {
            // Within another one: its lines come below the question.
            return work();
        }
        let _ = self.screen.clear();
        self.screen.set_draw_target(ProgressDrawTarget::hidden());
        let done = work();
        self.go_on();
        done
    }

    /// Whether lines are held back already; if not, they are from now on.
    fn is_held(&self) -> bool {
        let mut held = self.held();
        let before = held.is_some();
        held.get_or_insert_default();
        before
    }

    fn go_on(&self) {
        let held = self.held().take();
        self.screen.set_draw_target(ProgressDrawTarget::stderr());
        held.iter().flatten().for_each(|line| self.say(line));
    }

    fn held(&self) -> MutexGuard<'_, Option<Vec<String>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, line: &str) {
        if let Some(held) = &mut *self.held() {
            return held.push(line.to_owned());
        }
        // Without an error stream, there is no way to report.
        let _ = self.screen.println(line);
    }

    fn draw(&self, state: &mut State, row: &Row) {
        if state.over {
            return;
        }
        if !state.bars.contains_key(&row.run) {
            let bar = self.enter(state, row);
            state.bars.insert(row.run, bar);
        }
        if let Some(bar) = state.bars.get(&row.run) {
            bar.set_message(message(row));
        }
    }

    /// A line below that of the previous row.
    fn enter(&self, state: &State, row: &Row) -> ProgressBar {
        let rows = &state.board.rows;
        let before = rows.iter().position(|other| other.run == row.run);
        let before = before.and_then(|at| rows.get(at.checked_sub(1)?));
        let before = before.and_then(|before| state.bars.get(&before.run));
        let bar = ProgressBar::new_spinner().with_style(self.style.clone());
        let bar = match before {
            Some(before) => self.screen.insert_after(before, bar),
            None => self.screen.add(bar),
        };
        bar.set_prefix("  ".repeat(row.agent.len().saturating_sub(1)));
        bar.enable_steady_tick(TICK);
        bar
    }
}

impl Observer for Tree {
    fn event(&self, event: &Event) {
        let mut state = self.state();
        let row = state.board.take(event);
        match event.what {
            Happening::Ended(_) => {
                if let Some(bar) = state.bars.remove(&event.run) {
                    bar.finish_and_clear();
                }
            }
            _ => self.draw(&mut state, &row),
        }
        if let Some(line) = lines::lasting(event, &row) {
            self.say(&line);
        }
    }

    fn heard(&self, run: u32, piece: &str) {
        let mut state = self.state();
        if let Some(row) = state.board.hear(run, piece).cloned() {
            self.draw(&mut state, &row);
        }
    }

    fn answered(&self, agent: &[String], call: &ToolCall, answer: &ToolAnswer) {
        if let Some(line) = lines::failed(agent, call, answer) {
            self.say(&line);
        }
    }

    fn denied(&self, agent: &[String], call: &ToolCall, reason: &str) {
        self.say(&lines::denied(agent, call, reason));
    }

    fn again(&self, run: u32, at: u64, request: &ModelRequest) {
        let mut state = self.state();
        let row = state.board.again(run, at, &request.agent, &request.model);
        self.draw(&mut state, &row);
    }

    fn in_doubt(&self, call: &InFlight) {
        self.say(&lines::in_doubt(call));
    }

    fn end(&self) {
        let mut state = self.state();
        state.over = true;
        // A line with a running spinner would be redrawn.
        state.bars.drain().for_each(|(_, bar)| bar.finish_and_clear());
        let _ = self.screen.clear();
        drop(state);
        self.go_on();
    }
}

/// The short and important parts first: the end of the line is cut.
fn message(row: &Row) -> String {
    let name = row.labeled(row.agent.last().map(|name| clean(name)).unwrap_or_default());
    let turn = row.turns;
    format!(
        "{name}  turn {turn}, {}  {}",
        count(row.tokens, "token"),
        row.doing
    )
}
