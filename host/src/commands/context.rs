//! The context of every command: the library with its options, and the output.

use std::cell::RefCell;
use std::io::{self, BufWriter, IsTerminal as _, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::{AutoStream, ColorChoice};
use callsheet::config::Config;
use callsheet::keys;
use callsheet::mcp::Server;
use callsheet::output::report::{Checked, Finding};
use callsheet::output::secrets::Secrets;
use callsheet::output::text::{self, Excerpts, Look, clean};
use callsheet::tools::Unsaved;
use callsheet::types::Kind;
use callsheet::{Callsheet, Catalog};
use dialoguer::theme::{ColorfulTheme, SimpleTheme, Theme};

use super::changed::{Changed, Held};
use super::configuration;
use super::late::Late;
use crate::cli::{Color, Format, Options};
use crate::exit::Failure;
use crate::progress::Progress;

/// The width if it is unknown, such as in a pipe.
const WIDTH: usize = 80;

/// The library and the output.
pub(crate) struct Context {
    pub(crate) callsheet: Callsheet,
    pub(crate) options: Options,
    /// What the command is about.
    pub(crate) kind: Kind,
    /// The dialect of the command line.
    given: Option<String>,
    /// The default, until [`configure`](Self::configure) is called.
    pub(crate) config: Config,
    /// MCP servers that the user's editor passes.
    pub(crate) passed: Vec<Server>,
    /// The user's editor, if it shares its files.
    pub(crate) unsaved: Option<Arc<dyn Unsaved>>,
    /// The editor's conversation that sessions are part of.
    pub(crate) thread: Option<String>,
    pub(crate) look: Look,
    progress: Progress,
    out: BufWriter<Box<dyn Write>>,
    /// Whether the output is a terminal.
    is_watched: bool,
    /// The file that the output replaces.
    replaced: Option<PathBuf>,
    /// Whether repeated output is printed, too.
    again: Arc<AtomicBool>,
    /// Remarks that are printed with the next flush; none if they are printed at once.
    held: RefCell<Option<Held>>,
}

impl Context {
    pub(crate) fn new(options: Options, check: bool) -> Result<Self, Failure> {
        let progress = Progress::start(!options.quiet);
        let callsheet = library(&options, check, &progress.counter())?;
        let color = colored(options.color);
        let look = Look {
            color,
            links: color && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout),
            width: width(),
        };
        Ok(Self {
            callsheet,
            given: options.dialect.clone(),
            options,
            kind: Kind::Agent,
            config: Config::default(),
            passed: Vec::new(),
            unsaved: None,
            thread: None,
            look,
            progress,
            out: BufWriter::new(Box::new(stdout())),
            is_watched: stdout().is_terminal(),
            replaced: None,
            again: Arc::default(),
            held: RefCell::default(),
        })
    }

    /// Another instance of the library.
    pub(crate) fn another(&self) -> Result<Callsheet, Failure> {
        library(&self.options, false, &self.progress.counter())
    }

    /// Makes instances for other projects, in any thread.
    pub(crate) fn libraries(&self) -> impl Fn(&Options) -> Result<Callsheet, Failure> + Sync + use<> {
        let counter = self.progress.counter();
        move |options| library(options, false, &counter)
    }

    /// Applies the project's configuration. The command line takes precedence.
    pub(crate) fn configure(&mut self) -> Result<(), Failure> {
        self.config = configuration::load(&self.options, &mut self.callsheet)?;
        let variables = self.config.providers.values();
        keys::add_names(variables.filter_map(|provider| provider.key_variable.clone()));
        self.options.dialect = self.given.clone().or_else(|| self.config.checks.dialect.clone());
        Ok(())
    }

    /// The dialects to use: the one given, else the targets of the configuration, else every one with a directory of its own here.
    pub(crate) fn dialects(&mut self) -> Result<Vec<String>, Failure> {
        if let Some(dialect) = &self.options.dialect {
            return Ok(vec![dialect.clone()]);
        }
        let targets = self.config.checks.targets.clone();
        if !targets.is_empty() {
            return Ok(targets);
        }
        let dialects = self.callsheet.dialects_in_use_for(self.kind)?;
        if dialects.is_empty() && self.kind == Kind::Agent && self.options.gives_agents() {
            let failure = Failure::trouble("agents are given, but no known tool in use here reads them");
            return Err(failure.help("name the dialect, such as `--as claude-code`"));
        }
        Ok(dialects)
    }

    /// The catalog of one dialect.
    pub(crate) fn open(&mut self, dialect: &str) -> Result<Catalog, Failure> {
        match self.callsheet.open_for(dialect, self.kind) {
            Ok(opened) => Ok(opened),
            Err(error) => Err(self.unopened(dialect, error)?),
        }
    }

    /// Why a dialect has no catalog of this kind.
    pub(crate) fn unopened(&mut self, dialect: &str, error: callsheet::Error) -> Result<Failure, Failure> {
        if self.kind == Kind::Agent {
            return Err(error.into());
        }
        let mut agents = self.callsheet.dialects()?.into_iter();
        if agents.any(|known| known.id == dialect) {
            let known = self.callsheet.dialects_for(self.kind)?;
            let known: Vec<String> = known.into_iter().map(|known| known.id).collect();
            let noun = text::noun(self.kind);
            let failure = Failure::trouble(format!("no rules are known for {noun}s of {dialect}"));
            return Ok(failure.help(format!("use one of: {}", known.join(", "))));
        }
        Ok(error.into())
    }

    pub(crate) fn format(&self) -> Format {
        let format = self.options.format.common();
        format.expect("only commands with formats of their own are run with others, and they do not ask")
    }

    pub(crate) fn print(&mut self, text: &str) -> io::Result<()> {
        print(&self.progress, &mut self.out, self.is_watched, text)
    }

    /// Redirects further output to a file, without colors. What the file has is kept until then.
    pub(crate) fn print_to(&mut self, file: &Path) -> Result<(), Failure> {
        let opened = Late::open(file).map_err(|error| {
            let file = file.to_string_lossy();
            Failure::trouble(format!("cannot write {}: {error}", clean(&file)))
        })?;
        self.out = BufWriter::new(Box::new(opened));
        self.replaced = Some(file.to_owned());
        (self.is_watched, self.look.color, self.look.links) = (false, false, false);
        Ok(())
    }

    /// Fails if the output would replace the configuration or one of these files, which were read.
    pub(crate) fn keep<'a>(&self, files: impl IntoIterator<Item = &'a String>) -> Result<(), Failure> {
        let Some((file, real)) = self
            .replaced
            .as_ref()
            .and_then(|file| Some((file, file.canonicalize().ok()?)))
        else {
            return Ok(());
        };
        let own = self.config.written.as_ref().map(|written| &written.path);
        let is_it = |file: &String| Path::new(file).canonicalize().is_ok_and(|file| file == real);
        if own == Some(&real) || files.into_iter().any(is_it) {
            let file = file.to_string_lossy();
            let failure = Failure::trouble(format!("{} is one of the files that are read", clean(&file)));
            return Err(failure.help("`--output-file` replaces a file: name another one"));
        }
        Ok(())
    }

    /// From now on, prints what differs from what was printed until the last flush. A terminal is cleared instead.
    pub(crate) fn repeat(&mut self) {
        if !self.is_watched {
            let changed = Changed::new(stdout(), Arc::clone(&self.again));
            self.out = BufWriter::new(Box::new(changed));
        }
        if !stderr().is_terminal() {
            self.held = RefCell::new(Some(Held::default()));
        }
    }

    /// What is printed next is printed, even if it is as before.
    pub(crate) fn print_again(&self) {
        self.again.store(true, Ordering::Relaxed);
    }

    /// Whether the output is a terminal.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// From now on, prints to the error stream: standard output has another use.
    pub(crate) fn print_to_stderr(&mut self) {
        self.out = BufWriter::new(Box::new(stderr()));
    }

    /// Clears the screen, if there is one.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        if self.is_watched {
            self.print("\x1b[2J\x1b[H")
        } else {
            self.print("\n")
        }
    }

    /// Prints findings with their lines.
    pub(crate) fn print_excerpts<'a>(
        &mut self,
        checked: &'a Checked,
        shown: impl IntoIterator<Item = &'a Finding>,
    ) -> io::Result<()> {
        let Self {
            callsheet,
            look,
            progress,
            out,
            is_watched,
            ..
        } = self;
        let callsheet = RefCell::new(callsheet);
        let read = |path: &str| {
            let mut bytes = callsheet.borrow_mut().read(path).ok()?;
            Secrets::of(&bytes, checked.of(path)).mask(&mut bytes);
            Some(bytes)
        };
        let mut excerpts = Excerpts::new(*look, &read);
        let mixed = checked.is_mixed();
        for finding in shown {
            let mut notes = Vec::new();
            if mixed && !finding.dialects.is_empty() {
                notes.push(format!("reported for {}", finding.dialects.join(", ")));
            }
            if !finding.in_project {
                notes.push("outside the project; not counted".to_owned());
            }
            let text = excerpts.render(&finding.diagnostic, &notes);
            print(progress, out, *is_watched, &format!("{text}\n\n"))?;
        }
        Ok(())
    }

    /// Reports a failure without stopping the command.
    pub(crate) fn complain(&self, failure: &Failure) {
        self.say(&failure.report());
    }

    /// Prints a remark on the error stream, unless `--quiet` is given.
    pub(crate) fn remark(&self, remark: &str) {
        if !self.options.quiet {
            self.say(&format!("{remark}\n"));
        }
    }

    /// The same at once, even if it is as before.
    pub(crate) fn remark_again(&self, remark: &str) {
        if !self.options.quiet {
            self.write(&format!("{remark}\n"));
        }
    }

    fn say(&self, text: &str) {
        match &mut *self.held.borrow_mut() {
            Some(held) => held.add(text),
            None => self.write(text),
        }
    }

    fn write(&self, text: &str) {
        // Without an error stream, there is no way to report.
        let _ = self.progress.aside(|| stderr().write_all(text.as_bytes()));
    }

    /// Whether a user can be asked.
    pub(crate) fn asks(&self) -> bool {
        io::stdin().is_terminal() && stderr().is_terminal()
    }

    /// Asks a yes-or-no question on the terminal.
    pub(crate) fn confirm(&mut self, question: &str, default: bool) -> Result<bool, Failure> {
        self.ask(|theme| {
            let confirm = dialoguer::Confirm::with_theme(theme).with_prompt(question);
            confirm.default(default).interact_opt()
        })
    }

    /// Where new files of the project belong: in the directory that the user names, else in the root of the project around this one.
    pub(crate) fn root(&mut self) -> callsheet::Result<String> {
        if self.options.project == Path::new(".") {
            self.callsheet.root()
        } else {
            Ok(name(&self.options.project))
        }
    }

    /// Releases the terminal: interactive answers show progress of their own, and a waiting server does no work.
    pub(crate) fn pause(&mut self) -> io::Result<()> {
        self.progress = Progress::start(false);
        if let Some(held) = self.held.get_mut() {
            // Without an error stream, there is no way to report.
            let _ = held.print(&mut stderr());
        }
        self.out.flush()
    }

    /// Asks on the terminal. Fails without an answer.
    pub(crate) fn ask<T>(
        &mut self,
        question: impl FnOnce(&dyn Theme) -> dialoguer::Result<Option<T>>,
    ) -> Result<T, Failure> {
        self.pause()?;
        let theme: &dyn Theme = if self.look.color {
            &ColorfulTheme::default()
        } else {
            &SimpleTheme
        };
        let answer = question(theme);
        answer
            .ok()
            .flatten()
            .ok_or_else(|| Failure::trouble("nothing was written: there was no answer"))
    }

    /// Flushes the output and continues.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Flushes the output.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some(held) = self.held.get_mut() {
            // Without an error stream, there is no way to report.
            let _ = held.print(&mut stderr());
        }
    }
}

