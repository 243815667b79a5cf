//! The scripts that hooks and MCP servers run.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dialect::{Dialect, Kind};
use crate::files::{Surroundings, join};
use crate::hooks::{commands, groups};
use crate::places::{is_within, normal};
use crate::span::Span;
use crate::yaml::Node;

/// Where the scripts of a file are.
pub(crate) struct Roots<'a> {
    /// Where relative paths start, if it is known.
    pub(crate) relative: Option<&'a str>,
    /// Variables, and the directories that they stand for.
    pub(crate) variables: Vec<(&'a str, &'a str)>,
}

/// A script that a hook or an MCP server runs.
pub(crate) struct Script<'a> {
    /// As written.
    pub(crate) path: String,
    /// Where the path is.
    pub(crate) at: Span,
    /// The server that runs it; none for a hook.
    pub(crate) server: Option<&'a Node>,
}

/// Whether a hook or a server runs in the project's directory.
fn is_in_project(runs: &Node) -> bool {
    let directory = runs.get("cwd");
    directory.is_none_or(|directory| matches!(directory.as_text(), Some("." | "./")))
}

/// The scripts that hooks run.
pub(crate) fn of_hooks<'a>(dialect: &Dialect, hooks: &'a Node) -> Vec<Script<'a>> {
    let hooks = groups(&dialect.hooks, hooks)
        .into_iter()
        .filter_map(|group| group.hooks);
    let mut scripts = Vec::new();
    for hook in hooks.flatten().filter(|hook| is_in_project(hook)) {
        for command in commands(&dialect.hooks, hook) {
            let words = words(command, hook.get("args")).unwrap_or_default();
            scripts.extend(script(&words).map(|path| Script {
                path: path.to_owned(),
                at: command.span,
                server: None,
            }));
        }
    }
    scripts
}

/// The scripts that MCP servers run.
pub(crate) fn of_servers(servers: &Node) -> Vec<Script<'_>> {
    let mut scripts = Vec::new();
    let servers = servers.entries().iter();
    for server in servers.filter(|server| is_in_project(&server.value)) {
        let command = server.value.get("command");
        let arguments = server.value.get("args").and_then(Node::items).unwrap_or_default();
        let nodes: Vec<&Node> = command.into_iter().chain(arguments).collect();
        let words = nodes.iter().filter_map(|node| node.as_text());
        let words: Vec<String> = words.map(ToOwned::to_owned).collect();
        scripts.extend(script(&words).map(|path| {
            Script {
                path: path.to_owned(),
                at: nodes
                    .iter()
                    .find(|node| node.as_text() == Some(path))
                    .map_or(server.key.span, |node| node.span),
                server: Some(&server.key),
            }
        }));
    }
    scripts
}

/// The path of a script in the frontmatter of a file, and whether it is there; none if it cannot be known. It may also be
/// beside a skill.
pub(crate) fn place(
    dialect: &Dialect,
    path: Option<&str>,
    script: &str,
    around: &mut dyn Surroundings,
) -> Option<(String, bool)> {
    let path = path?;
    let base = match dialect.base(path)? {
        "" => ".",
        base => base,
    };
    let top = around.top().to_owned();
    is_within(base, &top).then_some(())?;
    let at = |root| {
        let variables = dialect.hooks.variables.iter();
        let roots = Roots {
            relative: Some(root),
            variables: variables.map(|name| (&**name, root)).collect(),
        };
        roots.path(script)
    };
    let expected = at(base)?;
    let folder = path.rsplit_once('/').map(|(folder, _)| folder);
    let folder = folder.filter(|_| dialect.kind == Kind::Skill);
    // In a package, the project may be the package or what is around it.
    let mut places = [base, &top].into_iter().chain(folder).filter_map(at);
    Some(match places.find(|path| around.has(path)) {
        Some(found) => (normal(&found), true),
        None => (normal(&expected), false),
    })
}

impl Roots<'_> {
    /// The path of a script; none if it cannot be known, or is made by a build.
    pub(crate) fn path(&self, script: &str) -> Option<String> {
        let (root, rest) = match script.strip_prefix('$') {
            Some(rest) => {
                let rest = rest.strip_prefix('{').unwrap_or(rest);
                let (variable, rest) = rest.split_once('/')?;
                let variable = variable.strip_suffix('}').unwrap_or(variable);
                let known = self.variables.iter().find(|(name, _)| *name == variable);
                (known?.1, rest)
            }
            None => (self.relative?, script),
        };
        let is_plain =
            !rest.starts_with(['/', '~', '-']) && !rest.contains(['$', '*', '?', '[', '{', '%', '\\']);
        let is_built = |part: &str| BUILT.contains(&part);
        (is_plain && rest.contains(['/', '.']) && !rest.split('/').any(is_built)).then(|| join(root, rest))
    }
}

/// Folders that a build or an installation makes.
const BUILT: &[&str] = &[
    "..",
    ".venv",
    "bin",
    "build",
    "dist",
    "lib",
    "node_modules",
    "out",
    "target",
    "venv",
    "vendor",
];

/// Programs that run the script that is their first argument.
const INTERPRETERS: &[&str] = &[
    "bash", "bun", "dash", "deno", "node", "perl", "php", "python", "python3", "ruby", "sh", "tsx", "zsh",
];

/// The same, with a subcommand.
const RUNNERS: &[&str] = &["bun", "deno", "uv"];

/// The path that a command runs.
fn script(words: &[String]) -> Option<&str> {
    let is_set = |word: &&String| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let mut words = words.iter().skip_while(is_set).map(|word| &**word);
    let first = words.next()?;
    if first.contains('/') {
        return Some(first);
    }
    let next = words.next()?;
    let found = match next {
        "run" if RUNNERS.contains(&first) => words.next()?,
        _ if INTERPRETERS.contains(&first) => next,
        _ => return None,
    };
    found.contains('/').then_some(found)
}

/// The words of a simple command; none if the shell does more than running it. With arguments of its own, there is no shell.
fn words(command: &Node, arguments: Option<&Node>) -> Option<Vec<String>> {
    let text = command.as_text()?.trim();
    if let Some(arguments) = arguments.and_then(Node::items) {
        let arguments = arguments.iter().map(|word| Some(word.as_text()?.to_owned()));
        return core::iter::once(Some(text.to_owned())).chain(arguments).collect();
    }
    if text.contains([';', '&', '|', '<', '>', '(', ')', '`', '\n', '\\', '\'']) {
        return None;
    }
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => words.push(core::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    (!quoted).then_some(words)
}
