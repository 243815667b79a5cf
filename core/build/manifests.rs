//! The formats of manifests and settings as Rust constants.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use callsheet_schema::{Manifest, ManifestKey, ManifestPart, SettingsFormat};
use serde::de::DeserializeOwned;

use crate::{files, text};

/// The constants of all formats, sorted by name.
pub(crate) fn source(root: &Path) -> String {
    let formats: Vec<Manifest> = read(&root.join("manifests"), |format: &Manifest| &format.id);
    let mut out = "static FORMATS: &[Format] = &[".to_owned();
    for format in &formats {
        let then = format.then.as_ref().map(|then| {
            let at = formats.iter().position(|other| other.id == *then);
            at.unwrap_or_else(|| panic!("there is no format `{then}`"))
        });
        let Manifest {
            id,
            title,
            file,
            target,
            product,
            schema,
            dependent,
            read_elsewhere,
            skills,
            effect,
            strict,
            parts,
            keys,
            ..
        } = format;
        let parts: String = parts.iter().map(part).collect();
        write!(
            out,
            "Format {{ file: {file:?}, target: {target:?}, product: {product:?}, schema: {schema:?}, then: {then:?}, \
             is_dependent: {dependent}, is_read_elsewhere: {read_elsewhere}, skills: {skills:?}, parts: &[{parts}], \
             shape: Shape {{ title: {title:?}, noun: \"manifest\", rule: &invalid_manifest::RULE, effect: {effect:?}, \
             is_strict: {strict}, root: {} }} }},",
            field("", &Tree::of(id, keys)),
        )
        .expect("a string takes everything");
    }
    out += "];\nstatic SETTINGS: &[SettingsFormat] = &[";
    let settings: Vec<SettingsFormat> = read(&root.join("settings"), |format: &SettingsFormat| &format.id);
    for format in &settings {
        let SettingsFormat {
            id,
            dialect,
            title,
            files,
            effect,
            unread,
            strict,
            pure,
            others,
            keys,
        } = format;
        let dialect = dialect.as_ref().unwrap_or(id);
        write!(
            out,
            "SettingsFormat {{ dialect: {dialect:?}, files: &{files:?}, others: &{others:?}, unread: {unread:?}, is_pure: {pure}, \
             shape: Shape {{ title: {title:?}, noun: \"file\", rule: &invalid_settings::RULE, effect: {effect:?}, is_strict: {strict}, \
             root: {} }} }},",
            field("", &Tree::of(id, keys)),
        )
        .expect("a string takes everything");
    }
    out + "];"
}

fn read<F: DeserializeOwned>(folder: &Path, id: impl Fn(&F) -> &String) -> Vec<F> {
    let formats = files(folder).into_iter().map(|path| {
        let place = path.display();
        let format: F = toml::from_str(&text(&path)).unwrap_or_else(|error| panic!("{place}: {error}"));
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        assert_eq!(
            stem,
            Some(&**id(&format)),
            "{place}: the id is not the file's name"
        );
        format
    });
    formats.collect()
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
#[derive(Clone, Default)]
struct Tree<'a> {
    key: Option<&'a ManifestKey>,
    below: BTreeMap<&'a str, Tree<'a>>,
}

impl<'a> Tree<'a> {
    fn of(id: &str, keys: &'a [ManifestKey]) -> Self {
        let mut root = Self::default();
        for key in keys {
            let before = root.at(&key.path).key.replace(key);
            assert!(before.is_none(), "{id}: duplicate `{}`", key.path);
        }
        for key in keys {
            if let Some(like) = &key.like {
                let known = root.at(like).below.clone();
                root.at(&key.path).below.extend(known);
            }
        }
        root
    }

    fn at(&mut self, path: &'a str) -> &mut Self {
        let names = path.split(['.', ':']).filter(|name| !name.is_empty());
        names.fold(self, |tree, name| tree.below.entry(name).or_default())
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
    let taken = key.taken.iter().map(|taken| {
        format!(
            "Taken {{ texts: &{:?}, any_case: {}, by: {:?}, effect: {:?} }},",
            taken.texts, taken.any_case, taken.by, taken.effect
        )
    });
    let below = tree.below.iter().map(|(name, tree)| field(name, tree) + ",");
    format!(
        "Field {{ name: {name:?}, means: {:?}, namespace: {:?}, is: &[{}], is_required: {}, one_of: &{:?}, reserved: &{:?}, taken: &[{}], is_unique: {}, \
         form: {}, names: {}, tag: {:?}, untagged: {:?}, switch: {:?}, meant: {:?}, told_by: &{:?}, needs_kind: {}, only: {:?}, wrong: Consequence::{:?}, malformed: Consequence::{:?}, \
         unknown: {}, is_open: {}, help: {:?}, fields: &[{}] }}",
        key.means,
        key.namespace,
        is.collect::<String>(),
        key.required,
        key.one_of,
        key.reserved,
        taken.collect::<String>(),
        key.unique,
        option(form),
        option(names),
        key.tag,
        key.untagged,
        key.switch,
        key.meant,
        key.told_by,
        key.needs_kind,
        key.only,
        key.wrong,
        key.malformed,
        option(unknown),
        key.open,
        key.help,
        below.collect::<String>(),
    )
}
