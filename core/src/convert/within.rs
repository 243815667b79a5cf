//! Whether a result grants more than what it was made of: the last word over every conversion.

use super::grants::Grants;
use super::tables;
use crate::vocabulary::{Rights, Vocabulary};

/// Whether `target`, written in a dialect of this vocabulary, grants nothing that `source` does not.
pub(super) fn is_within(target: &Grants, vocabulary: &Vocabulary, source: &Grants) -> bool {
    let mode_fits = match (target.mode, source.mode) {
        (_, Some(mode)) if mode.reads_only => {
            target.mode.is_some_and(|mode| mode.reads_only) || reads(target)
        }
        // Such a mode stands for a list of tools, which is looked at below.
        (Some(mode), _) if bounded(vocabulary, mode.name(vocabulary.dialect)).is_some() => true,
        (Some(mode), Some(other)) => tables::is_within(mode, other),
        (Some(mode), None) => mode.reads_only,
        (None, _) => true,
    };
    let bound = target
        .mode
        .and_then(|mode| bounded(vocabulary, mode.name(vocabulary.dialect)));
    mode_fits
        && match bound {
            _ if source.is_everything() => true,
            Some(rights) => source.allowed().contains(rights),
            None => tools_fit(target, vocabulary, source),
        }
}

fn tools_fit(target: &Grants, vocabulary: &Vocabulary, source: &Grants) -> bool {
    let there = vocabulary.current().map(|tool| tool.rights);
    let there = there.fold(Rights::default(), Rights::with);
    if target.all {
        let denied = source.denied.without(Rights::all().without(there));
        let served = source.denied_served.iter();
        return source.all
            && source.denied_others.is_empty()
            && target.denied.contains(denied)
            && served
                .map(|(_, served)| served)
                .all(|served| target.denied_served.iter().any(|(_, other)| other.covers(served)));
    }
    let patterns = target.within.iter().all(|within| {
        let same = |other: &super::grants::Within| {
            other.rights == within.rights
                && super::tools::plain(&other.pattern) == super::tools::plain(&within.pattern)
        };
        source.allowed().contains(within.rights) || source.within.iter().any(same)
    });
    let served = target.served.iter().all(|(_, served)| {
        let denied = source
            .denied_served
            .iter()
            .any(|(_, other)| other.covers(served) || served.covers(other));
        let listed = source.served.iter().any(|(_, other)| other.covers(served));
        !denied && (source.all || listed)
    });
    source.allowed().contains(target.listed())
        && patterns
        && served
        && (target.others.is_empty() || source.all)
}

fn reads(grants: &Grants) -> bool {
    !grants.all && grants.served.is_empty() && grants.within.is_empty() && grants.listed().change_nothing()
}

fn bounded(vocabulary: &Vocabulary, word: Option<&str>) -> Option<Rights> {
    let mut known = vocabulary.bounded.iter();
    known
        .find(|(name, _)| Some(*name) == word)
        .map(|(_, rights)| *rights)
}
