//! Who judges which file, whatever the project is called.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Project, Report, Request, check};
use crate::diagnostic::Severity;
use crate::dialect::{Dialects, Level};
use crate::files::{FileEntry, FileError, FileKind, Files, Stamp};
use crate::limits::MANIFEST_PROBLEMS;
use crate::places::{below, is_within, normal};

/// Files in memory, by path.
struct Memory(BTreeMap<String, String>);

impl Files for Memory {
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        let path = normal(path);
        let mut entries: BTreeMap<String, FileKind> = BTreeMap::new();
        for file in self.0.keys().filter(|file| is_within(file, &path)) {
            if *file == path {
                return Err(FileError::NotADirectory);
            }
            match below(&path, file).map(|rest| rest.split_once('/').ok_or(rest)) {
                Some(Ok((directory, _))) => drop(entries.insert(directory.to_string(), FileKind::Directory)),
                Some(Err(name)) => drop(entries.insert(name.to_string(), FileKind::File)),
                None => {}
            }
        }
        if entries.is_empty() {
            return Err(FileError::NotFound);
        }
        let entry = |(name, kind)| FileEntry {
            name,
            kind,
            stamp: Stamp::default(),
        };
        Ok(entries.into_iter().map(entry).collect())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let text = self.0.get(&normal(path)).ok_or(FileError::NotFound)?;
        Ok(text.clone().into_bytes())
    }
}

const AGENT: &str = "---\nname: NAME\ndescription: Does what NAME does.\ntools: Read\n---\nDo it.\n";
const NO_DESCRIPTION: &str = "---\nname: NAME\n---\nDo it.\n";
const NO_NAME: &str = "---\ndescription: Does one thing.\n---\nDo it.\n";
const KODELET: &str =
    "---\nname: NAME\ndescription: Does it.\nprovider: openai\nmodel: gpt-5\nmax_tokens: 100\n---\nDo it.\n";

pub(crate) fn files(files: &[(&str, &str)]) -> Rc<dyn Files> {
    let named = |(path, text): &(&str, &str)| {
        let name = path.rsplit('/').next().and_then(|file| file.split('.').next());
        (normal(path), text.replace("NAME", name.unwrap_or_default()))
    };
    Rc::new(Memory(files.iter().map(named).collect()))
}

pub(super) fn project(directory: &str, ancestors: &[&str]) -> Project {
    Project {
        directory: directory.to_string(),
        ancestors: ancestors.iter().map(ToString::to_string).collect(),
        home: Some("~".to_string()),
        ..Project::default()
    }
}

fn run(files: &Rc<dyn Files>, project: &Project, request: Request) -> Report {
    let report = check(files, &Dialects::embedded(), project, &request, None);
    report.unwrap_or_else(|error| panic!("{error:?}"))
}

/// `path rule severity dialects`, without what is suppressed.
fn lines(report: &Report) -> Vec<String> {
    let findings = report.findings.iter().filter(|finding| !finding.suppressed);
    let line = |finding: &super::Finding| {
        let found = &finding.diagnostic;
        let place = if finding.in_project { "" } else { " elsewhere" };
        let severity = format!("{:?}", found.severity).to_lowercase();
        format!(
            "{} {severity}[{}] {}{place}",
            found.primary.place.path,
            found.rule,
            finding.dialects.join(",")
        )
    };
    findings.map(line).collect()
}

fn whole(tree: &[(&str, &str)]) -> Vec<String> {
    lines(&run(&files(tree), &project(".", &[]), Request::default()))
}

#[test]
fn the_owner_decides_what_is_an_error() {
    // Copilot wants a description, too, and Claude's `Read` means nothing to it.
    let tree = [(".claude/agents/a.md", AGENT), (".github/agents/keep.txt", "")];
    assert_eq!(whole(&tree), [""; 0]);
    let tree = [
        (".claude/agents/a.md", NO_DESCRIPTION),
        (".github/agents/keep.txt", ""),
    ];
    assert_eq!(
        whole(&tree),
        [".claude/agents/a.md error[missing-field] claude-code"]
    );
}

#[test]
fn a_target_also_decides_what_is_an_error() {
    let tree = files(&[(
        ".claude/agents/a.md",
        "---\nname: a\ndescription: D d d d\nmodel: gpt-5\n---\nDo it.\n",
    )]);
    let request = |targets: &[&str]| Request {
        targets: targets.iter().map(ToString::to_string).collect(),
        ..Request::default()
    };
    let own = lines(&run(&tree, &project(".", &[]), request(&[])));
    let both = lines(&run(&tree, &project(".", &[]), request(&["copilot"])));
    assert!(own.iter().all(|line| line.ends_with("claude-code")), "{own:?}");
    assert!(both.len() >= own.len());
}

