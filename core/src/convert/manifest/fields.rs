//! The fields of a manifest, one by one.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::fitting::fitted;
use super::object::Object;
use crate::convert::plan::{Fate, Loss, Plan};
use crate::dialect::Json;
use crate::json::{self, quote};
use crate::limits::QUOTED;
use crate::manifests::{Field, Format, Part, accepts};
use crate::rules::secret::{MASK, without};
use crate::yaml::{Entry, Node};

/// Where Agent Plugins has the data of clients, by namespace.
const EXTENSIONS: &str = "extensions";

pub(super) struct Fields<'a> {
    source: &'static Format,
    target: &'static Format,
    text: &'a str,
    root: &'a Node,
    object: Object,
    plan: Plan,
}

impl<'a> Fields<'a> {
    pub(super) fn new(
        source: &'static Format,
        target: &'static Format,
        text: &'a str,
        root: &'a Node,
        allow_loss: bool,
    ) -> Self {
        Self {
            source,
            target,
            text,
            root,
            object: Object::default(),
            plan: Plan {
                allow_loss,
                ..Plan::default()
            },
        }
    }

    /// Every field as it is.
    pub(super) fn kept(mut self) -> Vec<Loss> {
        for entry in counting(self.root) {
            let shown = shown(&entry.value);
            self.plan.carry(key(entry), &shown, &shown);
        }
        self.plan.report
    }

    pub(super) fn finish(self) -> (String, Vec<Loss>) {
        (self.object.text("") + "\n", self.plan.report)
    }

    /// Writes every field, and what the plugin loads without one. A plugin without a name has that of its folder.
    pub(super) fn write(&mut self, folder: &str) {
        let is_constant = |field: &&Field| field.is_required && field.one_of.len() == 1;
        for field in self.target.shape.root.fields.iter().filter(is_constant) {
            self.object.put(&[field.name], quote(field.one_of[0]));
        }
        self.entries(&self.source.shape.root, self.root, "");
        for field in self
            .target
            .shape
            .root
            .fields
            .iter()
            .filter(|field| field.is_required)
        {
            if !self.object.has(field.name) && !self.plan.is_refused() {
                match fitted(self.target, field, &quote(folder)) {
                    Some(name) => {
                        let (to, reason) = (shown_text(&name.text), "it is that of the folder");
                        self.object.put(&[field.name], name.text);
                        self.plan.say(field.name, Fate::Approximated, "", &to, reason);
                    }
                    None => self.plan.refuse(field.name, "", "it is required"),
                }
            }
        }
        self.usual();
    }

    fn entries(&mut self, outer: &'static Field, node: &'a Node, at: &str) {
        for entry in counting(node) {
            let place = if at.is_empty() {
                key(entry).to_owned()
            } else {
                [at, ".", key(entry)].concat()
            };
            match outer.field(key(entry)) {
                // It tells the format apart.
                Some(field) if field.name == "$schema" => {}
                Some(field) => self.field(field, &place, &entry.value),
                None => {
                    let reason = format!("it is not a field of {}", self.source.shape.title);
                    self.plan
                        .say(&place, Fate::Dropped, &shown(&entry.value), "", &reason);
                }
            }
        }
    }

    fn field(&mut self, field: &'static Field, at: &str, node: &'a Node) {
        if at != "name" && !accepts(self.source, field, node) {
            let reason = format!("{} does not accept this value", self.source.product);
            return self.plan.say(at, Fate::Dropped, &shown(node), "", &reason);
        }
        let meaning = field.means.unwrap_or(at);
        let namespace = field
            .namespace
            .filter(|_| self.target.shape.root.field(EXTENSIONS).is_some());
        if let Some((path, wanted)) = place(&self.target.shape.root, meaning) {
            self.carry(&path, wanted, at, node);
        } else if let Some(namespace) = namespace {
            self.object
                .put(&[EXTENSIONS, namespace, at], self.raw(node).to_owned());
            let to = [EXTENSIONS, ".", namespace, ".", at].concat();
            self.plan.say(at, Fate::Renamed, &shown(node), &to, "");
        } else if at == EXTENSIONS {
            self.extensions(node);
        } else if field.fields.iter().any(|inner| inner.means.is_some()) {
            self.entries(field, node, at);
        } else if self.is_usual(at, node) {
            self.plan.carry(at, &shown(node), &shown(node));
        } else {
            let reason = match self.target.part(meaning) {
                Some(part) => format!("{} only loads `{}`", self.target.product, part.usual),
                None => format!("{} has no `{meaning}`", self.target.product),
            };
            self.lose(at, node, &reason);
        }
    }

