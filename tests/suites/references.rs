//! The graph of small projects, compared with the labels of a reader: `tests/data/references`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use callsheet::Callsheet;
use callsheet::projects::{Edge, Graph, Verdict};
use callsheet_tests::references::{
    ALIKE, File, KINDS, Label, NONE, Project, VERDICTS, difference, known, projects, section,
};

/// So many references must have a label.
const REFERENCES: usize = 500;

/// So many percent of the labels must be right.
const RIGHT: usize = 99;

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::There => "there",
        Verdict::Missing => "missing",
        Verdict::Unknown => "unknown",
    }
}

fn written(project: &Project, top: &Path) {
    for file in &project.files {
        let path = top.join(&file.path);
        fs::create_dir_all(path.parent().expect("it is in the project")).expect("there is room");
        fs::write(path, &file.text).expect("there is room");
    }
}

/// What the graph has of a file.
struct Answer<'a> {
    graph: &'a Graph,
    /// The project's directory.
    top: &'a str,
    edges: Vec<&'a Edge>,
}

impl<'a> Answer<'a> {
    fn of(graph: &'a Graph, top: &'a str, file: &File) -> Self {
        let edges = graph.edges.iter();
        let edges = edges.filter(|edge| below(top, &edge.place.path) == file.path);
        Self {
            graph,
            top,
            edges: edges.collect(),
        }
    }

    /// The references at the place of a label. The place of an edge may be the whole value that has the name.
    fn at(&self, label: &Label) -> Vec<&'a Edge> {
        let mut found = self.edges.clone();
        found.retain(|edge| {
            let (start, end) = (edge.place.span.start as usize, edge.place.span.end as usize);
            let meets = start < label.bytes.end && end > label.bytes.start;
            let is_inside = start + 1 >= label.bytes.start && end <= label.bytes.end + 1;
            let is_named = label.name.contains(&edge.name) || edge.name.contains(&label.name);
            meets && (is_inside || is_named)
        });
        found
    }

    /// What it says in place of the label's verdict.
    fn verdict(&self, label: &Label) -> String {
        let found = self.at(label);
        let verdicts: BTreeSet<&str> = found.iter().map(|edge| word(edge.verdict)).collect();
        let said: Vec<&str> = verdicts.into_iter().collect();
        if said.is_empty() {
            return NONE.to_owned();
        }
        let said = said.join(" and ");
        let relations = label.kind().map_or(&[][..], |kind| kind.relations);
        if said != label.verdict || label.is_outside() {
            return said;
        }
        if !found.iter().all(|edge| relations.contains(&edge.relation)) {
            return format!("{said} in another relation");
        }
        let leads_to = |target: &str| {
            let targets = found.iter().filter_map(|edge| edge.target);
            let mut nodes = targets.filter_map(|target| self.graph.nodes.get(target as usize));
            nodes.any(|node| {
                let path = node.path.as_deref().unwrap_or_default();
                below(self.top, path) == target
            })
        };
        match &label.target {
            Some(target) if !leads_to(target) => format!("{said} in another place"),
            _ => said,
        }
    }
}

/// The path in the project.
fn below<'p>(top: &str, path: &'p str) -> &'p str {
    let inner = path.strip_prefix(top).unwrap_or(path);
    inner.trim_start_matches(['/', '\\'])
}

/// The differences between a project's labels and its graph, and what the graph says about kinds that it should not have.
fn differences(project: &Project) -> (BTreeSet<String>, Vec<String>) {
    let folder = tempfile::tempdir().expect("there is a temporary directory");
    let top = folder.path().canonicalize().expect("it was just made");
    written(project, &top);
    let top = top.to_string_lossy().into_owned();
    let callsheet = Callsheet::builder().project(top.clone()).without_home().build();
    let mut callsheet = callsheet.expect("the component is embedded");
    let graph = callsheet.graph().expect("the graph cannot fail");
    let (mut wrong, mut outside) = (BTreeSet::new(), Vec::new());
    for file in &project.files {
        let answer = Answer::of(&graph, &top, file);
        let said: Vec<String> = file.labels.iter().map(|label| answer.verdict(label)).collect();
        let pairs = || file.labels.iter().zip(&said);
        for (label, said) in pairs() {
            if label.is_outside() {
                outside.extend((said != NONE).then(|| difference(&label.id, NONE, said)));
                continue;
            }
            // Of a file's references to the same, one counts.
            let is_repeated = said == NONE
                && label.verdict != NONE
                && pairs().any(|(other, said)| {
                    other.name == label.name && other.is_related(label) && *said == label.verdict
                });
            if *said != label.verdict && !is_repeated {
                wrong.insert(difference(&label.id, &label.verdict, said));
            }
        }
        let labeled: BTreeSet<(u32, u32)> = file
            .labels
            .iter()
            .flat_map(|label| answer.at(label))
            .map(|edge| (edge.place.span.start, edge.place.span.end))
            .collect();
        for edge in &answer.edges {
            let span = (edge.place.span.start, edge.place.span.end);
            let is_known = labeled.contains(&span) || file.labels.iter().any(|label| label.name == edge.name);
            if !is_known {
                let line = edge.place.start.line;
                let id = format!("{}: {}:{line} {}", project.name, file.path, edge.name);
                wrong.insert(difference(&id, NONE, word(edge.verdict)));
            }
        }
    }
    let paths: BTreeSet<&str> = project.files.iter().map(|file| &*file.path).collect();
    let others = graph.edges.iter().map(|edge| below(&top, &edge.place.path));
    let others: Vec<&str> = others.filter(|path| !paths.contains(path)).collect();
    assert!(others.is_empty(), "{}: {others:?}", project.name);
    (wrong, outside)
}

