//! Whether a call is allowed, including the specifiers in parentheses after a tool's name.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use core::cell::RefCell;

use super::commands::Commands;
use super::grant::{self, changes_nothing};
use super::guards::{Guard, guard, names_it};
use super::paths::Places;
use super::pattern::wildcard;
use super::rights::{Call, Rights};
use super::shell::Access;
use crate::dialect::CommandPatterns;
use crate::json::Value;
use crate::places::parent;
use crate::vocabulary::Rights as Can;

/// Tools that search files.
const SEARCHING: Can = Can::GREP.with(Can::GLOB).with(Can::LIST);

/// Tools that change files named by their paths.
pub(super) const CHANGING: Can = Can::WRITE.with(Can::EDIT).with(Can::NOTEBOOK_EDIT);

/// Tools whose arguments are paths.
const FILES: Can = CHANGING.with(SEARCHING).with(Can::READ).with(Can::NOTEBOOK_READ);

/// Arguments that contain a command.
const COMMAND: &[&str] = &["command", "cmd"];

/// Arguments of a shell that do not change what runs.
const INERT: &[&str] = &["description", "timeout", "timeout_ms", "run_in_background"];

/// Arguments that contain a path.
const PATHS: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "absolute_path",
    "file",
    "filename",
    "directory",
    "dir_path",
];

/// Receives the files of a command.
type Seen<'a> = &'a dyn Fn(&str);

impl Rights {
    /// Whether a call is allowed; if not, the reason and the alternatives, for the model.
    pub fn allow(&self, call: &Call<'_>) -> Result<(), String> {
        self.judge(call, &|_| {})
    }

    /// The files of the project whose names an allowed command depends on, in each directory that they may be named in.
    pub(super) fn files(&self, call: &Call<'_>) -> BTreeSet<String> {
        let files = RefCell::new(BTreeSet::new());
        let judged = self.judge(call, &|path| {
            files.borrow_mut().insert(path.to_string());
        });
        judged.map(|()| files.into_inner()).unwrap_or_default()
    }

    /// Tells `seen` the files that are allowed for a command.
    fn judge(&self, call: &Call<'_>, seen: Seen<'_>) -> Result<(), String> {
        let tool = call.tool;
        if self.read_only && !changes_nothing(call.dialect, tool) {
            return Err(format!("`{tool}` may make changes, but this agent only plans"));
        }
        for layer in &self.layers {
            let Some(granted) = layer.granted(tool) else {
                return Err(format!("`{tool}` is not one of this agent's tools"));
            };
            if !granted.specifiers.is_empty() {
                let judged = allow(
                    self,
                    call,
                    &granted.specifiers,
                    call.dialect.delegation.commands,
                    seen,
                );
                judged.map_err(|reason| {
                    let allowed = granted.specifiers.join(", ");
                    format!("{reason}. `{tool}` is limited to: {allowed}")
                })?;
            }
        }
        let runs = grant::rights(call.dialect, tool).meets(Can::SHELL);
        for patterns in self.commands.iter().filter(|_| runs) {
            // These are globs in any dialect that uses them.
            let judged = command(self, call, patterns, CommandPatterns::Glob, seen);
            judged.map_err(|reason| {
                let allowed = if patterns.is_empty() {
                    "none".to_string()
                } else {
                    patterns.join(", ")
                };
                format!("{reason}. Allowed commands: {allowed}")
            })?;
        }
        Ok(())
    }
}

/// Whether one of the specifiers allows the call; if not, why not.
fn allow(
    rights: &Rights,
    call: &Call<'_>,
    specifiers: &[String],
    style: CommandPatterns,
    seen: Seen<'_>,
) -> Result<(), String> {
    if specifiers.iter().any(|specifier| specifier.trim() == "*") {
        return Ok(());
    }
    let able = grant::rights(call.dialect, call.tool);
    let allowed = if able.meets(Can::SHELL) {
        return command(rights, call, specifiers, style, seen);
    } else if able.meets(Can::DELEGATE) {
        // Called agents are checked at the call.
        return Ok(());
    } else if able.meets(FILES) {
        return paths(call, specifiers, able.meets(Can::GLOB), able.meets(SEARCHING));
    } else if able.meets(Can::WEB_FETCH) {
        specifiers.iter().any(|specifier| domain(call, specifier))
    } else if able.meets(Can::SKILL) {
        let name = ["skill", "name", "command"]
            .iter()
            .find_map(|key| call.arguments.get(key)?.text());
        // `name *` is the skill with any arguments, and so is `name`.
        let named = |specifier: &str| name == Some(specifier.trim().trim_end_matches(" *"));
        specifiers.iter().any(|specifier| named(specifier))
    } else {
        specifiers.iter().any(|specifier| parameter(call, specifier))
    };
    if allowed {
        Ok(())
    } else {
        Err("the arguments are not granted".to_string())
    }
}

