//! The closed sets of the contract as words, in the contract's spelling.

use callsheet_contract::catalogs::{ChangeKind, Nearness, Presence, Standing};
use callsheet_contract::documents::{Fate, FixAvailability, Transfer};
use callsheet_contract::projects::{NodeKind, Relation, Verdict};
use callsheet_contract::types::{Level, Reading, Severity};

pub(crate) fn severity(value: Severity) -> &'static str {
    match value {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

pub(crate) fn fate(value: Fate) -> &'static str {
    match value {
        Fate::Loads => "loads",
        Fate::LoadsDifferently => "loads-differently",
        Fate::Dropped => "dropped",
        Fate::NotLookedAt => "not-looked-at",
    }
}

pub(crate) fn fix(value: FixAvailability) -> &'static str {
    match value {
        FixAvailability::None => "none",
        FixAvailability::UnsafeFix => "unsafe",
        FixAvailability::SafeFix => "safe",
    }
}

pub(crate) fn level(value: Level) -> &'static str {
    match value {
        Level::BuiltIn => "built-in",
        Level::Plugin => "plugin",
        Level::User => "user",
        Level::Project => "project",
        Level::Policy => "policy",
        Level::CommandLine => "command-line",
        Level::Programmatic => "programmatic",
    }
}

pub(crate) fn standing(value: Standing) -> &'static str {
    match value {
        Standing::Active => "active",
        Standing::Shadowed => "shadowed",
        Standing::Withheld => "withheld",
        Standing::Broken => "broken",
        Standing::NotAnAgent => "not-an-agent",
    }
}

pub(crate) fn change(value: ChangeKind) -> &'static str {
    match value {
        ChangeKind::Appeared => "appeared",
        ChangeKind::Changed => "changed",
        ChangeKind::Vanished => "vanished",
        ChangeKind::NowWins => "now-wins",
        ChangeKind::Broke => "broke",
        ChangeKind::Fixed => "fixed",
    }
}

pub(crate) fn presence(value: Presence) -> &'static str {
    match value {
        Presence::Present => "present",
        Presence::Missing => "missing",
        Presence::Unreadable => "unreadable",
    }
}

pub(crate) fn nearness(value: Nearness) -> &'static str {
    match value {
        Nearness::Folded => "folded",
        Nearness::Similar => "similar",
        Nearness::FileName => "file-name",
    }
}

pub(crate) fn reading(value: Reading) -> &'static str {
    match value {
        Reading::NoFrontmatter => "no-frontmatter",
        Reading::Strict => "strict",
        Reading::Quoted => "quoted",
        Reading::LineByLine => "line-by-line",
    }
}

pub(crate) fn transfer(value: Transfer) -> &'static str {
    match value {
        Transfer::Kept => "kept",
        Transfer::Renamed => "renamed",
        Transfer::Approximated => "approximated",
        Transfer::Dropped => "dropped",
        Transfer::Refused => "refused",
    }
}

pub(crate) fn relation(value: Relation) -> &'static str {
    match value {
        Relation::Calls => "calls",
        Relation::RunsIn => "runs-in",
        Relation::Loads => "loads",
        Relation::Uses => "uses",
        Relation::LinksTo => "links-to",
        Relation::Runs => "runs",
        Relation::Names => "names",
        Relation::DependsOn => "depends-on",
    }
}

pub(crate) fn verdict(value: Verdict) -> &'static str {
    match value {
        Verdict::There => "there",
        Verdict::Missing => "missing",
        Verdict::Unknown => "unknown",
    }
}

pub(crate) fn node_kind(value: NodeKind) -> &'static str {
    match value {
        NodeKind::Agent => "agent",
        NodeKind::Skill => "skill",
        NodeKind::Command => "command",
        NodeKind::Server => "server",
        NodeKind::Plugin => "plugin",
        NodeKind::File => "file",
    }
}
