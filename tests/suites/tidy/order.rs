//! The order of files: no file uses itself through others, and in the core none uses a higher layer.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{NOTHING, sources};

/// The crates whose files do not use each other in a circle.
const CRATES: &[&str] = &[
    "build/src",
    "contract/src",
    "core/schema/src",
    "core/src",
    "guest/convert/src",
    "host/src",
    "packages/restate/src",
    "packages/wasi/command/src",
    "report/src",
    "server/src",
    "settings/src",
];

/// The modules of the core, the lowest first: none uses one of a later group in this list.
const LAYERS: &[&[&str]] = &[
    // Bytes and texts.
    &[
        "closest",
        "cycles",
        "examples",
        "file_names",
        "files",
        "frontmatter",
        "json",
        "limits",
        "lines",
        "markdown",
        "order",
        "phrase",
        "places",
        "source",
        "span",
        "toml",
        "yaml",
    ],
    // Statements about a file.
    &["diagnostic", "fix"],
    // Agents, and each product's interpretation of a file, as data.
    &["definition", "dialect", "names", "verdict", "vocabulary"],
    // Each release's interpretation of a file.
    &["reader"],
    // One file.
    &[
        "calls",
        "cast",
        "decode",
        "document",
        "hooks",
        "ignore",
        "ignored",
        "listing",
        "manifests",
        "mentions",
        "offered",
        "references",
        "rules",
        "scripts",
        "settings",
        "skills",
        "subject",
        "tool_lists",
    ],
    // Operations on one file.
    &["catalog", "convert", "permission", "write"],
    // Many files, and agents at work.
    &["compose", "project", "session"],
];

/// A path of modules and what one of them defines, from the root of the crate.
type Path = Vec<String>;

/// The code of a file without tests, comments and `use` lines.
struct File {
    path: String,
    uses: Vec<Use>,
    code: String,
}

struct Use {
    /// The path in the source.
    path: String,
    name: String,
    is_public: bool,
}

/// The files of a crate by module.
struct Crate(BTreeMap<Path, File>);

impl Crate {
    fn read(folder: &str) -> Self {
        let files = sources(folder).into_iter();
        let files = files.filter(|(path, _)| !path.ends_with("tests.rs"));
        let file = |(path, text): (String, String)| {
            let module = path[folder.len() + 1..].trim_end_matches(".rs").split('/');
            let mut module: Path = module.map(str::to_owned).collect();
            module.pop_if(|last| *last == "mod" || *last == "lib");
            let text = text.replace("(in crate::", "(in ");
            let text = text.split("\nmod tests {").next().unwrap_or_default();
            let lines = text.lines().filter(|line| !line.contains("mod "));
            let lines = lines.map(|line| line.split("//").next().unwrap_or_default());
            let (mut uses, mut code) = (Vec::new(), String::new());
            for statement in lines.collect::<Vec<_>>().join("\n").split_inclusive(';') {
                let is_use = |line: &&str| {
                    line.starts_with("use ") || line.starts_with("pub") && line.contains(" use ")
                };
                let mut lines = statement.lines().map(str::trim);
                let before: Vec<&str> = lines.by_ref().take_while(|line| !is_use(line)).collect();
                code.extend(before.iter().flat_map(|line| [line, "\n"]));
                let line = statement.lines().skip(before.len()).collect::<String>();
                let (head, tree) = line.split_once("use ").unwrap_or_default();
                let is_public = head.contains("pub");
                let paths = expanded(tree.trim_end_matches(';')).into_iter();
                uses.extend(paths.map(|(path, name)| Use {
                    path,
                    name,
                    is_public,
                }));
            }
            (module, File { path, uses, code })
        };
        let mut files: BTreeMap<Path, File> = files.map(file).collect();
        if !files.contains_key(&Path::new()) {
            files = files
                .into_iter()
                .map(|(module, file)| (if module == ["main"] { Path::new() } else { module }, file))
                .collect();
        }
        Self(files)
    }

    /// A path as seen from the root; none if it leads out of the crate.
    fn at_root(&self, module: &Path, path: &str) -> Option<Path> {
        let mut here = module.clone();
        let mut parts = path.split("::").peekable();
        let first = *parts.peek()?;
        match first {
            "crate" => here.clear(),
            "super" | "self" => {}
            child => drop(self.0.get(&[module.clone(), vec![child.to_owned()]].concat())?),
        }
        if matches!(first, "crate" | "self") {
            parts.next();
        }
        while parts.next_if_eq(&"super").is_some() {
            here.pop();
        }
        here.extend(parts.map(str::to_owned));
        Some(here)
    }

