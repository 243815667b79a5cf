//! Which files a dialect reads, and how their paths name what they define.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dialect::Dialect;
use crate::files::Identity;
use crate::places::{Letters, Source};

impl Dialect {
    /// Whether a file of this name may be one of its files.
    pub fn reads(&self, file: &str) -> bool {
        let rule = &self.files;
        if let Some(name) = &rule.name {
            return file == name;
        }
        let hidden = !rule.hidden && file.starts_with('.');
        let prefixed = !rule.skip_prefix.is_empty() && file.starts_with(&rule.skip_prefix);
        let skipped = hidden || prefixed || rule.skip.iter().any(|name| name == file);
        !skipped && self.extension_rank(file).is_some()
    }

    /// Whether a file of this name has the name of its folder.
    pub fn is_of_folder(&self, file: &str) -> bool {
        let known = self.files.folder_file.as_ref();
        known.is_some_and(|known| known.eq_ignore_ascii_case(file))
    }

    /// Whether it looks into a folder of this name in a source, unless it skips it.
    pub fn enters(&self, folder: &str) -> bool {
        let rule = &self.files;
        rule.hidden_folders || !folder.starts_with('.')
    }

    /// Whether it skips folders of this name.
    pub fn skips(&self, folder: &str) -> bool {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let plain = folder.rsplit_once('-').and_then(|(rest, last)| {
            let (rest, first) = rest.rsplit_once('-')?;
            (is_number(first) && is_number(last)).then_some(rest)
        });
        let mut numbered = self.files.skip_numbered.iter();
        self.files.skip_folders.iter().any(|known| known == folder)
            || plain.is_some_and(|plain| numbered.any(|known| plain.ends_with(&**known)))
    }

    /// Whether it reads files that are this many folders below a source.
    pub fn reads_below(&self, folders: usize) -> bool {
        let allowed = self.files.folders;
        allowed.is_none_or(|[least, most]| (least..=most).contains(&folders))
    }

    /// The rank of the file's extension among equal stems; 0 wins.
    pub fn extension_rank(&self, file: &str) -> Option<usize> {
        let ends = |extension: &String| match extension.as_str() {
            "" => !file.contains('.'),
            extension => without_extension(file, extension).is_some(),
        };
        self.files.extensions.iter().position(ends)
    }