#[test]
fn the_graph_agrees_with_the_labels() {
    let projects = projects();
    let (mut wrong, mut outside) = (BTreeSet::new(), Vec::new());
    for project in &projects {
        let (of_project, beyond) = differences(project);
        wrong.extend(of_project);
        outside.extend(beyond);
    }
    let known = known();
    let listed: BTreeSet<String> = known
        .wrong
        .iter()
        .flat_map(|wrong| wrong.labels.clone())
        .collect();
    let new: Vec<&String> = wrong.difference(&listed).collect();
    let fixed: Vec<&String> = listed.difference(&wrong).collect();
    assert!(new.is_empty(), "new differences:\n{new:#?}");
    assert!(
        fixed.is_empty(),
        "remove from tests/data/references/known.toml what is right:\n{fixed:#?}"
    );
    assert!(
        outside.is_empty(),
        "the graph has these kinds now, so that they count: {outside:#?}"
    );
}

#[test]
fn enough_labels_are_right() {
    let (projects, known) = (projects(), known());
    let labels = projects.iter().flat_map(|project| &project.files);
    let labels: Vec<&Label> = labels.flat_map(|file| &file.labels).collect();
    let labels: Vec<&Label> = labels.into_iter().filter(|label| !label.is_outside()).collect();
    let references = labels.iter().filter(|label| label.verdict != NONE).count();
    assert!(references >= REFERENCES, "only {references} references");
    let wrong: usize = known.wrong.iter().map(|wrong| wrong.labels.len()).sum();
    let right = labels.len() - wrong;
    assert!(
        right * 100 >= labels.len() * RIGHT,
        "{right} of {} labels are right",
        labels.len()
    );
}

#[test]
fn labels_are_well_formed() {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for project in projects() {
        assert!(!project.files.is_empty(), "{}", project.name);
        for label in project.files.into_iter().flat_map(|file| file.labels) {
            let is_alike = ALIKE.iter().any(|(kind, _)| *kind == label.kind);
            let is_verdict = VERDICTS.contains(&&*label.verdict);
            assert!(label.kind().is_some() != is_alike, "{}: {}", label.id, label.kind);
            assert!(is_verdict != is_alike, "{}: {}", label.id, label.verdict);
            assert!(
                is_verdict || label.verdict == NONE,
                "{}: {}",
                label.id,
                label.verdict
            );
            assert!(
                label.target.is_none() || label.verdict == "there",
                "{}: only what is there has a target",
                label.id
            );
            *places.entry(label.id).or_default() += 1;
            used.insert(label.kind);
        }
    }
    let twice: Vec<&String> = places
        .iter()
        .filter(|(_, times)| **times > 1)
        .map(|(id, _)| id)
        .collect();
    assert!(twice.is_empty(), "{twice:#?}");
    let kinds = KINDS.iter().map(|kind| kind.name);
    let unused: Vec<&str> = kinds
        .chain(ALIKE.iter().map(|(kind, _)| *kind))
        .filter(|kind| !used.contains(*kind))
        .collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn the_document_has_the_figures() {
    let section = section(&projects(), &known());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/noise.md");
    let written = fs::read_to_string(&path).expect("the document is there");
    let before = written.split("\n## References\n").next().unwrap_or_default();
    let expected = before.to_owned() + &section;
    if std::env::var_os("BLESS").is_some_and(|value| !value.is_empty() && value != "0") {
        fs::write(&path, &expected).expect("the documentation can be written");
    }
    // Both texts are too long to be printed.
    assert!(written == expected, "docs/noise.md is stale: run with BLESS=1");
}
