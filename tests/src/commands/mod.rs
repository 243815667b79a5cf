//! Command lines of the cases, answered by any [`Runtime`].
//!
//! The program's own parser reads commands and options; a few more commands reach what only an open catalog
//! can do.

mod answers;
mod composing;
mod open_catalog;
mod writing;

use std::collections::BTreeMap;

use callsheet::cli;
use clap::{Parser, Subcommand};

use crate::backend::{Answer, Backend, Catalog, Refusal, Runtime};

/// The result of one command line.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The exit code.
    pub exit: i32,
    /// The output, if any.
    pub output: Option<String>,
}

impl Ran {
    /// No problems.
    fn clean(output: String) -> Self {
        Self::exit(0, output)
    }

    fn exit(exit: i32, output: String) -> Self {
        Self {
            exit,
            output: Some(output),
        }
    }

    /// No output; the program prints the reason on its error stream.
    fn silent(exit: i32) -> Self {
        Self { exit, output: None }
    }
}

#[derive(Debug, Parser)]
#[command(disable_help_subcommand = true)]
struct Line {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    options: cli::Options,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Plain(Box<cli::Command>),
    #[command(flatten)]
    Open(open_catalog::Command),
    #[command(flatten)]
    Writing(writing::Command),
}

/// Whether the program lacks this command, which is for an open catalog or for one call of the contract.
pub fn keeps_open(line: &str) -> bool {
    matches!(parse(line), Ok(line) if !matches!(line.command, Command::Plain(_)))
}

/// Whether only the program can answer this line, since it writes or prints text.
pub fn needs_the_program(line: &str) -> bool {
    let words = words(line, Backend::Cli);
    let mends = words.iter().any(|word| matches!(&**word, "--fix" | "--diff"));
    mends || !words.windows(2).any(|pair| pair == ["--format", "json"])
}

/// The words of a line, with the options of every line.
pub fn words(line: &str, backend: Backend) -> Vec<String> {
    let mut words = shlex::split(line).expect("the quotes of a command line in a case are closed");
    for (option, value) in [("--project", "project"), ("--home", "home"), ("--format", "json")] {
        let given = words.iter().any(|word| word == option);
        // In-process there is only JSON.
        if !given || backend != Backend::Cli && option == "--format" {
            words.extend([option, value].map(str::to_owned));
        }
    }
    words
}

fn parse(line: &str) -> Result<Line, clap::Error> {
    let words = words(line, Backend::Native);
    Line::try_parse_from([String::from("callsheet")].into_iter().chain(words))
}

/// The settings of a runtime.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The project directory.
    pub project: String,
    /// The home directory.
    pub home: String,
    /// Plugins with their directories.
    pub plugins: Vec<(String, String)>,
    /// Directories given on the command line.
    pub directories: Vec<String>,
    /// Agents given on the command line.
    pub inline: Option<String>,
    /// Whether a broken file leaves its name without a winner.
    pub fail_closed: bool,
    /// Whether links out of the given places are followed.
    pub follow_links: bool,
}

impl Settings {
    /// A project without other places.
    pub fn of_project(project: &str) -> Self {
        Self {
            project: project.to_owned(),
            home: format!("{project}/nobody"),
            plugins: Vec::new(),
            directories: Vec::new(),
            inline: None,
            fail_closed: false,
            follow_links: false,
        }
    }

    fn of(options: &cli::Options) -> Answer<Self> {
        let name = |path: &std::path::Path| path.to_string_lossy().trim_end_matches('/').to_owned();
        let inline = match options
            .agents
            .as_deref()
            .map(|text| (text, text.strip_prefix('@')))
        {
            Some((_, Some(file))) => Some(std::fs::read_to_string(file).map_err(|e| Refusal(e.to_string()))?),
            Some((text, None)) => Some(text.to_owned()),
            None => None,
        };
        Ok(Self {
            project: name(&options.project),
            home: name(options.home.as_deref().expect("every line has it")),
            plugins: options
                .plugin
                .iter()
                .map(|(plugin, path)| (plugin.clone(), name(path)))
                .collect(),
            directories: options.agents_dir.iter().map(|path| name(path)).collect(),
            inline,
            fail_closed: options.fail_closed,
            follow_links: options.follow_links,
        })
    }

    fn gives_agents(&self) -> bool {
        self.inline.is_some() || !self.directories.is_empty() || !self.plugins.is_empty()
    }
}

/// A runtime with its open catalogs.
struct Room {
    settings: Settings,
    runtime: Box<dyn Runtime>,
    catalogs: BTreeMap<String, Box<dyn Catalog>>,
}

impl Room {
    fn new(settings: Settings, backend: Backend) -> Answer<Self> {
        let runtime = backend.open(&settings)?;
        Ok(Self {
            settings,
            runtime,
            catalogs: BTreeMap::new(),
        })
    }

    fn catalog(&mut self, dialect: &str) -> Answer<&mut dyn Catalog> {
        if !self.catalogs.contains_key(dialect) {
            let catalog = self.runtime.open(dialect)?;
            self.catalogs.insert(dialect.to_owned(), catalog);
        }
        Ok(&mut **self.catalogs.get_mut(dialect).expect("it was just inserted"))
    }

    /// The dialects to use: the named one, else those in use.
    fn dialects(&mut self, named: Option<&String>) -> Answer<Vec<String>> {
        if let Some(dialect) = named {
            return Ok(vec![dialect.clone()]);
        }
        let dialects = self.runtime.dialects_in_use()?;
        if dialects.is_empty() && self.settings.gives_agents() {
            Err(Refusal("agents are given, but no dialect is in use".to_owned()))
        } else {
            Ok(dialects)
        }
    }
}

/// Answers the command lines of one case, in order, in the working directory.
pub struct Session {
    backend: Backend,
    rooms: Vec<Room>,
}

impl Session {
    /// Starts with no open catalog.
    pub fn new(backend: Backend) -> Self {
        Self {
            backend,
            rooms: Vec::new(),
        }
    }

    /// Opens the catalog that a line names, so that it sees later changes.
    pub fn prepare(&mut self, line: &str) {
        let Ok(Line { options, .. }) = parse(line) else {
            return;
        };
        let (Ok(settings), Some(dialect)) = (Settings::of(&options), &options.dialect) else {
            return;
        };
        // A catalog that fails to open fails again when the line is run.
        if let Ok(room) = self.room(settings) {
            let _ = room.catalog(dialect);
        }
    }

    /// Answers one line.
    pub fn run(&mut self, line: &str) -> Ran {
        let Ok(Line { command, options }) = parse(line) else {
            return Ran::silent(2);
        };
        let answer = Settings::of(&options).and_then(|settings| {
            let room = self.room(settings)?;
            match &command {
                Command::Plain(command) => answers::run(room, command, options.dialect.as_ref()),
                Command::Open(command) => open_catalog::run(room, command, options.dialect.as_ref()),
                Command::Writing(command) => writing::run(room, command, options.dialect.as_ref()),
            }
        });
        answer.unwrap_or(Ran::silent(2))
    }

    fn room(&mut self, settings: Settings) -> Answer<&mut Room> {
        let known = self.rooms.iter().position(|room| room.settings == settings);
        let index = match known {
            Some(index) => index,
            None => {
                self.rooms.push(Room::new(settings, self.backend)?);
                self.rooms.len() - 1
            }
        };
        Ok(&mut self.rooms[index])
    }
}
