//! Sessions as tables.

use std::fmt::Write as _;
use std::time::SystemTime;

use super::super::live;
use super::super::report::AgentUsage;
use super::{Conversation, SavedSession};
use crate::conversation::Role;
use crate::output::text::{Column, Last, Look, Table, clean, clean_lines, worktree};

const COLUMNS: [Column; 8] = [
    Column::new("ID", 8, 9),
    Column::new("AGE", 3, 7),
    Column::new("STATE", 8, 8),
    Column::new("AGENT", 8, 6),
    Column::new("TURNS", 5, 2),
    Column::new("COST", 6, 1),
    Column::of_paths("PROJECT", 12, 4),
    Column::new("TASK", 12, 8),
];

/// That of `COLUMNS` which only lists of all projects have.
const PROJECT: usize = 6;

/// Enough characters of an ID to be unique in practice.
const SHORT: usize = 8;

/// The most characters of the last message in `show`.
const EXCERPT: usize = 2_000;

/// One row per session.
pub fn list(look: &Look, sessions: &[SavedSession], all: bool, now: SystemTime) -> String {
    if sessions.is_empty() {
        return String::new();
    }
    let row = |it: &SavedSession| {
        let about = it.about.as_ref();
        let task = match (&it.problem, about) {
            (Some(problem), _) => clean(problem),
            (None, Some(about)) => clean(&about.task),
            (None, None) => String::new(),
        };
        let project = about.map(|about| clean(&about.project.to_string_lossy()));
        vec![
            it.id.chars().take(SHORT).collect(),
            age(it.updated, now),
            it.state.to_owned(),
            about.map(|about| clean(&about.agent)).unwrap_or_default(),
            it.status.turns.to_string(),
            cost(it.status.cost),
            project.unwrap_or_default(),
            task,
        ]
    };
    let mut columns = COLUMNS.to_vec();
    let mut rows: Vec<Vec<String>> = sessions.iter().map(row).collect();
    if !all {
        columns.remove(PROJECT);
        rows.iter_mut().for_each(|row| drop(row.remove(PROJECT)));
    }
    let table = Table {
        columns: &columns,
        rows,
        last: Last::Cut,
    };
    table.render(look)
}

/// `id: state: agent: task`
pub fn concise(it: &SavedSession) -> String {
    let about = it.about.as_ref();
    let agent = about.map(|about| clean(&about.agent)).unwrap_or_default();
    let task = match &it.problem {
        Some(problem) => clean(problem),
        None => about.map(|about| clean(&about.task)).unwrap_or_default(),
    };
    format!("{}: {}: {agent}: {task}\n", it.id, it.state)
}

/// The state of one session, and its last message.
pub fn show(look: &Look, conversation: &Conversation, now: SystemTime) -> String {
    let it = &conversation.session;
    let mut out = format!("{}: {}\n", look.heading(&it.id), it.state);
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(out, "  {name:9}{}", clean(value));
    };
    if let Some(about) = &it.about {
        line("agent", &format!("{} ({})", about.agent, about.dialect));
        line("task", &about.task);
        line("project", &about.project.to_string_lossy());
        if let Some(model) = &about.model {
            line("model", model);
        }
    }
    let status = &it.status;
    let cached = match AgentUsage::sum(&it.agents).cache_read_tokens {
        0 => String::new(),
        read => format!(" (from the cache: {read})"),
    };
    line(
        "used",
        &format!(
            "turns: {}, tokens: {}{cached}{}",
            status.turns,
            status.tokens,
            Some(cost(status.cost))
                .filter(|cost| !cost.is_empty())
                .map_or_else(String::new, |cost| format!(", cost: {cost}"))
        ),
    );
    line("updated", &format!("{} ago", age(it.updated, now)));
    line("file", &it.path);
    if let Some(problem) = &it.problem {
        line("problem", problem);
    }
    let names = ["agents"].into_iter().chain(std::iter::repeat(""));
    for (name, agent) in names.zip(live::by_agent(&it.agents)) {
        let _ = writeln!(out, "  {name:9}{agent}");
    }
    for shown in conversation.worktrees.iter().flat_map(worktree) {
        let _ = writeln!(out, "  {shown}");
    }
    let said = conversation.messages.iter().rev();
    let said = said
        .filter(|message| message.role == Role::Assistant)
        .find(|message| !message.text.trim().is_empty());
    let said = said.map(|message| &message.text);
    if let Some(text) = conversation.stopped.as_ref().or(said) {
        let excerpt: String = clean_lines(text).chars().take(EXCERPT).collect();
        let _ = write!(out, "\n{}\n", excerpt.trim_end());
    }
    out.push_str(&match it.state {
        "finished" => format!("\nTo continue: callsheet sessions send {} MESSAGE\n", it.id),
        "paused" | "failed" => format!("\nTo resume: callsheet run --resume {}\n", it.id),
        _ => String::new(),
    });
    out
}

/// In the largest unit that is not zero: `3m`, `2h`, `5d`.
fn age(updated: SystemTime, now: SystemTime) -> String {
    let seconds = now.duration_since(updated).unwrap_or_default().as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Empty if no price is known.
fn cost(millionths: u64) -> String {
    match millionths {
        0 => String::new(),
        millionths => live::amount(millionths),
    }
}
