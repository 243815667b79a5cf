//! Projects: contract types to core types and back.

use callsheet_core::dialect::Kind;
use callsheet_core::{catalog, document, project};

use crate::bindings::exports::callsheet::agents::projects;
use crate::catalogs::{location, standing};
use crate::common::{core_level, diagnostic, kind, level, list, model, place, span};
use crate::documents::applied;

pub fn project(sources: projects::Sources) -> project::Project {
    project::Project {
        directory: sources.directory,
        ancestors: sources.ancestors,
        home: sources.home,
        variables: sources.variables,
        plugins: list(sources.plugins, |plugin| catalog::Plugin {
            name: plugin.name,
            directory: plugin.directory,
            is_own: false,
        }),
        directories: sources.directories,
        inline: sources.inline,
        fail_closed: sources.fail_closed,
    }
}

pub fn request(request: projects::Request) -> project::Request {
    project::Request {
        dialect: request.dialect,
        targets: request.targets,
        paths: request.paths,
    }
}

pub fn places(locations: Vec<catalog::Location>, referred: Vec<String>) -> projects::Places {
    projects::Places {
        locations: list(locations, location),
        referred,
    }
}

pub fn report(report: project::Report) -> projects::Report {
    let checked = |checked: project::Checked| projects::Checked {
        path: checked.path,
        kind: kind(checked.kind),
        dialects: checked.dialects,
        level: level(checked.level),
        in_project: checked.in_project,
    };
    let finding = |finding: project::Finding| projects::Finding {
        diagnostic: diagnostic(finding.diagnostic),
        dialects: finding.dialects,
        in_project: finding.in_project,
    };
    projects::Report {
        files: list(report.files, checked),
        findings: list(report.findings, finding),
        suppressed: list(report.suppressed, finding),
        counts: projects::Counts {
            errors: number(report.counts.errors),
            warnings: number(report.counts.warnings),
            notes: number(report.counts.notes),
        },
        others: report.others,
        unowned: report.unowned,
    }
}

pub fn left(exception: projects::Exception) -> project::Left {
    project::Left {
        path: exception.path,
        rule: exception.rule,
    }
}

pub fn fixed(file: project::FixedFile) -> projects::Fixed {
    projects::Fixed {
        path: file.path,
        before: file.before,
        after: file.fixed.after,
        applied: list(file.fixed.applied, applied),
    }
}

