//! The selection of findings.

use callsheet::closest::closest;
use callsheet::output::text::clean;
use callsheet::types::{Diagnostic, Severity};

use crate::cli::{Check, Gravity};
use crate::commands::context::Context;
use crate::exit::Failure;

/// Selects every rule.
const ALL: &str = "all";

/// The selected rules, the ignored ones, and the minimum severity.
pub(super) struct Chosen<'a> {
    select: &'a [String],
    ignore: &'a [String],
    severity: Option<Gravity>,
}

impl<'a> Chosen<'a> {
    /// Fails if a rule is unknown.
    pub(super) fn of(context: &mut Context, command: &'a Check) -> Result<Self, Failure> {
        let names = || command.select.iter().chain(&command.ignore);
        if names().next().is_some() {
            let rules = context.callsheet.rules()?;
            let known = |name: &str| name == ALL || rules.iter().any(|rule| rule.name == name);
            if let Some(name) = names().find(|name| !known(name)) {
                let failure = Failure::trouble(format!("unknown rule `{}`", clean(name)));
                return Err(match closest(name, rules.iter().map(|rule| rule.name.as_str())) {
                    Some(near) => failure.help(format!("did you mean `{near}`?")),
                    None => failure.help("run `callsheet rules` for the list"),
                });
            }
        }
        Ok(Self {
            select: &command.select,
            ignore: &command.ignore,
            severity: command.severity,
        })
    }

    /// Whether findings of this rule are selected.
    pub(super) fn has_rule(&self, rule: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|name| name == rule);
        let selected =
            self.select.is_empty() || self.select.iter().any(|name| name == ALL) || is_in(self.select);
        // Naming a rule overrides `all`.
        let ignored = is_in(self.ignore) || self.ignore.iter().any(|name| name == ALL) && !is_in(self.select);
        selected && !ignored
    }

    pub(super) fn has(&self, diagnostic: &Diagnostic) -> bool {
        let is_grave = match self.severity {
            None | Some(Gravity::Note) => true,
            Some(Gravity::Warning) => diagnostic.severity != Severity::Note,
            Some(Gravity::Error) => diagnostic.severity == Severity::Error,
        };
        is_grave && self.has_rule(&diagnostic.rule)
    }
}
