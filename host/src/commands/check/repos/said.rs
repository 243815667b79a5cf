//! What a check says of one repository.

use std::collections::BTreeSet;

use callsheet::Trace;
use callsheet::config::{Config, Skips};
use callsheet::output::{concise, json_v1};
use callsheet::projects::{Report, Request};
use callsheet::types::Severity;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::cli::Check;
use crate::commands::check::chosen::Chosen;
use crate::commands::check::work;
use crate::commands::repos::{Made, Opened};
use crate::commands::sources;
use crate::exit::Failure;

/// What a check says.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Said {
    pub(super) files: usize,
    pub(super) errors: usize,
    pub(super) warnings: usize,
    pub(super) notes: usize,
    /// A line for each finding.
    pub(super) lines: String,
    /// The document of `check --format json`.
    pub(super) document: Box<RawValue>,
}

pub(super) fn said(opened: &mut Opened, command: &Check, chosen: &Chosen<'_>) -> Result<Made<Said>, Failure> {
    let Opened {
        options,
        callsheet,
        config,
    } = opened;
    let request = Request {
        dialect: options.dialect.clone().or_else(|| config.checks.dialect.clone()),
        targets: match &*command.target {
            [] => config.checks.targets.clone(),
            targets => targets.to_vec(),
        },
        paths: Vec::new(),
    };
    let build = sources::of(config, callsheet);
    let (report, trace) = callsheet.check_traced(&request, build.as_ref())?;
    Ok(made(report, trace, config, command, chosen))
}

fn made(
    mut report: Report,
    trace: Trace,
    config: &Config,
    command: &Check,
    chosen: &Chosen<'_>,
) -> Made<Said> {
    let skips = Skips::new(config, &[]);
    let files: BTreeSet<String> = work::files(&report).cloned().collect();
    let skip = |file: String| {
        let is_skipped = skips.of(&file).is_some();
        (file, is_skipped)
    };
    let skipped: Vec<(String, bool)> = files.into_iter().map(skip).collect();
    work::leave_out(&mut report, |file| {
        let at = skipped.binary_search_by(|(known, _)| known.cmp(file));
        at.is_ok_and(|at| skipped[at].1)
    });
    let mut checked = work::checked(report, config, !command.no_ignore);
    checked.findings.retain(|finding| chosen.has(&finding.diagnostic));
    let lines = checked.reported();
    let said = Said {
        files: checked.files,
        errors: checked.count(Severity::Error),
        warnings: checked.count(Severity::Warning),
        notes: checked.count(Severity::Note),
        lines: lines
            .map(|finding| concise::diagnostic(&finding.diagnostic))
            .collect(),
        document: json_v1::kept(&checked),
    };
    Made { said, trace, skipped }
}
