//! References in small projects, labeled by hand: `data/references`.
//!
//! Each file there is a project. It begins with a comment, and `-- PATH` begins each of its files. In their texts, `⟦TEXT|KIND VERDICT⟧` is
//! a label of TEXT, `⟦TEXT|KIND there PATH⟧` also says which file it leads to, and `⟦TEXT|KIND none⟧` only looks like a reference. The
//! project's own file has only the TEXT.

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use callsheet::projects::Relation;
use serde::Deserialize;

/// What a label has instead of a verdict if its text is no reference.
pub const NONE: &str = "none";

/// The verdicts of labels.
pub const VERDICTS: [&str; 3] = ["there", "missing", "unknown"];

/// A kind of references.
pub struct Kind {
    /// Its name in labels.
    pub name: &'static str,
    /// What is written, for the table.
    pub words: &'static str,
    /// The relations that the graph may have for it; none if the graph does not have this kind.
    pub relations: &'static [Relation],
}

const fn kind(name: &'static str, words: &'static str, relations: &'static [Relation]) -> Kind {
    Kind {
        name,
        words,
        relations,
    }
}

/// The kinds of references, those that the graph does not have at the end.
pub const KINDS: &[Kind] = &[
    kind(
        "agent-tool",
        "`Agent(name)`, `Task(name)` in a list of tools",
        &[Relation::Calls, Relation::RunsIn],
    ),
    kind("agent-list", "`agents` of a Copilot agent", &[Relation::Calls]),
    kind("handoff", "`agent` of a handoff", &[Relation::Calls]),
    kind(
        "denied-agent",
        "`Agent(name)` in a list of denied tools",
        &[Relation::Names],
    ),
    kind(
        "run-in",
        "`agent` of a skill, a command or a prompt",
        &[Relation::RunsIn],
    ),
    kind("skill-list", "`skills` of an agent", &[Relation::Loads]),
    kind(
        "skill-tool",
        "`Skill(name)` in a list of tools",
        &[Relation::Names],
    ),
    kind(
        "server-tool",
        "`mcp__server__tool`, `server/*` in a list of tools",
        &[Relation::Uses],
    ),
    kind(
        "denied-server",
        "the same in a list of denied tools",
        &[Relation::Names, Relation::Uses],
    ),
    kind("server-list", "a name in `mcpServers`", &[Relation::Uses]),
    kind(
        "own-server",
        "a server that an agent configures itself",
        &[Relation::Uses],
    ),
    kind("hook-script", "a script that a hook runs", &[Relation::Runs]),
    kind(
        "hook-matcher",
        "an agent, a command or a server in a hook's matcher",
        &[Relation::Names],
    ),
    kind(
        "hook-server",
        "the server of a hook of type `mcp_tool`",
        &[Relation::Uses],
    ),
    kind(
        "server-script",
        "a script that an MCP server runs",
        &[Relation::Runs],
    ),
    kind(
        "settings-agent",
        "an agent in settings, or in a command there",
        &[Relation::RunsIn],
    ),
    kind(
        "settings-file",
        "a file that settings name or include",
        &[Relation::LinksTo],
    ),
    kind(
        "permission-agent",
        "`Agent(name)`, `task` in permissions",
        &[Relation::Names],
    ),
    kind(
        "permission-skill",
        "`Skill(name)`, `skill` in permissions",
        &[Relation::Names],
    ),
    kind(
        "permission-server",
        "`mcp__server__tool` in permissions",
        &[Relation::Names],
    ),
    kind(
        "skill-override",
        "`skillOverrides` in settings",
        &[Relation::Names],
    ),
    kind(
        "manifest-path",
        "a path in a plugin's manifest",
        &[Relation::LinksTo],
    ),
    kind(
        "plugin-source",
        "the source of a plugin in a marketplace",
        &[Relation::LinksTo],
    ),
    kind(
        "plugin-rename",
        "the new name of a plugin in `renames`",
        &[Relation::Names],
    ),
    kind("channel-server", "the server of a channel", &[Relation::Uses]),
    kind("dependency", "a plugin in `dependencies`", &[Relation::DependsOn]),
    kind("import", "`@path` in instructions", &[Relation::LinksTo]),
    kind("skill-link", "a link in a skill", &[Relation::LinksTo]),
    kind("text-agent", "`subagent_type` in a text", &[Relation::Names]),
    kind("text-command", "`/command` in a text", &[Relation::Names]),
    kind("text-tool", "`#tool:server/tool` in a text", &[Relation::Names]),
    kind("mention", "`@agent` in a command of OpenCode", &[Relation::Names]),
    kind("eval-agent", "an agent in test cases", &[Relation::Names]),
    kind("eval-skill", "the skill of test cases", &[Relation::Names]),
    kind(
        "file-include",
        "`@path`, `@{path}`, `#file:path` in commands, prompts and Cursor's rules",
        &[],
    ),
    kind(
        "text-link",
        "a link in an agent or in instructions of VS Code",
        &[],
    ),
    kind("combined-script", "a script in a command of several", &[]),
    kind("status-script", "the script of `statusLine`", &[]),
    kind("enabled-plugin", "`enabledPlugins` in settings", &[]),
    kind("enabled-server", "`enabledMcpjsonServers` in settings", &[]),
];

