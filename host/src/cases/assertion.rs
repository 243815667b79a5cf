//! What a case expects of a run.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::ground::{Change, Ground};
use super::observed::Seen;
use super::times::Times;
use super::written::{Below, Paths, Pattern, Prompt};
use crate::delegation::Usage;
use crate::regular;

/// An assertion. In a file, it is an object with one key, which names it.
#[derive(Clone, Debug)]
pub enum Assertion {
    /// About the text of the answer.
    Answer(Text),
    /// A tool is called.
    Calls(Calls),
    /// Another agent is called.
    Delegates(Delegates),
    /// A call is denied.
    Denied(Denied),
    /// A file is created or changed.
    Writes(Writes),
    /// No other files are created, changed or removed.
    WritesOnly(WritesOnly),
    /// The most that a run may cost.
    Cost(Cost),
    /// The most tokens, read and written.
    Tokens(Most),
    /// The most requests to models.
    Turns(Most),
}

/// A run that ended with an answer.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The answer.
    pub answer: &'a str,
    /// Its calls.
    pub seen: &'a Seen,
    /// Its usage.
    pub usage: &'a Usage,
    /// Whether its cost is known.
    pub is_priced: bool,
    /// The folder it ran in.
    pub ground: &'a Ground,
    /// What it changed there.
    pub changes: &'a [Change],
}

impl Assertion {
    /// What is wrong; none if the assertion holds.
    pub fn objection(&self, facts: &Facts<'_>) -> Option<String> {
        match self {
            Self::Answer(text) => {
                let objection = text.objection(facts.answer)?;
                Some(format!("the answer {objection}"))
            }
            Self::Calls(it) => it.objection(facts.seen),
            Self::Delegates(it) => it.objection(facts.seen),
            Self::Denied(it) => it.objection(facts.seen),
            Self::Writes(it) => it.objection(facts),
            Self::WritesOnly(it) => it.objection(facts.changes),
            Self::Cost(it) => it.objection(facts),
            Self::Tokens(it) => {
                let usage = facts.usage;
                it.objection("tokens", usage.input_tokens.saturating_add(usage.output_tokens))
            }
            Self::Turns(it) => it.objection("turns", facts.usage.turns.into()),
        }
    }
}

/// Conditions on a text. All of them must hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "WrittenText")]
pub struct Text {
    contains: Option<Prompt>,
    excludes: Option<Prompt>,
    matches: Option<Pattern>,
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with `contains`, `excludes` or `matches`"
)]
struct WrittenText {
    contains: Option<Prompt>,
    excludes: Option<Prompt>,
    matches: Option<Pattern>,
}

impl TryFrom<WrittenText> for Text {
    type Error = &'static str;

    fn try_from(written: WrittenText) -> Result<Self, Self::Error> {
        let WrittenText {
            contains,
            excludes,
            matches,
        } = written;
        if contains.is_none() && excludes.is_none() && matches.is_none() {
            return Err("nothing is expected of the text: add `contains`, `excludes` or `matches`");
        }
        Ok(Self {
            contains,
            excludes,
            matches,
        })
    }
}

impl Text {
    fn objection(&self, text: &str) -> Option<String> {
        if let Some(Prompt(part)) = self.contains.as_ref().filter(|it| !text.contains(&it.0)) {
            return Some(format!("does not contain {part:?}"));
        }
        if let Some(Prompt(part)) = self.excludes.as_ref().filter(|it| text.contains(&it.0)) {
            return Some(format!("contains {part:?}"));
        }
        let pattern = self.matches.as_ref().filter(|it| !it.0.is_match(text));
        pattern.map(|it| format!("does not match {:?}", it.0.as_str()))
    }

    fn holds(condition: Option<&Self>, text: &str) -> bool {
        condition.is_none_or(|it| it.objection(text).is_none())
    }
}

/// A tool call.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `tool`")]
pub struct Calls {
    tool: Prompt,
    /// The calling agent; any if not set.
    by: Option<Prompt>,
    /// As JSON, the way the model wrote it.
    arguments: Option<Text>,
    #[serde(default)]
    times: Times,
}

impl Calls {
    fn objection(&self, seen: &Seen) -> Option<String> {
        let of_tool = seen
            .calls
            .iter()
            .filter(|call| call.tool == self.tool.0 && is(self.by.as_ref(), call.agent()));
        let count = of_tool
            .filter(|call| Text::holds(self.arguments.as_ref(), &call.arguments))
            .count();
        let such = if self.arguments.is_some() { "such " } else { "" };
        let what = format!("{such}calls of {}{}", self.tool.0, by(self.by.as_ref()));
        wrong(self.times, count, &what)
    }
}

/// A call of another agent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `to`")]
pub struct Delegates {
    to: Prompt,
    by: Option<Prompt>,
    task: Option<Text>,
    #[serde(default)]
    times: Times,
}

impl Delegates {
    fn objection(&self, seen: &Seen) -> Option<String> {
        let to_it = seen
            .tasks
            .iter()
            .filter(|it| it.agent == self.to.0 && is(self.by.as_ref(), &it.caller));
        let count = to_it
            .filter(|it| Text::holds(self.task.as_ref(), &it.task))
            .count();
        let such = if self.task.is_some() { "such " } else { "" };
        let what = format!("{such}tasks for {}{}", self.to.0, by(self.by.as_ref()));
        wrong(self.times, count, &what)
    }
}

