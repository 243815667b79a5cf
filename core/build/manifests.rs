//! The formats of manifests as Rust constants.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use callsheet_schema::{Manifest, ManifestKey, ManifestPart};

use crate::{files, text};

/// The constant of all formats, sorted by name.
pub(crate) fn source(root: &Path) -> String {
    let formats: Vec<Manifest> = files(&root.join("manifests"))
        .iter()
        .map(|path| format(path))
        .collect();
    let mut out = "static FORMATS: &[Format] = &[".to_owned();
    for format in &formats {
        let then = format.then.as_ref().map(|then| {
            let at = formats.iter().position(|other| other.id == *then);
            at.unwrap_or_else(|| panic!("there is no format `{then}`"))
        });
        let Manifest {
            title,
            file,
            target,
            product,
            schema,
            dependent,
            read_elsewhere,
            skills,
            effect,
            parts,
            ..
        } = format;
        let parts: String = parts.iter().map(part).collect();
        write!(
            out,
            "Format {{ title: {title:?}, file: {file:?}, target: {target:?}, product: {product:?}, schema: {schema:?}, then: {then:?}, \
             is_dependent: {dependent}, is_read_elsewhere: {read_elsewhere}, skills: {skills:?}, effect: {effect:?}, \
             parts: &[{parts}], root: {} }},",
            field("", &Tree::of(format)),
        )
        .expect("a string takes everything");
    }
    out + "];"
}

fn format(path: &Path) -> Manifest {
    let place = path.display();
    let format: Manifest = toml::from_str(&text(path)).unwrap_or_else(|error| panic!("{place}: {error}"));
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    assert_eq!(stem, Some(&*format.id), "{place}: the id is not the file's name");
    format
}

fn part(part: &ManifestPart) -> String {
    let ManifestPart {
        name,
        holds,
        usual,
        adds,
        convertible,
    } = part;
    format!(
        "Part {{ name: {name:?}, holds: {holds:?}, usual: {usual:?}, adds: {adds}, is_convertible: {convertible} }},"
    )
}

/// A field with those in it.
#[derive(Default)]
struct Tree<'a> {
    key: Option<&'a ManifestKey>,
    below: BTreeMap<&'a str, Tree<'a>>,
}

impl<'a> Tree<'a> {
    fn of(format: &'a Manifest) -> Self {
        let mut root = Self::default();
        for key in &format.keys {
            let names = key.path.split(['.', ':']).filter(|name| !name.is_empty());
            let place = names.fold(&mut root, |tree, name| tree.below.entry(name).or_default());
            let before = place.key.replace(key);
            assert!(before.is_none(), "{}: duplicate `{}`", format.id, key.path);
        }
        root
    }
}

fn field(name: &str, tree: &Tree<'_>) -> String {
    let key = tree
        .key
        .unwrap_or_else(|| panic!("`{name}` has fields, but is none"));
    let is = key.is.iter().map(|one| format!("JsonType::{one:?},"));
    let form = key.form.map(|form| format!("TextForm::{form:?}"));
    let names = key.names.map(|form| format!("TextForm::{form:?}"));
    let unknown = key.unknown.map(|unknown| format!("Consequence::{unknown:?}"));
    let option = |text: Option<String>| text.map_or("None".to_owned(), |text| format!("Some({text})"));
    let taken = key.taken.as_ref().map(|taken| {
        format!(
            "Taken {{ texts: &{:?}, by: {:?}, effect: {:?} }}",
            taken.texts, taken.by, taken.effect
        )
    });
    let below = tree.below.iter().map(|(name, tree)| field(name, tree) + ",");
    format!(
        "Field {{ name: {name:?}, means: {:?}, namespace: {:?}, is: &[{}], is_required: {}, one_of: &{:?}, reserved: &{:?}, taken: {}, is_unique: {}, \
         form: {}, names: {}, tag: {:?}, wrong: Consequence::{:?}, unknown: {}, is_open: {}, help: {:?}, fields: &[{}] }}",
        key.means,
        key.namespace,
        is.collect::<String>(),
        key.required,
        key.one_of,
        key.reserved,
        option(taken),
        key.unique,
        option(form),
        option(names),
        key.tag,
        key.wrong,
        option(unknown),
        key.open,
        key.help,
        below.collect::<String>(),
    )
}
