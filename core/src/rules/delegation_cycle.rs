//! Agents that call each other in a cycle.
//!
//! An agent that can call itself, directly or through others, can run until a limit stops it, at the cost of every round. Not every
//! tool has such a limit.
//!
//! ```yaml
//! name: planner
//! tools: Agent(coder)
//! ```
//!
//! ```yaml
//! name: coder
//! tools: Agent(planner)
//! ```
//!
//! Remove one of the calls, and let the result go back to the caller instead.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::cast::Cast;
use crate::diagnostic::Diagnostic;
use crate::mentions::Mention;

crate::diagnostic::rule! {
    name: "delegation-cycle",
    severity: Warning,
    fix: None,
    found: cast,
    evidence: "the tool lists of the active agents; reports of sub-agents that spawn each other endlessly",
}

/// The longest cycle that is spelled out.
const SPELLED: usize = 6;

/// A call: the called member, and where it is mentioned.
type Call<'a> = (usize, &'a Mention);

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let calls: Vec<Vec<Call<'_>>> = cast
        .members
        .iter()
        .map(|member| {
            let mentions = member.mentions.agents.iter();
            mentions
                .filter_map(|mention| Some((cast.find(&mention.name)?, mention)))
                .collect()
        })
        .collect();
    let mut walk = Walk {
        calls: &calls,
        position: vec![Position::New; calls.len()],
        reported: vec![false; calls.len()],
        circles: Vec::new(),
    };
    for start in 0..calls.len() {
        walk.from(start);
    }
    found.extend(walk.circles.iter().filter_map(|circle| diagnostic(cast, circle)));
}

#[derive(Clone, Copy, PartialEq)]
enum Position {
    New,
    OnPath(usize),
    Done,
}

struct Walk<'a> {
    calls: &'a [Vec<Call<'a>>],
    position: Vec<Position>,
    /// The members at which a cycle is reported.
    reported: Vec<bool>,
    /// Each as its members with the calls they make, the smallest member first.
    circles: Vec<Vec<(usize, &'a Mention)>>,
}

impl<'a> Walk<'a> {
    /// Follows the calls depth first, each call once.
    fn from(&mut self, start: usize) {
        if self.position[start] != Position::New {
            return;
        }
        // The members on the path, each with the number of its next call.
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        self.position[start] = Position::OnPath(0);
        while let Some((member, next)) = path.last_mut() {
            let Some((called, _)) = self.calls[*member].get(*next) else {
                self.position[*member] = Position::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match self.position[*called] {
                Position::New => {
                    self.position[*called] = Position::OnPath(path.len());
                    path.push((*called, 0));
                }
                Position::OnPath(at) => self.close(&path[at..]),
                Position::Done => {}
            }
        }
    }

    fn close(&mut self, path: &[(usize, usize)]) {
        let mut circle: Vec<(usize, &'a Mention)> = path
            .iter()
            .map(|(member, next)| (*member, self.calls[*member][*next - 1].1))
            .collect();
        let smallest = circle.iter().enumerate().min_by_key(|(_, (member, _))| *member);
        let Some((at, (member, _))) = smallest else { return };
        if !self.reported[*member] {
            self.reported[*member] = true;
            circle.rotate_left(at);
            self.circles.push(circle);
        }
    }
}

fn diagnostic(cast: &Cast<'_>, circle: &[(usize, &Mention)]) -> Option<Diagnostic> {
    let (first, rest) = circle.split_first()?;
    let member = &cast.members[first.0];
    let name = member.name;
    let message = match rest {
        [] => format!("`{name}` may call itself"),
        rest if rest.len() < SPELLED => {
            let names: Vec<String> = rest
                .iter()
                .map(|(member, _)| format!("`{}`", cast.members[*member].name))
                .collect();
            format!(
                "`{name}` may call {}, which leads back to `{name}`",
                names.join(", then ")
            )
        }
        rest => format!("`{name}` leads back to itself via {} other agents", rest.len()),
    };
    let mut diagnostic = member.diagnostic(&RULE, first.1.at, message)?;
    diagnostic.primary.text = "the agents can call each other endlessly".to_string();
    let related = rest
        .iter()
        .take(SPELLED)
        .filter_map(|(member, mention)| cast.members[*member].label(mention.at, "then here"));
    diagnostic.related = related.collect();
    Some(diagnostic)
}
