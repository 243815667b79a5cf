//! Whether a definition grants more than another one of the same dialect.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::covers::covers;
use super::grants::{Grants, Served};
use crate::definition::{Definition, Effect, Permission};
use crate::dialect::Dialect;
use crate::vocabulary::{self, Rights, words};

/// What a definition grants that another one does not, in words; none if there is nothing.
pub(crate) fn widening(dialect: &Dialect, own: &Definition, most: &Definition) -> Option<String> {
    let by_rule = wider_rule(dialect, &own.permissions, &most.permissions);
    let (own, most) = (&Grants::of(dialect, own), &Grants::of(dialect, most));
    let more = own.allowed().without(most.allowed());
    let mut ways = [
        named(more),
        wider_pattern(dialect, own, most),
        wider_name(own, most),
        wider_server(own, most),
        wider_mode(own, most),
        (own.all && !most.all).then(|| "every tool".to_owned()),
        own.all.then(|| most.denied.without(own.denied)).and_then(named),
        by_rule,
    ];
    ways.iter_mut().find_map(Option::take)
}

/// The first of some rights in words; none if there are none.
fn named(rights: Rights) -> Option<String> {
    const SHOWN: usize = 3;
    let words: Vec<&str> = rights.iter().map(|right| right.words).collect();
    let more = if words.len() > SHOWN { ", and more" } else { "" };
    let shown = words[..words.len().min(SHOWN)].join(", ");
    (!words.is_empty()).then(|| format!("{shown}{more}"))
}

fn wider_pattern(dialect: &Dialect, own: &Grants, most: &Grants) -> Option<String> {
    let mut within = own.within.iter();
    let wider = within.find(|within| {
        let mut patterns = most.within.iter();
        !most.allowed().contains(within.rights)
            && !patterns.any(|other| {
                other.rights == within.rights
                    && covers(dialect, within.rights, &other.pattern, &within.pattern)
            })
    })?;
    Some(format!("`{}`", wider.pattern))
}

/// Names without a known meaning are the same only if they are spelled alike.
fn wider_name(own: &Grants, most: &Grants) -> Option<String> {
    let is_wider = |name: &&String| {
        let is_granted = !own.denied_others.contains(name);
        let is_open = most.all && !most.denied_others.contains(name);
        is_granted && !is_open && !most.others.contains(name)
    };
    let freed = |name: &&String| own.all && !own.denied_others.contains(name);
    let name = own.others.iter().find(is_wider);
    let name = name.or_else(|| most.denied_others.iter().find(freed))?;
    Some(format!("`{name}`"))
}

fn wider_server(own: &Grants, most: &Grants) -> Option<String> {
    let covered =
        |list: &[(String, Served)], served: &Served| list.iter().any(|(_, other)| other.covers(served));
    let denied_in_part = |served: &Served| {
        let mut denied = most.denied_served.iter();
        denied.any(|(_, other)| {
            (other.covers(served) || served.covers(other)) && !covered(&own.denied_served, other)
        })
    };
    let is_wider = |(_, served): &&(String, Served)| {
        let listed = most.all || covered(&most.served, served);
        !covered(&own.denied_served, served) && (!listed || denied_in_part(served))
    };
    let freed = |(_, served): &&(String, Served)| own.all && !covered(&own.denied_served, served);
    let name = own.served.iter().find(is_wider);
    let (name, _) = name.or_else(|| most.denied_served.iter().find(freed))?;
    Some(format!("`{name}`"))
}

/// Without a mode, every tool that changes something asks first.
fn wider_mode(own: &Grants, most: &Grants) -> Option<String> {
    let wider = match (own.mode, most.mode) {
        (Some(own), Some(most)) => !words::is_within(own, most),
        (Some(own), None) => !words::asks(own),
        (None, Some(most)) => most.reads_only && own.acts(),
        (None, None) => false,
    };
    let words = own.mode.map_or("ask", |mode| mode.words);
    wider.then(|| format!("mode \"{words}\""))
}

/// The first rule of either list that decides its case more freely in `own`.
fn wider_rule(dialect: &Dialect, own: &[Permission], most: &[Permission]) -> Option<String> {
    let wider = own.iter().chain(most).find(|rule| {
        let (own, most) = (decided(dialect, own, rule), decided(dialect, most, rule));
        freedom(own) > freedom(most)
    })?;
    Some(match &*wider.pattern {
        "*" => format!("`{}`", wider.tool),
        pattern => format!("`{}` with `{pattern}`", wider.tool),
    })
}

/// What the rules say about the case of another rule: the last match applies, and without one everything is allowed.
fn decided(dialect: &Dialect, rules: &[Permission], case: &Permission) -> Effect {
    let vocabulary = vocabulary::of(dialect.product());
    let tool = vocabulary.and_then(|vocabulary| vocabulary.find(&case.tool));
    let rights = tool.map_or(Rights::default(), |tool| tool.rights);
    let matches = |rule: &&Permission| {
        (rule.tool == "*" || rule.tool == case.tool) && covers(dialect, rights, &rule.pattern, &case.pattern)
    };
    rules
        .iter()
        .rev()
        .find(matches)
        .map_or(Effect::Allow, |rule| rule.effect)
}

fn freedom(effect: Effect) -> u8 {
    match effect {
        Effect::Deny => 0,
        Effect::Ask => 1,
        Effect::Allow => 2,
    }
}
