//! The places and the files that a dialect reads.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::verdict::yes;

/// Which files a dialect reads.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FileRule {
    /// The only name, if there is one.
    #[serde(default)]
    pub name: Option<String>,
    /// How many folders it may be below its source, at least and at most; any number if not given.
    #[serde(default)]
    pub folders: Option<[usize; 2]>,
    /// Extensions without the dot, the winner first. An empty one means a name without a dot.
    pub extensions: Vec<String>,
    /// The extension that only its files have, in any place.
    #[serde(default)]
    pub own_extension: Option<String>,
    /// The letters of TOML's escapes that the product's parser does not know. If there are any, it does not know times without seconds or line
    /// breaks in inline tables either.
    #[serde(default)]
    pub no_escapes: String,
    /// Names that are skipped with any extension.
    #[serde(default)]
    pub skip: Vec<String>,
    /// The prefix of skipped names; empty for none.
    #[serde(default)]
    pub skip_prefix: String,
    /// Whether files are read whose names begin with a dot.
    #[serde(default)]
    pub hidden: bool,
    /// Whether folders are searched whose names begin with a dot.
    #[serde(default = "yes")]
    pub hidden_folders: bool,
    /// Names of folders that are not searched.
    #[serde(default)]
    pub skip_folders: Vec<String>,
    /// The same, of folders whose names end with one of these and two numbers: `.backup` for `a.backup-1-2`.
    #[serde(default)]
    pub skip_numbered: Vec<String>,
    /// How names are made of paths.
    #[serde(default)]
    pub letters: Letters,
    /// Whether the last file of a source is the one whose whole path is last, `a/b.md` after `a.md`, not folder by folder.
    #[serde(default)]
    pub by_path: bool,
    /// Whether the folder of a file is not searched for others.
    #[serde(default)]
    pub alone: bool,
    /// The file, in any case, that has the name of its folder and is the only one of it; in plugins, the folder is not searched for others.
    #[serde(default)]
    pub folder_file: Option<String>,
    /// The rule in words.
    pub words: String,
}

/// Which letters of a path stay in a name. Others become `_`, one for each unit of UTF-16.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Letters {
    /// All of them.
    #[default]
    All,
    /// All but colons.
    NoColons,
    /// Those of ASCII, digits, `_`, `-` and `.`; too long parts end with `...`.
    Simple,
}

/// The most letters of a part of a [`Letters::Simple`] name, as in Gemini CLI 0.61.0.
const SIMPLE: usize = 50;

impl Letters {
    /// A part of a name.
    pub(crate) fn name(self, part: &str) -> String {
        let mut name = String::new();
        for letter in part.chars() {
            let is_kept = match self {
                Self::All => true,
                Self::NoColons => letter != ':',
                Self::Simple => letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.'),
            };
            if is_kept {
                name.push(letter);
            } else {
                name.extend(core::iter::repeat_n('_', letter.len_utf16()));
            }
        }
        // All letters are of ASCII here.
        if matches!(self, Self::Simple) && name.len() > SIMPLE {
            name.replace_range(SIMPLE - "...".len().., "...");
        }
        name
    }
}

/// A place that a dialect reads.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Source {
    /// The kind of place.
    pub level: Level,
    /// The directory, below the project or the home directory or from the root, as `level` says. Empty for the others.
    #[serde(default)]
    pub directory: String,
    /// Its keys for maps of agents by name, if it is a file of settings.
    #[serde(default)]
    pub keys: Vec<String>,
    /// The `mode` of its agents, whatever they say. A product that has this skips such a file if it refuses it, and loads the others.
    #[serde(default)]
    pub mode: Option<String>,
    /// The key of such an agent for its file, relative to the settings: what the file lacks is in the map.
    #[serde(default)]
    pub file_key: Option<String>,
    /// Whether the directories below are searched too.
    #[serde(default)]
    pub recursive: bool,
    /// Whether the project's ancestors are searched too; the project itself wins.
    #[serde(default)]
    pub ancestors: bool,
    /// Whether the outermost of them wins instead.
    #[serde(default)]
    pub outermost_wins: bool,
    /// Whether the directory is the product's own.
    #[serde(default)]
    pub owned: bool,
    /// Whether its folders are searched whose names begin with a dot, although others are not.
    #[serde(default)]
    pub hidden_folders: bool,
    /// Its prefix of names that other sources have, too.
    #[serde(default)]
    pub prefix: String,
}

/// What a directory replaces for a tool if an environment variable names it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Relocation {
    /// The environment variable.
    pub variable: String,
    /// What it replaces, below the home directory; empty for the home directory itself.
    pub directory: String,
}

impl Relocation {
    /// The name of a path below the home directory: `$CLAUDE_CONFIG_DIR/agents` for `.claude/agents`. None if it stays there.
    pub(crate) fn name(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix(&*self.directory)?;
        let rest = match self.directory.as_str() {
            "" => Some(rest),
            _ => rest.strip_prefix('/'),
        };
        Some(["$", &self.variable, "/", rest?].concat())
    }
}

/// The kind of a place that agents come from.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Shipped with the dialect.
    BuiltIn,
    /// A plugin's agents directory.
    Plugin,
    /// The user's own directories.
    User,
    /// The project's directories.
    Project,
    /// Directories that an administrator manages.
    Policy,
    /// Given on the command line.
    CommandLine,
    /// Registered by the host.
    Programmatic,
}

impl Source {
    /// The directory for display, `~` being the home directory.
    pub fn directory_words(&self) -> String {
        match self.level {
            Level::User => alloc::format!("~/{}", self.directory),
            _ => self.directory.clone(),
        }
    }
}
