//! The memory of agents whose files ask for one, as they have it in a run.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Catalog, Project};
use crate::definition::{Definition, ToolFilter, ToolRule};
use crate::dialect::{Dialect, MemoryPlace};
use crate::files::{FileError, join};
use crate::ignored::memory_place;
use crate::limits::MEMORY_BYTES;
use crate::source::Source;
use crate::span::Span;

/// The folders with memories.
pub(super) fn places(dialect: &Dialect, project: &Project) -> Vec<String> {
    let places = dialect.memory.places.iter();
    places
        .filter_map(|place| folder(dialect, project, place))
        .collect()
}

fn folder(dialect: &Dialect, project: &Project, place: &MemoryPlace) -> Option<String> {
    if place.home {
        project.at_home(dialect, &place.folder)
    } else {
        Some(join(&project.directory, &place.folder))
    }
}

impl Catalog {
    /// An agent as it runs: with its memory, and the rights that this takes. The user's own memories only if they are wanted.
    pub(crate) fn with_memory(&self, definition: Rc<Definition>, personal: bool) -> Rc<Definition> {
        let (dialect, project) = (&self.dialect, &self.options.project);
        let Some(Ok(place)) = memory_place(dialect, &definition) else {
            return definition;
        };
        let folder = folder(dialect, project, place);
        let Some(folder) = folder.filter(|_| personal || !place.personal) else {
            return definition;
        };
        let name = &definition.name;
        let index = self.index(&join(&folder, name));
        let shown = format!("{}/{name}", place.folder);
        let mut agent = (*definition).clone();
        agent.system_prompt = format!(
            "{}\n\n{}",
            agent.system_prompt.trim(),
            self.told(place, &shown, &index)
        );
        if let ToolFilter::Only(rules) = &mut agent.tools
            && !place.home
        {
            rules.extend(dialect.memory.tools.iter().map(|tool| ToolRule {
                tool: tool.clone(),
                specifier: Some(format!("/{shown}/**")),
                span: Span::at(0),
            }));
        }
        Rc::new(agent)
    }

    /// The start of the index in a folder, or what is to be said of it.
    fn index(&self, folder: &str) -> String {
        let rules = &self.dialect.memory;
        let mut bytes = match self.files.read(&join(folder, &rules.index)) {
            Ok(bytes) => bytes,
            Err(FileError::NotFound) => Vec::new(),
            Err(error) => return format!("It cannot be read: {}.", error.words()),
        };
        // The rest could not be shown.
        bytes.truncate(MEMORY_BYTES);
        let source = Source::new(&bytes);
        let lines: Vec<&str> = source.text.trim().lines().take(rules.lines).collect();
        if lines.is_empty() {
            "It is empty.".into()
        } else {
            lines.join("\n")
        }
    }

    fn told(&self, place: &MemoryPlace, folder: &str, index: &str) -> String {
        let rules = &self.dialect.memory;
        let file = &rules.index;
        let how = if place.home {
            format!(
                "What you remember from earlier conversations is in `~/{folder}/`. You cannot change it here."
            )
        } else {
            format!(
                "Your memory is in `{folder}/`, and lasts from one conversation to the next. Write what you will need again to files there, and a line \
                 about each to `{file}`, of which you are told the first {} lines. Change or remove what is no longer so.",
                rules.lines
            )
        };
        ["# Memory\n\n", &how, "\n\n## ", file, "\n\n", index].concat()
    }
}
