//! What keys do.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::agents::{Agent, Entry};
use super::scene::Scene;
use super::words::line;
use crate::tools::{Decision, Question};

/// What the user looks at.
#[derive(Default)]
pub(super) struct Place {
    pub(super) focus: Focus,
    /// The selected agent.
    pub(super) agent: usize,
    /// The selected one of the agent's entries; the newest if none.
    pub(super) entry: Option<usize>,
    /// The first line that is shown of the open entry; none if the lists are shown.
    pub(super) open: Option<usize>,
    /// What agents and entries contain in their lines.
    pub(super) filter: String,
    pub(super) is_filtering: bool,
    /// The answer to a question that Enter gives.
    pub(super) answer: Option<Answer>,
    /// The first line that is shown of a question.
    pub(super) scroll: usize,
    /// Whether a question waits while the user looks around.
    pub(super) is_aside: bool,
    /// Whether the last key can only be used after the end.
    pub(super) is_early: bool,
    /// The height of the list or text that keys move in, as drawn.
    pub(super) page: usize,
    /// The last value that lines can be scrolled to, as drawn.
    pub(super) last: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Focus {
    #[default]
    Agents,
    Entries,
}

/// An answer that is not given yet.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    Once,
    Tool,
    Rule,
    No(String),
}

/// What a key asks of the program.
#[derive(Debug, PartialEq)]
pub(super) enum Wish {
    Interrupt,
    Close,
    Answer(Decision),
}

impl Place {
    /// Shows a new question, and the agent that it is about.
    pub(super) fn asked(&mut self, scene: &mut Scene, question: &Question) {
        (self.answer, self.scroll, self.is_aside, self.open) = (None, 0, false, None);
        (self.agent, self.entry) = (scene.caller(&question.agent, &question.call).id, None);
    }

