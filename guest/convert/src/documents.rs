//! Files, conversions and rules: core types to contract types.

use callsheet_core::{convert as conversion, dialect, document, fix, markdown, project, rules, yaml};

use crate::bindings::exports::callsheet::agents::{documents, types};
use crate::common::{agent, diagnostics, kind, level, list, severity, span};

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

pub fn parsed(parsed: document::Parsed) -> documents::Parsed {
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

pub fn annotations(shown: document::Annotations) -> documents::Annotations {
    documents::Annotations {
        tokens: list(shown.tokens, |token| documents::Token {
            span: span(token.span),
            kind: match token.kind {
                document::TokenKind::Key => documents::TokenKind::Key,
                document::TokenKind::UnreadKey => documents::TokenKind::UnreadKey,
                document::TokenKind::Tool => documents::TokenKind::Tool,
                document::TokenKind::Model => documents::TokenKind::Model,
                document::TokenKind::Agent => documents::TokenKind::Agent,
                document::TokenKind::Skill => documents::TokenKind::Skill,
                document::TokenKind::Server => documents::TokenKind::Server,
            },
            rights: token.rights,
        }),
        hints: list(shown.hints, |hint| documents::Hint {
            at: hint.at.get(),
            text: hint.text,
        }),
    }
}

pub(crate) fn carried(loss: conversion::Loss) -> documents::Carried {
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

pub fn converted(converted: conversion::Converted) -> documents::Converted {
    documents::Converted {
        dialect: converted.from,
        contents: converted.contents,
        file: converted.file,
        directory: converted.directory,
        report: list(converted.report, carried),
    }
}

pub fn convert_error(error: conversion::ConvertError) -> documents::ConvertError {
    match error {
        conversion::ConvertError::UnknownDialect(unknown) => {
            documents::ConvertError::UnknownDialect(unknown.nearest)
        }
        conversion::ConvertError::Unusable(reason) => documents::ConvertError::Unusable(reason),
        conversion::ConvertError::Refused(report) => documents::ConvertError::Refused(list(report, carried)),
    }
}

pub fn fix_result(fixed: fix::Fixed) -> documents::FixResult {
    documents::FixResult {
        after: fixed.after,
        applied: list(fixed.applied, applied),
    }
}

pub(crate) fn applied(applied: fix::Applied) -> documents::Applied {
    documents::Applied {
        rule: applied.rule.to_owned(),
        title: applied.title,
        safe: applied.safe,
    }
}

pub fn guessed(guessed: project::Guessed) -> documents::Guessed {
    documents::Guessed {
        path: guessed.path,
        kind: kind(guessed.kind),
        dialect: guessed.dialect,
    }
}

pub fn found(found: project::Found) -> documents::Found {
    documents::Found {
        path: found.path,
        dialect: found.dialect,
        level: found.level.map(level),
    }
}

pub fn rule(rule: &rules::Rule) -> documents::Rule {
    documents::Rule {
        name: rule.name.to_owned(),
        summary: rule.summary.to_owned(),
        severity: severity(rule.severity),
        fix: match rule.fix {
            rules::FixAvailability::None => documents::FixAvailability::None,
            rules::FixAvailability::Unsafe => documents::FixAvailability::UnsafeFix,
            rules::FixAvailability::Safe => documents::FixAvailability::SafeFix,
        },
    }
}

pub fn unknown_dialect(unknown: dialect::UnknownDialect) -> documents::DocumentError {
    documents::DocumentError::UnknownDialect(unknown.nearest)
}
