//! Why a request is not in a recording.

use super::load::Recorded;
use crate::model::recording::{Question, Said};

/// For display.
pub(super) fn explain(recorded: &[Recorded], asked: &Question, any_model: bool) -> String {
    let times = recorded
        .iter()
        .filter(|one| fits(&one.question, asked, any_model))
        .count();
    if times > 0 {
        let times = match times {
            1 => "once".to_owned(),
            times => format!("{times} times"),
        };
        return format!("it was recorded {times}, but is requested again");
    }
    // The first of equally close ones.
    let mut nearest: Option<&Recorded> = None;
    for one in recorded {
        if nearest.is_none_or(|other| nearness(&one.question, asked) > nearness(&other.question, asked)) {
            nearest = Some(one);
        }
    }
    match nearest {
        None => "no request was recorded".into(),
        Some(one) => {
            let difference = first_difference(&one.question, asked, any_model);
            format!("the closest is on line {}, where {difference}", one.line)
        }
    }
}

/// The same agent matters more than a longer common start.
fn nearness(recorded: &Question, asked: &Question) -> (bool, usize, bool) {
    let pairs = recorded.messages.iter().zip(&asked.messages);
    let common = pairs.take_while(|(recorded, asked)| recorded == asked).count();
    let ends = recorded.messages.len() == asked.messages.len();
    (recorded.agent == asked.agent, common, ends)
}

fn first_difference(recorded: &Question, asked: &Question, any_model: bool) -> String {
    if recorded.agent != asked.agent {
        return format!("{} asked", recorded.agent.join(" › "));
    }
    if !any_model && recorded.model != asked.model {
        return format!("the model is `{}`, not `{}`", recorded.model, asked.model);
    }
    if recorded.tools != asked.tools {
        return tools(&recorded.tools, &asked.tools);
    }
    let pairs = recorded.messages.iter().zip(&asked.messages);
    let unlike = (1..).zip(pairs).find(|(_, (recorded, asked))| recorded != asked);
    match unlike {
        Some((number, (recorded, asked))) => message(number, recorded, asked),
        None => format!(
            "there are {} messages, not {}",
            recorded.messages.len(),
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
        return format!("message {number}, the {who}'s, says {was:?}, not {is:?}");
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
pub(super) fn fits(recorded: &Question, asked: &Question, any_model: bool) -> bool {
    recorded.agent == asked.agent
        && (any_model || recorded.model == asked.model)
        && recorded.tools == asked.tools
        && recorded.messages == asked.messages
}
