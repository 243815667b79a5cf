//! The files that a command may change and its network access: its agent's permissions, as far as a system can enforce them.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::commands::Commands;
use super::grant::{self, grant};
use super::guards::{Guard, guard, guarded};
use super::paths::Places;
use super::rights::{Call, Granted, Layer, Rights, WRITING};
use crate::definition::Definition;
use crate::dialect::{CommandPatterns, Dialect};
use crate::vocabulary::{self, Rights as Can};

/// The repository, and the files in it that run programs.
const REPOSITORY: &str = ".git";
const REPOSITORY_PROGRAMS: [&str; 2] = [".git/config", ".git/hooks"];

/// The files that a command may change, and its network access.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Files and directories that it may write, including everything below: absolute paths.
    pub writes: Vec<String>,
    /// Read-only paths below those, relative to the project, `*` matching any part of a name. Of two nested paths, the longer one counts.
    pub keeps: Vec<String>,
    /// Whether it may use the network.
    pub network: bool,
    /// Files that its permission depends on, from the project or absolute: none of them may lead through a link.
    pub files: BTreeSet<String>,
}

impl Reach {
    /// The reach of an MCP server of a project.
    pub fn of_server(root: String) -> Self {
        Self {
            writes: [root].into(),
            keeps: keeps(true),
            network: true,
            files: BTreeSet::new(),
        }
    }
}

impl Rights {
    /// The reach of the command of a call. None if the tool runs no commands. Whether the agent may fetch from the network is not part of
    /// these rights, which are about the host's tools.
    pub fn reach(&self, call: &Call<'_>, network: bool) -> Option<Reach> {
        if !grant::rights(call.dialect, call.tool).meets(Can::SHELL) {
            return None;
        }
        let places = Places::of(call);
        let layers = self.layers.iter().map(|layer| layer.trees(call, &places));
        let trees = layers.reduce(|one, other| both(&one, &other)).unwrap_or_default();
        let writes = trees.iter().map(|tree| absolute(tree)).collect();
        Some(Reach {
            writes: if self.read_only { Vec::new() } else { writes },
            keeps: keeps(is_git(call, places)),
            network,
            files: self.files(call),
        })
    }
}

/// Whether a definition's lists grant an unrestricted tool for fetching.
pub(crate) fn fetches(dialect: &Dialect, definition: &Definition) -> bool {
    let tools = vocabulary::of(dialect.product())
        .into_iter()
        .flat_map(|it| it.tools);
    let mut fetching = tools.filter(|tool| tool.rights.meets(Can::WEB_FETCH));
    fetching.any(|tool| {
        let grant = grant(dialect, definition, tool.name);
        grant.granted && is_whole(&grant.specifiers)
    })
}

fn is_whole(specifiers: &[String]) -> bool {
    specifiers.is_empty() || specifiers.iter().any(|specifier| specifier.trim() == "*")
}

impl Layer {
    /// The trees that its file tools may write.
    fn trees(&self, call: &Call<'_>, places: &Places<'_>) -> Vec<Vec<String>> {
        let writers = self
            .tools
            .iter()
            .filter(|granted| grant::rights(call.dialect, &granted.tool).meets(WRITING));
        let trees = writers.flat_map(|granted| {
            if is_whole(&granted.specifiers) {
                places.resolve(places.root).into_iter().collect()
            } else {
                granted.trees(places)
            }
        });
        trees.collect()
    }
}

impl Granted {
    fn trees(&self, places: &Places<'_>) -> Vec<Vec<String>> {
        let trees = self
            .specifiers
            .iter()
            .filter_map(|specifier| places.tree(specifier));
        let writable = trees.filter(|tree| guard(places, &absolute(tree)) != Guard::Never);
        writable.collect()
    }
}

