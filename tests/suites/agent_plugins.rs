//! The conformance suite for Agent Plugins in `tests/agent-plugins`, run against the component.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use callsheet::projects::{Finding, Report, Request};
use callsheet::types::{Level, Severity};
use callsheet_tests::backend::component;
use callsheet_tests::commands::Settings;
use serde::Deserialize;

#[derive(Deserialize)]
struct Suite {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "a key without a field here is a mistake in the index")]
struct Case {
    id: String,
    shows: String,
    clause: String,
    stated: bool,
    why: Option<String>,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    build: Build,
    expected: Option<Expected>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Build {
    folders: Vec<String>,
    files: BTreeMap<String, String>,
    repeated: Vec<Repeated>,
    links: BTreeMap<String, String>,
}

/// A file that is too large for the repository, or many of them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Repeated {
    path: String,
    #[serde(default)]
    before: String,
    text: String,
    #[serde(default)]
    after: String,
    #[serde(default = "one")]
    times: usize,
    #[serde(default = "one")]
    files: usize,
}

fn one() -> usize {
    1
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Expected {
    outcome: String,
    skills: Vec<String>,
    servers: Vec<String>,
    reports: Vec<Expectation>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Expectation {
    file: String,
    key: Option<String>,
    required: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("agent-plugins")
}

fn suite() -> Suite {
    let text = fs::read_to_string(folder().join("cases.json")).expect("the suite has an index");
    serde_json::from_str(&text).expect("the index has the fields of its schema")
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(path.parent().expect("it is in the plugin"))?;
    fs::write(path, text)
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

/// Cases with links need a system where every user may make them.
#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> io::Result<()> {
    Ok(())
}

/// The plugin of a case, below a temporary directory.
fn plugin(case: &Case, top: &Path) -> io::Result<PathBuf> {
    let plugin = top.join("plugin");
    copy(&folder().join("outside"), &top.join("outside"))?;
    fs::create_dir_all(&plugin)?;
    let files = folder().join("cases").join(&case.id);
    if files.exists() {
        copy(&files, &plugin)?;
    }
    for folder in &case.build.folders {
        fs::create_dir_all(plugin.join(folder))?;
    }
    for (path, text) in &case.build.files {
        write(&plugin.join(path), text)?;
    }
    for many in &case.build.repeated {
        for number in 0..many.files {
            let filled = |text: &str| text.replace("{n}", &number.to_string());
            let text = [&*many.before, &many.text.repeat(many.times), &many.after].concat();
            write(&plugin.join(filled(&many.path)), &filled(&text))?;
        }
    }
    for (path, target) in &case.build.links {
        link(target, &plugin.join(path))?;
    }
    Ok(plugin)
}

/// What Callsheet says of a plugin.
struct Answer {
    outcome: &'static str,
    skills: Vec<String>,
    servers: Vec<String>,
    findings: Vec<Finding>,
    plugin: String,
}

impl Answer {
    fn of(plugin: &Path) -> Self {
        let name = plugin.to_str().expect("temporary directories have plain names");
        let settings = Settings::of_project(name);
        let mut callsheet = component::open(&settings).expect("the component starts");
        let request = Request {
            dialect: None,
            targets: Vec::new(),
            paths: Vec::new(),
        };
        let report = callsheet.check(&request, None).expect("a check cannot fail");
        Self::from(&report, plugin, name)
    }

    fn from(report: &Report, plugin: &Path, name: &str) -> Self {
        let mut answer = Self {
            outcome: "rejected",
            skills: Vec::new(),
            servers: Vec::new(),
            findings: report.findings.clone(),
            plugin: name.into(),
        };
        let is_error = |finding: &&Finding| finding.diagnostic.severity == Severity::Error;
        if answer.about("plugin.json").iter().any(is_error) {
            return answer;
        }
        // A manifest of another tool may declare the same folder.
        let is_ours = |id: &String| id == "agent-skills";
        let loaded = report.files.iter().filter(|file| file.level == Level::Plugin);
        let loaded = loaded.filter(|file| file.dialects.iter().any(is_ours));
        let skills = loaded.filter_map(|file| {
            let path = file.path.strip_prefix(name)?.strip_prefix("/skills/")?;
            let skill = path.strip_suffix("/SKILL.md")?;
            // A form that many tools accept is only a note, and no skill of the specification. One that is like another is.
            let about = answer.about(&format!("skills/{path}"));
            let is_bad = about
                .iter()
                .any(|finding| finding.diagnostic.rule != "similar-name");
            (!skill.contains('/')).then(|| (skill.to_owned(), is_bad))
        });
        let skills: Vec<(String, bool)> = skills.collect();
        // A plugin without skills is only seen to be one by the findings about it.
        if skills.is_empty() && plugin.join("skills/probe").exists() {
            return answer;
        }
        let skills = skills.into_iter().filter(|(_, is_bad)| !is_bad);
        answer.skills = skills.map(|(skill, _)| skill).collect();
        answer.skills.sort();
        answer.servers = answer.loaded_servers(plugin);
        let is_warned = !answer.about("plugin.json").is_empty();
        answer.outcome = if is_warned {
            "loaded-with-reports"
        } else {
            "loaded"
        };
        answer
    }

    /// The findings in a file of the plugin.
    fn about(&self, file: &str) -> Vec<&Finding> {
        let path = format!("{}/{file}", self.plugin);
        let mut findings: Vec<&Finding> = self.findings.iter().collect();
        findings.retain(|finding| finding.diagnostic.primary.place.path == path);
        findings
    }

    fn loaded_servers(&self, plugin: &Path) -> Vec<String> {
        let about = self.about("mcp.json");
        let text = fs::read_to_string(plugin.join("mcp.json")).unwrap_or_default();
        let Ok(serde_json::Value::Object(file)) = serde_json::from_str(&text) else {
            return Vec::new();
        };
        if about
            .iter()
            .any(|finding| finding.diagnostic.severity == Severity::Error)
        {
            return Vec::new();
        }
        let servers = file.get("mcpServers").and_then(serde_json::Value::as_object);
        let mut servers: Vec<String> = servers.into_iter().flat_map(|all| all.keys().cloned()).collect();
        servers.retain(|server| {
            let start = format!("`mcpServers.{server}");
            !about
                .iter()
                .any(|finding| finding.diagnostic.message.starts_with(&start))
        });
        servers.sort();
        servers
    }

    /// Whether it says what it must about a file and a key.
    fn reports(&self, expected: &Expectation) -> bool {
        let key = expected.key.as_ref().map(|key| format!("`{key}`"));
        let about = self.about(&expected.file);
        about.iter().any(|finding| {
            let message = &finding.diagnostic.message;
            key.as_ref().is_none_or(|key| message.contains(key))
        })
    }
}

/// What differs from the expectation.
fn differences(case: &Case) -> Vec<String> {
    let top = tempfile::tempdir().expect("there is a temporary directory");
    let top = top.path().canonicalize().expect("it was just made");
    let plugin = plugin(case, &top).expect("the case can be written");
    let answer = Answer::of(&plugin);
    let Some(expected) = &case.expected else {
        return Vec::new();
    };
    let mut differences = Vec::new();
    let mut compare = |what: &str, expected: String, given: String| {
        if expected != given {
            differences.push(format!("{}: {what}: {given}, expected {expected}", case.id));
        }
    };
    compare("outcome", expected.outcome.clone(), answer.outcome.into());
    compare("skills", expected.skills.join(" "), answer.skills.join(" "));
    compare("servers", expected.servers.join(" "), answer.servers.join(" "));
    for report in expected.reports.iter().filter(|report| report.required) {
        let given = if answer.reports(report) {
            "reported"
        } else {
            "nothing"
        };
        compare(&format!("{report:?}"), "reported".into(), given.into());
    }
    differences
}

/// Cases with more files take longer to make than all others together.
const MOST_FILES: usize = 10_000;

/// Runs every case: those without an expectation must only not fail.
#[test]
fn the_component_conforms() {
    let mut cases = suite().cases;
    cases.retain(|case| cfg!(unix) || case.needs.is_empty());
    cases.retain(|case| case.build.repeated.iter().all(|many| many.files <= MOST_FILES));
    let differences: Vec<String> = cases.iter().flat_map(differences).collect();
    assert_eq!(differences, Vec::<String>::new());
}

#[test]
fn the_index_names_every_folder() {
    let cases = suite().cases;
    let counted = cases.iter().filter(|case| case.stated).count();
    assert!(counted >= 300, "{counted} cases");
    for case in &cases {
        assert_eq!(case.stated, case.expected.is_some(), "{}", case.id);
        assert_eq!(case.stated, case.why.is_none(), "{}", case.id);
    }
    for entry in fs::read_dir(folder().join("cases")).expect("there are cases") {
        let name = entry.expect("it can be listed").file_name();
        assert!(cases.iter().any(|case| *case.id == *name), "{name:?}");
    }
}