/// A denied call.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Denied {
    tool: Option<Prompt>,
    by: Option<Prompt>,
    #[serde(default)]
    times: Times,
}

impl Denied {
    fn objection(&self, seen: &Seen) -> Option<String> {
        let fits = seen
            .denials
            .iter()
            .filter(|it| is(self.tool.as_ref(), &it.tool) && is(self.by.as_ref(), &it.agent));
        let of = self.tool.as_ref().map(|tool| format!(" of {}", tool.0));
        let what = format!("denied calls{}{}", of.unwrap_or_default(), by(self.by.as_ref()));
        wrong(self.times, fits.count(), &what)
    }
}

/// A file that is created or changed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `file`")]
pub struct Writes {
    file: Below,
    content: Option<Text>,
}

impl Writes {
    fn objection(&self, facts: &Facts<'_>) -> Option<String> {
        let file = &self.file.0;
        let is_written = |it: &Change| it.path == *file && !it.is_removed;
        if !facts.changes.iter().any(is_written) {
            return Some(match facts.changes {
                [] => format!("{file} was not written; no file was changed"),
                [first, rest @ ..] => {
                    let more = if rest.is_empty() { "was" } else { "and others were" };
                    format!("{file} was not written, but {} {more}", first.path)
                }
            });
        }
        let condition = self.content.as_ref()?;
        match regular::text(&facts.ground.project().join(file)) {
            Ok(text) => condition.objection(&text).map(|it| format!("{file} {it}")),
            Err(error) => Some(format!("{file} cannot be read: {error}")),
        }
    }
}

/// The only files that may change.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct WritesOnly(Vec<Paths>);

impl WritesOnly {
    fn objection(&self, changes: &[Change]) -> Option<String> {
        let is_free = |change: &&Change| !self.0.iter().any(|paths| paths.0.is_match(&change.path));
        let change = changes.iter().find(is_free)?;
        let what = if change.is_removed { "removed" } else { "written" };
        Some(format!(
            "{} was {what}, which `writes_only` does not list",
            change.path
        ))
    }
}

/// A limit.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `at_most`")]
pub struct Most {
    at_most: u64,
}

impl Most {
    fn objection(self, what: &str, count: u64) -> Option<String> {
        let most = self.at_most;
        (count > most).then(|| format!("{what}: {count}, expected at most {most}"))
    }
}

/// An amount in the currency of the prices.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "WrittenCost")]
pub struct Cost {
    millionths: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `at_most`")]
struct WrittenCost {
    at_most: f64,
}

impl TryFrom<WrittenCost> for Cost {
    type Error = &'static str;

    fn try_from(WrittenCost { at_most }: WrittenCost) -> Result<Self, Self::Error> {
        if at_most < 0.0 {
            return Err("the cost is less than zero");
        }
        let millionths = (at_most * 1e6).round() as u64;
        Ok(Self { millionths })
    }
}

impl Cost {
    fn objection(self, facts: &Facts<'_>) -> Option<String> {
        if !facts.is_priced {
            return Some(
                "the cost is unknown: set the model's price in `[prices]`, and record the case again"
                    .to_owned(),
            );
        }
        let (cost, most) = (facts.usage.cost, self.millionths);
        (cost > most).then(|| format!("the cost is {}, expected at most {}", amount(cost), amount(most)))
    }
}

fn amount(millionths: u64) -> String {
    format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}

fn is(expected: Option<&Prompt>, name: &str) -> bool {
    expected.is_none_or(|expected| expected.0 == name)
}

fn by(agent: Option<&Prompt>) -> String {
    agent.map(|agent| format!(" by {}", agent.0)).unwrap_or_default()
}

fn wrong(times: Times, count: usize, what: &str) -> Option<String> {
    (!times.covers(count)).then(|| format!("{what}: {count}, expected {times}"))
}

/// The names of assertions.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Name {
    Answer,
    Calls,
    Delegates,
    Denied,
    Writes,
    WritesOnly,
    Cost,
    Tokens,
    Turns,
}

impl<'de> Deserialize<'de> for Assertion {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Named;
        impl<'de> Visitor<'de> for Named {
            type Value = Assertion;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an assertion")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Assertion, A::Error> {
                let Some(name) = map.next_key()? else {
                    return Err(A::Error::custom(
                        "the assertion is empty: add `answer`, `calls` or another one",
                    ));
                };
                let assertion = match name {
                    Name::Answer => Assertion::Answer(map.next_value()?),
                    Name::Calls => Assertion::Calls(map.next_value()?),
                    Name::Delegates => Assertion::Delegates(map.next_value()?),
                    Name::Denied => Assertion::Denied(map.next_value()?),
                    Name::Writes => Assertion::Writes(map.next_value()?),
                    Name::WritesOnly => Assertion::WritesOnly(map.next_value()?),
                    Name::Cost => Assertion::Cost(map.next_value()?),
                    Name::Tokens => Assertion::Tokens(map.next_value()?),
                    Name::Turns => Assertion::Turns(map.next_value()?),
                };
                match map.next_key::<Name>()? {
                    Some(_) => Err(A::Error::custom(
                        "an assertion has one key: write an object for each",
                    )),
                    None => Ok(assertion),
                }
            }
        }
        from.deserialize_map(Named)
    }
}
