//! Types that the native host's documents refer to but that are not used here: fixes, baselines, runs.

/// Fixed files.
pub mod fix {
    /// A fix that was applied.
    #[derive(Clone, Debug)]
    pub struct Applied {
        /// The rule of the finding.
        pub rule: String,
        /// The title of the fix.
        pub title: String,
        /// Whether it cannot change intent.
        pub safe: bool,
    }

    /// A fixed file.
    #[derive(Clone, Debug)]
    pub struct Mended {
        /// The file.
        pub path: String,
        /// The contents before.
        pub before: Vec<u8>,
        /// The contents after.
        pub after: Vec<u8>,
        /// The applied fixes.
        pub applied: Vec<Applied>,
    }
}

/// Accepted findings.
pub mod baseline {
    /// An accepted finding.
    #[derive(Clone, Debug)]
    pub struct Entry {
        /// The file.
        pub path: String,
        /// The rule.
        pub rule: String,
        /// The fingerprint.
        pub fingerprint: String,
    }

    /// The effect of a baseline on a report.
    #[derive(Clone, Debug, Default)]
    pub struct Accepted {
        /// Number of suppressed findings.
        pub suppressed: usize,
        /// Entries without a finding.
        pub stale: Vec<Entry>,
    }
}

/// Finished runs.
pub mod drive {
    use crate::delegation::{Outcome, Usage};

    /// The outcome.
    #[derive(Debug)]
    pub struct Ended {
        /// None if it was interrupted.
        pub outcome: Option<Outcome>,
        /// Resources used.
        pub usage: Usage,
        /// Whether a tool call was denied.
        pub refused: bool,
    }
}
