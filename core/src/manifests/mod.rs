//! Checks manifests of plugins and marketplaces, and settings, against their formats, which are data.

mod format;
mod forms;
#[cfg(test)]
mod tests;

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub(crate) use self::format::{Field, Format, Part, SettingsFormat, Shape, formats, settings};

use self::format::Taken;
use crate::closest::closest;
use crate::diagnostic::{Finding, Severity};
use crate::dialect::{Consequence, JsonType, TextForm};
use crate::files::join;
use crate::limits::{GUESSES, MANIFEST_PROBLEMS, QUOTED};
use crate::rules::{
    ignored_manifest_key, incomplete_hook, invalid_manifest, invalid_server, missing_plugin_file,
};
use crate::settings::placeholder;
use crate::span::{Offset, Span};
use crate::yaml::{Kind, Node};

pub(crate) const NOT_INSTALLED: &str = "the plugin cannot be installed";

/// What is wrong with a manifest.
#[derive(Default)]
pub(crate) struct Judgement {
    pub(crate) findings: Vec<Finding>,
    /// How many problems are left out.
    pub(crate) others: usize,
    /// The folders of plugins that a marketplace lists, or the files and folders that a plugin lists.
    pub(crate) sources: Vec<Folder>,
}

/// A folder or file that a manifest lists.
pub(crate) struct Folder {
    pub(crate) written: String,
    pub(crate) at: Span,
    /// The path; none if it is not there.
    pub(crate) path: Option<String>,
}

impl Judgement {
    /// Whether the manifest counts at all.
    pub(crate) fn is_valid(&self) -> bool {
        let is_fatal = |found: &Finding| found.severity == Severity::Error;
        !self.findings.iter().any(is_fatal)
    }

    /// An error must not disappear behind a hundred warnings.
    fn add(&mut self, found: Finding) {
        let same = self
            .findings
            .iter()
            .filter(|known| known.severity == found.severity);
        if same.count() < MANIFEST_PROBLEMS {
            self.findings.push(found);
        } else {
            self.others += 1;
        }
    }
}

/// What paths in a plugin or a marketplace lead to.
pub(crate) trait Places {
    /// Whether it is, or is below, a link to somewhere else.
    fn leads_out(&mut self, path: &str) -> bool;
    /// Whether there is something.
    fn has(&mut self, path: &str) -> bool;
}

/// Paths that are not looked for.
pub(crate) struct Unknown;

impl Places for Unknown {
    fn leads_out(&mut self, _: &str) -> bool {
        false
    }

    fn has(&mut self, _: &str) -> bool {
        true
    }
}

/// Whether a field of a format accepts a value without a finding.
pub(crate) fn accepts(format: &Format, field: &Field, value: &Node) -> bool {
    let mut judge = Judge {
        shape: &format.shape,
        root: value,
        places: &mut Unknown,
        guesses: 0,
        repeats: BTreeSet::new(),
        judgement: Judgement::default(),
    };
    judge.value(field, "", Consequence::Inherited, value);
    judge.judgement.findings.is_empty()
}

/// Whether a text of the field is a path.
pub(crate) fn is_path(field: &Field) -> bool {
    matches!(
        field.form,
        Some(
            TextForm::ListedPath
                | TextForm::ListedFolder
                | TextForm::ListedJson
                | TextForm::ListedServers
                | TextForm::ListedMarkdown
                | TextForm::InnerPath
                | TextForm::PluginPath
                | TextForm::RootPath
        )
    )
}

/// What is wrong with a file.
pub(crate) fn check(shape: &Shape, root: &Node, places: &mut dyn Places) -> Judgement {
    let mut judge = Judge {
        shape,
        root,
        places,
        guesses: 0,
        repeats: BTreeSet::new(),
        judgement: Judgement::default(),
    };
    judge.value(&shape.root, "", Consequence::Inherited, root);
    judge.repeated(root, &mut Vec::new());
    judge.judgement
}

struct Judge<'f> {
    shape: &'f Shape,
    root: &'f Node,
    places: &'f mut dyn Places,
    /// How many unknown names were compared with the known ones.
    guesses: usize,
    /// Where repeated names begin that are reported as errors.
    repeats: BTreeSet<Offset>,
    judgement: Judgement,
}

