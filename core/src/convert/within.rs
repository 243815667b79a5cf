//! Whether a result grants more than its source: the final check of every conversion.

use alloc::collections::BTreeSet;
use alloc::string::String;

use super::grants::{Grants, Served, Within};
use super::tools::plain;
use crate::vocabulary::words;
use crate::vocabulary::{Rights, Vocabulary};

/// Whether `target`, written in a dialect of this vocabulary, grants nothing that `source` does not.
pub(super) fn is_within(target: &Grants, vocabulary: &Vocabulary, source: &Grants) -> bool {
    let mode_fits = match (target.mode, source.mode) {
        (_, Some(mode)) if mode.reads_only => {
            target.mode.is_some_and(|mode| mode.reads_only) || reads(target)
        }
        // A sandbox is a list of rights, which is compared below.
        _ if target.bound => true,
        (Some(mode), Some(other)) => words::is_within(mode, other),
        (Some(mode), None) => mode.reads_only,
        (None, _) => true,
    };
    mode_fits
        && if target.all {
            all_fits(target, vocabulary, source)
        } else {
            list_fits(target, source)
        }
}

/// An open list fits only within one that is open, too, and may act: other tools may bring what no table knows.
fn all_fits(target: &Grants, vocabulary: &Vocabulary, source: &Grants) -> bool {
    let there = vocabulary.current().map(|tool| tool.rights);
    let there = there.fold(Rights::default(), Rights::with);
    let denied = source.denied.without(Rights::all().without(there));
    let mut served = source.denied_served.iter().map(|(_, served)| served);
    source.all
        && source.acts()
        && source.denied_others.is_empty()
        && target.denied.contains(denied)
        && served.all(|served| target.denied_served.iter().any(|(_, other)| other.covers(served)))
}

fn list_fits(target: &Grants, source: &Grants) -> bool {
    let key = |within: &Within| (within.rights, plain(&within.pattern).into_owned());
    let allowed = source.allowed();
    let within: BTreeSet<(Rights, String)> = source.within.iter().map(key).collect();
    let mut patterns = target.within.iter();
    let patterns = patterns.all(|it| allowed.contains(it.rights) || within.contains(&key(it)));
    let listed: BTreeSet<&Served> = source.served.iter().map(|(_, served)| served).collect();
    let served = target.served.iter().all(|(_, served)| {
        let denied = source
            .denied_served
            .iter()
            .any(|(_, other)| other.covers(served) || served.covers(other));
        !denied && (source.all || served.wider().iter().any(|wider| listed.contains(wider)))
    });
    allowed.contains(target.listed()) && patterns && served && (target.others.is_empty() || source.all)
}

fn reads(grants: &Grants) -> bool {
    !grants.all && grants.served.is_empty() && grants.within.is_empty() && grants.listed().change_nothing()
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::definition::{Definition, ToolFilter, ToolRule};
    use crate::dialect::Dialects;
    use crate::span::Span;
    use crate::vocabulary;

    fn granted(tools: impl Iterator<Item = (String, Option<String>)>) -> Grants {
        let rules = tools.map(|(tool, specifier)| ToolRule {
            tool,
            specifier,
            span: Span::default(),
        });
        let definition = Definition {
            tools: ToolFilter::Only(rules.collect()),
            ..Definition::default()
        };
        let dialects = Dialects::embedded();
        Grants::of(dialects.get("claude-code").expect("it is built in"), &definition)
    }

    fn fits(target: &Grants, source: &Grants) -> bool {
        let vocabulary = vocabulary::of("claude-code").expect("it is known");
        is_within(target, vocabulary, source)
    }

    #[test]
    fn long_lists_take_linear_time() {
        const MANY: usize = 13_000;
        let of = |last: usize| {
            let commands = (0..MANY).map(|at| ("Bash".into(), Some(alloc::format!("make {at}"))));
            let served = (0..MANY).map(|at| (alloc::format!("mcp__server{at}__run"), None));
            let last = ("Bash".into(), Some(alloc::format!("make {last}:*")));
            granted(commands.chain(served).chain([last]))
        };
        assert!(fits(&of(1), &of(1)));
        assert!(!fits(&of(1), &of(2)));
    }

    #[test]
    fn a_server_covers_its_tools() {
        let of = |tools: &[&str]| {
            granted(
                tools
                    .iter()
                    .map(|tool| ((*tool).into(), None))
                    .collect::<Vec<_>>()
                    .into_iter(),
            )
        };
        assert!(fits(&of(&["mcp__a__run"]), &of(&["mcp__a"])));
        assert!(!fits(&of(&["mcp__a"]), &of(&["mcp__a__run"])));
        assert!(!fits(&of(&["mcp__a__run"]), &of(&["mcp__b", "mcp__a__stop"])));
    }
}
