//! The result of a build.

use callsheet_contract::projects::FieldSource;
use callsheet_contract::types as wit;
use serde::Serialize;

use super::diagnostic::Finding;
use crate::built::{self, BuiltFile};
use crate::checked::Checked;
use crate::words;

#[derive(Serialize)]
pub(super) struct Built<'a> {
    blocked: bool,
    files: Vec<File<'a>>,
    broken: &'a [String],
    diagnostics: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    source: &'a str,
    dialect: Option<&'a str>,
    state: &'static str,
    report: Vec<Loss<'a>>,
}

/// Without values, which may be secret.
#[derive(Serialize)]
struct Loss<'a> {
    field: &'a str,
    fate: &'static str,
    reason: &'a str,
}

/// Where the fields of a compiled file are stated.
#[derive(Serialize)]
pub(super) struct Origins<'a> {
    source: &'a str,
    fields: Vec<Field<'a>>,
}

#[derive(Serialize)]
struct Field<'a> {
    field: &'a str,
    places: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    path: &'a str,
    line: u32,
}

impl<'a> From<&'a built::Origins> for Origins<'a> {
    fn from(origins: &'a built::Origins) -> Self {
        let place = |place: &'a wit::Place| Place {
            path: &place.path,
            line: place.start.line,
        };
        let field = |field: &'a FieldSource| Field {
            field: &field.field,
            places: field.places.iter().map(place).collect(),
        };
        Self {
            source: &origins.source,
            fields: origins.fields.iter().map(field).collect(),
        }
    }
}

/// A compiled file.
#[derive(Serialize)]
pub(super) struct Compiled<'a> {
    path: &'a str,
    #[serde(flatten)]
    from: Origins<'a>,
}

impl<'a> From<&'a (String, built::Origins)> for Compiled<'a> {
    fn from((path, origins): &'a (String, built::Origins)) -> Self {
        Self {
            path,
            from: origins.into(),
        }
    }
}

impl<'a> Built<'a> {
    pub(super) fn new(built: &'a built::Built, checked: &'a Checked) -> Self {
        let file = |file: &'a BuiltFile| File {
            path: &file.path,
            source: &file.source,
            dialect: file.dialect.as_deref(),
            state: file.state.word(),
            report: file
                .report
                .iter()
                .map(|loss| Loss {
                    field: &loss.field,
                    fate: words::transfer(loss.fate),
                    reason: &loss.reason,
                })
                .collect(),
        };
        Self {
            blocked: built.is_blocked(),
            files: built.files.iter().map(file).collect(),
            broken: &built.broken,
            diagnostics: checked.reported().map(Into::into).collect(),
        }
    }
}