impl Places<'_> {
    /// The file or directory that a specifier matches with everything below. None if it matches only some of the files there, which a
    /// system cannot separate from the others.
    fn tree(&self, specifier: &str) -> Option<Vec<String>> {
        let literal = specifier.trim_end_matches(['*', '/']);
        let whole = literal.len() == specifier.len() || literal.is_empty() || {
            let rest = &specifier[literal.len()..];
            rest.starts_with('/')
        };
        if !whole || literal.contains('*') || literal.split('/').any(|part| part == "..") {
            return None;
        }
        let (base, path) = match specifier {
            _ if specifier.starts_with("//") => (Vec::new(), literal.trim_start_matches('/')),
            _ if specifier.starts_with("~/") => (self.resolve(self.home?)?, literal.get(2..).unwrap_or("")),
            _ => (self.resolve(self.root)?, literal.trim_start_matches('/')),
        };
        let below = self.resolve(&absolute(&[path.to_owned()]))?;
        let tree = [base, below].concat();
        // `*/**` leaves out the files beside the directories.
        let any = [&*tree, &["a".to_owned()]].concat();
        self.covers(specifier, &absolute(&any)).then_some(tree)
    }
}

/// The paths in trees of both.
fn both(one: &[Vec<String>], other: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut trees: Vec<Vec<String>> = Vec::new();
    for (a, b) in one.iter().flat_map(|a| other.iter().map(move |b| (a, b))) {
        let deeper = match (a.starts_with(b), b.starts_with(a)) {
            (true, _) => a,
            (_, true) => b,
            _ => continue,
        };
        if !trees.contains(deeper) {
            trees.push(deeper.clone());
        }
    }
    trees
}

fn absolute(parts: &[String]) -> String {
    "/".to_owned() + &parts.join("/")
}

/// The guarded paths. Git writes its repository itself, except for the parts that would run programs.
fn keeps(is_git: bool) -> Vec<String> {
    let guarded = guarded().filter(|path| !is_git || *path != REPOSITORY);
    let programs = REPOSITORY_PROGRAMS.into_iter().filter(|_| is_git);
    guarded.chain(programs).map(str::to_owned).collect()
}

