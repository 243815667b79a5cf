//! Where the project and the home directory are, as the directories say that the runtime opened.

use callsheet_answers::Project;
use callsheet_answers::bindings::callsheet::agents::files;
use callsheet_answers::output::text::clean;
use wasip2::filesystem::preopens;

use crate::failure::Failure;

/// Deeper than any repository that was seen. A runtime may let one climb above its root for ever.
const DEEPEST: usize = 64;

/// Fills in what the command line does not say.
pub(crate) fn complete(project: &mut Project) {
    if project.name.is_empty() {
        project.name = ".".to_owned();
    }
    if project.home.is_none() && preopens::get_directories().iter().any(|(_, name)| name == "~") {
        project.home = Some("~".to_owned());
    }
    project.ancestors = ancestors(&project.name);
}

/// Fails if the runtime opened nothing of the project: what cannot be seen would pass for clean.
pub(crate) fn opened(project: &Project) -> Result<(), Failure> {
    let below = |name: &str| match &*project.name {
        "." => !name.starts_with(['/', '~']),
        project => name
            .strip_prefix(project)
            .is_some_and(|rest| rest.starts_with('/')),
    };
    let mut opened = preopens::get_directories().into_iter();
    if files::list_directory(&project.name).is_ok() || opened.any(|(_, name)| below(&name)) {
        return Ok(());
    }
    let failure = Failure::new(format!("the runtime did not open {}", clean(&project.name)));
    Err(failure.help("open it, as in `wasmtime run --dir . callsheet-cli.wasm check`"))
}

/// The directories above this one up to the root of its repository, the nearest first, as far as the runtime opened them.
fn ancestors(project: &str) -> Vec<String> {
    let mut above = Vec::new();
    let mut here = project.to_owned();
    for depth in 1..=DEEPEST {
        match is_repository(&here) {
            None => return Vec::new(),
            Some(true) => return above,
            Some(false) => {}
        }
        let up = vec![".."; depth].join("/");
        here = if project == "." {
            up
        } else {
            format!("{project}/{up}")
        };
        above.push(here.clone());
    }
    Vec::new()
}

/// Whether a repository begins here; none if this is no directory.
fn is_repository(directory: &str) -> Option<bool> {
    let entries = files::list_directory(directory).ok()?;
    Some(entries.iter().any(|entry| entry.name == ".git"))
}

/// Whether the project has a configuration, which is not heeded.
pub(crate) fn is_configured(project: &Project) -> bool {
    let mut places = std::iter::once(&project.name).chain(&project.ancestors);
    places.any(|place| {
        let entries = files::list_directory(place).unwrap_or_default();
        entries.iter().any(|entry| entry.name == "callsheet.toml")
    })
}