#[test]
fn other_readers_add_one_note() {
    let text = "---\nname: a\ndescription: 7\n---\nDo it.\n";
    let tree = [
        (".claude/agents/a.md", text),
        (".kode/agents/b.md", AGENT),
        (".github/agents/c.agent.md", AGENT),
    ];
    let found = whole(&tree);
    let notes: Vec<_> = found.iter().filter(|line| line.contains("also-read")).collect();
    assert!(notes.len() <= 1, "{found:?}");
    assert!(
        found
            .iter()
            .all(|line| !line.contains("kode") || !line.starts_with(".claude")),
        "{found:?}"
    );
}

#[test]
fn settings_instructions_and_manifests_are_checked_files() {
    let tree = [
        (".claude/settings.json", "{\"hooks\": {}}\n"),
        (".mcp.json", "{\"mcpServers\": {}}\n"),
        ("CLAUDE.md", "Read me.\n"),
        ("kit/.claude-plugin/plugin.json", "{\"name\": \"kit\"}\n"),
        ("kit/hooks/hooks.json", "{\"hooks\": {}}\n"),
        ("notes/settings.json", "{}\n"),
        ("README.md", "Read me.\n"),
    ];
    let others = |paths: &[&str], dialect: Option<&str>| {
        let request = Request {
            dialect: dialect.map(str::to_string),
            paths: paths.iter().map(|path| path.to_string()).collect(),
            ..Request::default()
        };
        let report = run(&files(&tree), &project(".", &[]), request);
        assert_eq!(
            (lines(&report).len(), report.files.len(), report.unowned.len()),
            (0, 0, 0),
            "{paths:?}"
        );
        report.others.join(" ")
    };
    let all = ".claude/settings.json .mcp.json CLAUDE.md kit/.claude-plugin/plugin.json kit/hooks/hooks.json";
    assert_eq!(others(&[], None), all);
    assert_eq!(others(&["CLAUDE.md"], None), "CLAUDE.md");
    assert_eq!(others(&[".claude"], None), ".claude/settings.json");
    assert_eq!(
        others(&["kit"], None),
        "kit/.claude-plugin/plugin.json kit/hooks/hooks.json"
    );
    assert_eq!(others(&["kit/hooks/hooks.json"], None), "kit/hooks/hooks.json");
    assert_eq!(others(&["notes"], None), "");
    assert_eq!(
        others(&[".claude/settings.json"], Some("claude-code")),
        ".claude/settings.json"
    );
}

#[test]
fn files_without_an_owner_are_not_checked() {
    let tree = [
        ("README.md", "Read me.\n"),
        (".claude/skills/s/references/a.md", NO_DESCRIPTION),
        ("agents/loose.md", NO_DESCRIPTION),
    ];
    assert_eq!(whole(&tree), [". note[passed-over] "]);
    let request = Request {
        paths: ["agents/loose.md".to_string()].into(),
        ..Request::default()
    };
    let report = run(&files(&tree), &project(".", &[]), request.clone());
    assert_eq!(
        (report.unowned, report.files.len()),
        (["agents/loose.md".to_string()].into(), 0)
    );
    let request = Request {
        dialect: Some("claude-code".to_string()),
        ..request
    };
    let report = run(&files(&tree), &project(".", &[]), request);
    assert_eq!(
        lines(&report),
        ["agents/loose.md error[missing-field] claude-code"]
    );
}

#[test]
fn every_spelling_of_a_project_path_gives_the_same_result() {
    let tree = |top: &str| {
        let text = [
            (format!("{top}.claude/agents/a.md"), NO_DESCRIPTION),
            (format!("{top}agents/k.md"), KODELET),
            (
                format!("{top}agents/l.md"),
                "---\nname: l\nprovider: nobody\n---\nDo it.\n",
            ),
            (format!("{top}src/main.rs"), ""),
        ];
        let text: Vec<(&str, &str)> = text.iter().map(|(path, text)| (&**path, *text)).collect();
        files(&text)
    };
    let found = |top: &str, directory: &str, ancestors: &[&str], paths: &[&str]| -> Vec<String> {
        let request = Request {
            paths: paths.iter().map(ToString::to_string).collect(),
            ..Request::default()
        };
        let report = run(&tree(top), &project(directory, ancestors), request);
        lines(&report)
            .iter()
            .map(|line| line.replacen(top, "", 1))
            .collect()
    };
    let expected = found("", ".", &[], &[]);
    assert!(
        expected.len() >= 3 && expected.iter().any(|line| line.ends_with("kodelet")),
        "{expected:?}"
    );
    for (top, directory, ancestors, paths) in [
        ("", ".", &[][..], &["."][..]),
        ("x/", "x", &[], &[]),
        ("x/", "x/", &[], &["x/"]),
        ("/home/me/x/", "/home/me/x", &[], &[]),
        ("/home/me/x/", "/home/me/x/src", &["/home/me/x", "/home/me"], &[]),
        ("x/y/", ".", &[], &["x/y"]),
        ("x/y/", ".", &[".."], &["./x//y/"]),
        ("../", ".", &[".."], &[]),
        ("../../", ".", &["..", "../.."], &["../.."]),
        ("x/../", "x", &["x/.."], &["x/.."]),
        ("x/../", "x", &["x/.."], &["x/../.claude", "x/.././agents"]),
    ] {
        assert_eq!(
            found(top, directory, ancestors, paths),
            expected,
            "{top} {directory} {paths:?}"
        );
    }
    // What is above a named directory is not asked about.
    assert!(found("../", ".", &[".."], &["."]).is_empty());
    assert_eq!(found("", ".", &[], &[".claude/agents/a.md"]), expected[..1]);
    assert_eq!(found("", ".", &[], &[".claude"]), expected[..1]);
}

