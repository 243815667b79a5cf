//! The permissions of one agent: its tools and commands, and its callers' permissions where they limit it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::grant::grant;
use super::guards::{Guard, guard, names_it};
use super::paths::Places;
use super::shell::Access;
use super::specifier;
use crate::definition::{Definition, ToolFilter};
use crate::dialect::{CommandPatterns, Dialect, Extent};
use crate::json::Value;
use crate::vocabulary;

/// The mode that allows no changes.
const PLAN: &str = "plan";

/// A tool that is granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Granted {
    /// The tool, as offered.
    pub tool: String,
    /// The specifiers that restrict it; empty if the whole tool is granted.
    pub specifiers: Vec<String>,
}

/// The tools that one list grants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// The tools.
    pub tools: Vec<Granted>,
}

/// The permissions of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rights {
    /// Each of them must allow a call.
    pub layers: Vec<Layer>,
    /// Lists of patterns of shell commands. Each of them must allow a command.
    pub commands: Vec<Vec<String>>,
    /// Whether no changes are allowed.
    pub read_only: bool,
}

/// The source of an agent's permissions.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The dialect of the lists.
    pub dialect: &'a Dialect,
    /// The offered tools.
    pub offered: &'a [String],
    /// The caller's permissions.
    pub parent: Option<&'a Rights>,
    /// Whether they limit the agent, regardless of its own lists.
    pub attenuate: bool,
    /// The agent's own tools. Its caller's lists do not cover them, unless they limit the agent.
    pub own: &'a [String],
}

/// A call to check.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Its arguments.
    pub arguments: &'a Value,
    /// The dialect of its lists.
    pub dialect: &'a Dialect,
    /// The project directory, absolute.
    pub root: &'a str,
    /// The home directory, absolute.
    pub home: Option<&'a str>,
}

impl Rights {
    /// The permissions of an agent.
    ///
    /// Without a list of tools, it has those of its caller and its own. With one, it has the listed tools, whether its caller has them or
    /// not, unless the caller's permissions limit it.
    pub fn new(definition: &Definition, origin: Origin<'_>) -> Self {
        let grants = origin
            .offered
            .iter()
            .map(|tool| grant(origin.dialect, definition, tool));
        let tools = grants.filter(|grant| grant.granted).map(|grant| Granted {
            tool: grant.tool,
            specifiers: grant.specifiers,
        });
        let mut rights = Self {
            layers: [Layer {
                tools: tools.collect(),
            }]
            .into(),
            commands: definition.allowed_commands.iter().cloned().collect(),
            read_only: only_plans(definition),
        };
        if let Some(parent) = origin.parent {
            rights.read_only |= parent.read_only;
            if origin.attenuate {
                rights.layers.extend(parent.layers.iter().cloned());
            } else if inherits(definition, origin.dialect) {
                let mut own = rights.layers[0].clone();
                own.tools.retain(|granted| origin.own.contains(&granted.tool));
                rights
                    .layers
                    .extend(parent.layers.iter().map(|layer| own.and(layer)));
            }
            if origin.attenuate || rights.commands.is_empty() {
                rights.commands.extend(parent.commands.iter().cloned());
            }
        }
        rights
    }

    /// Whether the agent sees a tool.
    pub fn offers(&self, dialect: &Dialect, tool: &str) -> bool {
        let granted = self.layers.iter().all(|layer| layer.granted(tool).is_some());
        granted && (!self.read_only || changes_nothing(dialect, tool))
    }

    /// Whether a tool that the agent sees may call another agent.
    pub fn allows_agent(&self, tool: &str, agent: &str) -> bool {
        self.layers.iter().all(|layer| {
            let granted = layer.granted(tool);
            granted.is_some_and(|granted| {
                let named = |list: &String| {
                    list.split(',')
                        .any(|name| matches!(name.trim(), "*") || name.trim() == agent)
                };
                granted.specifiers.is_empty() || granted.specifiers.iter().any(named)
            })
        })
    }

