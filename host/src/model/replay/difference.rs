//! Why a request is not in a recording.

use super::load::{Recorded, messages, parts};
use crate::model::recording::{Question, Said, Speaker};

/// For display.
pub(super) fn explain(recorded: &[Recorded], asked: &Question, any_model: bool) -> String {
    let times = (0..recorded.len())
        .filter(|at| fits(recorded, *at, asked, any_model))
        .count();
    if times > 0 {
        let times = match times {
            1 => "once".to_owned(),
            times => format!("{times} times"),
        };
        return format!("it was recorded {times}, but is requested again");
    }
    match nearest(recorded, asked) {
        None => "no request was recorded".into(),
        Some(at) => {
            let difference = first_difference(recorded, at, asked, any_model);
            format!("the closest is on line {}, where {difference}", recorded[at].line)
        }
    }
}

/// The first of the closest ones. The same agent matters more than a longer common start.
fn nearest(recorded: &[Recorded], asked: &Question) -> Option<usize> {
    let mut common: Vec<usize> = Vec::new();
    let mut nearest: Option<(usize, (bool, usize, bool))> = None;
    for (at, one) in recorded.iter().enumerate() {
        let before = one.after.map_or((0, 0), |at| (common[at], recorded[at].length));
        let is_whole = before.0 == before.1;
        let rest = asked.messages.get(before.1..).unwrap_or_default();
        let pairs = one.question.messages.iter().zip(rest);
        let more = pairs.take_while(|(recorded, asked)| recorded == asked).count();
        common.push(before.0 + if is_whole { more } else { 0 });
        let ends = one.length == asked.messages.len();
        let nearness = (one.question.agent == asked.agent, common[at], ends);
        if nearest.is_none_or(|(_, other)| nearness > other) {
            nearest = Some((at, nearness));
        }
    }
    nearest.map(|(at, _)| at)
}

fn first_difference(recorded: &[Recorded], at: usize, asked: &Question, any_model: bool) -> String {
    let one = &recorded[at].question;
    if one.agent != asked.agent {
        return format!("{} asked", one.agent.join(" › "));
    }
    if !any_model && one.model != asked.model {
        return format!("the model is `{}`, not `{}`", one.model, asked.model);
    }
    if one.tools != asked.tools {
        return tools(&one.tools, &asked.tools);
    }
    let messages = messages(recorded, at);
    let pairs = messages.iter().zip(&asked.messages);
    let unlike = (1..)
        .zip(pairs)
        .find(|(_, (recorded, asked))| **recorded != *asked);
    match unlike {
        Some((number, (recorded, asked))) => message(number, recorded, asked),
        None => format!(
            "there are {} messages, not {}",
            messages.len(),
            asked.messages.len()
        ),
    }
}

fn tools(recorded: &[String], asked: &[String]) -> String {
    if let Some(missing) = asked.iter().find(|tool| !recorded.contains(tool)) {
        return format!("there was no tool `{missing}`");
    }
    let more = recorded.iter().find(|tool| !asked.contains(tool));
    more.map_or_else(
        || "the tools are not sorted".into(),
        |more| format!("there was a tool `{more}`"),
    )
}

fn message(number: usize, recorded: &Said, asked: &Said) -> String {
    let speaker = |said: &Said| format!("{:?}", said.role).to_lowercase();
    if recorded.role != asked.role {
        return format!(
            "message {number} is the {}'s, not the {}'s",
            speaker(recorded),
            speaker(asked)
        );
    }
    let who = speaker(asked);
    if recorded.text != asked.text {
        let (was, is) = apart(&recorded.text, &asked.text);
        return match asked.role {
            Speaker::System => format!("the system prompt says {was:?}, not {is:?}"),
            _ => format!("message {number}, the {who}'s, says {was:?}, not {is:?}"),
        };
    }
    if recorded.calls != asked.calls {
        return format!("message {number}, the {who}'s, has other calls");
    }
    format!("message {number}, the {who}'s, answers another call or answers it differently")
}

/// Both texts from a little before the first difference.
fn apart<'a>(one: &'a str, other: &'a str) -> (String, String) {
    const BEFORE: usize = 20;
    let common = one
        .bytes()
        .zip(other.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    let from = one.floor_char_boundary(common.saturating_sub(BEFORE));
    (excerpt(&one[from..], from), excerpt(&other[from..], from))
}

fn excerpt(rest: &str, from: usize) -> String {
    const LONGEST: usize = 60;
    let start = if from > 0 { "…" } else { "" };
    let end = if rest.chars().count() > LONGEST { "…" } else { "" };
    let text: String = rest.chars().take(LONGEST).collect();
    format!("{start}{text}{end}")
}

/// Whether a recorded request is this one.
pub(super) fn fits(recorded: &[Recorded], at: usize, asked: &Question, any_model: bool) -> bool {
    let one = &recorded[at];
    one.question.agent == asked.agent
        && (any_model || one.question.model == asked.model)
        && one.question.tools == asked.tools
        && one.length == asked.messages.len()
        && parts(recorded, at)
            .flat_map(|part| part.iter().rev())
            .eq(asked.messages.iter().rev())
}