    /// The name of a file's definition if it does not set one.
    pub fn stem<'a>(&self, path: &'a str) -> Cow<'a, str> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let known = self.files.extensions.iter();
        let stem = known.filter(|extension| !extension.is_empty());
        let stem = stem
            .filter_map(|extension| without_extension(file, extension))
            .next();
        // Files that it does not read are shown anyway.
        let stem = stem
            .filter(|stem| !stem.is_empty())
            .unwrap_or_else(|| self::stem(file));
        let start = path.len() - file.len();
        if self.identity == Identity::Folder {
            let name = folder.rsplit('/').next().filter(|name| !name.is_empty());
            return Cow::Borrowed(name.unwrap_or(stem));
        }
        let separator = self.identity.separator();
        let place = separator.and_then(|_| self.place(path, |source| !source.directory.is_empty()));
        let start = place.map_or(start, |end| (end + 1).min(start));
        let name = if !self.is_of_folder(file) || folder.is_empty() {
            &path[start..path.len() - file.len() + stem.len()]
        } else if start < folder.len() {
            &folder[start..]
        } else {
            folder.rsplit('/').next().unwrap_or(folder)
        };
        match (separator, self.files.letters) {
            (Some(separator), Letters::All) if separator != "/" && name.contains('/') => {
                Cow::Owned(name.replace('/', separator))
            }
            (_, Letters::All) => Cow::Borrowed(name),
            (separator, letters) => {
                let parts: Vec<String> = name.split('/').map(|part| letters.name(part)).collect();
                Cow::Owned(parts.join(separator.unwrap_or("/")))
            }
        }
    }

    /// Whether the path is in a directory whose name only this dialect uses.
    pub fn has_name_of_its_own(&self, path: &str) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        let place = self.place(path, |source| source.owned);
        place.is_some_and(|place| path[..place].contains('.'))
    }

    /// The folders between a directory of its own and a file, with a trailing slash; empty for none.
    pub fn folders<'a>(&self, path: &'a str) -> &'a str {
        let path = path.strip_prefix("./").unwrap_or(path);
        let below = self
            .place(path, |source| source.owned)
            .map_or("", |end| &path[end + 1..]);
        &below[..below.rfind('/').map_or(0, |at| at + 1)]
    }

    /// The project directory with the dialect's directory that contains the path; empty for the one that the path is relative to.
    pub fn base<'a>(&self, path: &'a str) -> Option<&'a str> {
        let mut own = self.sources.iter().filter(|source| source.owned);
        own.find_map(|source| {
            let end = self.place(path, |other| core::ptr::eq(other, source))?;
            let path = path.strip_prefix("./").unwrap_or(path);
            Some(
                path[..end]
                    .strip_suffix(&*source.directory)?
                    .trim_end_matches('/'),
            )
        })
    }

    /// Whether a directory of its own has a name that no other product uses.
    pub fn is_unmistakable(&self, directory: &str) -> bool {
        let mut own = self.sources.iter().filter(|source| source.owned);
        own.any(|source| {
            if directory.starts_with('$') {
                return self.names(&source.directory).any(|name| name == directory);
            }
            let before = directory.strip_suffix(&*source.directory);
            source.directory.starts_with(['.', '/'])
                && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        })
    }

    /// Whether it looks for files in any directory.
    pub fn has_places(&self) -> bool {
        self.sources.iter().any(|source| !source.directory.is_empty())
    }

    /// The mode of all agents in this file's place, if it has one.
    pub fn mode_at(&self, path: &str) -> Option<&str> {
        let mut set = self.sources.iter().filter(|source| source.mode.is_some());
        let source = set.find(|source| self.place(path, |other| core::ptr::eq(other, *source)).is_some());
        source?.mode.as_deref()
    }

    /// Whether it reads agents in this file's place, the path being relative to the project.
    pub fn looks_at(&self, path: &str) -> bool {
        self.place(path, |source| !source.directory.is_empty()).is_some()
    }

    /// Whether it reads this file as an agent, the path being relative to the project.
    pub fn reads_at(&self, path: &str) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let looks = |source: &Source| {
            let end = self.place(path, |other| {
                core::ptr::eq(other, source) && !source.directory.is_empty()
            });
            end.is_some_and(|end| {
                let below = &path[end + "/".len()..path.len() - name.len()];
                let folders = below.matches('/').count();
                (source.recursive || folders == 0)
                    && self.reads_below(folders)
                    && below
                        .split('/')
                        .all(|folder| (source.hidden_folders || self.enters(folder)) && !self.skips(folder))
            })
        };
        self.reads(name) && self.sources.iter().any(looks)
    }

    /// Whether a file of this path has the product's settings or instructions, unless one of its own directories contains it.
    pub fn configures(&self, path: &str) -> bool {
        let below = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
        let mut places = core::iter::once(path).chain(below);
        let settings = || self.hooks.files.iter().chain(&self.servers.files);
        places.any(|place| {
            settings().any(|file| file == place) || self.instructions.iter().any(|rules| rules.has(place))
        })
    }

    /// Whether one of its own directories contains the path.
    pub fn owns(&self, path: &str) -> bool {
        self.place(path, |source| source.owned).is_some()
    }

    /// The name of a path in the home directory that one of these environment variables moves.
    pub fn relocated(&self, path: &str, variables: &[String]) -> Option<String> {
        let relocations = self.relocations.iter();
        let mut set = relocations.filter(|known| variables.contains(&known.variable));
        set.find_map(|known| known.name(path))
    }

    /// The names of a path in the home directory where environment variables move it.
    fn names(&self, path: &str) -> impl Iterator<Item = String> {
        self.relocations.iter().filter_map(move |known| known.name(path))
    }

    /// Where the directory ends of the first `meant` source that contains the path.
    fn place(&self, path: &str, meant: impl Fn(&Source) -> bool) -> Option<usize> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let sources = self.sources.iter().filter(|source| meant(source));
        sources.into_iter().find_map(|source| {
            let directory = &*source.directory;
            if path.starts_with('$') {
                let mut names = self.names(directory);
                let is_below = |name: &String| {
                    path.strip_prefix(&**name)
                        .is_some_and(|rest| rest.starts_with('/'))
                };
                return names.find(is_below).map(|name| name.len());
            }
            let ends = |at: usize| at + directory.len();
            let below = |at: &usize| path[ends(*at)..].starts_with('/');
            if directory.starts_with('.') {
                // A search for the directory in each path would cost more than looking at the few places where a name begins.
                let names = path.match_indices('/').map(|(at, _)| at + 1);
                let mut names = core::iter::once(0).chain(names);
                names
                    .find(|at| path[*at..].starts_with(directory) && below(at))
                    .map(ends)
            } else {
                // A bare `agents` is too common a name in subfolders.
                (path.starts_with(directory) && below(&0)).then(|| ends(0))
            }
        })
    }
}

fn without_extension<'a>(file: &'a str, extension: &str) -> Option<&'a str> {
    file.strip_suffix(extension)?.strip_suffix('.')
}

/// The file's name without its ending.
pub fn stem(path: &str) -> &str {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    }
}
