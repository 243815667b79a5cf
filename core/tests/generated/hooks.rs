//! `.pre-commit-hooks.yaml`: the files that pre-commit passes.

use std::collections::BTreeSet;
use std::string::String;

use callsheet_core::dialect::{Dialects, Level};

#[test]
fn the_hooks_match_every_agent_folder() {
    let files = pattern(&Dialects::embedded());
    let text = format!(
        "# Generated from the dialects by a test. docs/ci.md says how to use it.\n\
         - id: callsheet\n\
         \x20 name: callsheet\n\
         \x20 description: Check agent files. Builds Callsheet with cargo the first time.\n\
         \x20 language: script\n\
         \x20 entry: .ci/hook check\n\
         \x20 files: {files}\n\
         \x20 require_serial: true\n\
         - id: callsheet-system\n\
         \x20 name: callsheet\n\
         \x20 description: Check agent files with the `callsheet` on the PATH.\n\
         \x20 language: system\n\
         \x20 entry: callsheet check\n\
         \x20 files: {files}\n\
         \x20 require_serial: true\n"
    );
    crate::compare(".pre-commit-hooks.yaml", &text);
}

/// The directories of projects and the extensions that any dialect reads.
fn pattern(dialects: &Dialects) -> String {
    let (mut places, mut endings) = (BTreeSet::new(), BTreeSet::new());
    for dialect in dialects.iter() {
        let sources = dialect.sources.iter();
        let own = sources.filter(|source| source.owned && source.level == Level::Project);
        places.extend(own.map(|source| source.directory.clone()));
        endings.extend(
            dialect
                .files
                .extensions
                .iter()
                .filter(|ending| !ending.is_empty()),
        );
    }
    // A bare `agents` is too common a name in subfolders.
    let (anywhere, at_root): (Vec<_>, Vec<_>) = places.iter().partition(|place| place.starts_with('.'));
    let any = |names: Vec<&String>| {
        names
            .iter()
            .map(|name| name.replace('.', "\\."))
            .collect::<Vec<_>>()
            .join("|")
    };
    let endings: Vec<&str> = endings.iter().map(|ending| ending.as_str()).collect();
    format!(
        "'((^|/)({})|^({}))/.*\\.({})$'",
        any(anywhere),
        any(at_root),
        endings.join("|")
    )
}
