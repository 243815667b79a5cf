//! Calls that need no confirmation.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::grant::{self, narrowed};
use super::rights::{Call, Granted, Layer, Rights};
use super::specifier::{self, CHANGING};
use crate::decode::tool_rule;
use crate::span::Span;
use crate::vocabulary::Rights as Can;

/// Whether a call only changes files of the project.
pub(crate) fn edits_the_project(call: &Call<'_>) -> bool {
    let files = CHANGING.with(Can::MAKE_DIRECTORY);
    let able = grant::rights(call.dialect, call.tool);
    let mut changes = able.each().filter(|right| !right.change_nothing());
    let only_files = changes.all(|right| files.contains(right));
    able.meets(files) && only_files && covered(call, ["**".to_string()].into())
}

/// Whether entries, written as in lists of tools, cover a call.
pub(crate) fn is_among(entries: &[String], call: &Call<'_>) -> bool {
    let rules: Vec<_> = entries
        .iter()
        .map(|entry| tool_rule(entry.trim(), Span::default()))
        .collect();
    narrowed(call.dialect, &rules, call.tool).is_some_and(|specifiers| covered(call, specifiers))
}

fn covered(call: &Call<'_>, specifiers: Vec<String>) -> bool {
    if specifier::touches_guarded(call, &specifiers) {
        return false;
    }
    let rights = Rights {
        layers: [Layer {
            tools: [Granted {
                tool: call.tool.to_string(),
                specifiers,
            }]
            .into(),
        }]
        .into(),
        ..Rights::default()
    };
    rights.allow(call).is_ok()
}