/// What only looks like a reference, for the table.
pub const ALIKE: &[(&str, &str)] = &[
    ("path", "paths that no product resolves, folders, pages of a wiki"),
    ("address", "URLs and mail addresses"),
    ("prose", "names in sentences and descriptions, dates, units"),
    ("code", "names in code and comments"),
    ("variable", "variables and placeholders"),
    ("decorator", "decorators, tags, CSS rules"),
    ("package", "packages, versions, digests"),
    ("command", "commands without a script, arguments"),
    ("pattern", "patterns for many names or files"),
    ("value", "values of other keys"),
    ("person", "people and teams"),
    ("tool", "built-in tools"),
    ("route", "routes of a server"),
    (
        "link",
        "links in files whose links no product follows, anchors, footnotes",
    ),
];

const INTRODUCTION: &str = "
## References

How often `callsheet graph` is right about references that were labeled by hand, in small projects in `tests/data/references`. Their
forms occur in the collections and in other public repositories; their texts are new. Written by the test `references`, with `BLESS=1`.

A label is a text in a file, its kind, and what a reader sees who knows the product:

- *there*: the project has what is named, or the product has it built in.
- *missing*: the product looks for it in the project, which has a place for all of its kind, such as `.mcp.json`, and it is not there.
- *unknown*: it may be installed elsewhere, such as a plugin that the project does not have. A text may only be an example, and a
  permission or a matcher may be for what others have installed.
- *none*: the text only looks like a reference.

Home directories are ignored, as with `--no-home`. The labels are from the products' documentation and measured releases, and were written
before the comparison. Then each difference was read again. 8 labels were wrong: Claude Code ignores case in the names of agents, takes
`mcpServers` only as a list and does not complete the names of plugins' agents; OpenCode names agents by their folders; a file exists
although its manifest must not name it; Copilot's servers can come from elsewhere; `renames` names plugins. 7 texts had been labeled as no
references, but are of kinds that the graph does not have, and 2 that could be read in both ways were removed. All others are listed as errors.

The graph is right about a label if it has a reference of that kind at the place with that verdict and, where the label has one, that
target; or, for *none*, if it has no reference there. A reference without a label is an error, too. Of a name that a file repeats, one
place counts. The projects have more difficult forms and more missing names than real ones, so that the figures do not predict those.
";

/// A project with labels.
pub struct Project {
    /// Its name.
    pub name: String,
    /// Its files.
    pub files: Vec<File>,
}

/// A file of such a project.
pub struct File {
    /// Its path in the project.
    pub path: String,
    /// Its text, without labels.
    pub text: String,
    /// The labels, in the order of their places.
    pub labels: Vec<Label>,
}

/// A label.
pub struct Label {
    /// Where it is: the project, the file and the line, and the text.
    pub id: String,
    /// The text.
    pub name: String,
    /// Its bytes in the file.
    pub bytes: Range<usize>,
    /// What is written: one of [`KINDS`] or of [`ALIKE`].
    pub kind: String,
    /// One of [`VERDICTS`], or [`NONE`].
    pub verdict: String,
    /// The file that it leads to, in the project, if the label says so.
    pub target: Option<String>,
}

impl Label {
    /// Its kind; none if it only looks like a reference.
    pub fn kind(&self) -> Option<&'static Kind> {
        KINDS.iter().find(|kind| kind.name == self.kind)
    }

    /// Whether the graph may have the same relation for another one.
    pub fn is_related(&self, other: &Self) -> bool {
        let relations = |label: &Self| label.kind().map_or(&[][..], |kind| kind.relations);
        relations(self)
            .iter()
            .any(|relation| relations(other).contains(relation))
    }

    /// Whether it is of a kind that the graph does not have.
    pub fn is_outside(&self) -> bool {
        self.kind().is_some_and(|kind| kind.relations.is_empty())
    }
}

/// The differences that are known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// By their reasons.
    pub wrong: Vec<Wrong>,
}

/// Differences with one reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// Why the graph is wrong.
    pub reason: String,
    /// Each difference.
    pub labels: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/references")
}

/// The projects, by name.
pub fn projects() -> Vec<Project> {
    let mut projects = Vec::new();
    for entry in fs::read_dir(folder()).expect("the projects are there") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_none_or(|ending| ending != "txt") {
            continue;
        }
        let name = path.file_stem().expect("every file has a name").to_string_lossy();
        let text = fs::read_to_string(&path).expect("the project can be read");
        projects.push(project(&name, &text));
    }
    projects.sort_by(|one, other| one.name.cmp(&other.name));
    projects
}