    /// Whether a call is allowed; if not, the reason and the alternatives, for the model.
    pub fn allow(&self, call: &Call<'_>) -> Result<(), String> {
        let tool = call.tool;
        if self.read_only && !changes_nothing(call.dialect, tool) {
            return Err(format!("`{tool}` may make changes, but this agent only plans"));
        }
        for layer in &self.layers {
            let Some(granted) = layer.granted(tool) else {
                return Err(format!("`{tool}` is not one of this agent's tools"));
            };
            if !granted.specifiers.is_empty() {
                let judged =
                    specifier::allow(self, call, &granted.specifiers, call.dialect.delegation.commands);
                judged.map_err(|reason| {
                    let allowed = granted.specifiers.join(", ");
                    format!("{reason}. `{tool}` is limited to: {allowed}")
                })?;
            }
        }
        let runs = specifier::rights(call.dialect, tool)
            .ids()
            .any(|right| right == "shell");
        for patterns in self.commands.iter().filter(|_| runs) {
            // These are globs in any dialect that uses them.
            let judged = specifier::command(self, call, patterns, CommandPatterns::Glob);
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

    /// Whether a file may be accessed by means other than a tool for it; if not, why not.
    pub(super) fn allows_file(&self, access: Access, path: &str, call: &Call<'_>) -> Result<(), String> {
        let wanted: &[&str] = match access {
            Access::Read => &["read"],
            Access::Write | Access::Own => &["write", "edit"],
        };
        let places = Places::of(call);
        let guard = match access {
            Access::Read => Guard::None,
            Access::Write | Access::Own => guard(&places, path),
        };
        let serves = |granted: &Granted| {
            let rights = specifier::rights(call.dialect, &granted.tool);
            let kind = rights.ids().any(|right| wanted.contains(&right));
            let whole = granted.specifiers.is_empty() && guard == Guard::None;
            let covers = |specifier: &String| {
                places.covers(specifier, path) && (guard == Guard::None || names_it(&places, specifier))
            };
            kind && (whole && places.in_project(path) || granted.specifiers.iter().any(covers))
        };
        let own = access == Access::Own && guard == Guard::None && places.in_project(path);
        let served = || self.layers.iter().all(|layer| layer.tools.iter().any(serves));
        match (own || served(), guard) {
            (true, Guard::None | Guard::Named) => Ok(()),
            (_, Guard::Never) => Err(format!("it writes `{path}`, which only the user may change")),
            (false, Guard::Named) => Err(format!(
                "it writes `{path}`, which controls what agents may do or what runs later: only an entry that names it allows that"
            )),
            (false, Guard::None) => Err(match access {
                Access::Read => format!("it reads `{path}`, which this agent may not"),
                Access::Write => format!("it writes to `{path}`, which this agent may not"),
                Access::Own => format!("it writes `{path}`, which is outside of the project"),
            }),
        }
    }
}

impl Layer {
    fn granted(&self, tool: &str) -> Option<&Granted> {
        self.tools.iter().find(|granted| granted.tool == tool)
    }

    /// What it grants, combined with another list's grants of other tools.
    fn and(&self, other: &Self) -> Self {
        Self {
            tools: self.tools.iter().chain(&other.tools).cloned().collect(),
        }
    }
}

impl<'a> Places<'a> {
    pub(super) fn of(call: &Call<'a>) -> Self {
        Self {
            root: call.root,
            home: call.home,
        }
    }
}

/// Whether the agent's mode allows no changes.
pub(super) fn only_plans(definition: &Definition) -> bool {
    definition.permission_mode.as_deref() == Some(PLAN)
}

/// Whether an agent without a list of tools has all offered ones.
pub(crate) fn inherits(definition: &Definition, dialect: &Dialect) -> bool {
    let extent = match definition.tools {
        ToolFilter::Absent => dialect.tools.absent,
        ToolFilter::Null => dialect.tools.null,
        ToolFilter::None => dialect.tools.empty,
        ToolFilter::All | ToolFilter::Only(_) => return false,
    };
    extent == Extent::All
}

/// Whether a tool is known to make no changes. An agent that it calls is limited, too.
pub(crate) fn changes_nothing(dialect: &Dialect, tool: &str) -> bool {
    let rights = specifier::rights(dialect, tool);
    let delegate = vocabulary::Rights::of("delegate").unwrap_or_default();
    let delegates = rights == delegate || tool == dialect.delegation.tool;
    delegates || !rights.is_empty() && rights.change_nothing()
}
