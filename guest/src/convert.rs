//! Core types to contract types. Plain data both ways: exhaustive matches, no decisions.

use callsheet_core::{
    catalog, convert as conversion, definition, diagnostic, dialect, discover, document, markdown, reader,
    rules, span, vocabulary, yaml,
};

use crate::bindings::exports::callsheet::agents::{catalogs, documents, types};

fn list<A, B>(items: impl IntoIterator<Item = A>, convert: impl Fn(A) -> B) -> Vec<B> {
    items.into_iter().map(convert).collect()
}

pub(crate) fn span(span: span::Span) -> types::Span {
    types::Span {
        start: span.start.get(),
        end: span.end.get(),
    }
}

fn place(place: diagnostic::Place) -> types::Place {
    let position = |at: callsheet_core::lines::Position| types::Position {
        line: at.line,
        column: at.column,
    };
    types::Place {
        path: place.path,
        span: span(place.span),
        start: position(place.start),
        end: position(place.end),
    }
}

fn severity(severity: diagnostic::Severity) -> types::Severity {
    match severity {
        diagnostic::Severity::Error => types::Severity::Error,
        diagnostic::Severity::Warning => types::Severity::Warning,
        diagnostic::Severity::Note => types::Severity::Note,
    }
}

pub(crate) fn diagnostic(found: diagnostic::Diagnostic) -> types::Diagnostic {
    let label = |label: diagnostic::Label| types::Label {
        place: place(label.place),
        text: label.text,
    };
    let edit = |edit: diagnostic::Edit| types::Edit {
        span: span(edit.span),
        text: edit.text,
    };
    let fix = |fix: diagnostic::Fix| types::Fix {
        title: fix.title,
        safe: fix.safe,
        edits: list(fix.edits, edit),
    };
    types::Diagnostic {
        rule: found.rule.to_owned(),
        severity: severity(found.severity),
        message: found.message,
        primary: label(found.primary),
        related: list(found.related, label),
        help: found.help,
        fixes: list(found.fixes, fix),
    }
}

pub(crate) fn diagnostics(found: Vec<diagnostic::Diagnostic>) -> Vec<types::Diagnostic> {
    list(found, diagnostic)
}

fn level(level: dialect::Level) -> types::Level {
    match level {
        dialect::Level::BuiltIn => types::Level::BuiltIn,
        dialect::Level::Plugin => types::Level::Plugin,
        dialect::Level::User => types::Level::User,
        dialect::Level::Project => types::Level::Project,
        dialect::Level::Policy => types::Level::Policy,
        dialect::Level::CommandLine => types::Level::CommandLine,
        dialect::Level::Programmatic => types::Level::Programmatic,
    }
}

fn origin(origin: catalog::Origin) -> types::Origin {
    types::Origin {
        dialect: origin.dialect,
        level: level(origin.level),
        source: origin.source,
        path: origin.path,
    }
}

fn tool_rule(rule: definition::ToolRule) -> types::ToolRule {
    types::ToolRule {
        tool: rule.tool,
        specifier: rule.specifier,
        span: span(rule.span),
    }
}

fn tool_filter(filter: definition::ToolFilter) -> types::ToolFilter {
    match filter {
        definition::ToolFilter::Absent => types::ToolFilter::Absent,
        definition::ToolFilter::Null => types::ToolFilter::Null,
        definition::ToolFilter::None => types::ToolFilter::None,
        definition::ToolFilter::All => types::ToolFilter::All,
        definition::ToolFilter::Only(rules) => types::ToolFilter::Only(list(rules, tool_rule)),
    }
}

fn model(model: definition::Model) -> types::ModelChoice {
    match model {
        definition::Model::Absent => types::ModelChoice::Absent,
        definition::Model::Inherit => types::ModelChoice::Inherit,
        definition::Model::Alias(alias) => types::ModelChoice::Alias(alias),
        definition::Model::Id(id) => types::ModelChoice::Id(id),
    }
}

