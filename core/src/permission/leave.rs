//! Calls that need no confirmation.

use alloc::collections::BTreeSet;
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
    named(entries, call).is_some_and(|specifiers| covered(call, specifiers))
}

/// The files that such entries cover a command because of.
pub(crate) fn files_among(entries: &[String], call: &Call<'_>) -> BTreeSet<String> {
    named(entries, call).map_or_else(BTreeSet::new, |specifiers| limited(call, specifiers).files(call))
}

fn named(entries: &[String], call: &Call<'_>) -> Option<Vec<String>> {
    let rules: Vec<_> = entries
        .iter()
        .map(|entry| tool_rule(entry.trim(), Span::default()))
        .collect();
    narrowed(call.dialect, &rules, call.tool)
}

fn covered(call: &Call<'_>, specifiers: Vec<String>) -> bool {
    !specifier::touches_guarded(call, &specifiers) && limited(call, specifiers).allow(call).is_ok()
}

/// The tool of a call and no other.
fn limited(call: &Call<'_>, specifiers: Vec<String>) -> Rights {
    Rights {
        layers: [Layer {
            tools: [Granted {
                tool: call.tool.to_string(),
                specifiers,
            }]
            .into(),
        }]
        .into(),
        ..Rights::default()
    }
}