    /// The agents to show: those that fit the filter, and their callers.
    pub(super) fn agents<'a>(&self, scene: &'a Scene) -> Vec<&'a Agent> {
        let fitting: Vec<&Agent> = scene.agents.iter().filter(|agent| self.fits(agent)).collect();
        let calls =
            |agent: &Agent, it: &Agent| agent.path.len() < it.path.len() && it.path.starts_with(&agent.path);
        let is_shown = |agent: &&Agent| fitting.iter().any(|it| it.id == agent.id || calls(agent, it));
        scene.agents.iter().filter(is_shown).collect()
    }

    /// The entries of an agent to show, with their numbers.
    pub(super) fn entries<'a>(&self, agent: &'a Agent) -> Vec<(usize, &'a Entry)> {
        let all = self.contains(&agent.name);
        let entries = agent.entries.iter().enumerate();
        entries
            .filter(|(_, entry)| all || self.contains(&line(entry)))
            .collect()
    }

    fn fits(&self, agent: &Agent) -> bool {
        self.contains(&agent.name) || agent.entries.iter().any(|entry| self.has(entry))
    }

    fn has(&self, entry: &Entry) -> bool {
        self.contains(&entry.title) || self.contains(&line(entry))
    }

    fn contains(&self, text: &str) -> bool {
        self.filter.is_empty() || text.to_lowercase().contains(&self.filter.to_lowercase())
    }

    /// The selected agent; the first one if a filter hides it.
    pub(super) fn agent<'a>(&self, scene: &'a Scene) -> Option<&'a Agent> {
        let shown = self.agents(scene);
        let selected = shown.iter().find(|agent| agent.id == self.agent);
        selected.or(shown.first()).copied()
    }

    /// The place of the selected entry among those that are shown.
    pub(super) fn selected(&self, entries: &[(usize, &Entry)]) -> Option<usize> {
        let selected = self
            .entry
            .and_then(|entry| entries.iter().position(|(at, _)| *at == entry));
        selected.or(entries.len().checked_sub(1))
    }

    /// Handles a key.
    pub(super) fn press(
        &mut self,
        key: KeyEvent,
        scene: &Scene,
        question: Option<&Question>,
        is_over: bool,
    ) -> Option<Wish> {
        self.is_early = false;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return (key.code == KeyCode::Char('c')).then_some(if is_over {
                Wish::Close
            } else {
                Wish::Interrupt
            });
        }
        if let Some(question) = question.filter(|_| !self.is_aside) {
            return self.decide(key.code, question).map(Wish::Answer);
        }
        if self.is_filtering {
            self.filter(key.code);
            return None;
        }
        match (key.code, self.open) {
            (KeyCode::Char('?'), _) => self.is_aside = false,
            (KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') | KeyCode::Backspace, Some(_)) => {
                self.open = None
            }
            (code, Some(at)) => self.open = moved(code, at, self.page, self.last).or(Some(at)),
            (KeyCode::Char('q'), None) if is_over => return Some(Wish::Close),
            (KeyCode::Char('q'), None) => self.is_early = true,
            (KeyCode::Esc, None) if !self.filter.is_empty() => self.filter.clear(),
            (KeyCode::Esc, None) if is_over => return Some(Wish::Close),
            (KeyCode::Char('/'), None) => self.is_filtering = true,
            (KeyCode::Tab | KeyCode::BackTab, None) => {
                self.focus = match self.focus {
                    Focus::Agents => Focus::Entries,
                    Focus::Entries => Focus::Agents,
                };
            }
            (KeyCode::Left, None) => self.focus = Focus::Agents,
            (KeyCode::Right, None) => self.focus = Focus::Entries,
            (KeyCode::Enter, None) if self.focus == Focus::Agents => self.focus = Focus::Entries,
            (KeyCode::Enter, None) => self.open(scene),
            (code, None) => self.select(code, scene),
        }
        None
    }

    fn open(&mut self, scene: &Scene) {
        let Some(agent) = self.agent(scene) else {
            return;
        };
        let entries = self.entries(agent);
        if let Some(at) = self.selected(&entries) {
            // What is open stays the same when more is added.
            (self.agent, self.entry, self.open) = (agent.id, Some(entries[at].0), Some(0));
        }
    }

    fn select(&mut self, code: KeyCode, scene: &Scene) {
        let agent = self.agent(scene);
        match self.focus {
            Focus::Agents => {
                let shown = self.agents(scene);
                let at = shown
                    .iter()
                    .position(|it| agent.is_some_and(|agent| agent.id == it.id));
                if let Some(to) = moved(
                    code,
                    at.unwrap_or_default(),
                    self.page,
                    shown.len().saturating_sub(1),
                ) {
                    self.agent = shown.get(to).map_or(0, |agent| agent.id);
                    self.entry = None;
                }
            }
            Focus::Entries => {
                let entries = agent.map(|agent| self.entries(agent)).unwrap_or_default();
                let Some(at) = self.selected(&entries) else {
                    return;
                };
                let last = entries.len() - 1;
                if let Some(to) = moved(code, at, self.page, last) {
                    // At the end, new entries are followed.
                    self.entry = (to < last).then_some(entries[to].0);
                }
            }
        }
    }

    fn filter(&mut self, code: KeyCode) {
        match code {
            KeyCode::Esc => {
                self.filter.clear();
                self.is_filtering = false;
            }
            KeyCode::Enter => self.is_filtering = false,
            other => edit(&mut self.filter, other),
        }
    }

    /// A letter selects an answer, and Enter gives it, so that a key for something else does not allow anything.
    fn decide(&mut self, code: KeyCode, question: &Question) -> Option<Decision> {
        if let Some(Answer::No(reason)) = &mut self.answer {
            match code {
                KeyCode::Enter => {
                    let reason = reason.trim().to_owned();
                    return Some(Decision::No(Some(reason).filter(|reason| !reason.is_empty())));
                }
                KeyCode::Esc => self.answer = None,
                other => edit(reason, other),
            }
            return None;
        }
        match code {
            KeyCode::Char('y') => self.answer = Some(Answer::Once),
            KeyCode::Char('a') => self.answer = Some(Answer::Tool),
            KeyCode::Char('r') if question.rule.is_some() => self.answer = Some(Answer::Rule),
            KeyCode::Char('n') => self.answer = Some(Answer::No(String::new())),
            KeyCode::Esc if self.answer.is_some() => self.answer = None,
            KeyCode::Esc => self.is_aside = true,
            KeyCode::Enter => {
                return self.answer.take().map(|answer| match answer {
                    Answer::Once => Decision::Once,
                    Answer::Tool => Decision::ToolForSession,
                    Answer::Rule => Decision::Remember,
                    Answer::No(_) => Decision::No(None),
                });
            }
            other => {
                if let Some(to) = moved(other, self.scroll, self.page, self.last) {
                    self.scroll = to;
                }
            }
        }
        None
    }
}

fn edit(text: &mut String, code: KeyCode) {
    match code {
        KeyCode::Char(character) => text.push(character),
        KeyCode::Backspace => drop(text.pop()),
        _ => {}
    }
}

/// Where a key moves to between 0 and `last`; none for other keys.
fn moved(code: KeyCode, at: usize, page: usize, last: usize) -> Option<usize> {
    let page = page.max(1);
    let to = match code {
        KeyCode::Up | KeyCode::Char('k') => at.saturating_sub(1),
        KeyCode::Down | KeyCode::Char('j') => at + 1,
        KeyCode::PageUp => at.saturating_sub(page),
        KeyCode::PageDown | KeyCode::Char(' ') => at + page,
        KeyCode::Home | KeyCode::Char('g') => 0,
        KeyCode::End | KeyCode::Char('G') => last,
        _ => return None,
    };
    Some(to.min(last))
}