    /// The data of clients; what the target's own fields have elsewhere.
    fn extensions(&mut self, node: &'a Node) {
        for client in counting(node) {
            for entry in counting(&client.value) {
                let at = [EXTENSIONS, ".", key(client), ".", key(entry)].concat();
                let field = self.target.shape.root.field(key(entry));
                let is_read = |field: &&Field| {
                    field.namespace == Some(key(client)) && accepts(self.target, field, &entry.value)
                };
                match field.filter(is_read) {
                    Some(field) => self.carry(&[field.name], field, &at, &entry.value),
                    None => {
                        let reason = format!("{} does not read it", self.target.product);
                        self.plan
                            .say(&at, Fate::Dropped, &shown(&entry.value), "", &reason);
                    }
                }
            }
        }
    }

    fn carry(&mut self, path: &[&str], wanted: &'static Field, at: &str, node: &'a Node) {
        let (mine, theirs) = (self.source.part(at), self.target.part(at));
        let differs = mine
            .zip(theirs)
            .is_some_and(|(mine, theirs)| mine.holds != theirs.holds);
        if differs && !mine.is_some_and(|mine| mine.is_convertible) {
            let reason = format!("{} has them in another form", self.target.product);
            return self.lose(at, node, &reason);
        }
        let reasons = self.reasons(mine, theirs, node);
        let Some(value) = fitted(self.target, wanted, self.raw(node)) else {
            if self.names_usual(at, node) {
                // The target loads it without the field.
                let fate = if reasons.is_empty() {
                    Fate::Kept
                } else {
                    Fate::Approximated
                };
                return self.plan.say(at, fate, &shown(node), "", &reasons.join("; "));
            }
            let reason = format!("{} does not accept this value", self.target.product);
            return self.lose(at, node, &reason);
        };
        for name in &value.lost {
            let reason = format!("{} has no such field", self.target.product);
            let place = [at, ".", name].concat();
            self.plan.say(&place, Fate::Dropped, name, "", &reason);
        }
        let (from, mut to) = (shown(node), shown_text(&value.text));
        if from.contains(MASK) {
            // In another form, a secret cannot be known.
            to.clone_from(&from);
        }
        self.object.put(path, value.text);
        if !reasons.is_empty() {
            self.plan
                .say(at, Fate::Approximated, &from, &to, &reasons.join("; "));
        } else if at == path.join(".") {
            self.plan.carry(at, &from, &to);
        } else {
            self.plan.say(at, Fate::Renamed, &from, &path.join("."), "");
        }
    }

    /// Why it is not the same.
    fn reasons(&self, mine: Option<&Part>, theirs: Option<&Part>, node: &Node) -> Vec<String> {
        let Some((mine, theirs)) = mine.zip(theirs) else {
            return Vec::new();
        };
        let (product, mut reasons) = (self.target.product, Vec::new());
        if mine.holds != theirs.holds {
            reasons.push("the files have to be converted, too".to_owned());
        }
        if mine.adds && !theirs.adds && !lists(node, mine.usual) {
            reasons.push(format!("{product} does not load `{}` besides", mine.usual));
        }
        if theirs.adds && !mine.adds && !lists(node, theirs.usual) {
            reasons.push(format!("{product} loads `{}` besides", theirs.usual));
        }
        let text = self.raw(node);
        if text.contains("${") {
            reasons.push(format!("{product} may not know the variables in it"));
        }
        reasons
    }