impl Judge<'_> {
    /// A value at the path `at`, where a problem has this consequence if the field itself has none.
    fn value(&mut self, field: &Field, at: &str, outer: Consequence, node: &Node) {
        let is_switched = field
            .switch
            .and_then(|switch| node.get(switch))
            .is_some_and(|switch| type_of(switch) == JsonType::Boolean);
        let consequence = if is_switched {
            Consequence::SkippedServer
        } else {
            field.wrong.or(outer)
        };
        let given = type_of(node);
        if !field.is.is_empty() && !field.is.contains(&given) {
            let wanted = alternatives(field.is.iter().map(|one| words(*one).to_string()).collect());
            let what = format!("must be {wanted}, not {}", words(given));
            return self.report(consequence, at, node.span, &what, field.help);
        }
        match &node.kind {
            Kind::Scalar { text, .. } if given == JsonType::String => {
                self.text(field, at, consequence, node.span, text);
            }
            Kind::Scalar { text, .. } => {
                let form = field.form.filter(|_| given == JsonType::Number);
                if let Some(problem) = form.and_then(|form| forms::problem_of_number(form, text)) {
                    self.report(consequence, at, node.span, problem, field.help);
                }
            }
            Kind::Sequence(items) => {
                let Some(inner) = field.items() else {
                    return;
                };
                let mut seen = BTreeSet::new();
                for (number, item) in items.iter().enumerate() {
                    let at = below(at, &number.to_string());
                    self.value(inner, &at, consequence, item);
                    for field in inner.fields.iter().filter(|field| field.is_unique) {
                        let given = item.get(field.name).filter(|given| !given.is_plain());
                        let text = given.and_then(Node::as_text);
                        if let (Some(given), Some(text)) = (given, text)
                            && !seen.insert((field.name, text))
                        {
                            let consequence = inner.wrong.or(consequence);
                            let what = "is the same as in an earlier item";
                            self.report(consequence, &below(&at, field.name), given.span, what, None);
                        }
                    }
                }
            }
            // The switch alone is for a server that is configured elsewhere.
            Kind::Mapping(entries) if is_switched && entries.len() == 1 => {}
            Kind::Mapping(_) => {
                let kind = match field.tag {
                    Some(tag) => self.kind(field, tag, at, consequence, node),
                    None => Some(field),
                };
                if let Some(kind) = kind {
                    self.object(kind, at, consequence, node);
                }
            }
        }
    }

    fn text(&mut self, field: &Field, at: &str, consequence: Consequence, span: Span, text: &str) {
        if let Some(problem) = self.problem(field, text) {
            let consequence = field.malformed.or(consequence);
            return self.report(consequence, at, span, &problem, field.help);
        }
        if let Some(taken) = field.taken.iter().find(|taken| self.is_taken(taken, text)) {
            let message = self.message(at, "is reserved");
            let found = Finding::new(&invalid_manifest::RULE, span, message);
            self.judgement
                .add(found.severity(Severity::Warning).label(taken.effect));
        }
        let is_joined = field.form == Some(TextForm::JoinedPath);
        // What Codex does with one that is not there is not measured.
        let is_unmeasured = field.form == Some(TextForm::RootPath) && !matches!(text, "." | "./");
        let is_source = field.form == Some(TextForm::SourcePath) && !forms::is_address(text);
        if is_joined || is_source || is_unmeasured {
            let path = self.source(text, is_joined);
            if path.is_none() && !is_unmeasured {
                let message = self.message(at, "does not exist");
                let found = Finding::new(&missing_plugin_file::RULE, span, message);
                self.judgement.add(found.label(NOT_INSTALLED));
            }
            self.judgement.sources.push(Folder {
                written: text.to_string(),
                at: span,
                path,
            });
        }
    }

    fn problem(&mut self, field: &Field, text: &str) -> Option<String> {
        if placeholder(text).is_some() {
            // It is replaced first.
            return None;
        }
        if !field.one_of.is_empty() && !field.one_of.contains(&text) {
            return Some(format!("must be {}", quotes(field.one_of)));
        }
        let form = field.form?;
        let problem = forms::problem(form, text).or_else(|| {
            let path = forms::path(form, text)?;
            let leads_out = self.places.leads_out(path);
            leads_out.then_some("is a link that leads out of the plugin")
        });
        problem.map(ToString::to_string)
    }

    fn is_taken(&self, taken: &Taken, text: &str) -> bool {
        let owner = self.root.get("owner");
        let is_holder = |key| {
            let said = owner.and_then(|owner| owner.get(key)).and_then(Node::as_text);
            let holds = |said: &str| taken.by.is_some_and(|by| said.to_ascii_lowercase().contains(by));
            said.is_some_and(holds)
        };
        let is_one = |one: &&str| *one == text || taken.any_case && one.eq_ignore_ascii_case(text);
        taken.texts.iter().any(is_one) && !is_holder("name") && !is_holder("email")
    }

    /// The folder of a plugin that is there, below the root of all or, if it need not be, without it.
    fn source(&mut self, text: &str, is_joined: bool) -> Option<String> {
        let metadata = self.root.get("metadata");
        let root = metadata.and_then(|metadata| metadata.get("pluginRoot"));
        let root = root.and_then(Node::as_text).unwrap_or_default();
        let paths = [text.to_string(), join(root, text)];
        let mut paths = paths.into_iter().skip(usize::from(is_joined));
        paths.find(|path| self.places.has(path))
    }

    /// The kind of an object, by its tag.
    fn kind<'k>(
        &mut self,
        field: &'k Field,
        tag: &str,
        at: &str,
        consequence: Consequence,
        node: &Node,
    ) -> Option<&'k Field> {
        let given = node.get(tag);
        let kind = match given {
            Some(given) => given.as_text().and_then(|text| field.field(text)),
            None => field.untagged.and_then(|kind| field.field(kind)),
        };
        if kind.is_none() {
            let kinds: Vec<&str> = field.fields.iter().map(|kind| kind.name).collect();
            let span = given.map_or(node.span, |given| given.span);
            let what = format!("must have a `{tag}` of {}", quotes(&kinds));
            self.report(consequence, at, span, &what, field.help);
        }
        kind
    }

    fn object(&mut self, field: &Field, at: &str, outer: Consequence, node: &Node) {
        for inner in field.fields {
            if inner.is_required && node.get(inner.name).is_none() {
                let start = node.span.start.index();
                let opening = Span::new(start, start + 1);
                self.report(outer, &below(at, inner.name), opening, "is missing", None);
            }
        }
        let mut kinds = field.told_by.iter();
        let kind = kinds.find(|name| node.get(name).is_some());
        if field.needs_kind && kind.is_none() {
            let what = format!("must have {}", quotes(field.told_by));
            self.report(outer, at, node.span, &what, field.help);
        }
        let mut seen = BTreeSet::new();
        for (entry, counts) in node.counted() {
            let name = entry.key.as_text().unwrap_or_default();
            let place = below(at, name);
            if !counts {
                let is_known = |field: &Field| !field.is.is_empty();
                if self.shape.is_strict && field.field(name).is_some_and(is_known) {
                    self.report(outer, &place, entry.key.span, "is given twice", None);
                    self.repeats.insert(entry.key.span.start);
                }
                continue;
            }
            if let Some(problem) = problem_of_name(field, name, &mut seen) {
                self.report(outer, &place, entry.key.span, problem, None);
            }
            let inner = field.field(name).or_else(|| field.field("*"));
            if let Some((inner, only)) = inner.and_then(|inner| Some((inner, inner.only?))) {
                let what = match kind {
                    _ if only.is_empty() => Some("is not supported".to_string()),
                    Some(kind) if *kind != only => Some(format!("is not supported beside `{kind}`")),
                    _ => None,
                };
                if let Some(what) = what {
                    self.report(inner.wrong.or(outer), &place, entry.key.span, &what, inner.help);
                }
            }
            match (inner, field.unknown) {
                (Some(inner), _) => self.value(inner, &place, outer, &entry.value),
                (None, Some(consequence)) => {
                    self.unknown(field, &place, consequence.or(outer), name, entry.key.span);
                }
                (None, None) => {}
            }
        }
    }

    fn unknown(&mut self, field: &Field, at: &str, consequence: Consequence, name: &str, span: Span) {
        self.guesses += 1;
        let names = field.fields.iter().map(|known| known.name);
        let meant = if self.guesses > GUESSES {
            None
        } else {
            closest(name, names)
        };
        if field.is_open && meant.is_none() {
            return;
        }
        let meant = meant.map(|meant| format!("did you mean `{meant}`?"));
        let what = format!("is not a field of {}", self.shape.title);
        self.report(consequence, at, span, &what, meant.as_deref().or(field.help));
    }

    fn report(&mut self, consequence: Consequence, at: &str, span: Span, what: &str, help: Option<&str>) {
        let warning = Severity::Warning;
        let is_manifest = self.shape.rule.name == invalid_manifest::RULE.name;
        let (rule, severity, label) = match consequence {
            Consequence::Inherited => (self.shape.rule, Severity::Error, self.shape.effect),
            Consequence::Ignored if is_manifest => {
                (&ignored_manifest_key::RULE, warning, "the field is ignored")
            }
            Consequence::Ignored => (self.shape.rule, warning, "the field is ignored"),
            Consequence::Tolerated => (self.shape.rule, warning, "this is not documented"),
            Consequence::SkippedPlugin => (&invalid_manifest::RULE, Severity::Error, NOT_INSTALLED),
            Consequence::SkippedHook => (&incomplete_hook::RULE, warning, incomplete_hook::EFFECT),
            Consequence::SkippedServer => (&invalid_server::RULE, warning, "the server is skipped"),
            Consequence::SkippedRule => (self.shape.rule, warning, "the rule is skipped"),
            Consequence::Unloaded => (self.shape.rule, warning, "none of these files is loaded"),
        };
        let found = Finding::new(rule, span, self.message(at, what));
        let found = found.severity(severity).label(label);
        self.judgement.add(match help {
            Some(help) => found.help(help),
            None => found,
        });
    }

    /// Names that are in one object twice.
    fn repeated<'n>(&mut self, node: &'n Node, path: &mut Vec<Cow<'n, str>>) {
        for (number, item) in node.items().unwrap_or_default().iter().enumerate() {
            path.push(number.to_string().into());
            self.repeated(item, path);
            path.pop();
        }
        for (entry, counts) in node.counted() {
            let name = entry.key.as_text().filter(|name| !name.is_empty());
            path.push(name.unwrap_or("\"\"").into());
            if !counts && !self.repeats.contains(&entry.key.span.start) {
                let at = path.iter().fold(String::new(), |at, name| below(&at, name));
                let message = self.message(&at, "is given twice");
                let found = Finding::new(self.shape.rule, entry.key.span, message);
                let found = found.severity(Severity::Warning);
                self.judgement
                    .add(found.label("most readers only take the last value"));
            }
            self.repeated(&entry.value, path);
            path.pop();
        }
    }

    fn message(&self, at: &str, what: &str) -> String {
        match at {
            "" => format!("the {} {what}", self.shape.noun),
            _ => format!("`{at}` {what}"),
        }
    }
}

