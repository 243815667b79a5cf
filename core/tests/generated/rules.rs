//! `docs/rules.md`: the pages of all rules.

use std::path::Path;

use callsheet_core::diagnostic::Severity;
use callsheet_core::rules::{FixAvailability, PAGES, Page, RULES, Rule};

#[test]
fn the_rule_pages_are_up_to_date() {
    let rows: String = RULES.iter().map(|rule| row(rule)).collect();
    let pages: String = RULES
        .iter()
        .zip(PAGES)
        .map(|(rule, text)| page(rule, text))
        .collect();
    let text = format!(
        "# Rules\n\n\
         Generated from the rules' own documentation by a test; `callsheet explain RULE` prints the same. Their severities can be\n\
         [configured](configuration.md).\n\n\
         | rule | severity | fix | what it finds |\n|---|---|---|---|\n{rows}{pages}"
    );
    crate::compare("docs/rules.md", &text);
}

fn severity(rule: &Rule) -> &'static str {
    match rule.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn row(rule: &Rule) -> String {
    let fix = match rule.fix {
        FixAvailability::None => "",
        FixAvailability::Unsafe => "unsafe",
        FixAvailability::Safe => "safe",
    };
    let (name, severity) = (rule.name, severity(rule));
    let summary = rule.summary.trim_end_matches('.').replace('|', "\\|");
    format!("| [`{name}`](#{name}) | {severity} | {fix} | {summary} |\n")
}

fn page(rule: &Rule, page: &Page) -> String {
    format!(
        "\n## {}\n\n{}\n\nEvidence: {}.\n",
        rule.name,
        page.text.trim(),
        page.evidence
    )
}

#[test]
fn every_file_is_named_after_its_rule() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let entries = std::fs::read_dir(folder).expect("the sources are there");
    let stems = entries.filter_map(|entry| {
        let path = entry.ok()?.path();
        Some(path.file_stem()?.to_str()?.replace('_', "-"))
    });
    let mut files: Vec<String> = stems.filter(|stem| stem != "mod").collect();
    files.sort();
    let rules: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(rules, files);
}