    /// What is lost. What the plugin loads is only dropped if that is allowed.
    fn lose(&mut self, at: &str, node: &Node, reason: &str) {
        let value = shown(node);
        if at == "name" {
            self.plan.refuse(at, &value, reason);
        } else if self.source.part(at).is_some() {
            self.plan.lose(at, &value, reason);
        } else {
            self.plan.say(at, Fate::Dropped, &value, "", reason);
        }
    }

    /// Whether a field names no more than what the other product loads without it.
    fn is_usual(&self, at: &str, node: &Node) -> bool {
        let parts = self.source.part(at).zip(self.target.part(at));
        parts.is_some_and(|(mine, theirs)| mine.holds == theirs.holds) && self.names_usual(at, node)
    }

    /// The same, whatever the files hold.
    fn names_usual(&self, at: &str, node: &Node) -> bool {
        let is_one = node.items().is_none_or(|items| items.len() == 1);
        let part = self.target.part(at);
        is_one && part.is_some_and(|part| lists(node, part.usual))
    }

    /// What the plugin loads without a field, if it is there.
    fn usual(&mut self) {
        let (mut lost, mut unlike) = (Vec::new(), Vec::new());
        for part in self.source.parts.iter().filter(|part| !part.usual.is_empty()) {
            if self.root.get(part.name).is_some() && !part.adds {
                continue;
            }
            match self.target.part(part.name) {
                Some(other) if other.usual == part.usual && other.holds == part.holds => {}
                Some(other) if other.usual == part.usual && part.is_convertible => unlike.push(part.usual),
                _ => lost.push(part.usual),
            }
        }
        let mut say = |places: &[&str], fate, reason: &str| {
            if !places.is_empty() {
                self.plan.say("files", fate, &places.join(", "), "", reason);
            }
        };
        let reason = "they have to be converted, too, if the plugin has them";
        say(&unlike, Fate::Approximated, reason);
        let product = self.target.product;
        let reason = format!("{product} does not load them, if the plugin has them");
        say(&lost, Fate::Dropped, &reason);
    }

    fn raw(&self, node: &Node) -> &'a str {
        node.span.of(self.text)
    }
}

/// Where a format has what is meant, at the outside or one level deeper.
fn place(root: &'static Field, meaning: &str) -> Option<(Vec<&'static str>, &'static Field)> {
    let means = |field: &&Field| field.means.unwrap_or(field.name) == meaning;
    if let Some(field) = root.fields.iter().find(means) {
        return Some((Vec::from([field.name]), field));
    }
    root.fields.iter().find_map(|outer| {
        let field = outer.fields.iter().find(|field| field.means == Some(meaning))?;
        Some((Vec::from([outer.name, field.name]), field))
    })
}

/// The entries of an object that count.
fn counting(node: &Node) -> impl Iterator<Item = &Entry> {
    node.counted()
        .filter_map(|(entry, counts)| counts.then_some(entry))
}

/// Whether a path, or one of several, is this one.
fn lists(node: &Node, place: &str) -> bool {
    let is_it = |node: &Node| {
        let path = node.as_text().unwrap_or_default();
        path.strip_prefix("./").unwrap_or(path).trim_end_matches('/') == place
    };
    is_it(node) || node.items().unwrap_or_default().iter().any(is_it)
}

fn key(entry: &Entry) -> &str {
    entry.key.as_text().unwrap_or_default()
}

/// A value in a report: its text, the texts of a list, or the names of an object.
fn shown(node: &Node) -> String {
    let text = match node.items() {
        Some(items) => {
            let texts: Vec<&str> = items.iter().filter_map(Node::as_text).collect();
            texts.join(", ")
        }
        None => match node.as_text() {
            Some(text) => text.to_owned(),
            None => node.entries().iter().map(key).collect::<Vec<_>>().join(", "),
        },
    };
    // Before the cut: half of a secret has no form to know it by.
    let text = without(&text);
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => [&text[..end], "\u{2026}"].concat(),
        None => text,
    }
}

fn shown_text(text: &str) -> String {
    json::tree(text, Json::Strict).map_or_else(|_| String::new(), |node| shown(&node))
}
