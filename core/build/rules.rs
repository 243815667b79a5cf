//! The rules: each is a file, whose documentation is its page and which names its stage.

use std::fs;
use std::path::Path;

use crate::{files, text};

/// The stages, as in the files of the rules.
const STAGES: &[&str] = &["agent", "between", "cast", "file", "last", "reading", "skill"];

/// Writes the pages of the rules in one folder to another.
pub(crate) fn write(rules: &Path, folder: &Path) {
    fs::create_dir_all(folder).expect("cargo made the folder above");
    for path in files(rules).iter().filter(|path| stage(path).is_some()) {
        page(path, folder);
    }
}

/// The tables of the rules in a folder.
pub(crate) fn tables(rules: &Path) -> String {
    let files = files(rules);
    let stages = files.iter().filter_map(|path| Some((module(path), stage(path)?)));
    let stages: Vec<(&str, String)> = stages.collect();
    let items = |of: &[&str], item: &str| -> String {
        let modules = stages.iter().filter(|(_, stage)| of.contains(&&**stage));
        modules
            .map(|(module, _)| item.replace('*', module) + ", ")
            .collect()
    };
    let (rules, pages) = (items(STAGES, "&*::RULE"), items(STAGES, "*::PAGE"));
    let between = items(&["between", "cast"], "&*::RULE");
    let in_agents = items(&["agent", "file"], "*::check") + &items(&["last"], "*::check");
    let in_others = items(&["file", "skill"], "*::check");
    let in_casts = items(&["cast"], "*::check");
    format!(
        "/// Every rule, by name.
        pub static RULES: &[&Rule] = &[{rules}];
        /// The page of every rule, in the same order. The component leaves them out.
        pub static PAGES: &[Page] = &[{pages}];
        /// Rules that compare files, so that one file alone cannot break them.
        const BETWEEN_FILES: &[&Rule] = &[{between}];
        const AGENT_CHECKS: &[Check] = &[{in_agents}];
        const OTHER_CHECKS: &[Check] = &[{in_others}];
        const CAST_CHECKS: &[CastCheck] = &[{in_casts}];"
    )
}

/// The stage of a rule's file; none for other files.
fn stage(path: &Path) -> Option<String> {
    let text = text(path);
    let (_, rule) = text.split_once("rule! {\n")?;
    let mut lines = rule
        .lines()
        .filter_map(|line| line.trim().strip_prefix("found: "));
    let stage = lines.next().unwrap_or_default().trim_end_matches(',');
    assert!(
        STAGES.contains(&stage),
        "{}: unknown stage `{stage}`",
        path.display()
    );
    Some(stage.to_owned())
}

fn module(path: &Path) -> &str {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.expect("our own files have plain names")
}

fn page(rule: &Path, folder: &Path) {
    let name = module(rule).replace('_', "-");
    let text = text(rule);
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let page: String = lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n")
        .collect();
    let summary = page.lines().next().unwrap_or_default();
    fs::write(folder.join(format!("{name}.txt")), summary).expect("the folder was just made");
    fs::write(folder.join(format!("{name}.md")), page).expect("the folder was just made");
}
