//! A dialect.

use serde::Serialize;

use callsheet_contract::documents as wit;

use crate::words;

#[derive(Serialize)]
pub(super) struct Dialect<'a> {
    id: &'a str,
    title: &'a str,
    evidence: &'a str,
    sources: Vec<Source<'a>>,
    clash: &'a str,
    file_names: &'a str,
    keys: Vec<Key<'a>>,
}

impl<'a> From<&'a wit::Dialect> for Dialect<'a> {
    fn from(dialect: &'a wit::Dialect) -> Self {
        let source = |it: &'a wit::DialectSource| Source {
            level: words::level(it.level),
            directory: &it.directory,
        };
        Self {
            id: &dialect.id,
            title: &dialect.title,
            evidence: &dialect.evidence,
            sources: dialect.sources.iter().map(source).collect(),
            clash: &dialect.clash,
            file_names: &dialect.file_names,
            keys: dialect.keys.iter().map(Into::into).collect(),
        }
    }
}

#[derive(Serialize)]
struct Source<'a> {
    level: &'static str,
    directory: &'a str,
}

#[derive(Serialize)]
struct Key<'a> {
    canonical: &'a str,
    spellings: &'a [String],
    required: bool,
    default: &'a str,
}

impl<'a> From<&'a wit::DialectKey> for Key<'a> {
    fn from(key: &'a wit::DialectKey) -> Self {
        Self {
            canonical: &key.canonical,
            spellings: &key.spellings,
            required: key.required,
            default: &key.default,
        }
    }
}
