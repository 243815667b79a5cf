//! The settings of a [`Callsheet`](crate::Callsheet) is made from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::Place;

/// More than any real set of agents needs, and far below what a machine has.
const MEMORY_LIMIT: usize = 512 << 20;

/// A hundred times the largest known agent file.
const MAX_FILE_SIZE: u64 = 8 << 20;

/// The default of Kode and related tools, and enough for every known set of agents.
const CACHE_CAPACITY: u32 = 1024;

/// Called with the name of each file that is read.
pub(crate) type OnRead = Arc<dyn Fn(&str) + Send + Sync>;

/// Settings for a [`Callsheet`](crate::Callsheet). The defaults are the working directory and the user's home directory.
#[derive(Clone)]
pub struct Builder {
    pub(crate) project: Place,
    pub(crate) home: Option<Place>,
    /// Whether it is the user's, so that environment variables may replace parts of it.
    pub(crate) is_users_home: bool,
    /// The environment variables that do, with their directories.
    pub(crate) variables: Vec<(String, Place)>,
    pub(crate) plugins: Vec<(String, Place)>,
    pub(crate) directories: Vec<Place>,
    pub(crate) inline: Option<String>,
    pub(crate) cache_capacity: u32,
    pub(crate) fail_closed: bool,
    pub(crate) check: bool,
    pub(crate) follow_links: bool,
    pub(crate) memory_limit: usize,
    pub(crate) max_file_size: u64,
    pub(crate) on_read: Option<OnRead>,
    pub(crate) component: Option<PathBuf>,
    pub(crate) unsaved: Arc<Unsaved>,
}

/// Contents that are not saved yet, by the path of their file without links.
pub(crate) type Unsaved = BTreeMap<PathBuf, Arc<[u8]>>;

impl Default for Builder {
    fn default() -> Self {
        Self {
            project: Place::from("."),
            home: Place::home(),
            is_users_home: true,
            variables: Vec::new(),
            plugins: Vec::new(),
            directories: Vec::new(),
            inline: None,
            cache_capacity: CACHE_CAPACITY,
            fail_closed: false,
            check: false,
            follow_links: false,
            memory_limit: MEMORY_LIMIT,
            max_file_size: MAX_FILE_SIZE,
            on_read: None,
            component: None,
            unsaved: Arc::default(),
        }
    }
}

impl Builder {
    /// The project directory. The directories above it up to the root of its repository are read too, if a dialect does so.
    #[must_use]
    pub fn project(mut self, place: impl Into<Place>) -> Self {
        self.project = place.into();
        self
    }

    /// The home directory. The user's own, which is the default, also means directories that variables such as `CLAUDE_CONFIG_DIR`
    /// name instead of parts of it.
    #[must_use]
    pub fn home(mut self, place: impl Into<Place>) -> Self {
        self.home = Some(place.into());
        self.is_users_home = false;
        self
    }

    /// Without a home directory.
    #[must_use]
    pub fn without_home(mut self) -> Self {
        self.home = None;
        self
    }

    /// Adds an installed plugin: its name and the directory of its agents.
    #[must_use]
    pub fn plugin(mut self, name: impl Into<String>, directory: impl Into<Place>) -> Self {
        self.plugins.push((name.into(), directory.into()));
        self
    }

    /// Adds a directory of agents, as if given on the command line.
    #[must_use]
    pub fn directory(mut self, place: impl Into<Place>) -> Self {
        self.directories.push(place.into());
        self
    }

    /// Agents as a JSON object, name to definition, as if given on the command line.
    #[must_use]
    pub fn inline(mut self, json: impl Into<String>) -> Self {
        self.inline = Some(json.into());
        self
    }

    /// The most parsed definitions that a catalog keeps; 1024 by default, at least 1.
    #[must_use]
    pub fn cache_capacity(mut self, definitions: u32) -> Self {
        self.cache_capacity = definitions.max(1);
        self
    }

    /// Whether a broken file that would have won leaves its name without an agent.
    #[must_use]
    pub fn fail_closed(mut self, yes: bool) -> Self {
        self.fail_closed = yes;
        self
    }

    /// Whether files are checked by every rule. Otherwise a catalog's diagnostics only contain what decides how they load.
    #[must_use]
    pub fn check(mut self, yes: bool) -> Self {
        self.check = yes;
        self
    }

    /// Whether symbolic links that lead out of the project, the home directory or a directory given are followed.
    #[must_use]
    pub fn follow_links(mut self, yes: bool) -> Self {
        self.follow_links = yes;
        self
    }

    /// The most memory for the component, in bytes; 512 MiB by default.
    #[must_use]
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// The largest file that is read, in bytes; 8 MiB by default.
    #[must_use]
    pub fn max_file_size(mut self, bytes: u64) -> Self {
        self.max_file_size = bytes;
        self
    }

    /// Calls `hook` with the name of each file that is read, for showing progress.
    #[must_use]
    pub fn on_read(mut self, hook: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.on_read = Some(Arc::new(hook));
        self
    }

    /// Runs another build of the component, under a time limit for each call.
    #[cfg(feature = "jit")]
    #[must_use]
    pub fn component(mut self, file: impl Into<PathBuf>) -> Self {
        self.component = Some(file.into());
        self
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Builder")
            .field("project", &self.project)
            .field("home", &self.home)
            .finish_non_exhaustive()
    }
}
