//! Finds the project and home directory among the directories that the runtime opened.

use callsheet_answers::Project;
use callsheet_contract::bindings::callsheet::agents::files;
use callsheet_report::text::clean;
use wasip2::filesystem::preopens;
use wasip2::filesystem::types::{Descriptor, DescriptorType, PathFlags};

use crate::failure::Failure;

/// More levels than in any known repository. Some runtimes never end at the root.
const DEEPEST: usize = 64;

/// Fills in the defaults.
pub(crate) fn complete(project: &mut Project) {
    if project.name.is_empty() {
        project.name = ".".to_owned();
    }
    if project.home.is_none() && preopens::get_directories().iter().any(|(_, name)| name == "~") {
        project.home = Some("~".to_owned());
    }
    project.ancestors = ancestors(&project.name);
}

/// Fails if a given directory is not there, which would otherwise count as free of problems.
pub(crate) fn opened(project: &Project) -> Result<(), Failure> {
    let below = |name: &str| match &*project.name {
        "." => !name.starts_with(['/', '~']) && name != ".." && !name.starts_with("../"),
        project => name
            .strip_prefix(project)
            .is_some_and(|rest| rest.starts_with('/')),
    };
    let is_open = |name: &str| files::list_directory(name).is_ok();
    let mut opened = preopens::get_directories().into_iter();
    let is_project_open = is_open(&project.name) || opened.any(|(_, name)| below(&name));
    let missing = if is_project_open {
        project.directories.iter().find(|name| !is_open(name))
    } else {
        Some(&project.name)
    };
    let Some(missing) = missing else {
        return Ok(());
    };
    let failure = Failure::new(format!("cannot open the directory {}", clean(missing)));
    Err(failure.runtime_help("open it, as in `wasmtime run --dir . callsheet-cli.wasm check`"))
}

/// The directories above this one up to the root of its repository, nearest first, as far as the runtime opened them.
fn ancestors(project: &str) -> Vec<String> {
    let mut above = Vec::new();
    let mut here = project.to_owned();
    for _ in 0..DEEPEST {
        match is_repository(&here) {
            None => return Vec::new(),
            Some(true) => return above,
            Some(false) => {}
        }
        here = name_above(&here);
        above.push(here.clone());
    }
    Vec::new()
}

/// A name for the directory above: without its last part, unless that is a link.
fn name_above(name: &str) -> String {
    let (parent, last) = match name.rsplit_once('/') {
        Some(("", last)) => ("/", last),
        Some(parts) => parts,
        None => (".", name),
    };
    match last {
        "." if name == "." => "..".to_owned(),
        "" | "." | ".." => format!("{name}/.."),
        _ if !is_link(name) => parent.to_owned(),
        _ => format!("{name}/.."),
    }
}

/// Whether it is a link, or not known.
fn is_link(path: &str) -> bool {
    let stat = |(directory, name): (Descriptor, String)| {
        let below = match &*name {
            "." => path,
            name => path.strip_prefix(name)?.strip_prefix('/')?,
        };
        directory.stat_at(PathFlags::empty(), below).ok()
    };
    let found = preopens::get_directories().into_iter().find_map(stat);
    found.is_none_or(|found| found.type_ == DescriptorType::SymbolicLink)
}

/// Whether this is the root of a repository; None if it is not a directory.
fn is_repository(directory: &str) -> Option<bool> {
    let entries = files::list_directory(directory).ok()?;
    Some(entries.iter().any(|entry| entry.name == ".git"))
}

/// Whether the project has a configuration, which is ignored.
pub(crate) fn is_configured(project: &Project) -> bool {
    let mut places = std::iter::once(&project.name).chain(&project.ancestors);
    places.any(|place| {
        let entries = files::list_directory(place).unwrap_or_default();
        entries.iter().any(|entry| entry.name == "callsheet.toml")
    })
}