/// Whether the command of the call is allowed by patterns; if not, why not.
fn command(
    rights: &Rights,
    call: &Call<'_>,
    patterns: &[String],
    style: CommandPatterns,
    seen: Seen<'_>,
) -> Result<(), String> {
    let unread = call.arguments.entries().iter().find(|(key, value)| {
        let known = COMMAND.contains(&&**key) || INERT.contains(&&**key);
        // A disabled option changes nothing.
        !known && !matches!(value, Value::Null | Value::Boolean(false))
    });
    if let Some((key, _)) = unread {
        return Err(format!("the argument `{key}` may change what runs"));
    }
    let mut lines = COMMAND.iter().filter_map(|key| call.arguments.get(key));
    let (Some(Value::Text(line)), None) = (lines.next(), lines.next()) else {
        return Err("there is not exactly one command".to_string());
    };
    let commands = Commands {
        patterns,
        style,
        places: Some(Places::of(call)),
        file: &|access, path| {
            rights.allows_file(access, path, call)?;
            seen(if access == Access::Name {
                parent(path)
            } else {
                path
            });
            Ok(())
        },
    };
    commands
        .allow(line)
        .map_err(|reason| format!("the command was not run: {reason}"))
}

/// Whether a call changes a file that only an entry naming it covers.
pub(super) fn touches_guarded(call: &Call<'_>, specifiers: &[String]) -> bool {
    if !grant::rights(call.dialect, call.tool).meets(CHANGING) {
        return false;
    }
    let places = Places::of(call);
    let named = |path: &str| {
        let mut specifiers = specifiers.iter();
        specifiers.any(|specifier| names_it(&places, specifier) && places.covers(specifier, path))
    };
    let mut arguments = call.arguments.entries().iter();
    arguments.any(|(key, value)| {
        let path = value.text().filter(|_| PATHS.contains(&&**key));
        path.is_some_and(|path| guard(&places, path) != Guard::None && !named(path))
    })
}

/// Whether all paths of the call are covered.
fn paths(call: &Call<'_>, specifiers: &[String], names: bool, searches: bool) -> Result<(), String> {
    let places = Places::of(call);
    let mut found = false;
    for (key, value) in call.arguments.entries() {
        let is_path = PATHS.contains(&&**key);
        // A search pattern may lead out of the path.
        let is_glob = names && key == "pattern" || searches && key == "glob";
        if is_glob && value.text().is_none_or(leaves) {
            return Err(format!("the argument `{key}` may lead out of the searched path"));
        }
        if !is_path {
            continue;
        }
        found = true;
        let path = value.text().unwrap_or_default();
        let below = format!("{path}/x");
        let covered = |specifier: &String| {
            places.covers(specifier, path) || searches && places.covers(specifier, &below)
        };
        if path.is_empty() || !specifiers.iter().any(covered) {
            return Err(format!("`{path}` is not a granted path"));
        }
    }
    if found {
        Ok(())
    } else {
        Err("there is no path".to_string())
    }
}

fn leaves(pattern: &str) -> bool {
    pattern.starts_with(['/', '~']) || pattern.contains("..") || pattern.contains('\\')
}

/// `domain:example.org` and `domain:*.example.org`.
fn domain(call: &Call<'_>, specifier: &str) -> bool {
    let Some(domain) = specifier.trim().strip_prefix("domain:") else {
        return false;
    };
    let url = call
        .arguments
        .get("url")
        .and_then(Value::text)
        .unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else {
        return false;
    };
    // In `https:evil.invalid/://example.org`, the host is the first one.
    if !["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) {
        return false;
    }
    // The comparison ends at anything that could make it another host.
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain = authority
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "-.:".contains(c));
    let host = authority
        .split(':')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    plain && !host.is_empty() && wildcard(&domain.to_ascii_lowercase(), &host)
}

/// `name:value`: an argument with this value.
fn parameter(call: &Call<'_>, specifier: &str) -> bool {
    let Some((name, value)) = specifier.split_once(':') else {
        return false;
    };
    let argument = call.arguments.get(name.trim()).and_then(Value::text);
    argument.is_some_and(|argument| wildcard(value.trim(), argument))
}
