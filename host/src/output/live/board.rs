//! The working agents, and what each is doing.

use std::collections::HashMap;

use serde::Deserialize;

use super::super::text::clean;
use crate::conversation::ToolCall;
use crate::delegation::{Ending, Event, Happening, Outcome};

/// The longest text on one line.
const BRIEF: usize = 400;

/// A working agent.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) run: u32,
    pub(super) agent: Vec<String>,
    pub(super) turns: u64,
    pub(super) tokens: u64,
    pub(super) doing: String,
    /// What tells it apart from other agents of its name; none if there are none.
    pub(super) label: Option<String>,
    /// Its whole task; empty if unknown.
    task: String,
    /// The task in a few words, by its caller.
    description: Option<String>,
    began: u64,
    /// What it is saying.
    saying: String,
}

/// The working agents, called ones below their callers.
#[derive(Debug, Default)]
pub(super) struct Board {
    pub(super) rows: Vec<Row>,
    /// How often each caller called each agent.
    called: HashMap<Vec<String>, u32>,
}

impl Board {
    /// Applies an event and returns its row, which is removed from the board if its agent ended.
    pub(super) fn take(&mut self, event: &Event) -> Row {
        let at = match self.rows.iter().position(|row| row.run == event.run) {
            Some(at) => at,
            None => self.enter(event.run, event.at, &event.agent),
        };
        if let Happening::Calls(call) = &event.what {
            self.describe(&event.agent, call);
        }
        let row = &mut self.rows[at];
        row.saying.clear();
        match &event.what {
            Happening::Called(task) => {
                row.doing = brief(task);
                row.task.clone_from(task);
            }
            Happening::Waits => row.doing = "waits for other agents".to_owned(),
            Happening::Asked(model) => {
                row.turns += 1;
                row.doing = format!("asks {}", named(model));
            }
            Happening::Said(said) => {
                row.tokens += u64::from(said.input_tokens) + u64::from(said.output_tokens);
            }
            Happening::Calls(call) => row.doing = format!("{} {}", clean(&call.name), brief(&call.arguments)),
            Happening::Ended(_) => {
                self.tell_apart(at);
                return self.rows.remove(at);
            }
            Happening::Ignored(_)
            | Happening::Compacted(_)
            | Happening::Refused(_)
            | Happening::Invalid(_)
            | Happening::Returned(_) => {}
        }
        self.tell_apart(at);
        self.rows[at].clone()
    }

    /// A call's arguments may have a description of its task, after the called agent has begun.
    fn describe(&mut self, caller: &[String], call: &ToolCall) {
        #[derive(Deserialize)]
        struct Errand {
            description: String,
            prompt: String,
        }
        let is_called = |row: &&mut Row| {
            row.description.is_none() && row.agent.len() == caller.len() + 1 && row.agent.starts_with(caller)
        };
        let mut called = self.rows.iter_mut().filter(is_called).peekable();
        if called.peek().is_some()
            && let Ok(errand) = serde_json::from_str::<Errand>(&call.arguments)
            && let Some(row) = called.find(|row| row.task == errand.prompt)
        {
            row.description = Some(errand.description);
        }
    }

    /// Labels an agent if its caller called several of its name.
    fn tell_apart(&mut self, at: usize) {
        let row = &self.rows[at];
        let is_one_of_several = self.called.get(&row.agent).is_some_and(|times| *times > 1);
        let label = is_one_of_several.then(|| {
            let number = format!("#{}", row.run);
            match title(row.description.as_ref().unwrap_or(&row.task)) {
                title if title.is_empty() => number,
                title => format!("{number} {title}"),
            }
        });
        self.rows[at].label = label;
    }

    /// Adds an agent that was working when its session was saved.
    pub(super) fn again(&mut self, run: u32, at: u64, agent: &[String], model: &str) -> Row {
        let at = self.enter(run, at, agent);
        let row = &mut self.rows[at];
        row.turns += 1;
        row.doing = format!("asks {}", named(model));
        self.tell_apart(at);
        self.rows[at].clone()
    }