/// What is wrong with a name in an object.
fn problem_of_name(field: &Field, name: &str, seen: &mut BTreeSet<String>) -> Option<&'static str> {
    if field.reserved.contains(&name) {
        return Some("is a reserved name");
    }
    let form = field.names?;
    let problem = forms::problem(form, name);
    problem.or_else(|| {
        let is_twice = form == TextForm::HeaderName && !seen.insert(name.to_ascii_lowercase());
        is_twice.then_some("is given twice, in any case")
    })
}

/// The path of a value in another one.
fn below(at: &str, name: &str) -> String {
    let cut = name.char_indices().nth(QUOTED);
    let shown = cut.map_or(name, |(end, _)| &name[..end]);
    let separator = if at.is_empty() { "" } else { "." };
    let ellipsis = if cut.is_some() { "…" } else { "" };
    [at, separator, shown, ellipsis].concat()
}

fn type_of(node: &Node) -> JsonType {
    match &node.kind {
        Kind::Mapping(_) => JsonType::Object,
        Kind::Sequence(_) => JsonType::List,
        Kind::Scalar { .. } if !node.is_plain() => JsonType::String,
        Kind::Scalar { text, .. } => match &**text {
            "null" => JsonType::Null,
            "true" | "false" => JsonType::Boolean,
            _ => JsonType::Number,
        },
    }
}

fn words(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Boolean => "a boolean",
        JsonType::List => "a list",
        JsonType::Null => "`null`",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

fn quotes(texts: &[&str]) -> String {
    alternatives(texts.iter().map(|text| ["`", text, "`"].concat()).collect())
}

fn alternatives(mut texts: Vec<String>) -> String {
    let last = texts.pop().unwrap_or_default();
    match &*texts {
        [] => last,
        _ => [&texts.join(", "), " or ", &last].concat(),
    }
}
