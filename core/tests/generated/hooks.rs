//! `.pre-commit-hooks.yaml`: the files that pre-commit passes.

use std::collections::BTreeSet;
use std::string::String;

use callsheet_core::dialect::{Dialects, Kind, Level};

#[test]
fn the_hooks_match_the_files_of_every_dialect() {
    let files = pattern(&Dialects::embedded());
    let text = format!(
        "# Generated from the dialects by a test. docs/ci.md says how to use it.\n\
         - id: callsheet\n\
         \x20 name: callsheet\n\
         \x20 description: Check agents, skills, commands and settings. Builds Callsheet with cargo the first time.\n\
         \x20 language: script\n\
         \x20 entry: .ci/hook check\n\
         \x20 files: {files}\n\
         \x20 require_serial: true\n\
         - id: callsheet-system\n\
         \x20 name: callsheet\n\
         \x20 description: Check agents, skills, commands and settings with the `callsheet` on the PATH.\n\
         \x20 language: system\n\
         \x20 entry: callsheet check\n\
         \x20 files: {files}\n\
         \x20 require_serial: true\n"
    );
    crate::compare(".pre-commit-hooks.yaml", &text);
}

/// The files of projects that any dialect reads: agents and commands by their folders, skills by their name, and settings.
fn pattern(dialects: &Dialects) -> String {
    let (mut places, mut endings, mut settings) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for dialect in dialects.of(Kind::Agent).chain(dialects.of(Kind::Command)) {
        let sources = dialect.sources.iter();
        let own = sources.filter(|source| source.owned && source.level == Level::Project);
        places.extend(own.map(|source| &*source.directory));
        let extensions = dialect.files.extensions.iter();
        endings.extend(
            extensions
                .map(|ending| &**ending)
                .filter(|ending| !ending.is_empty()),
        );
        let files = dialect.hooks.files.iter().chain(&dialect.servers.files);
        settings.extend(files.map(|file| &**file));
    }
    // A bare `agents` is too common a name in subfolders.
    let (anywhere, at_root): (Vec<_>, Vec<_>) = places.into_iter().partition(|place| place.starts_with('.'));
    let any = |names: Vec<&str>| {
        let names = names.join("|").replace('.', "\\.");
        let folders = names.split("**/").map(|part| part.replace('*', "[^/]*"));
        folders.collect::<Vec<_>>().join("(.*/)?")
    };
    format!(
        "'((^|/)({})|^({}))/.*\\.({})$|(^|/)(SKILL\\.md|{})$'",
        any(anywhere),
        any(at_root),
        any(endings.into_iter().collect()),
        any(settings.into_iter().collect()),
    )
}
