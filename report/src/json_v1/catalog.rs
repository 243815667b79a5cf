//! Many definitions and their standings.

use serde::Serialize;

use callsheet_contract::catalogs as wit;

use super::agent::{ModelChoice, Origin, ToolFilter};
use crate::{report, words};

#[derive(Serialize)]
pub(super) struct Listing<'a> {
    dialect: &'a str,
    counts: Counts,
    locations: Vec<Visited<'a>>,
    entries: Vec<Entry<'a>>,
}

impl<'a> Listing<'a> {
    pub(super) fn new(listing: &'a report::Listing, keep: impl Fn(wit::Standing) -> bool) -> Self {
        let kept = listing.entries.iter().filter(|entry| keep(entry.standing));
        Self {
            dialect: &listing.dialect,
            counts: Counts::of(listing),
            locations: listing.visited.iter().map(Into::into).collect(),
            entries: kept.map(Into::into).collect(),
        }
    }
}

#[derive(Serialize)]
struct Counts {
    active: usize,
    shadowed: usize,
    withheld: usize,
    broken: usize,
    not_an_agent: usize,
}

impl Counts {
    fn of(listing: &report::Listing) -> Self {
        Self {
            active: listing.count(wit::Standing::Active),
            shadowed: listing.count(wit::Standing::Shadowed),
            withheld: listing.count(wit::Standing::Withheld),
            broken: listing.count(wit::Standing::Broken),
            not_an_agent: listing.count(wit::Standing::NotAnAgent),
        }
    }
}

#[derive(Serialize)]
struct Location<'a> {
    level: &'static str,
    directory: &'a str,
    recursive: bool,
    owned: bool,
}

impl<'a> From<&'a wit::Location> for Location<'a> {
    fn from(location: &'a wit::Location) -> Self {
        Self {
            level: words::level(location.level),
            directory: &location.directory,
            recursive: location.recursive,
            owned: location.owned,
        }
    }
}

#[derive(Serialize)]
struct Visited<'a> {
    #[serde(flatten)]
    location: Location<'a>,
    presence: &'static str,
    files: u32,
}

impl<'a> From<&'a wit::Visited> for Visited<'a> {
    fn from(visited: &'a wit::Visited) -> Self {
        Self {
            location: (&visited.location).into(),
            presence: words::presence(visited.presence),
            files: visited.files,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Lookout<'a> {
    dialect: &'a str,
    locations: Vec<Location<'a>>,
}

impl<'a> From<&'a report::Lookout> for Lookout<'a> {
    fn from(lookout: &'a report::Lookout) -> Self {
        Self {
            dialect: &lookout.dialect,
            locations: lookout.locations.iter().map(Into::into).collect(),
        }
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    description: &'a str,
    tools: ToolFilter<'a>,
    model: ModelChoice<'a>,
    color: Option<&'a str>,
    origin: Origin<'a>,
    standing: &'static str,
    reason: &'a str,
}

impl<'a> From<&'a wit::Entry> for Entry<'a> {
    fn from(entry: &'a wit::Entry) -> Self {
        Self {
            name: &entry.name,
            description: &entry.description,
            tools: (&entry.tools).into(),
            model: (&entry.model).into(),
            color: entry.color.as_deref(),
            origin: (&entry.origin).into(),
            standing: words::standing(entry.standing),
            reason: &entry.reason,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Explained<'a> {
    dialect: &'a str,
    rule: &'a str,
    candidates: Vec<Entry<'a>>,
    near: Vec<NearMiss<'a>>,
    refusal: Option<&'a str>,
}

impl<'a> From<&'a report::Explained> for Explained<'a> {
    fn from(explained: &'a report::Explained) -> Self {
        let explanation = &explained.explanation;
        Self {
            dialect: &explained.dialect,
            rule: &explanation.rule,
            candidates: explanation.candidates.iter().map(Into::into).collect(),
            near: explanation.near.iter().map(Into::into).collect(),
            refusal: explanation.refusal.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct NearMiss<'a> {
    nearness: &'static str,
    entry: Entry<'a>,
}

impl<'a> From<&'a wit::NearMiss> for NearMiss<'a> {
    fn from(miss: &'a wit::NearMiss) -> Self {
        Self {
            nearness: words::nearness(miss.nearness),
            entry: (&miss.entry).into(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Hits<'a> {
    dialect: &'a str,
    entries: Vec<Entry<'a>>,
}

impl<'a> From<&'a report::Hits> for Hits<'a> {
    fn from(hits: &'a report::Hits) -> Self {
        Self {
            dialect: &hits.dialect,
            entries: hits.entries.iter().map(Into::into).collect(),
        }
    }
}
