//! Catalogs: core types to contract types.

use callsheet_core::catalog;

use crate::bindings::exports::callsheet::agents::catalogs;
use crate::common::{core_kind, level, list, model, origin, tool_filter};

pub fn options(project: &catalog::Project, options: &catalogs::Options) -> catalog::Options {
    catalog::Options {
        cache_capacity: options.cache_capacity,
        ..project.options(&options.dialect, core_kind(options.kind), options.check)
    }
}

pub fn location(location: catalog::Location) -> catalogs::Location {
    catalogs::Location {
        level: level(location.level),
        directory: location.directory,
        recursive: location.recursive,
        owned: location.owned,
    }
}

pub fn visited(visited: catalog::Visited) -> catalogs::Visited {
    let presence = match visited.presence {
        catalog::Presence::Present => catalogs::Presence::Present,
        catalog::Presence::Missing => catalogs::Presence::Missing,
        catalog::Presence::Unreadable => catalogs::Presence::Unreadable,
    };
    catalogs::Visited {
        location: location(visited.location),
        presence,
        files: visited.files,
    }
}

pub(crate) fn standing(standing: catalog::Standing) -> catalogs::Standing {
    match standing {
        catalog::Standing::Active => catalogs::Standing::Active,
        catalog::Standing::Shadowed => catalogs::Standing::Shadowed,
        catalog::Standing::Withheld => catalogs::Standing::Withheld,
        catalog::Standing::Broken => catalogs::Standing::Broken,
        catalog::Standing::NotAnAgent => catalogs::Standing::NotAnAgent,
    }
}

fn entry(entry: catalog::Entry) -> catalogs::Entry {
    catalogs::Entry {
        name: entry.name,
        description: entry.description,
        tools: tool_filter(entry.tools),
        model: model(entry.model),
        color: entry.color,
        for_users: entry.for_users,
        for_models: entry.for_models,
        origin: origin(entry.origin),
        standing: standing(entry.standing),
        reason: entry.reason,
    }
}

pub fn entries(found: Vec<catalog::Entry>) -> Vec<catalogs::Entry> {
    list(found, entry)
}

pub fn explanation(explanation: catalog::Explanation) -> catalogs::Explanation {
    let near = |near: catalog::NearMiss| catalogs::NearMiss {
        entry: entry(near.entry),
        nearness: match near.nearness {
            catalog::Nearness::Folded => catalogs::Nearness::Folded,
            catalog::Nearness::Similar => catalogs::Nearness::Similar,
            catalog::Nearness::FileName => catalogs::Nearness::FileName,
        },
    };
    catalogs::Explanation {
        name: explanation.name,
        rule: explanation.rule,
        candidates: entries(explanation.candidates),
        near: list(explanation.near, near),
        refusal: explanation.refusal,
    }
}

pub fn change(change: catalog::Change) -> catalogs::Change {
    let kind = match change.kind {
        catalog::ChangeKind::Appeared => catalogs::ChangeKind::Appeared,
        catalog::ChangeKind::Changed => catalogs::ChangeKind::Changed,
        catalog::ChangeKind::Vanished => catalogs::ChangeKind::Vanished,
        catalog::ChangeKind::NowWins => catalogs::ChangeKind::NowWins,
        catalog::ChangeKind::Broke => catalogs::ChangeKind::Broke,
        catalog::ChangeKind::Fixed => catalogs::ChangeKind::Fixed,
    };
    catalogs::Change {
        name: change.name,
        kind,
        origin: origin(change.origin),
    }
}

pub fn grants(grants: catalog::Grants) -> catalogs::Grants {
    catalogs::Grants {
        offered: list(grants.offered, |grant| catalogs::Grant {
            tool: grant.tool,
            granted: grant.granted,
            reason: grant.reason,
            specifiers: grant.specifiers,
        }),
        unmatched: grants.unmatched,
        ignored: grants.ignored,
    }
}

pub fn counters(counters: catalog::Counters) -> catalogs::Counters {
    catalogs::Counters {
        files: counters.files,
        parsed: counters.parsed,
        bytes: counters.bytes,
        hits: counters.hits,
        misses: counters.misses,
        cached: counters.cached,
    }
}

pub fn catalog_error(error: catalog::CatalogError) -> catalogs::CatalogError {
    match error {
        catalog::CatalogError::UnknownDialect(unknown) => {
            catalogs::CatalogError::UnknownDialect(unknown.nearest)
        }
        catalog::CatalogError::BadInline(text) => catalogs::CatalogError::BadInline(text),
        catalog::CatalogError::Registered(name) => catalogs::CatalogError::Registered(name),
        catalog::CatalogError::Unusable(text) => catalogs::CatalogError::Unusable(text),
        catalog::CatalogError::Other(text) => catalogs::CatalogError::Other(text),
    }
}

pub fn card(card: catalog::Card) -> catalogs::Card {
    let catalog::Card {
        name,
        description,
        examples,
        tags,
        left_out,
    } = card;
    catalogs::Card {
        name,
        description,
        examples,
        tags,
        left_out,
    }
}

pub fn core_card(card: catalogs::Card) -> catalog::Card {
    let catalogs::Card {
        name,
        description,
        examples,
        tags,
        left_out,
    } = card;
    catalog::Card {
        name,
        description,
        examples,
        tags,
        left_out,
    }
}
