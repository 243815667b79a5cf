//! Tools that only some agents have, such as those of the servers that their files configure.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// Pairs of an agent and its own tool, one after the other, since a snapshot has lists of texts anyway.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reserved(Vec<String>);

impl Reserved {
    pub(crate) fn add(&mut self, agent: &str, tool: &str) {
        self.0.push(agent.to_string());
        self.0.push(tool.to_string());
    }

    /// An agent's own tools.
    pub(crate) fn of(&self, agent: &str) -> Vec<String> {
        let pairs = self.0.chunks_exact(2).filter(|pair| pair[0] == agent);
        pairs.map(|pair| pair[1].clone()).collect()
    }

    /// Whether a tool belongs to other agents only.
    pub(crate) fn is_others(&self, agent: &str, tool: &str) -> bool {
        let mut reserved = false;
        for pair in self.0.chunks_exact(2).filter(|pair| pair[1] == tool) {
            if pair[0] == agent {
                return false;
            }
            reserved = true;
        }
        reserved
    }
}

#[cfg(test)]
mod tests {
    use super::Reserved;

    #[test]
    fn reserved_servers_are_only_for_their_owners() {
        let mut reserved = Reserved::default();
        reserved.add("a", "ring");
        reserved.add("b", "ring");
        reserved.add("ring", "a");
        for (agent, tool, is_others) in [
            ("a", "ring", false),
            ("b", "ring", false),
            ("c", "ring", true),
            ("ring", "ring", true),
            ("c", "toll", false),
            ("", "ring", true),
        ] {
            assert_eq!(reserved.is_others(agent, tool), is_others, "{agent} {tool}");
        }
    }
}
