//! What one definition grants.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::found::Permission;
use super::masks::masked;
use crate::convert::{Grants, Served};
use crate::definition::{Definition, ToolFilter};
use crate::dialect::{Dialect, Kind};
use crate::vocabulary::{self, Rights};

/// The use of MCP servers. It is no right: what their tools do is not known.
const SERVERS: &str = "mcp-servers";

/// Every tool, known here or not. It implies everything else.
pub(super) const ANY_TOOL: &str = "any-tool";

/// The grants of a definition, the unknown parts included.
#[derive(Debug, Default)]
pub(super) struct Own {
    any_tool: bool,
    /// Whether it may call every agent.
    pub(super) any_agent: bool,
    rights: Rights,
    /// These and what they imply.
    closed: Rights,
    /// Rights within patterns.
    within: Vec<(Rights, String)>,
    any_server: bool,
    servers: Vec<String>,
    /// Tools whose rights are not known.
    pub(super) other_tools: Vec<String>,
}

/// Something that may be granted.
#[derive(Clone, Copy)]
pub(super) enum Power {
    Right(Rights),
    Servers,
    AnyTool,
}

impl Power {
    /// All of them, in order.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        Rights::all()
            .each()
            .map(Self::Right)
            .chain([Self::Servers, Self::AnyTool])
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Right(right) => right.ids().next().unwrap_or_default(),
            Self::Servers => SERVERS,
            Self::AnyTool => ANY_TOOL,
        }
    }
}

impl Own {
    /// Lists of skills and commands restrict nothing: they only allow tools without asking.
    pub(super) fn of(dialect: &Dialect, definition: &Definition) -> Self {
        let has_list = !matches!(
            definition.tools,
            ToolFilter::Absent | ToolFilter::Null | ToolFilter::None
        );
        if dialect.kind != Kind::Agent && !has_list {
            return Self::default();
        }
        let grants = Grants::of(dialect, definition);
        let rights = grants.named();
        let has_all = |granted: &[(String, Served)]| granted.iter().any(|(_, served)| *served == Served::All);
        let mut own = Self {
            any_tool: grants.is_everything(),
            rights,
            closed: rights.closed(),
            any_server: has_all(&grants.served) || grants.all && !has_all(&grants.denied_served),
            ..Self::default()
        };
        own.other_tools = match &definition.tools {
            ToolFilter::Only(rules) if vocabulary::of(dialect.product()).is_none() => {
                rules.iter().map(|rule| masked(&rule.written())).collect()
            }
            _ => grants.others.iter().map(|tool| masked(tool)).collect(),
        };
        if grants.all && !own.any_tool {
            own.other_tools.push("*".to_string());
        }
        let mut listed = BTreeSet::new();
        for (_, served) in &grants.served {
            if let Served::Server(server) | Served::Tool(server, _) = served
                && listed.insert(server)
            {
                own.servers.push(server.clone());
            }
        }
        let within = grants.within.into_iter();
        own.within = within
            .map(|within| (within.rights, masked(&within.pattern)))
            .collect();
        own.any_agent = own.rights.contains(Rights::DELEGATE) && definition.callees().is_none();
        own
    }

    /// Whether it has all of something.
    pub(super) fn has(&self, power: Power) -> bool {
        match power {
            Power::Right(right) => self.closed.contains(right),
            Power::Servers => self.any_server,
            Power::AnyTool => self.any_tool,
        }
    }

    /// Whether it has a part of it.
    pub(super) fn has_part(&self, power: Power) -> bool {
        match power {
            Power::Right(right) => self.within.iter().any(|(rights, _)| rights.meets(right)),
            Power::Servers => !self.servers.is_empty(),
            Power::AnyTool => false,
        }
    }

    /// Whether rights that it reaches imply another one of them, together with its own.
    pub(super) fn makes_idle(&self, right: Rights, others: Rights) -> bool {
        others.with(self.closed).closed().contains(right)
    }

    /// What it grants, without what is implied.
    pub(super) fn permissions(&self) -> Vec<Permission> {
        if self.any_tool {
            return vec![Permission {
                name: ANY_TOOL,
                patterns: Vec::new(),
            }];
        }
        let mut permissions = Vec::new();
        for power in Power::all() {
            let patterns = match power {
                Power::Right(right) if self.rights.contains(right) => {
                    if self.rights.without(right).closed().contains(right) {
                        continue;
                    }
                    Vec::new()
                }
                Power::Servers if self.any_server => Vec::new(),
                power if !self.has_part(power) => continue,
                Power::Right(right) => {
                    let within = self.within.iter().filter(|(rights, _)| rights.meets(right));
                    within.map(|(_, pattern)| pattern.to_string()).collect()
                }
                Power::Servers => self.servers.clone(),
                Power::AnyTool => continue,
            };
            permissions.push(Permission {
                name: power.name(),
                patterns,
            });
        }
        permissions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::ToolRule;
    use crate::dialect::Dialects;
    use crate::span::Span;

    #[test]
    fn a_server_is_listed_once() {
        let rule = |tool: &str| ToolRule {
            tool: tool.to_string(),
            specifier: None,
            span: Span::default(),
        };
        let tools = ["mcp__github__a", "mcp__slack__b", "mcp__github__c"];
        let definition = Definition {
            tools: ToolFilter::Only(tools.map(rule).into()),
            ..Definition::default()
        };
        let dialects = Dialects::embedded();
        let own = Own::of(dialects.get("claude-code").expect("it is built in"), &definition);
        assert_eq!(own.servers, ["github", "slack"]);
    }
}