#[test]
fn agents_above_a_package_are_found() {
    let tree = [
        ("../.claude/agents/top.md", NO_DESCRIPTION),
        ("a/.claude/agents/a.md", NO_DESCRIPTION),
        ("b/.claude/agents/b.md", NO_DESCRIPTION),
    ];
    let found = |paths: &[&str]| {
        let request = Request {
            paths: paths.iter().map(ToString::to_string).collect(),
            ..Request::default()
        };
        lines(&run(&files(&tree), &project(".", &[".."]), request))
    };
    let error = |name: &str| format!("{name}/.claude/agents/{name}.md error[missing-field] claude-code");
    assert_eq!(found(&["."]), [error("a"), error("b")]);
    assert_eq!(found(&["b"]), [error("b")]);
    assert_eq!(found(&["b", "b/.claude"]), [error("b")]);
    assert_eq!(found(&["a/.claude/agents/a.md", "b"]), [error("a"), error("b")]);
}

#[test]
fn nested_projects_are_checked_and_other_checkouts_are_not() {
    let tree = [
        ("packages/a/.claude/agents/a.md", NO_DESCRIPTION),
        ("packages/b/.opencode/agent/b.md", NO_DESCRIPTION),
        ("worktrees/w/.git", "gitdir: elsewhere"),
        ("worktrees/w/.claude/agents/a.md", NO_DESCRIPTION),
        ("node_modules/m/.claude/agents/a.md", NO_DESCRIPTION),
    ];
    let found = whole(&tree);
    assert!(
        found[0].starts_with("packages/a/.claude/agents/a.md error[missing-field]"),
        "{found:?}"
    );
    assert!(
        found.iter().all(|line| line.starts_with("packages/")),
        "{found:?}"
    );
}

#[test]
fn plugins_are_found_by_their_manifests() {
    const MARKETPLACE: &str = r#"{"name": "m", "owner": {"name": "o"}, "plugins": [
        {"name": "one", "source": "./plugins/one"},
        {"name": "two", "source": "./plugins/two", "strict": false, "agents": ["./people/x.md"]},
        {"name": "far", "source": {"source": "github", "repo": "o/r"}},
        {"name": "out", "source": "../out"}
    ]}"#;
    let tree = [
        (".claude-plugin/marketplace.json", MARKETPLACE),
        ("plugins/one/agents/a.md", NO_NAME),
        ("plugins/one/agents/b.md", NO_DESCRIPTION),
        ("plugins/two/people/x.md", NO_DESCRIPTION),
        ("plugins/two/agents/y.md", NO_DESCRIPTION),
        ("plugins/three/.claude-plugin/plugin.json", "{\"name\": \"three\""),
        ("plugins/three/agents/z.md", NO_DESCRIPTION),
        ("plugins/four/.claude-plugin/plugin.json", "{\"name\": \"four\"}"),
        ("plugins/four/agents/u.md", NO_DESCRIPTION),
    ];
    let found = whole(&tree);
    assert_eq!(
        found
            .iter()
            .filter(|line| line.contains("error") || line.contains("missing-field"))
            .collect::<Vec<_>>(),
        [
            ".claude-plugin/marketplace.json error[invalid-manifest] ",
            "plugins/four/agents/u.md warning[missing-field] claude-code",
            "plugins/one/agents/b.md warning[missing-field] claude-code",
            "plugins/three/.claude-plugin/plugin.json error[invalid-manifest] ",
            "plugins/two/people/x.md warning[missing-field] claude-code",
        ]
    );
    let request = Request {
        paths: ["plugins/one/agents/b.md".to_string()].into(),
        ..Request::default()
    };
    let report = run(&files(&tree), &project(".", &[]), request);
    let paths: Vec<&str> = report.files.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, ["plugins/one/agents/b.md"]);
}

