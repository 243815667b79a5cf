//! Values that shells complete. What cannot be determined is not offered.

use std::collections::BTreeSet;

use crate::{Callsheet, Error};
use clap_complete::engine::CompletionCandidate;

/// The dialects and their releases.
pub(super) fn dialects() -> Vec<CompletionCandidate> {
    offered(|callsheet| {
        let dialects = callsheet.dialects()?.into_iter();
        let releases = callsheet.readers()?.into_iter();
        let named = dialects.map(|dialect| (dialect.id, dialect.title));
        let named = named.chain(releases.map(|reader| (reader.id, reader.title)));
        Ok(named
            .map(|(id, title)| CompletionCandidate::new(id).help(Some(title.into())))
            .collect())
    })
}

/// The rules.
pub(super) fn rules() -> Vec<CompletionCandidate> {
    offered(|callsheet| {
        let rules = callsheet.rules()?.into_iter();
        Ok(rules
            .map(|rule| CompletionCandidate::new(rule.name).help(Some(rule.summary.into())))
            .collect())
    })
}

/// The names of the agents in the current directory's project.
pub(super) fn agents() -> Vec<CompletionCandidate> {
    offered(|callsheet| {
        let mut names = BTreeSet::new();
        for dialect in callsheet.dialects_in_use()? {
            names.extend(callsheet.open(&dialect)?.names()?);
        }
        Ok(names.into_iter().map(CompletionCandidate::new).collect())
    })
}

fn offered(
    find: impl FnOnce(&mut Callsheet) -> Result<Vec<CompletionCandidate>, Error>,
) -> Vec<CompletionCandidate> {
    let library = Callsheet::builder().project(".").cache_capacity(1).build();
    library
        .and_then(|mut callsheet| find(&mut callsheet))
        .unwrap_or_default()
}