pub fn renaming(renaming: project::Renaming) -> projects::Renaming {
    let rewritten = |file: project::Rewritten| projects::Rewritten {
        path: file.path,
        before: file.before,
        after: file.after,
    };
    projects::Renaming {
        name: renaming.name,
        files: list(renaming.files, rewritten),
        moved: renaming.moved,
    }
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub fn graph(graph: project::Graph) -> projects::Graph {
    let node = |node: project::Node| projects::Node {
        kind: match node.kind {
            project::NodeKind::File(Kind::Agent) => projects::NodeKind::Agent,
            project::NodeKind::File(Kind::Skill) => projects::NodeKind::Skill,
            project::NodeKind::File(Kind::Command) => projects::NodeKind::Command,
            project::NodeKind::Server => projects::NodeKind::Server,
            project::NodeKind::Plugin => projects::NodeKind::Plugin,
            project::NodeKind::Other => projects::NodeKind::File,
        },
        name: node.name,
        dialect: node.dialect,
        path: node.path,
        standing: node.standing.map(standing),
    };
    let edge = |edge: project::Edge| projects::Edge {
        source: number(edge.from),
        target: edge.to.map(number),
        relation: match edge.relation {
            catalog::Relation::Calls => projects::Relation::Calls,
            catalog::Relation::RunsIn => projects::Relation::RunsIn,
            catalog::Relation::Loads => projects::Relation::Loads,
            catalog::Relation::Uses => projects::Relation::Uses,
            catalog::Relation::LinksTo => projects::Relation::LinksTo,
            catalog::Relation::Runs => projects::Relation::Runs,
            catalog::Relation::Names => projects::Relation::Names,
            catalog::Relation::DependsOn => projects::Relation::DependsOn,
        },
        name: edge.name,
        place: place(edge.place),
        verdict: match edge.verdict {
            project::Verdict::There => projects::Verdict::There,
            project::Verdict::Missing => projects::Verdict::Missing,
            project::Verdict::Unknown => projects::Verdict::Unknown,
        },
    };
    projects::Graph {
        nodes: list(graph.nodes, node),
        edges: list(graph.edges, edge),
        cycles: list(graph.cycles, |cycle| list(cycle, number)),
        named: list(graph.named, number),
        instead: graph.instead,
    }
}

pub fn inventory(inventory: project::Inventory) -> projects::Inventory {
    let server = |server: project::Server| projects::Server {
        node: number(server.node),
        transport: server.transport,
        target: server.target,
        place: place(server.place),
    };
    let hook = |hook: project::Hook| projects::Hook {
        event: hook.event,
        runs: hook.runs,
        place: place(hook.place),
    };
    projects::Inventory {
        graph: graph(inventory.graph),
        assets: list(inventory.assets, asset),
        servers: list(inventory.servers, server),
        hooks: list(inventory.hooks, hook),
        unread: inventory.unread,
    }
}

fn asset(asset: project::Asset) -> projects::Asset {
    let permission = |permission: project::Permission| projects::Permission {
        name: permission.name.to_owned(),
        patterns: permission.patterns,
    };
    let reached = |reached: project::Reached| projects::Reached {
        permission: reached.name.to_owned(),
        limited: reached.limited,
        next: number(reached.next),
        edge: reached.edge.map(number),
        owner: number(reached.owner),
    };
    projects::Asset {
        node: number(asset.node),
        sha256: asset.sha256,
        model: model(asset.model),
        mode: asset.mode,
        any_agent: asset.any_agent,
        permissions: list(asset.permissions, permission),
        other_tools: asset.other_tools,
        reached: list(asset.reached, reached),
        errors: number(asset.errors),
        warnings: number(asset.warnings),
    }
}

pub fn scope(scope: projects::Scope) -> project::Scope {
    match scope {
        projects::Scope::Everything => project::Scope::Everything,
        projects::Scope::Around(name) => project::Scope::Around(name),
        projects::Scope::Users(name) => project::Scope::Users(name),
    }
}

pub fn part(part: projects::Part) -> project::Part {
    match part {
        projects::Part::Whole => project::Part::Whole,
        projects::Part::Missing => project::Part::Missing,
        projects::Part::Orphans => project::Part::Orphans,
        projects::Part::Cycles => project::Part::Cycles,
    }
}

pub fn spot(spot: &projects::Spot) -> project::Spot<'_> {
    project::Spot {
        path: &spot.path,
        bytes: &spot.contents,
        at: spot.at as usize,
        dialect: spot.dialect.as_deref(),
        level: spot.level.map(core_level),
    }
}

pub fn completions(found: document::Completions) -> projects::Completions {
    projects::Completions {
        span: span(found.span),
        words: list(found.words, |word| projects::Completion {
            word: word.word,
            text: word.text,
            kind: match word.kind {
                document::CompletionKind::Key => projects::CompletionKind::Key,
                document::CompletionKind::Value => projects::CompletionKind::Value,
                document::CompletionKind::Tool => projects::CompletionKind::Tool,
                document::CompletionKind::Model => projects::CompletionKind::Model,
                document::CompletionKind::Name(document::Named::Agent) => projects::CompletionKind::Agent,
                document::CompletionKind::Name(document::Named::Skill) => projects::CompletionKind::Skill,
                document::CompletionKind::Name(document::Named::Server) => projects::CompletionKind::Server,
            },
            detail: word.detail,
            required: word.is_required,
        }),
    }
}
