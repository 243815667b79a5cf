//! A model's list of tasks. It is kept in the conversation, and nowhere else.

use serde_json::Value;

use super::arguments::Arguments;
use super::limits::NAMES;
use super::text::Lines;

/// The words for the states of a task, each with its mark.
const STATES: &[(&[&str], &str)] = &[
    (&["pending", "todo", "not-started"], " "),
    (&["in_progress", "in-progress"], "~"),
    (&["completed", "done"], "x"),
    (&["cancelled", "canceled"], "-"),
];

/// The list as the model wrote it, so that the next answer starts from it.
pub(super) fn tasks(arguments: &Arguments) -> Result<String, String> {
    let names = ["todos", "tasks", "todoList", "task_list", "plan"];
    let items = names.iter().find_map(|name| arguments.list(name));
    let items = items.ok_or("the argument `todos` is missing")?;
    let mut lines = Lines::new(NAMES);
    let (mut open, mut is_whole) = (0, true);
    for item in items {
        let (mark, text) = task(item)?;
        open += usize::from(matches!(mark, "~" | " "));
        is_whole &= lines.push(&format!("[{mark}] {text}"));
    }
    let notice = if is_whole {
        format!("{open} of {} tasks are open", items.len())
    } else {
        format!("{open} of {} tasks are open; not all are shown", items.len())
    };
    Ok(lines.finish("The list is empty", Some(&notice)))
}

fn task(item: &Value) -> Result<(&'static str, String), String> {
    let item = Arguments::try_from(item)?;
    let text = item.demand(&["content", "description", "title", "step", "text"])?;
    let state = item.text(&["status", "state"]).unwrap_or("pending");
    let known = STATES.iter().find(|(words, _)| words.contains(&state));
    let (_, mark) = known.ok_or_else(|| {
        let words: Vec<&str> = STATES.iter().map(|(words, _)| words[0]).collect();
        format!("the status `{state}` is none of {}", words.join(", "))
    })?;
    // One task is one line.
    Ok((mark, text.split_whitespace().collect::<Vec<_>>().join(" ")))
}