/// The known differences.
pub fn known() -> Known {
    let text = fs::read_to_string(folder().join("known.toml")).expect("the list is there");
    toml::from_str(&text).expect("the list is TOML")
}

fn project(name: &str, text: &str) -> Project {
    let parts = text.split("\n-- ").skip(1);
    Project {
        name: name.to_owned(),
        files: parts.map(|part| file(name, part)).collect(),
    }
}

fn file(project: &str, part: &str) -> File {
    let (path, marked) = part.split_once('\n').unwrap_or((part, ""));
    let (mut text, mut labels, mut rest) = (String::new(), Vec::new(), marked);
    while let Some((before, after)) = rest.split_once('⟦') {
        let (mark, behind) = after.split_once('⟧').expect("every label ends");
        let (name, label) = mark.rsplit_once('|').expect("every label has a kind");
        let mut words = label.splitn(3, ' ');
        let mut word = || words.next().map(str::to_owned);
        text.push_str(before);
        let start = text.len();
        let line = text.matches('\n').count() + 1;
        text.push_str(name);
        labels.push(Label {
            id: format!("{project}: {path}:{line} {name}"),
            name: name.to_owned(),
            bytes: start..text.len(),
            kind: word().unwrap_or_default(),
            verdict: word().unwrap_or_default(),
            target: word(),
        });
        rest = behind;
    }
    text.push_str(rest);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    File {
        path: path.to_owned(),
        text,
        labels,
    }
}

/// A difference, as in the list of those that are known.
pub fn difference(id: &str, expected: &str, got: &str) -> String {
    format!("{id}: {expected}, but {got}")
}

/// What `docs/noise.md` says about them.
pub fn section(projects: &[Project], known: &Known) -> String {
    let labels = projects.iter().flat_map(|project| &project.files);
    let labels: Vec<&Label> = labels.flat_map(|file| &file.labels).collect();
    let wrong: Vec<&String> = known.wrong.iter().flat_map(|wrong| &wrong.labels).collect();
    let is_wrong = |label: &&&Label| {
        let start = difference(&label.id, &label.verdict, "");
        wrong.iter().any(|wrong| wrong.starts_with(&start))
    };
    let of = |kind: &str| -> Vec<&Label> {
        let labels = labels.iter().copied();
        labels.filter(|label| label.kind == kind).collect()
    };
    let share = |right: usize, all: usize| {
        let tenths = right * 1000 / all.max(1);
        format!("{}.{} %", tenths / 10, tenths % 10)
    };
    let mut table = INTRODUCTION.to_owned();
    let inside: Vec<&Label> = labels
        .iter()
        .copied()
        .filter(|label| !label.is_outside())
        .collect();
    let references = inside.iter().filter(|label| label.verdict != NONE).count();
    let right = inside.len() - inside.iter().filter(is_wrong).count();
    let _ = writeln!(
        table,
        "\n{} projects, {references} references and {} texts that look like one: {right} of {} are right, {}.\n",
        projects.len(),
        inside.len() - references,
        inside.len(),
        share(right, inside.len())
    );
    table.push_str("| reference | there | missing | unknown | right |\n|---|---:|---:|---:|---:|\n");
    for kind in KINDS.iter().filter(|kind| !kind.relations.is_empty()) {
        let labels = of(kind.name);
        let [there, missing, unknown] =
            VERDICTS.map(|verdict| labels.iter().filter(|label| label.verdict == verdict).count());
        let right = labels.len() - labels.iter().filter(is_wrong).count();
        let _ = writeln!(
            table,
            "| {} | {there} | {missing} | {unknown} | {right} of {} |",
            kind.words,
            labels.len()
        );
    }
    table.push_str("\n| no reference | right |\n|---|---:|\n");
    for (kind, words) in ALIKE {
        let labels = of(kind);
        let right = labels.len() - labels.iter().filter(is_wrong).count();
        let _ = writeln!(table, "| {words} | {right} of {} |", labels.len());
    }
    table.push_str("\nWhat the graph gets wrong here:\n\n| labels | reason |\n|---:|---|\n");
    for wrong in &known.wrong {
        let _ = writeln!(table, "| {} | {} |", wrong.labels.len(), wrong.reason);
    }
    let outside = labels.iter().filter(|label| label.is_outside()).count();
    let _ = writeln!(
        table,
        "\nThe graph does not have these kinds yet. With them, {} of the labels are right.\n",
        share(right, inside.len() + outside)
    );
    table.push_str("| reference | labels |\n|---|---:|\n");
    for kind in KINDS.iter().filter(|kind| kind.relations.is_empty()) {
        let _ = writeln!(table, "| {} | {} |", kind.words, of(kind.name).len());
    }
    table.push_str("\nNot in the projects: the resources of Kiro's agents, which Callsheet does not read.\n");
    table
}