pub(crate) fn agent(agent: definition::Definition, from: catalog::Origin) -> types::Agent {
    let field = |field: definition::Field| types::Field {
        canonical: field.canonical,
        key: field.key,
        value: field.value,
        key_span: span(field.key_span),
        value_span: span(field.value_span),
    };
    types::Agent {
        name: agent.name,
        description: agent.description,
        examples: agent.examples,
        tools: tool_filter(agent.tools),
        denied_tools: list(agent.denied_tools, tool_rule),
        model: model(agent.model),
        model_name: agent.model_name,
        provider: agent.provider,
        effort: agent.effort,
        max_tokens: agent.max_tokens,
        thinking_budget: agent.thinking_budget,
        allowed_commands: agent.allowed_commands,
        endpoint: agent.endpoint.map(|endpoint| types::Endpoint {
            base_url: endpoint.base_url,
            api_key_variable: endpoint.api_key_variable,
        }),
        context: agent.context,
        fork_context: agent.fork_context,
        color: agent.color,
        permission_mode: agent.permission_mode,
        limits: types::Limits {
            turns: agent.limits.turns,
        },
        skills: agent.skills,
        hooks: agent.hooks,
        mcp_servers: agent.mcp_servers,
        system_prompt: agent.system_prompt,
        body: span(agent.body),
        origin: origin(from),
        fields: list(agent.fields, field),
    }
}

fn outline(outline: markdown::Outline) -> documents::Outline {
    documents::Outline {
        headings: list(outline.headings, |heading| documents::Heading {
            depth: heading.depth,
            text: heading.text,
            span: span(heading.span),
        }),
        code_blocks: list(outline.code_blocks, |block| documents::CodeBlock {
            language: block.language,
            span: span(block.span),
        }),
        links: list(outline.links, |link| documents::Link {
            target: link.target,
            span: span(link.span),
        }),
        examples: list(outline.examples, |example| documents::Example {
            text: example.text,
            span: span(example.span),
        }),
    }
}

pub(crate) fn parsed(parsed: document::Parsed) -> documents::Parsed {
    let reading = match parsed.document.reading {
        yaml::Reading::NoFrontmatter => types::Reading::NoFrontmatter,
        yaml::Reading::Strict => types::Reading::Strict,
        yaml::Reading::Quoted => types::Reading::Quoted,
        yaml::Reading::LineByLine => types::Reading::LineByLine,
    };
    let outcome = parsed.document.outcome;
    documents::Parsed {
        dialect: parsed.origin.dialect.clone(),
        reading,
        loads: outcome.loads(),
        agent: outcome
            .is_agent()
            .then(|| agent(parsed.document.definition, parsed.origin)),
        outline: outline(parsed.outline),
        diagnostics: diagnostics(parsed.document.diagnostics),
        suppressed: diagnostics(parsed.document.suppressed),
    }
}

fn carried(loss: conversion::Loss) -> documents::Carried {
    documents::Carried {
        field: loss.field,
        fate: match loss.fate {
            conversion::Fate::Kept => documents::Transfer::Kept,
            conversion::Fate::Renamed => documents::Transfer::Renamed,
            conversion::Fate::Approximated => documents::Transfer::Approximated,
            conversion::Fate::Dropped => documents::Transfer::Dropped,
            conversion::Fate::Refused => documents::Transfer::Refused,
        },
        before: loss.from,
        after: loss.to,
        reason: loss.reason,
    }
}

pub(crate) fn converted(converted: conversion::Converted) -> documents::Converted {
    documents::Converted {
        dialect: converted.from,
        contents: converted.contents,
        file: converted.file,
        directory: converted.directory,
        report: list(converted.report, carried),
    }
}

pub(crate) fn convert_error(error: conversion::ConvertError) -> documents::ConvertError {
    match error {
        conversion::ConvertError::UnknownDialect(unknown) => {
            documents::ConvertError::UnknownDialect(unknown.nearest)
        }
        conversion::ConvertError::Unusable(reason) => documents::ConvertError::Unusable(reason),
        conversion::ConvertError::Refused(report) => documents::ConvertError::Refused(list(report, carried)),
    }
}

