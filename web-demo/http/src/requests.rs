//! The types of validated requests.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, PAD, STANDARD};
use callsheet_contract::projects;
use serde::Deserialize;

use crate::problem::{Misfit, Problem};

pub(crate) type Paths = BTreeMap<String, Contents>;

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Contents {
    Text(String),
    Bytes { base64: String },
}

#[derive(Debug, Deserialize)]
pub(crate) struct Check {
    pub(crate) files: Paths,
    pub(crate) dialect: Option<String>,
    pub(crate) targets: Vec<String>,
    pub(crate) paths: Vec<String>,
    pub(crate) build: Option<Build>,
}

/// The table `[build]` of `callsheet.toml`.
#[derive(Debug, Deserialize)]
pub(crate) struct Build {
    from: String,
    to: Vec<String>,
    dialect: Option<String>,
    sets: BTreeMap<String, Vec<String>>,
    allow_loss: bool,
}

impl From<Build> for projects::Build {
    fn from(build: Build) -> Self {
        let set = |(name, tools)| projects::ToolSet { name, tools };
        Self {
            project: None,
            directory: build.from,
            dialect: build.dialect,
            targets: build.to,
            sets: build.sets.into_iter().map(set).collect(),
            allow_loss: build.allow_loss,
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Resolve {
    pub(crate) files: Paths,
    pub(crate) dialect: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) all: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Convert {
    pub(crate) path: String,
    pub(crate) contents: Contents,
    pub(crate) dialect: Option<String>,
    pub(crate) to: String,
    pub(crate) allow_loss: bool,
}

impl Contents {
    pub(crate) fn bytes(self) -> Result<Vec<u8>, Problem> {
        match self {
            Self::Text(text) => Ok(text.into_bytes()),
            Self::Bytes { base64 } => decoded(&base64),
        }
    }
}

/// Like `atob` of the worker, with any last bits.
const LENIENT: GeneralPurpose =
    GeneralPurpose::new(&alphabet::STANDARD, PAD.with_decode_allow_trailing_bits(true));

pub(crate) fn decoded(base64: &str) -> Result<Vec<u8>, Problem> {
    LENIENT.decode(base64).map_err(|error| {
        Problem::unfit(vec![Misfit {
            pointer: String::new(),
            detail: format!("Invalid base64: {error}."),
        }])
    })
}

pub(crate) fn encoded(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}