#[test]
fn the_problems_of_a_manifest_are_limited() {
    const MOST: usize = crate::limits::MANIFEST_PROBLEMS;
    let gone = "\"./gone\", ".repeat(MOST + 50);
    let manifest = format!("{{\"name\": \"many\", \"skills\": [{gone}\"./agents\"]}}");
    let tree = [(".claude-plugin/plugin.json", &*manifest), ("agents/a.md", AGENT)];
    let report = run(&files(&tree), &project(".", &[]), Request::default());
    let errors = report
        .findings
        .iter()
        .filter(|found| found.diagnostic.severity == Severity::Error);
    let messages: Vec<&str> = errors.map(|found| &*found.diagnostic.message).collect();
    assert_eq!(messages.len(), MOST + 1);
    assert_eq!(messages[0], "50 more problems in the manifests here");
    // A check of one file tells nothing of others.
    let request = Request {
        paths: ["agents/a.md".to_string()].into(),
        ..Request::default()
    };
    let report = run(&files(&tree), &project(".", &[]), request);
    assert_eq!(report.counts.errors, 0);
}

#[test]
fn the_home_directory_does_not_fail_a_project() {
    let tree = [
        (".claude/agents/a.md", AGENT),
        ("~/.claude/agents/h.md", NO_DESCRIPTION),
    ];
    let expected = ["~/.claude/agents/h.md error[missing-field] claude-code elsewhere"];
    assert_eq!(whole(&tree), expected);
    // In memory, the home directory lies in the project: it is not one of its packages.
    let report = run(&files(&tree), &project(".", &[]), Request::default());
    let levels: Vec<_> = report
        .files
        .iter()
        .map(|file| (file.level, file.in_project))
        .collect();
    assert_eq!(levels, [(Level::Project, true), (Level::User, false)]);
}

#[test]
fn an_unknown_dialect_is_refused() {
    let request = Request {
        targets: ["claud-code".to_string()].into(),
        ..Request::default()
    };
    assert!(
        check(
            &files(&[]),
            &Dialects::embedded(),
            &project(".", &[]),
            &request,
            None
        )
        .is_err()
    );
}

#[test]
fn skills_and_commands_name_agents_and_files_that_exist() {
    let tree = [
        (".claude/agents/reviewer.md", AGENT),
        (
            ".claude/skills/a/SKILL.md",
            "---\ndescription: D\ncontext: fork\nagent: reviewer\n---\nSee [notes](references/notes.md).\n",
        ),
        (".claude/skills/a/references/notes.md", "Notes.\n"),
        (
            ".claude/skills/b/SKILL.md",
            "---\ndescription: D\ncontext: fork\nagent: reviewr\n---\nSee [notes](references/notes.md#top), [x](https://example.org/x.md), [y](../../../../y.md) and [z](${DIR}/z.md).\n",
        ),
        (
            ".claude/skills/c/SKILL.md",
            "---\ndescription: D\nagent: Explore\n---\nDo it.\n",
        ),
        (
            ".claude/commands/d.md",
            "---\ndescription: D\nagent: missing\n---\nDo it.\n",
        ),
        (
            ".claude/skills/e/SKILL.md",
            "---\ndescription: D\nagent: kit:missing\n---\nDo it.\n",
        ),
    ];
    let found: Vec<String> = whole(&tree)
        .into_iter()
        .filter(|line| line.contains("unknown-agent") || line.contains("missing-file"))
        .collect();
    assert_eq!(
        found,
        [
            ".claude/commands/d.md warning[unknown-agent] claude-code",
            ".claude/skills/b/SKILL.md warning[unknown-agent] claude-code",
            ".claude/skills/b/SKILL.md warning[missing-file] claude-code",
        ]
    );
}

#[test]
fn a_comment_suppresses_a_missing_file() {
    let text =
        "---\ndescription: D\n---\n<!-- callsheet: ignore-file[missing-file] -->\nSee [notes](notes.md).\n";
    let found = whole(&[(".claude/skills/a/SKILL.md", text)]);
    assert!(
        found.iter().all(|line| !line.contains("missing-file")),
        "{found:?}"
    );
}

#[test]
fn settings_with_many_problems_name_the_number_of_the_others() {
    let tools: Vec<String> = (0..10_000)
        .map(|number| format!("\"t{number}\": \"no\""))
        .collect();
    let text = format!("{{\"tools\": {{{}}}}}", tools.join(", "));
    let files = files(&[("opencode.json", &text)]);
    let findings = run(&files, &project(".", &[]), Request::default()).findings;
    assert_eq!(findings.len(), MANIFEST_PROBLEMS + 1);
    let others = format!("{} more problems in this file", 10_000 - MANIFEST_PROBLEMS);
    assert!(findings.iter().any(|found| found.diagnostic.message == others));
}
