//! What `build` does with each file.

use callsheet_contract::documents::Carried;
use callsheet_contract::projects::FieldSource;

/// Where the fields of a compiled file are stated.
#[derive(Clone, Debug)]
pub struct Origins {
    /// The source of the file.
    pub source: String,
    /// Its fields, and `prompt`.
    pub fields: Vec<FieldSource>,
}

/// The result of a build.
#[derive(Clone, Debug)]
pub struct Built {
    /// The compiled files in the order of their sources, then leftovers.
    pub files: Vec<BuiltFile>,
    /// Sources with errors, which compile to nothing.
    pub broken: Vec<String>,
}

/// A compiled file.
#[derive(Clone, Debug)]
pub struct BuiltFile {
    /// The file.
    pub path: String,
    /// Its source.
    pub source: String,
    /// Its dialect; none for a leftover.
    pub dialect: Option<String>,
    /// What it is like, or what was done with it.
    pub state: BuiltState,
    /// The fate of each field.
    pub report: Vec<Carried>,
}

/// What a file is like, or what was done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltState {
    /// It was written.
    Written,
    /// It was removed: no source compiles to it.
    Removed,
    /// It is as its source compiles.
    Unchanged,
    /// There is none.
    Missing,
    /// Its source compiles to something else.
    Stale,
    /// It was edited after it was compiled.
    Edited,
    /// It was not compiled from this source.
    Foreign,
    /// Its dialect cannot express the source.
    Refused,
    /// No source compiles to it.
    Leftover,
    /// No source compiles to it, and it was edited.
    EditedLeftover,
}

impl BuiltState {
    /// Its name in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Removed => "removed",
            Self::Unchanged => "unchanged",
            Self::Missing => "missing",
            Self::Stale => "stale",
            Self::Edited => "edited",
            Self::Foreign => "foreign",
            Self::Refused => "refused",
            Self::Leftover => "leftover",
            Self::EditedLeftover => "edited-leftover",
        }
    }
}

impl BuiltFile {
    /// The state after everything was written.
    pub fn write(&mut self) {
        self.state = match self.state {
            BuiltState::Missing | BuiltState::Stale => BuiltState::Written,
            BuiltState::Leftover => BuiltState::Removed,
            state => state,
        };
    }
}

impl Built {
    /// Whether something keeps it from being written.
    pub fn is_blocked(&self) -> bool {
        let blocks = |file: &BuiltFile| {
            matches!(
                file.state,
                BuiltState::Edited | BuiltState::Foreign | BuiltState::Refused
            )
        };
        !self.broken.is_empty() || self.files.iter().any(blocks)
    }

    /// The number of files in this state.
    pub fn count(&self, state: BuiltState) -> usize {
        self.files.iter().filter(|file| file.state == state).count()
    }
}
