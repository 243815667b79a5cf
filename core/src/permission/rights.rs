//! The permissions of one agent: its tools and commands, and its callers' permissions where they limit it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::grant::{changes_nothing, grant, inherits, only_plans, rights};
use super::guards::{Guard, encloses, guard, names_it};
use super::paths::Places;
use super::shell::Access;
use crate::definition::Definition;
use crate::dialect::Dialect;
use crate::json::Value;
use crate::vocabulary::Rights as Can;

/// The rights of tools that write files.
pub(super) const WRITING: Can = Can::WRITE.with(Can::EDIT);

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

    /// Whether a file may be accessed by means other than a tool for it; if not, why not.
    pub(super) fn allows_file(&self, access: Access, path: &str, call: &Call<'_>) -> Result<(), String> {
        let access = if access == Access::Name {
            Access::Own
        } else {
            access
        };
        let wanted = match access {
            Access::Read => Can::READ,
            _ => WRITING,
        };
        let places = Places::of(call);
        let guard = match access {
            Access::Read => Guard::None,
            Access::Own if encloses(path) => Guard::Named,
            _ => guard(&places, path),
        };
        let serves = |granted: &Granted| {
            let able = rights(call.dialect, &granted.tool);
            let whole = granted.specifiers.is_empty() && guard == Guard::None;
            let covers = |specifier: &String| {
                places.covers(specifier, path) && (guard == Guard::None || names_it(&places, specifier))
            };
            able.meets(wanted) && (whole && places.in_project(path) || granted.specifiers.iter().any(covers))
        };
        // Removing it would remove its guarded files. Programs write into `.` and `..`, but do not remove them.
        let last = path.trim_end_matches('/').rsplit('/').next();
        if access == Access::Own && !matches!(last, Some("" | "." | "..")) && places.is_root(path) {
            return Err(format!(
                "`{path}` is the whole project: name what is in it, or write `.`"
            ));
        }
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
                _ => format!("it may write `{path}`, which is outside of the project"),
            }),
        }
    }
}

impl Layer {
    pub(super) fn granted(&self, tool: &str) -> Option<&Granted> {
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
