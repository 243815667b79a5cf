//! The schema of the file.

use std::mem::take;

use callsheet_settings::{Override, Problem, Rules, Table, WrittenBuild};
use serde::Deserialize;
use toml::Spanned;

use super::models::{Aliases, Prices, Providers};
use super::run::WrittenRun;
use super::servers::WrittenMcp;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// The JSON Schema for editors; ignored here.
    #[serde(rename = "$schema")]
    _schema: Option<String>,
    dialect: Option<Spanned<String>>,
    #[serde(default)]
    targets: Vec<Spanned<String>>,
    #[serde(default)]
    exclude: Vec<Spanned<String>>,
    #[serde(default)]
    rules: Rules,
    #[serde(default)]
    overrides: Vec<Override>,
    #[serde(default)]
    pub(super) models: Aliases,
    #[serde(default)]
    pub(super) providers: Providers,
    #[serde(default)]
    pub(super) prices: Prices,
    #[serde(default)]
    pub(super) run: WrittenRun,
    #[serde(default)]
    pub(super) mcp: WrittenMcp,
    build: Option<WrittenBuild>,
}

impl File {
    pub(super) fn parse(text: &str) -> Result<Self, Problem> {
        Ok(toml::from_str(text)?)
    }

    /// The part about findings.
    pub(super) fn checks(&mut self) -> Table {
        Table {
            dialect: self.dialect.take(),
            targets: take(&mut self.targets),
            exclude: take(&mut self.exclude),
            rules: take(&mut self.rules),
            overrides: take(&mut self.overrides),
            build: self.build.take(),
        }
    }
}
