//! Decides which servers are started if several files define some: each name once.

use super::Server;

/// The servers to start, and their owners.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    planned: Vec<Planned>,
    /// Messages about servers that are not started.
    pub problems: Vec<String>,
}

#[derive(Clone, Debug)]
struct Planned {
    server: Server,
    /// The agents that configure it; none if it is for all.
    owners: Vec<String>,
}

impl Plan {
    /// Adds servers for all agents. Existing ones take precedence.
    pub fn add(&mut self, servers: Vec<Server>) {
        for server in servers {
            self.put(server, None);
        }
    }

    /// Adds the servers that an agent configures: only agents that configure the same server get its tools.
    pub fn add_own(&mut self, agent: &str, servers: Vec<Server>) {
        for server in servers {
            self.put(server, Some(agent));
        }
    }

    /// The servers.
    pub fn servers(&self) -> Vec<Server> {
        self.planned
            .iter()
            .map(|planned| planned.server.clone())
            .collect()
    }

    /// The agents with servers of their own, each with its name.
    pub fn owned(&self) -> impl Iterator<Item = (&str, &str)> {
        self.planned.iter().flat_map(|planned| {
            let owners = planned.owners.iter();
            owners.map(|owner| (owner.as_str(), planned.server.name.as_str()))
        })
    }

    fn put(&mut self, server: Server, owner: Option<&str>) {
        let known = self
            .planned
            .iter_mut()
            .find(|known| known.server.name == server.name);
        match known {
            None => self.planned.push(Planned {
                server,
                owners: owner.map(str::to_owned).into_iter().collect(),
            }),
            Some(known) if known.server.transport != server.transport => self.problems.push(format!(
                "{}: the server `{}` is not started: {} has another one of this name",
                server.source, server.name, known.server.source
            )),
            // A server for all stays for all.
            Some(known) if known.owners.is_empty() => {}
            Some(known) => known.owners.extend(owner.map(str::to_owned)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::servers_of_file;
    use super::*;

    fn servers(source: &str, command: &str) -> Vec<Server> {
        let file = format!(r#"{{"mcpServers": {{"bell": {{"command": "{command}"}}}}}}"#);
        servers_of_file(source, &file).unwrap().0
    }

    #[test]
    fn the_first_server_of_a_name_is_started() {
        let mut plan = Plan::default();
        plan.add(servers("callsheet.toml", "ring"));
        plan.add(servers(".mcp.json", "toll"));
        plan.add_own("a", servers("a.md", "ring"));
        assert_eq!(plan.servers(), servers("callsheet.toml", "ring"));
        assert_eq!(plan.owned().count(), 0, "it has no owner");
        assert_eq!(
            plan.problems,
            [".mcp.json: the server `bell` is not started: callsheet.toml has another one of this name"]
        );
    }

    #[test]
    fn agents_can_share_the_same_server() {
        let mut plan = Plan::default();
        for (agent, command) in [("a", "ring"), ("b", "ring"), ("c", "toll")] {
            plan.add_own(agent, servers("x.md", command));
        }
        assert_eq!(plan.owned().collect::<Vec<_>>(), [("a", "bell"), ("b", "bell")]);
        assert_eq!((plan.servers().len(), plan.problems.len()), (1, 1));
    }
}
