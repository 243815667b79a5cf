//! Draws a session.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Cell, Paragraph, Row, Table, TableState};

use super::super::board::{amount, count, number, path, seconds};
use super::agents::{Agent, Call, CallState, Entry, State};
use super::columns::Column;
use super::keys::{Answer, Focus, Place};
use super::scene::Scene;
use super::words::{arguments, brief, cut, line, rows};
use crate::output::text::{clean, clean_lines};
use crate::tools::Question;

/// The columns from which on agents and entries are side by side.
const WIDE: u16 = 120;

/// The widest title of an entry: longer names of tools are cut.
const TITLE: usize = 24;

/// The width of a call's state.
const STATE: usize = 13;

/// What is drawn.
pub(super) struct Picture<'a> {
    pub(super) scene: &'a Scene,
    pub(super) question: Option<&'a Question>,
    /// Whether the session ended.
    pub(super) is_over: bool,
    /// The time of the session's clock.
    pub(super) now: u64,
    pub(super) color: bool,
}

impl Picture<'_> {
    pub(super) fn draw(&self, frame: &mut Frame<'_>, place: &mut Place) {
        let [head, body, foot] =
            Layout::vertical([Constraint::Length(2), Constraint::Fill(1), Constraint::Length(1)])
                .areas(frame.area());
        frame.render_widget(self.head(), head);
        match self.question.filter(|_| !place.is_aside) {
            Some(question) => {
                let needed = height(question, body.width).min(body.height / 5 * 3);
                let [lists, asked] =
                    Layout::vertical([Constraint::Fill(1), Constraint::Length(needed)]).areas(body);
                self.lists(frame, lists, place);
                self.question(frame, asked, place, question);
            }
            None if place.open.is_some() => self.open(frame, body, place),
            None => self.lists(frame, body, place),
        }
        frame.render_widget(self.foot(place), foot);
    }

    fn head(&self) -> Text<'static> {
        let first = self.scene.agents.first();
        let name = first.map(|agent| agent.name.clone()).unwrap_or_default();
        let task = first.and_then(|agent| agent.entries.iter().find(|entry| entry.title == "task"));
        let task = task.map(|entry| brief(&entry.text)).unwrap_or_default();
        let (state, style) = match () {
            () if self.question.is_some() => ("waits for your answer", self.style(Color::Yellow)),
            () if !self.is_over => ("running", self.style(Color::Cyan)),
            () if first.is_some_and(|agent| agent.state == State::Succeeded) => {
                ("finished", self.style(Color::Green))
            }
            () => ("stopped", self.style(Color::Red)),
        };
        let mut used = vec![seconds(self.now)];
        if let Some(usage) = &self.scene.usage {
            used.push(count(usage.turns.into(), "turn"));
            if usage.children > 0 {
                used.push(format!("{} called", count(usage.children.into(), "agent")));
            }
            used.push(count(
                usage.input_tokens.saturating_add(usage.output_tokens),
                "token",
            ));
        }
        if self.scene.cost() > 0 {
            used.push(format!("cost {}", amount(self.scene.cost())));
        }
        Text::from(vec![
            Line::from(vec![
                Span::styled(name, Style::new().add_modifier(Modifier::BOLD)),
                Span::raw(format!("  {task}")),
            ]),
            Line::from(vec![
                Span::styled(state, style),
                Span::raw(format!(", {}", used.join(", "))),
            ]),
        ])
    }

    fn lists(&self, frame: &mut Frame<'_>, area: Rect, place: &mut Place) {
        let agents = place.agents(self.scene);
        let is_wide = area.width >= WIDE;
        let [left, right] = if is_wide {
            Layout::horizontal([Constraint::Fill(2), Constraint::Fill(3)]).areas(area)
        } else {
            // The border and the heading take three lines.
            let needed = u16::try_from(agents.len() + 3).unwrap_or(u16::MAX);
            let most = (area.height / 2).max(4);
            Layout::vertical([Constraint::Length(needed.min(most)), Constraint::Fill(1)]).areas(area)
        };
        let page = [left, right].map(|area| usize::from(area.height.saturating_sub(3)));
        place.page = page[usize::from(place.focus == Focus::Entries)];
        self.agents(frame, left, place, &agents);
        if let Some(agent) = place.agent(self.scene) {
            self.entries(frame, right, place, agent);
        }
    }

    fn agents(&self, frame: &mut Frame<'_>, area: Rect, place: &Place, agents: &[&Agent]) {
        let columns = Column::shown(area.width, self.scene.cost() > 0);
        let rows = agents
            .iter()
            .map(|agent| Row::new(columns.iter().map(|column| self.cell(*column, agent))));
        let heading = columns.iter().map(|column| match column {
            Column::Agent | Column::Doing => Cell::from(column.title()),
            _ => right(column.title().to_owned()),
        });
        let widths = columns.iter().map(|column| column.width());
        let selected = place.agent(self.scene).map(|agent| agent.id);
        let selected = agents.iter().position(|agent| Some(agent.id) == selected);
        let title = if place.filter.is_empty() {
            " Agents ".to_owned()
        } else {
            format!(" Agents with `{}` ", place.filter)
        };
        let table = Table::new(rows, widths).header(Row::new(heading).style(faint()));
        self.table(frame, area, table, title, place.focus == Focus::Agents, selected);
    }

    fn cell(&self, column: Column, agent: &Agent) -> Cell<'static> {
        match column {
            Column::Agent => {
                let (mark, color) = match agent.state {
                    State::Works => ("●", Color::Cyan),
                    State::Succeeded => ("✓", Color::Green),
                    State::Failed => ("✗", Color::Red),
                };
                Cell::from(Line::from(vec![
                    Span::raw("  ".repeat(agent.path.len().saturating_sub(1))),
                    Span::styled(mark, self.style(color)),
                    Span::raw(format!(" {}", agent.name)),
                ]))
            }
            Column::Doing => Cell::from(agent.doing.clone()),
            Column::Turns => right(number(agent.turns)),
            Column::Tokens => right(number(agent.tokens)),
            // Zero is unknown.
            Column::Cost if agent.cost == 0 => Cell::from(""),
            Column::Cost => right(amount(agent.cost)),
            Column::Time => right(seconds(agent.time(self.now))),
        }
    }

    fn entries(&self, frame: &mut Frame<'_>, area: Rect, place: &Place, agent: &Agent) {
        let entries = place.entries(agent);
        let width = entries.iter().map(|(_, entry)| entry.title.chars().count());
        let width = width.max().unwrap_or_default().clamp(5, TITLE);
        // The borders, and the gaps between columns.
        let text = usize::from(area.width).saturating_sub(width + STATE + 4);
        let row = |(_, entry): &(usize, &Entry)| {
            let state = entry.call.as_ref().map(|call| self.state(call));
            Row::new(vec![
                Cell::from(entry.title.clone()).style(match entry.call {
                    Some(_) => Style::new().add_modifier(Modifier::BOLD),
                    None => faint(),
                }),
                Cell::from(cut(&line(entry), text)),
                Cell::from(state.unwrap_or_default()),
            ])
        };
        let widths = [
            Constraint::Length(u16::try_from(width).unwrap_or(u16::MAX)),
            Constraint::Fill(1),
            Constraint::Length(u16::try_from(STATE).unwrap_or(u16::MAX)),
        ];
        let table = Table::new(entries.iter().map(row), widths);
        let title = format!(" {} ", agent.place());
        let selected = place.selected(&entries);
        self.table(frame, area, table, title, place.focus == Focus::Entries, selected);
    }

    fn state(&self, call: &Call) -> Line<'static> {
        let time = seconds(call.time(self.now));
        let (text, color) = match call.state {
            CallState::Runs => (format!("… {time}"), Color::Cyan),
            CallState::Succeeded => (time, Color::Green),
            CallState::Failed => ("failed".to_owned(), Color::Red),
            CallState::Denied => ("denied".to_owned(), Color::Yellow),
            CallState::InDoubt => ("in doubt".to_owned(), Color::Yellow),
        };
        Line::styled(text, self.style(color)).right_aligned()
    }

    fn table(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        table: Table<'_>,
        title: String,
        has_focus: bool,
        selected: Option<usize>,
    ) {
        let highlight = if has_focus {
            Style::new().add_modifier(Modifier::REVERSED)
        } else {
            Style::new().add_modifier(Modifier::BOLD)
        };
        let table = table
            .block(self.block(title, has_focus))
            .row_highlight_style(highlight);
        frame.render_stateful_widget(table, area, &mut TableState::new().with_selected(selected));
    }

    fn block(&self, title: String, has_focus: bool) -> Block<'static> {
        let border = if has_focus {
            self.style(Color::Cyan)
        } else {
            faint()
        };
        Block::bordered()
            .border_style(border)
            .title(Line::styled(title, Style::new().add_modifier(Modifier::BOLD)))
    }

    /// The whole text of the selected entry.
    fn open(&self, frame: &mut Frame<'_>, area: Rect, place: &mut Place) {
        let agent = place.agent(self.scene);
        let entry = agent.and_then(|agent| agent.entries.get(place.entry?));
        let (Some(agent), Some(entry)) = (agent, entry) else {
            place.open = None;
            return;
        };
        let title = format!(" {}: {} ", agent.place(), entry.title);
        let text = match &entry.call {
            Some(call) => called(entry, call),
            None => entry.text.clone(),
        };
        let at = place.open.unwrap_or_default();
        place.open = Some(self.scrolled(frame, area, place, title, &text, at));
    }

    fn question(&self, frame: &mut Frame<'_>, area: Rect, place: &mut Place, question: &Question) {
        let tool = clean(&question.call.name);
        let mut options = vec![
            (Answer::Once, "y  allow this call".to_owned()),
            (Answer::Tool, format!("a  allow {tool} for this run")),
        ];
        if let Some(rule) = &question.rule {
            options.push((Answer::Rule, format!("r  allow, and remember {}", clean(rule))));
        }
        let no = match &place.answer {
            Some(Answer::No(reason)) => format!("n  deny, and tell the agent: {reason}▏"),
            _ => "n  deny".to_owned(),
        };
        let options: Vec<Line<'_>> = options
            .into_iter()
            .map(|(answer, words)| (place.answer == Some(answer), words))
            .chain([(matches!(place.answer, Some(Answer::No(_))), no)])
            .map(|(is_selected, words)| {
                let style = if is_selected {
                    Modifier::REVERSED
                } else {
                    Modifier::empty()
                };
                Line::styled(words, style)
            })
            .collect();
        let height = u16::try_from(options.len()).unwrap_or_default();
        let [what, choice] = Layout::vertical([Constraint::Fill(1), Constraint::Length(height)]).areas(area);
        let title = format!(" {} wants to use {tool} ", path(&question.agent));
        let text = clean_lines(&question.what);
        place.scroll = self.scrolled(frame, what, place, title, &text, place.scroll);
        frame.render_widget(Paragraph::new(options), choice);
    }

    /// Draws a text from a line on; returns the line that it begins with, if there are not so many.
    fn scrolled(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        place: &mut Place,
        title: String,
        text: &str,
        at: usize,
    ) -> usize {
        let block = self.block(title, true);
        let inner = block.inner(area);
        let height = usize::from(inner.height);
        let rows = rows(text, usize::from(inner.width));
        place.page = height;
        place.last = rows.len().saturating_sub(height);
        let at = at.min(place.last);
        let below = rows.len().saturating_sub(at + height);
        let block = match below {
            0 => block,
            below => block.title_bottom(
                Line::raw(format!(" {} below ", count(below as u64, "more line"))).right_aligned(),
            ),
        };
        let shown: Vec<Line<'_>> = rows.into_iter().skip(at).take(height).map(Line::raw).collect();
        frame.render_widget(Paragraph::new(shown).block(block), area);
        at
    }

    fn foot(&self, place: &Place) -> Line<'static> {
        let words = match () {
            () if self.question.is_some() && !place.is_aside => match &place.answer {
                Some(Answer::No(_)) => "Enter deny  Esc back",
                Some(_) => "Enter confirm  Esc back",
                None => "y, a, r or n, then Enter  ↑↓ scroll  Esc look around  Ctrl-C interrupt",
            },
            () if place.is_filtering => {
                return Line::raw(format!("Filter: {}▏ Enter keep  Esc clear", place.filter));
            }
            () if place.is_early => "Still running: Ctrl-C interrupts and saves it",
            () if self.question.is_some() => {
                "? answer the question  ↑↓ select  Tab switch  Enter open  / filter"
            }
            () if place.open.is_some() => "↑↓ scroll  Esc back",
            () if self.is_over => "q close  ↑↓ select  Tab switch  Enter open  / filter",
            () => "↑↓ select  Tab switch  Enter open  / filter  Ctrl-C interrupt",
        };
        Line::styled(words, faint())
    }

    fn style(&self, color: Color) -> Style {
        if self.color {
            Style::new().fg(color)
        } else {
            Style::new()
        }
    }
}

fn faint() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

fn right(text: String) -> Cell<'static> {
    Cell::from(Line::raw(text).right_aligned())
}

/// The lines that a question takes.
fn height(question: &Question, width: u16) -> u16 {
    // The borders, and at most four answers.
    let text = rows(&clean_lines(&question.what), usize::from(width.saturating_sub(2)));
    u16::try_from(text.len() + 2 + 4).unwrap_or(u16::MAX)
}

/// The arguments and the result of a call.
fn called(entry: &Entry, call: &Call) -> String {
    let result = match (call.state, &*call.result) {
        (CallState::Runs, "") => "It is running.",
        (CallState::InDoubt, "") => "The session was interrupted during this call. It is not repeated.",
        (_, result) => result,
    };
    let arguments = arguments(&entry.text).map_or_else(|| entry.text.clone(), |all| all.join("\n"));
    let parts = [&*arguments, result];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}
