//! The `[build]` table: agents that are compiled to files of other tools.

use std::collections::BTreeMap;

use callsheet_contract::projects::{Build, ToolSet};
use serde::Deserialize;
use toml::Spanned;

use super::error::Problem;

/// The schema of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct WrittenBuild {
    from: Spanned<String>,
    pub(super) to: Vec<Spanned<String>>,
    pub(super) dialect: Option<Spanned<String>>,
    #[serde(default)]
    allow_loss: bool,
    #[serde(default)]
    sets: BTreeMap<String, Vec<Spanned<String>>>,
}

impl WrittenBuild {
    /// Fails if the folder is outside of the project, `to` is empty or has a tool twice, or a set contains another one.
    pub(super) fn read(self, dialect: Option<&String>) -> Result<Build, Problem> {
        let outside = |part: &str| part == "..";
        if self.from.as_ref().starts_with('/') || self.from.as_ref().split(['/', '\\']).any(outside) {
            return Err(Problem::new(self.from.span(), "`from` is outside of the project"));
        }
        let mut tools = self.to.iter().enumerate();
        let is_known = |(at, to): &(usize, &Spanned<String>)| self.to[..*at].contains(to);
        if let Some((_, twice)) = tools.find(is_known) {
            let message = format!("`{}` is listed twice", twice.as_ref());
            return Err(Problem::new(twice.span(), message));
        }
        if self.to.is_empty() {
            return Err(Problem::new(
                self.from.span(),
                "there is no tool in `to` to compile to",
            ));
        }
        let mut tools = self.sets.values().flatten();
        if let Some(tool) = tools.find(|tool| tool.as_ref().starts_with('@')) {
            return Err(Problem::new(tool.span(), "a set contains tools, not other sets"));
        }
        let set = |(name, tools): (String, Vec<Spanned<String>>)| ToolSet {
            name,
            tools: tools.into_iter().map(Spanned::into_inner).collect(),
        };
        Ok(Build {
            project: None,
            directory: self.from.into_inner(),
            dialect: self.dialect.map(Spanned::into_inner).or_else(|| dialect.cloned()),
            targets: self.to.into_iter().map(Spanned::into_inner).collect(),
            sets: self.sets.into_iter().map(set).collect(),
            allow_loss: self.allow_loss,
        })
    }
}
