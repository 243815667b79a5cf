//! Whether a result grants more than its source: the final check of every conversion.

use super::grants::{Grants, Within};
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
    let patterns = target.within.iter().all(|within| {
        let same = |other: &Within| {
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
