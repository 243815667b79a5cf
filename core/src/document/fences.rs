//! Findings about the fences.

use alloc::format;
use alloc::string::{String, ToString};

use super::syntax;
use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::dialect::{Dialect, Verdict};
use crate::frontmatter::{Frontmatter, Oddity};
use crate::rules;
use crate::span::Span;
use crate::verdict::Judgement;

/// Reports irregular fences. Returns whether the text between the fences is YAML.
pub(super) fn report(
    text: &str,
    frontmatter: &Frontmatter,
    dialect: &Dialect,
    judgement: &mut Judgement,
) -> bool {
    let Some(oddity) = frontmatter.oddity else {
        return true;
    };
    let mut finding = match oddity {
        Oddity::Leading(span) => leading(text, span, frontmatter.opening),
        Oddity::Language(span) if matches!(span.of(text).trim_start(), "yaml" | "yml") => language(span),
        Oddity::Language(span) => foreign(frontmatter.opening, span.of(text)),
        Oddity::Foreign(span) => foreign(span, "TOML"),
        Oddity::Closing(span) => closing(span, span.of(text)),
        Oddity::Unclosed(span) => unclosed(text, span, frontmatter.yaml),
    };
    if dialect.body.indented_fence && matches!(oddity, Oddity::Closing(span) if span.of(text).trim() == "---")
    {
        finding.severity = Severity::Warning;
        finding.message = "the closing fence is indented".to_string();
    } else {
        judgement.judge(dialect.unread_frontmatter, &finding.message);
        if dialect.unread_frontmatter == Verdict::Ignored {
            finding.note = Some(syntax::without_fields(dialect));
        }
    }
    let is_yaml = finding.rule != "foreign-frontmatter";
    judgement.find(finding);
    is_yaml
}

fn leading(text: &str, span: Span, opening: Span) -> Finding {
    let place = if span.of(text).contains(['\n', '\r']) {
        "on the first line"
    } else {
        "in the first column"
    };
    let message = format!("the frontmatter does not start {place}");
    Finding::new(&rules::misplaced_fence::RULE, opening, message)
        .label("most readers see no frontmatter here")
        .fix(replace("Remove the text before the fence", span, ""))
}

fn language(span: Span) -> Finding {
    let message = "the opening fence names a language".to_string();
    Finding::new(&rules::misplaced_fence::RULE, span, message)
        .label("most readers see no frontmatter here")
        .fix(replace("Remove the language", span, ""))
}

fn foreign(span: Span, language: &str) -> Finding {
    let message = format!("the frontmatter is {language}, not YAML");
    Finding::new(&rules::foreign_frontmatter::RULE, span, message)
        .label("some readers execute this, most ignore it; Callsheet never executes it")
        .help("write it as YAML between two lines of `---`")
}

fn closing(span: Span, fence: &str) -> Finding {
    let fence = fence.trim_end();
    let message = format!("`{fence}` does not close the frontmatter");
    Finding::new(&rules::closing_fence::RULE, span, message)
        .label("most readers require `---` alone on its line")
        .fix(Fix {
            // A word after the dashes would be lost.
            safe: fence.chars().all(|c| matches!(c, '-' | '.' | ' ' | '\t')),
            ..replace("Write `---`", span, "---")
        })
}

fn unclosed(text: &str, opening: Span, yaml: Span) -> Finding {
    let message = "the frontmatter is not closed".to_string();
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let before = yaml.of(text);
    let is_line = before.is_empty() || before.ends_with(['\n', '\r']);
    let fence = [if is_line { "" } else { end }, "---", end].concat();
    let mut fix = replace("Close it after the fields", Span::at(yaml.end.index()), &fence);
    fix.safe = false;
    Finding::new(&rules::unclosed_frontmatter::RULE, opening, message)
        .label("no line of `---` follows")
        .fix(fix)
}

fn replace(title: &str, span: Span, text: &str) -> Fix {
    Fix {
        title: title.to_string(),
        safe: true,
        edits: alloc::vec![Edit {
            span,
            text: String::from(text),
        }],
    }
}
