//! A hook or an MCP server that runs a script that does not exist.
//!
//! A hook fails each time and blocks nothing, and a server does not start. Only commands that run one script are checked, whose path is in the project or in the
//! plugin: commands with conditions, pipes, options of the interpreter, other variables or results of a build are not.
//!
//! ```json
//! { "type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/chekc.sh" }
//! ```

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::dialect::Dialect;
use crate::files::join;
use crate::hooks::{commands, groups};
use crate::yaml::Node;

crate::diagnostic::rule! {
    name: "missing-script",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "Claude Code's hooks reference (2026-08): a command that fails is a non-blocking error; the shell's exit status is 127",
}

/// Where the scripts of a file are.
pub(crate) struct Roots<'a> {
    /// Where relative paths start, if it is known.
    pub(crate) relative: Option<&'a str>,
    /// Variables, and the directories that they stand for.
    pub(crate) variables: Vec<(&'a str, &'a str)>,
}

/// The hooks whose scripts are not there.
pub(crate) fn check(
    dialect: &Dialect,
    hooks: &Node,
    roots: &Roots<'_>,
    exists: &mut dyn FnMut(&str) -> bool,
    findings: &mut Vec<Finding>,
) {
    let hooks = groups(&dialect.hooks, hooks)
        .into_iter()
        .filter_map(|group| group.hooks);
    for hook in hooks.flatten().filter(|hook| hook.get("cwd").is_none()) {
        for command in commands(&dialect.hooks, hook) {
            let words = words(command, hook.get("args")).unwrap_or_default();
            if let Some(script) = script(&words)
                && let Some(path) = roots.path(script)
                && !exists(&path)
            {
                let message = format!("hook runs `{script}`, which does not exist");
                findings.push(Finding::new(&RULE, command.span, message).label("the hook fails"));
            }
        }
    }
}

/// The MCP servers whose scripts are not there.
pub(crate) fn of_servers(
    servers: &Node,
    roots: &Roots<'_>,
    exists: &mut dyn FnMut(&str) -> bool,
    findings: &mut Vec<Finding>,
) {
    let servers = servers.entries().iter();
    for server in servers.filter(|server| server.value.get("cwd").is_none()) {
        let command = server.value.get("command").and_then(Node::as_text);
        let arguments = server.value.get("args").and_then(Node::items).unwrap_or_default();
        let arguments = arguments.iter().filter_map(Node::as_text);
        let words: Vec<String> = command
            .into_iter()
            .chain(arguments)
            .map(ToOwned::to_owned)
            .collect();
        if let Some(script) = script(&words)
            && let Some(path) = roots.path(script)
            && !exists(&path)
        {
            let name = server.key.as_text().unwrap_or_default();
            let message = format!("MCP server `{name}` runs `{script}`, which does not exist");
            findings.push(Finding::new(&RULE, server.key.span, message).label("the server does not start"));
        }
    }
}

impl Roots<'_> {
    /// The path of a script; none if it cannot be known, or is made by a build.
    fn path(&self, script: &str) -> Option<String> {
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
