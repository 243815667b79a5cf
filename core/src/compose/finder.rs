//! Collects the findings about one file.

use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::{Diagnostic, Place, Rule, Severity};

/// Findings about one file, and whether it can be used.
#[derive(Default)]
pub(super) struct Finder {
    pub(super) found: Vec<Diagnostic>,
    pub(super) failed: bool,
}

impl Finder {
    /// Reports something; an error means that the file cannot be used.
    pub(super) fn find(&mut self, rule: &Rule, place: &Place, message: String) {
        self.failed |= rule.severity == Severity::Error;
        self.found.push(Diagnostic::new(rule, place.clone(), message));
    }
}