/// Whether a line runs only git, and only commands known not to run other programs.
fn is_git(call: &Call<'_>, places: Places<'_>) -> bool {
    let line = ["command", "cmd"]
        .iter()
        .find_map(|key| call.arguments.get(key)?.text());
    let commands = Commands {
        patterns: &["git *".to_owned()],
        style: CommandPatterns::Prefix,
        places: Some(places),
        file: &|_, _| Err(String::new()),
    };
    line.is_some_and(|line| commands.allow(line).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{ToolFilter, ToolRule};
    use crate::dialect::Dialects;
    use crate::json;
    use crate::span::Span;

    /// Tools, and what narrows each.
    type Tools<'a> = &'a [(&'a str, &'a [&'a str])];

    fn layer(tools: Tools<'_>) -> Layer {
        let granted = tools.iter().map(|(tool, specifiers)| Granted {
            tool: (*tool).to_owned(),
            specifiers: specifiers.iter().map(|it| (*it).to_owned()).collect(),
        });
        Layer {
            tools: granted.collect(),
        }
    }

    fn reach(layers: Vec<Layer>, tool: &str, line: &str) -> Option<Reach> {
        let dialects = Dialects::embedded();
        let dialect = dialects.get("claude-code").unwrap();
        let arguments = json::parse(&alloc::format!(r#"{{"command": {line:?}}}"#)).unwrap();
        let rights = Rights {
            layers,
            ..Rights::default()
        };
        rights.reach(
            &Call {
                tool,
                arguments: &arguments,
                dialect,
                root: "/p",
                home: Some("/home/me"),
            },
            false,
        )
    }

    #[test]
    fn writable_paths_come_from_file_tools() {
        let table: &[(Tools<'_>, &[&str])] = &[
            (&[("Read", &[])], &[]),
            (&[("Write", &[])], &["/p"]),
            (&[("Edit", &["*"])], &["/p"]),
            (
                &[("Write", &["src/**", "docs/a.md"])],
                &["/p/src", "/p/docs/a.md"],
            ),
            (&[("Write", &["./src/**/*", "/lib/*"])], &["/p/src", "/p/lib"]),
            (
                &[("Write", &["~/notes/**", "//tmp/x/"])],
                &["/home/me/notes", "/tmp/x"],
            ),
            (
                &[("Write", &["*.md", "src/*.rs", "../x/**", "a*/b", ".git/**"])],
                &[],
            ),
            (&[("Write", &["*/**", "/", "./", "/*/**"])], &[]),
            (&[("Write", &["**"])], &["/p"]),
            (&[("Write", &["/**/*", "./**"])], &["/p", "/p"]),
            (&[("Write", &["docs/"])], &["/p/docs"]),
            (&[("Write", &[".github/workflows/**"])], &["/p/.github/workflows"]),
        ];
        for (tools, trees) in table {
            let found = reach([layer(tools)].into(), "Bash", "make").unwrap();
            assert_eq!(found.writes, *trees, "{tools:?}");
        }
    }

    #[test]
    fn a_caller_limits_its_agents() {
        let one = layer(&[("Write", &["src/**"])]);
        for (other, trees) in [
            (layer(&[("Write", &[])]), &["/p/src"][..]),
            (layer(&[("Edit", &["src/a/**"])]), &["/p/src/a"]),
            (layer(&[("Edit", &["lib/**"])]), &[]),
        ] {
            let found = reach([one.clone(), other].into(), "Bash", "make").unwrap();
            assert_eq!(found.writes, trees);
        }
        assert_eq!(reach([one].into(), "Read", "make"), None);
    }

    #[test]
    fn unrestricted_fetching_grants_network_access() {
        let dialects = Dialects::embedded();
        let dialect = dialects.get("claude-code").unwrap();
        let list = |rules: &[(&str, Option<&str>)]| {
            let rules = rules.iter().map(|(tool, specifier)| ToolRule {
                tool: (*tool).to_owned(),
                specifier: specifier.map(str::to_owned),
                span: Span::default(),
            });
            ToolFilter::Only(rules.collect())
        };
        for (tools, network) in [
            (list(&[("Bash", None), ("WebFetch", None)]), true),
            (list(&[("WebFetch", Some("domain:example.org"))]), false),
            (list(&[("Bash", None)]), false),
            (ToolFilter::Absent, true),
            (ToolFilter::None, false),
        ] {
            let definition = Definition {
                tools,
                ..Definition::default()
            };
            assert_eq!(fetches(dialect, &definition), network, "{:?}", definition.tools);
        }
    }

    #[test]
    fn files_are_those_that_a_command_is_allowed_because_of() {
        let limited: Tools<'_> = &[
            (
                "Bash",
                &["echo *", "cd *", "chdir *", "cat *", "cp *", "rm *", "tee *"],
            ),
            ("Read", &[]),
            ("Write", &[]),
        ];
        for (line, files) in [
            ("echo a", &[][..]),
            ("echo a > b/c", &["b/c"]),
            ("echo a 2>&1 > /dev/null", &[]),
            ("cat < b/c", &["b/c"]),
            ("echo a > \\\nb/c", &["b/c"]),
            ("cd d && echo a > b/c", &["b/c", "d/b/c"]),
            ("'cd' d && echo a > b/c", &["b/c", "d/b/c"]),
            ("chdir d; echo a > b/c", &["b/c", "d/b/c"]),
            ("cd . && cd . && cd ./d && echo a > b", &["b", "d/b"]),
            ("echo a > b/../c", &["b/../c"]),
            ("cp a b/c", &["a", "b/c"]),
            ("echo a | tee b/c d", &["b/c", "d"]),
            ("rm b/c d", &["", "b"]),
            ("rm -r b/", &["b/"]),
            // It is not allowed.
            ("make > a", &[]),
        ] {
            let found = reach([layer(limited)].into(), "Bash", line).unwrap().files;
            assert_eq!(found.iter().collect::<Vec<_>>(), files, "{line}");
            let whole = reach([layer(&[("Bash", &[])])].into(), "Bash", line).unwrap();
            assert!(whole.files.is_empty(), "{line}");
        }
    }

    #[test]
    fn only_git_commands_may_write_the_repository() {
        for (line, is_git) in [
            ("git commit -m x", true),
            ("git add -A && git commit -m x", true),
            ("git status", true),
            ("git -c alias.x=!sh x", false),
            ("make; git commit -m x", false),
            ("git status > .git/config", false),
            ("ls", false),
        ] {
            let keeps = reach([layer(&[("Write", &[])])].into(), "Bash", line)
                .unwrap()
                .keeps;
            assert_eq!(!keeps.contains(&".git".to_owned()), is_git, "{line}");
            assert_eq!(keeps.contains(&".git/hooks".to_owned()), is_git, "{line}");
            assert!(keeps.contains(&".envrc".to_owned()) && keeps.contains(&"callsheet.toml".to_owned()));
        }
    }
}