    /// Adds a piece of an agent's answer; returns its row.
    pub(super) fn hear(&mut self, run: u32, piece: &str) -> Option<&Row> {
        let row = self.rows.iter_mut().find(|row| row.run == run)?;
        row.saying.push_str(piece);
        if let Some(end) = row.saying.trim_end().rfind('\n') {
            row.saying.drain(..=end);
        }
        row.doing = brief(&row.saying);
        Some(row)
    }

    /// A row after its caller's and those of the caller's other agents.
    fn enter(&mut self, run: u32, began: u64, agent: &[String]) -> usize {
        *self.called.entry(agent.to_vec()).or_default() += 1;
        let callers = &agent[..agent.len().saturating_sub(1)];
        let below = |row: &Row| row.agent.starts_with(callers);
        let at = self
            .rows
            .iter()
            .rposition(below)
            .map_or(self.rows.len(), |at| at + 1);
        self.rows.insert(
            at,
            Row {
                run,
                agent: agent.to_vec(),
                turns: 0,
                tokens: 0,
                doing: String::new(),
                label: None,
                task: String::new(),
                description: None,
                began,
                saying: String::new(),
            },
        );
        at
    }
}

impl Row {
    /// The agent, after its callers.
    pub(super) fn path(&self) -> String {
        self.labeled(path(&self.agent))
    }

    /// With what tells it apart.
    pub(super) fn labeled(&self, name: String) -> String {
        match &self.label {
            Some(label) => format!("{name} {label}"),
            None => name,
        }
    }

    /// How it ended, and its usage.
    pub(super) fn ended(&self, outcome: &Outcome, at: u64) -> String {
        let how = match &outcome.ending {
            Ending::Answer => "answered".to_owned(),
            Ending::Failed => format!("failed: {}", brief(&outcome.text)),
            Ending::Bound(_) | Ending::Cancelled => clean(&outcome.text),
        };
        let (turns, tokens) = (count(self.turns, "turn"), count(self.tokens, "token"));
        format!(
            "{how} ({turns}, {tokens}, {})",
            seconds(at.saturating_sub(self.began))
        )
    }
}

