//! How the tools of MCP servers are spelled.

use alloc::format;
use alloc::string::String;

/// The tools of MCP servers: of all servers, of one, or one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mcp<'a> {
    /// Every tool of every server.
    All,
    /// Every tool of a server.
    Server(&'a str),
    /// One tool of a server.
    Tool(&'a str, &'a str),
}

/// A way to spell them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McpStyle {
    /// `mcp__server__tool`, `mcp__server`, `mcp__server__*`, `mcp__*`.
    DoubleUnderscore,
    /// `mcp_server_tool`, `mcp_server_*`, `mcp_*`.
    PrefixedUnderscore,
    /// `server_tool`, `server_*`.
    Underscore,
    /// `server/tool`, `server/*`.
    Slash,
}

impl McpStyle {
    /// The meaning of a name. A server ends at the first separator.
    pub fn parse(self, name: &str) -> Option<Mcp<'_>> {
        let prefix = self.prefix();
        let rest = name.strip_prefix(prefix)?;
        let named = !prefix.is_empty();
        if named && rest == "*" {
            return Some(Mcp::All);
        }
        match rest.split_once(self.separator()) {
            Some(("", _)) => None,
            Some((server, "*")) => Some(Mcp::Server(server)),
            Some((server, tool)) => is_plain(tool).then_some(Mcp::Tool(server, tool)),
            None if self == Self::DoubleUnderscore && is_plain(rest) => Some(Mcp::Server(rest)),
            None => None,
        }
    }

    /// The name for it; none if it would have another meaning.
    pub fn spell(self, mcp: Mcp<'_>) -> Option<String> {
        let (prefix, separator) = (self.prefix(), self.separator());
        let name = match mcp {
            Mcp::All if prefix.is_empty() => return None,
            Mcp::All => format!("{prefix}*"),
            Mcp::Server(server) => format!("{prefix}{server}{separator}*"),
            Mcp::Tool(server, tool) => format!("{prefix}{server}{separator}{tool}"),
        };
        (self.parse(&name) == Some(mcp)).then_some(name)
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::DoubleUnderscore => "mcp__",
            Self::PrefixedUnderscore => "mcp_",
            Self::Underscore | Self::Slash => "",
        }
    }

    fn separator(self) -> &'static str {
        match self {
            Self::DoubleUnderscore => "__",
            Self::PrefixedUnderscore | Self::Underscore => "_",
            Self::Slash => "/",
        }
    }
}

/// Whether a tool's name is one, not a pattern and not another path.
fn is_plain(tool: &str) -> bool {
    !tool.is_empty() && !tool.contains(['*', '/', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_style_parses_its_own_spelling() {
        let double = McpStyle::DoubleUnderscore;
        assert_eq!(double.parse("mcp__a_b__c"), Some(Mcp::Tool("a_b", "c")));
        assert_eq!(double.parse("mcp__a"), Some(Mcp::Server("a")));
        assert_eq!(double.parse("mcp__*"), Some(Mcp::All));
        assert_eq!(double.parse("mcp__a__get_*"), None);
        let gemini = McpStyle::PrefixedUnderscore;
        assert_eq!(gemini.parse("mcp_a_b_c"), Some(Mcp::Tool("a", "b_c")));
        assert_eq!(gemini.parse("mcp__a__b"), None);
        assert_eq!(gemini.spell(Mcp::Tool("a_b", "c")), None);
        assert_eq!(McpStyle::Slash.spell(Mcp::Server("a")).as_deref(), Some("a/*"));
        assert_eq!(McpStyle::Underscore.spell(Mcp::All), None);
    }
}
