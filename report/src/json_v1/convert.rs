//! A conversion.

use serde::Serialize;

use callsheet_contract::documents::Carried;

use crate::report::{Conversion, Conversions};
use crate::words;

#[derive(Serialize)]
pub(super) struct Convert<'a> {
    path: &'a str,
    dialect: Option<&'a str>,
    to: &'a str,
    file: Option<&'a str>,
    directory: Option<&'a str>,
    contents: Option<String>,
    written: Option<&'a str>,
    report: Vec<Line<'a>>,
}

#[derive(Serialize)]
pub(super) struct Folder<'a> {
    to: &'a str,
    converted: usize,
    refused: usize,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    #[serde(flatten)]
    conversion: Convert<'a>,
    target: Option<&'a str>,
}

impl<'a> From<&'a Conversions> for Folder<'a> {
    fn from(conversions: &'a Conversions) -> Self {
        let refused = conversions.refused();
        let files = conversions.files.iter().zip(&conversions.targets);
        let file = |(conversion, target): (&'a Conversion, &'a Option<String>)| File {
            conversion: conversion.into(),
            target: target.as_deref(),
        };
        Self {
            to: &conversions.to,
            converted: conversions.files.len() - refused,
            refused,
            files: files.map(file).collect(),
        }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    field: &'a str,
    fate: &'static str,
    before: &'a str,
    after: &'a str,
    reason: &'a str,
}

impl<'a> From<&'a Conversion> for Convert<'a> {
    fn from(conversion: &'a Conversion) -> Self {
        let converted = conversion.converted.as_ref();
        Self {
            path: &conversion.path,
            dialect: converted.map(|converted| &*converted.dialect),
            to: &conversion.to,
            file: converted.map(|converted| &*converted.file),
            directory: converted.map(|converted| &*converted.directory),
            contents: converted.map(|converted| String::from_utf8_lossy(&converted.contents).into_owned()),
            written: conversion.written.as_deref(),
            report: conversion.report().iter().map(Line::from).collect(),
        }
    }
}

impl<'a> From<&'a Carried> for Line<'a> {
    fn from(carried: &'a Carried) -> Self {
        Self {
            field: &carried.field,
            fate: words::transfer(carried.fate),
            before: &carried.before,
            after: &carried.after,
            reason: &carried.reason,
        }
    }
}