pub(crate) fn found(found: discover::Found) -> documents::Found {
    documents::Found {
        path: found.path,
        dialect: found.dialect,
    }
}

pub(crate) fn rule(rule: &rules::Rule) -> documents::Rule {
    documents::Rule {
        name: rule.name.to_owned(),
        summary: rule.summary.to_owned(),
        severity: severity(rule.severity),
        mending: match rule.fix {
            rules::Mending::None => documents::Mending::None,
            rules::Mending::Unsafe => documents::Mending::UnsafeFix,
            rules::Mending::Safe => documents::Mending::SafeFix,
        },
    }
}

pub(crate) fn dialect(dialect: &dialect::Dialect) -> documents::Dialect {
    documents::Dialect {
        id: dialect.id.clone(),
        title: dialect.title.clone(),
        evidence: dialect.evidence.clone(),
        sources: list(&dialect.sources, |source| documents::DialectSource {
            level: level(source.level),
            directory: source.directory_words(),
        }),
        clash: dialect.clash_words().to_owned(),
        file_names: dialect.files.words.clone(),
        endings: dialect.endings().collect(),
        identity: match dialect.identity {
            dialect::Identity::Stem => documents::Identity::FileName,
            dialect::Identity::Path => documents::Identity::Path,
        },
        keys: list(&dialect.keys, |key| documents::DialectKey {
            canonical: key.field.clone(),
            spellings: key.spellings.clone(),
            required: key.is_required(),
            default: key.default.clone(),
            values: key.one_of.clone(),
        }),
        prompt_key: dialect.prompt_key().map(str::to_owned),
        models: dialect.model_aliases.clone(),
        tools: list(vocabulary::current(&dialect.id), |tool| documents::DialectTool {
            name: tool.name.to_owned(),
            may: list(tool.rights.iter(), |right| right.words.to_owned()),
            rights: list(tool.rights.ids(), ToOwned::to_owned),
        }),
    }
}

pub(crate) fn reader(reader: &reader::Reader) -> documents::Reader {
    documents::Reader {
        id: reader.id.clone(),
        title: reader.title.clone(),
        dialect: reader.dialect.clone(),
        evidence: reader.evidence.clone(),
        measured: reader.measured,
    }
}

pub(crate) fn seen(seen: reader::Seen) -> documents::Seen {
    documents::Seen {
        reader: seen.reader.id.clone(),
        fate: match seen.fate {
            reader::Fate::Loads => documents::Fate::Loads,
            reader::Fate::LoadsDifferently => documents::Fate::LoadsDifferently,
            reader::Fate::Dropped => documents::Fate::Dropped,
            reader::Fate::NotLookedAt => documents::Fate::NotLookedAt,
        },
        reason: seen.reason,
        differs: seen.differs.into_iter().map(str::to_owned).collect(),
        agent: seen.agent.map(held_agent),
    }
}

fn held_agent(agent: reader::HeldAgent) -> documents::HeldAgent {
    documents::HeldAgent {
        name: held(agent.name),
        description: held(agent.description),
        tools: held_tools(agent.tools),
        denied_tools: held_tools(agent.denied),
        model: agent.model.map(held),
        color: agent.color.map(held),
        prompt: String::from_utf8_lossy(&agent.prompt).into_owned(),
    }
}

fn held(held: reader::Held) -> documents::Held {
    let (value, kind) = match held {
        reader::Held::Text(text) => (text, "text"),
        reader::Held::Other { json, kind } => (json, kind),
    };
    documents::Held {
        value,
        kind: kind.to_owned(),
    }
}

fn held_tools(tools: reader::HeldTools) -> documents::HeldTools {
    match tools {
        reader::HeldTools::Nothing => documents::HeldTools::Nothing,
        reader::HeldTools::All => documents::HeldTools::All,
        reader::HeldTools::Only(names) => documents::HeldTools::Only(names),
    }
}

