//! What the native host's documents have places for, and nothing here fills: mending, baselines, work.

/// Files that were mended.
pub mod fix {
    /// A fix that was applied.
    #[derive(Clone, Debug)]
    pub struct Applied {
        /// The rule of the finding.
        pub rule: String,
        /// What it did.
        pub title: String,
        /// Whether it only did what was plainly meant.
        pub safe: bool,
    }

    /// A file that was mended.
    #[derive(Clone, Debug)]
    pub struct Mended {
        /// The file.
        pub path: String,
        /// What it said.
        pub before: Vec<u8>,
        /// What it says.
        pub after: Vec<u8>,
        /// How it came to that.
        pub applied: Vec<Applied>,
    }
}

/// Findings that are accepted.
pub mod baseline {
    /// One of them.
    #[derive(Clone, Debug)]
    pub struct Entry {
        /// The file.
        pub path: String,
        /// The rule.
        pub rule: String,
        /// What it is known by.
        pub fingerprint: String,
    }

    /// What a baseline took out of a report.
    #[derive(Clone, Debug, Default)]
    pub struct Accepted {
        /// How many findings.
        pub suppressed: usize,
        /// The entries that fit none.
        pub stale: Vec<Entry>,
    }
}

/// Work that is done.
pub mod drive {
    use crate::delegation::{Outcome, Usage};

    /// How it ended.
    #[derive(Debug)]
    pub struct Ended {
        /// None if it was put away before.
        pub outcome: Option<Outcome>,
        /// What it used up.
        pub usage: Usage,
        /// Whether a call was refused.
        pub refused: bool,
    }
}
