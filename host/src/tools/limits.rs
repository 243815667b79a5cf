//! The bounds of tools, each with its reason.

/// Bytes of a file that is read or written: what is larger is no text that a model can use.
pub(super) const FILE_BYTES: u64 = 10 << 20;

/// Bytes of a file that is searched: a larger one is data, and takes longer than anybody waits.
pub(super) const SEARCHED_BYTES: u64 = 100 << 20;

/// Bytes of a path: what systems take.
pub(super) const PATH_BYTES: usize = 4096;

/// Lines that are read at once unless the model says otherwise.
pub(super) const READ_LINES: usize = 2000;

/// Characters of a line that is shown: longer ones are generated.
pub(super) const LINE_CHARS: usize = 2000;

/// Braces of a pattern of paths: each is a group of a regular expression, and those do not nest without end.
pub(super) const BRACES: usize = 32;

/// Names that are listed at once.
pub(super) const NAMES: usize = 1000;

/// Lines that a search shows unless the model says otherwise.
pub(super) const MATCHES: usize = 500;

/// Entries that a walk looks at: more is no project but a whole disk.
pub(super) const WALKED: usize = 500_000;

/// Bytes of one result: some ten thousand tokens.
pub(super) const RESULT_BYTES: usize = 50_000;

/// Bytes of a regular expression when compiled.
pub(super) const PATTERN_BYTES: usize = 10 << 20;

/// Lines of context around a match.
pub(super) const CONTEXT: usize = 100;

/// Bytes of two texts that are compared line by line: comparing takes longer than they grow.
pub(super) const COMPARED_BYTES: usize = 1 << 20;

/// Milliseconds that a command may run unless the model says otherwise.
pub(super) const COMMAND_MS: usize = 120_000;

/// The most that the model may say.
pub(super) const COMMAND_MS_MOST: usize = 600_000;

/// Milliseconds in which output is still taken when the command has ended: what it wrote is there already.
pub(super) const DRAIN_MS: u64 = 500;

/// Bytes of output that are kept of the beginning, and as many of the end.
pub(super) const OUTPUT_BYTES: usize = 15_000;