/// A task in a few words: its first line with text, or the start of it.
fn title(task: &str) -> String {
    const LONGEST: usize = 40;
    let mut lines = task.lines().map(str::trim);
    let line = clean(lines.find(|line| !line.is_empty()).unwrap_or_default());
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

pub(super) fn brief(text: &str) -> String {
    clean(&text[..text.floor_char_boundary(BRIEF)])
}

/// The model's name, if known.
pub(super) fn named(model: &str) -> String {
    match clean(model) {
        model if model.is_empty() => "the model".to_owned(),
        model => model,
    }
}

/// An agent, after its callers.
pub(super) fn path(agent: &[String]) -> String {
    let names: Vec<String> = agent.iter().map(|name| clean(name)).collect();
    names.join("/")
}

/// `1,234 tokens`
pub(super) fn count(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {what}{plural}", number(count))
}

/// `1,234`
pub(in crate::output) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// An amount of money, in millionths: `0.1234`
pub(in crate::output) fn amount(millionths: u64) -> String {
    format!("{}.{:04}", millionths / 1_000_000, millionths % 1_000_000 / 100)
}

/// `4.2 s`, `3 min 4 s`
pub(in crate::output) fn seconds(nanoseconds: u64) -> String {
    let tenths = nanoseconds / 100_000_000;
    match tenths {
        0..600 => format!("{}.{} s", tenths / 10, tenths % 10),
        _ => format!("{} min {} s", tenths / 600, tenths % 600 / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(run: u32, agent: &str, what: Happening) -> Event {
        let agent = agent.split('/').map(str::to_owned).collect();
        Event {
            number: 0,
            at: 0,
            run,
            agent,
            what,
        }
    }

    #[test]
    fn called_agents_are_below_their_caller() {
        let mut board = Board::default();
        for (run, agent) in [(0, "a"), (1, "a/b"), (2, "a/c"), (3, "a/b/d")] {
            board.take(&event(run, agent, Happening::Called("x".into())));
        }
        let runs: Vec<u32> = board.rows.iter().map(|row| row.run).collect();
        assert_eq!(runs, [0, 1, 3, 2]);
    }

    #[test]
    fn only_the_last_line_is_shown() {
        let mut board = Board::default();
        board.take(&event(0, "a", Happening::Called("x".into())));
        board.hear(0, "one\ntwo");
        let row = board.hear(0, " three\n").unwrap();
        assert_eq!(row.doing, "two three");
    }

    #[test]
    fn agents_with_the_same_name_have_separate_lines() {
        let mut board = Board::default();
        for (run, agent) in [(0, "a"), (1, "a/b"), (2, "a/b")] {
            board.take(&event(run, agent, Happening::Called("x".into())));
        }
        board.hear(1, "one");
        board.hear(2, "two");
        assert_eq!(board.hear(1, " more").unwrap().doing, "one more");
        assert_eq!(board.hear(2, "").unwrap().doing, "two");
        assert!(board.hear(3, "three").is_none());
    }

    /// By the description that their caller gave, otherwise by their tasks.
    #[test]
    fn agents_with_the_same_name_are_told_apart() {
        let mut board = Board::default();
        let called = |task: &str| Happening::Called(task.into());
        board.take(&event(0, "a", called("x")));
        let first = board.take(&event(
            1,
            "a/b",
            called("Count the files in src, with all that is below it"),
        ));
        assert_eq!(first.path(), "a/b");
        let second = board.take(&event(2, "a/b", called("\n Read it.\nAll.")));
        assert_eq!(second.path(), "a/b #2 Read it.");
        let first = board.take(&event(1, "a/b", Happening::Waits));
        assert_eq!(first.path(), "a/b #1 Count the files in src, with all that is…");
        let arguments = r#"{"description":"Read all","prompt":"\n Read it.\nAll.","subagent_type":"b"}"#;
        let calls = Happening::Calls(ToolCall {
            id: "1".into(),
            name: "Agent".into(),
            arguments: arguments.into(),
        });
        assert_eq!(board.take(&event(0, "a", calls)).path(), "a");
        let outcome = Outcome {
            ending: Ending::Answer,
            text: "x".into(),
        };
        let ended = board.take(&event(2, "a/b", Happening::Ended(outcome)));
        assert_eq!(ended.path(), "a/b #2 Read all");
        let other = board.take(&event(3, "a/c", called("x")));
        assert_eq!(other.path(), "a/c");
    }

    #[test]
    fn resumed_agents_are_on_the_board() {
        let mut board = Board::default();
        let agent = vec!["a".to_owned(), "b".to_owned()];
        let row = board.again(4, 7, &agent, "m");
        assert_eq!((row.path(), row.doing.as_str()), ("a/b".into(), "asks m"));
        assert_eq!(board.hear(4, "one").unwrap().doing, "one");
        let answer = Outcome {
            ending: Ending::Answer,
            text: "one".into(),
        };
        let ended = board.take(&event(4, "a/b", Happening::Ended(answer.clone())));
        assert!(ended.ended(&answer, 7).starts_with("answered (1 turn, "));
        assert!(board.rows.is_empty());
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(count(1, "turn"), "1 turn");
        assert_eq!(count(1_234_567, "token"), "1,234,567 tokens");
        assert_eq!(count(123, "token"), "123 tokens");
        assert_eq!(seconds(4_250_000_000), "4.2 s");
        assert_eq!(seconds(184_000_000_000), "3 min 4 s");
    }
}