    /// The file that defines the target of a path, through re-exports, and the rest of the path after its module.
    fn definer<'a>(&'a self, path: &[String], steps: usize) -> Option<(&'a Path, Path)> {
        let (module, file) = (0..=path.len())
            .rev()
            .find_map(|end| self.0.get_key_value(&path[..end]))?;
        let rest = &path[module.len()..];
        let passed = rest
            .first()
            .and_then(|name| file.uses.iter().find(|it| it.name == *name));
        let onward = passed
            .filter(|_| steps > 0)
            .and_then(|passed| self.at_root(module, &passed.path));
        match onward {
            Some(onward) => self.definer(&[&onward, &rest[1..]].concat(), steps - 1),
            None => Some((module, rest.to_vec())),
        }
    }

    /// The files that a file uses, each with a path to it. Re-exports do not count as uses.
    fn used(&self, module: &Path) -> BTreeMap<&Path, String> {
        let file = &self.0[module];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.');
        let words: BTreeSet<&str> = file.code.split_inclusive(|c| !is_part(c)).collect();
        let (mut used, mut modules) = (BTreeMap::new(), BTreeMap::new());
        for it in &file.uses {
            // A variable may have the name of a function.
            let may_be = |word: &&str| word.ends_with('(') || word.starts_with(char::is_uppercase);
            let is_named = |word: &&str| {
                word.split(|c| !is_part(c) || c == ':').next() == Some(&it.name)
                    && (may_be(word) || word.contains("::"))
            };
            let path = self.at_root(module, &it.path);
            match path.and_then(|path| self.definer(&path, 8)) {
                Some((there, rest)) if rest.is_empty() => drop(modules.insert(&*it.name, there)),
                Some((there, _)) if !it.is_public || words.iter().any(is_named) => {
                    used.insert(there, format!("use {}", it.path));
                }
                _ => {}
            }
        }
        let paths = words.iter().map(|word| word.trim_end_matches(|c| !is_part(c)));
        for word in paths.filter(|word| word.contains("::")) {
            let (first, rest) = word.split_once("::").unwrap_or_default();
            let path = match modules.get(first) {
                Some(there) => {
                    Some([(*there).clone(), rest.split("::").map(str::to_owned).collect()].concat())
                }
                None => self.at_root(module, word),
            };
            if let Some((there, _)) = path.and_then(|path| self.definer(&path, 8)) {
                used.insert(there, word.to_owned());
            }
        }
        used.remove(module);
        used
    }

    /// The shortest way from a file back to itself, if there is one.
    fn circle(&self, start: &Path) -> Option<Vec<String>> {
        let mut ways = BTreeMap::from([(start, Vec::new())]);
        let mut next = VecDeque::from([start]);
        while let Some(module) = next.pop_front() {
            for (there, by) in self.used(module) {
                let step = format!("{}: {by} -> {}", self.0[module].path, self.0[there].path);
                let way = [ways[module].clone(), vec![step]].concat();
                if there == start {
                    return Some(way);
                }
                if !ways.contains_key(there) {
                    ways.insert(there, way);
                    next.push_back(there);
                }
            }
        }
        None
    }
}

/// The paths of a tree of imports, with the names that they get.
fn expanded(tree: &str) -> Vec<(String, String)> {
    let Some((before, inner)) = tree.split_once('{') else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let path = path.trim().trim_end_matches("::self");
        let name = if name.is_empty() {
            path.rsplit("::").next().unwrap_or(path)
        } else {
            name.trim()
        };
        return vec![(path.to_owned(), name.to_owned())];
    };
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    let mut depth = 0;
    let parts = inner.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.trim().is_empty());
    parts
        .flat_map(|part| expanded(&[before.trim(), part.trim()].concat()))
        .collect()
}

#[test]
fn modules_have_no_cycles() {
    for folder in CRATES {
        let files = Crate::read(folder);
        let circles: BTreeSet<Vec<String>> =
            files.0.keys().filter_map(|module| files.circle(module)).collect();
        let shortest = circles.into_iter().min_by_key(Vec::len);
        assert_eq!(shortest.unwrap_or_default(), NOTHING);
    }
}

#[test]
fn core_layers_use_only_lower_ones() {
    let core = Crate::read("core/src");
    let layer = |module: &Path| {
        let named = |layer: &&[&str]| layer.iter().any(|name| *name == module[0]);
        LAYERS
            .iter()
            .position(named)
            .unwrap_or_else(|| panic!("{module:?} is in no layer"))
    };
    let mut upward = Vec::new();
    for module in core.0.keys().filter(|module| !module.is_empty()) {
        let used = core.used(module).into_iter();
        let higher = used.filter(|(there, _)| !there.is_empty() && layer(there) > layer(module));
        upward.extend(
            higher.map(|(there, by)| format!("{}: {by} -> {}", core.0[module].path, core.0[there].path)),
        );
    }
    assert_eq!(upward, NOTHING);
}