fn print(progress: &Progress, out: &mut dyn Write, is_watched: bool, text: &str) -> io::Result<()> {
    progress.aside(|| {
        out.write_all(text.as_bytes())?;
        if is_watched { out.flush() } else { Ok(()) }
    })
}

fn library<Counter>(options: &Options, check: bool, counter: &Counter) -> Result<Callsheet, Failure>
where
    Counter: Fn(&str) + Clone + Send + Sync + 'static,
{
    let mut builder = Callsheet::builder()
        .project(name(&options.project))
        .fail_closed(options.fail_closed)
        .check(check)
        .follow_links(options.follow_links)
        // A command reads a definition at most once: keeping more only costs memory.
        .cache_capacity(1)
        .on_read(counter.clone());
    let plugins = options.plugin.iter().map(|(_, directory)| directory);
    for directory in options.agents_dir.iter().chain(plugins) {
        if !directory.exists() {
            let shown = clean(&directory.to_string_lossy());
            return Err(Failure::trouble(format!("directory not found: {shown}")));
        }
    }
    if let Some(home) = &options.home {
        builder = builder.home(name(home));
    }
    if options.no_home {
        builder = builder.without_home();
    }
    for directory in &options.agents_dir {
        builder = builder.directory(name(directory));
    }
    for (plugin, directory) in &options.plugin {
        builder = builder.plugin(plugin, name(directory));
    }
    if let Some(agents) = &options.agents {
        builder = builder.inline(inline(agents)?);
    }
    #[cfg(feature = "jit")]
    if let Some(component) = &options.component {
        builder = builder.component(component);
    }
    Ok(builder.build()?)
}

/// The directory as the user wrote it, for use in findings, without a final slash.
fn name(directory: &Path) -> String {
    let name = directory.to_string_lossy();
    let short = name.trim_end_matches('/');
    if short.is_empty() {
        name.into_owned()
    } else {
        short.to_owned()
    }
}

fn inline(agents: &str) -> Result<String, Failure> {
    let Some(file) = agents.strip_prefix('@') else {
        return Ok(agents.to_owned());
    };
    std::fs::read_to_string(file).map_err(|error| Failure::trouble(format!("cannot read {file}: {error}")))
}

fn colored(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => AutoStream::choice(&stdout()) != ColorChoice::Never,
    }
}

/// The width from the environment, otherwise from the terminal.
fn width() -> usize {
    let stated = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size_of(stdout()).map(|(width, _)| usize::from(width.0));
    stated
        .filter(|columns| *columns > 0)
        .or_else(terminal)
        .unwrap_or(WIDTH)
}
