//! Converts the manifest of a plugin to the format of another product.
//!
//! A field that the other format does not have is lost. What a plugin loads is only lost if that is allowed; files are not looked at.

mod fields;
mod fitting;
mod object;
#[cfg(test)]
mod tests;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::plan::{Fate, Loss};
use crate::diagnostic::{Finding, Severity};
use crate::dialect::Json;
use crate::files::join;
use crate::json;
use crate::limits::FILE_BYTES;
use crate::manifests::{Format, Unknown, check, formats};
use crate::places::{file_name, parent};
use crate::rules::secret::without;
use crate::source::Source;
use crate::yaml::Node;
use fields::Fields;

/// A manifest in another format.
pub(super) struct Written {
    pub(super) from: &'static str,
    /// None if it is the original.
    pub(super) text: Option<String>,
    /// The path, beside that of the original.
    pub(super) file: String,
    pub(super) report: Vec<Loss>,
}

/// Why there is no result.
pub(super) enum Stop {
    Unusable(String),
    Refused(Vec<Loss>),
}

/// Whether a file has the name of a manifest.
pub(super) fn is_manifest(path: &str) -> bool {
    formats()
        .iter()
        .any(|format| file_name(format.file) == file_name(path))
}

/// Whether there is a format of this name.
pub(super) fn is_format(name: &str) -> bool {
    formats().iter().any(|format| format.target == Some(name))
}

/// Converts a manifest. Without `from`, its place tells its format, or its `$schema`.
pub(super) fn convert(
    path: &str,
    bytes: &[u8],
    from: Option<&str>,
    to: &str,
    allow_loss: bool,
) -> Result<Written, Stop> {
    let unusable = |reason: &str| Stop::Unusable(reason.to_owned());
    if bytes.len() > FILE_BYTES {
        return Err(unusable("it is too large"));
    }
    let text = Source::new(bytes);
    let root = json::file(&text, Json::Strict).map_err(|wrong| Stop::Unusable(wrong.message))?;
    let source = format(path, from, &root);
    let source = source.ok_or_else(|| unusable("its format is unknown, or not that of a plugin"))?;
    let judgement = check(&source.shape, &root, &mut Unknown);
    let is_error = |found: &&Finding| found.severity == Severity::Error;
    if let Some(error) = judgement.findings.iter().find(is_error) {
        return Err(Stop::Unusable(without(&error.message)));
    }
    let Some(target) = formats().iter().find(|format| format.target == Some(to)) else {
        let reason = alloc::format!("{to} has no manifests of plugins that are known");
        return Err(Stop::Refused(Vec::from([refusal(reason)])));
    };
    let folder = folder(path);
    let mut fields = Fields::new(source, target, &text.text, &root, allow_loss);
    let written = |text, report| Written {
        from: source.target.unwrap_or_default(),
        text,
        file: join(folder, target.file),
        report,
    };
    if core::ptr::eq(source, target) {
        return Ok(Written {
            file: path.to_owned(),
            ..written(None, fields.kept())
        });
    }
    fields.write(file_name(folder));
    let (text, mut report) = fields.finish();
    if !report.iter().any(|loss| loss.fate == Fate::Refused) && !loads(target, &text) {
        report.push(refusal("the result would not load".to_owned()));
    }
    if report.iter().any(|loss| loss.fate == Fate::Refused) {
        return Err(Stop::Refused(report));
    }
    Ok(written(Some(text), report))
}

fn refusal(reason: String) -> Loss {
    Loss {
        field: "file".to_owned(),
        fate: Fate::Refused,
        from: String::new(),
        to: String::new(),
        reason,
    }
}

fn loads(format: &Format, text: &str) -> bool {
    json::tree(text, Json::Strict).is_ok_and(|root| check(&format.shape, &root, &mut Unknown).is_valid())
}

/// The format of a manifest.
fn format(path: &str, from: Option<&str>, root: &Node) -> Option<&'static Format> {
    let is_it = |format: &&Format| match from {
        Some(from) => format.target == Some(from) && file_name(format.file) == file_name(path),
        None => format.target.is_some() && format.is_marked(root) && before(path, format.file).is_some(),
    };
    let found = formats().iter().filter(is_it);
    found.max_by_key(|format| format.file.len())
}

/// The folder of the plugin that a manifest is of.
fn folder(path: &str) -> &str {
    let folders = formats().iter().filter_map(|format| before(path, format.file));
    let folder = folders.min_by_key(|folder| folder.len());
    folder.unwrap_or_else(|| parent(path))
}

/// What is before a file in a path that ends with it.
fn before<'p>(path: &'p str, file: &str) -> Option<&'p str> {
    let before = path.strip_suffix(file)?;
    if before.is_empty() {
        Some("")
    } else {
        before.strip_suffix('/')
    }
}