pub(crate) fn unknown_dialect(unknown: dialect::UnknownDialect) -> documents::DocumentError {
    documents::DocumentError::UnknownDialect(unknown.nearest)
}

pub(crate) fn options(options: catalogs::Options) -> catalog::Options {
    catalog::Options {
        dialect: options.dialect,
        project: options.project,
        ancestors: options.ancestors,
        home: options.home,
        plugins: list(options.plugins, |plugin| catalog::Plugin {
            name: plugin.name,
            directory: plugin.directory,
        }),
        directories: options.directories,
        inline: options.inline,
        cache_capacity: options.cache_capacity,
        fail_closed: options.fail_closed,
        check: options.check,
    }
}

pub(crate) fn location(location: catalog::Location) -> catalogs::Location {
    catalogs::Location {
        level: level(location.level),
        directory: location.directory,
        recursive: location.recursive,
        owned: location.owned,
    }
}

pub(crate) fn visited(visited: catalog::Visited) -> catalogs::Visited {
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

pub(crate) fn entry(entry: catalog::Entry) -> catalogs::Entry {
    let standing = match entry.standing {
        catalog::Standing::InForce => catalogs::Standing::InForce,
        catalog::Standing::Shadowed => catalogs::Standing::Shadowed,
        catalog::Standing::Withheld => catalogs::Standing::Withheld,
        catalog::Standing::Broken => catalogs::Standing::Broken,
        catalog::Standing::NotAnAgent => catalogs::Standing::NotAnAgent,
    };
    catalogs::Entry {
        name: entry.name,
        description: entry.description,
        tools: tool_filter(entry.tools),
        model: model(entry.model),
        color: entry.color,
        origin: origin(entry.origin),
        standing,
        reason: entry.reason,
    }
}

pub(crate) fn entries(found: Vec<catalog::Entry>) -> Vec<catalogs::Entry> {
    list(found, entry)
}

pub(crate) fn explanation(explanation: catalog::Explanation) -> catalogs::Explanation {
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

pub(crate) fn change(change: catalog::Change) -> catalogs::Change {
    let kind = match change.kind {
        catalog::ChangeKind::Appeared => catalogs::ChangeKind::Appeared,
        catalog::ChangeKind::Changed => catalogs::ChangeKind::Changed,
        catalog::ChangeKind::Vanished => catalogs::ChangeKind::Vanished,
        catalog::ChangeKind::NowWins => catalogs::ChangeKind::NowWins,
        catalog::ChangeKind::Broke => catalogs::ChangeKind::Broke,
        catalog::ChangeKind::Mended => catalogs::ChangeKind::Mended,
    };
    catalogs::Change {
        name: change.name,
        kind,
        origin: origin(change.origin),
    }
}

pub(crate) fn grants(grants: catalog::Grants) -> catalogs::Grants {
    catalogs::Grants {
        offered: list(grants.offered, |grant| catalogs::Grant {
            tool: grant.tool,
            granted: grant.granted,
            reason: grant.reason,
            specifiers: grant.specifiers,
        }),
        unmatched: grants.unmatched,
    }
}

pub(crate) fn counters(counters: catalog::Counters) -> catalogs::Counters {
    catalogs::Counters {
        files: counters.files,
        parsed: counters.parsed,
        bytes: counters.bytes,
        hits: counters.hits,
        misses: counters.misses,
        cached: counters.cached,
    }
}

pub(crate) fn catalog_error(error: catalog::CatalogError) -> catalogs::CatalogError {
    match error {
        catalog::CatalogError::UnknownDialect(unknown) => {
            catalogs::CatalogError::UnknownDialect(unknown.nearest)
        }
        catalog::CatalogError::BadInline(text) => catalogs::CatalogError::BadInline(text),
        catalog::CatalogError::Registered(name) => catalogs::CatalogError::Registered(name),
        catalog::CatalogError::Unusable(text) => catalogs::CatalogError::Unusable(text),
    }
}
