//! The limits of tools, each with its reason.

/// Bytes of a file that is read or written: a larger one is not text that a model can use.
pub(super) const FILE_BYTES: u64 = 10 << 20;

/// Bytes of a file that is searched: a larger one is data, and takes too long.
pub(super) const SEARCHED_BYTES: u64 = 100 << 20;

/// Bytes of a path: the limit of systems.
pub(super) const PATH_BYTES: usize = 4096;

/// Default number of lines per read.
pub(super) const READ_LINES: usize = 2000;

/// Characters of a line in a result: longer lines are generated.
pub(super) const LINE_CHARS: usize = 2000;

/// Braces of a path pattern: each is a group of a regular expression, whose nesting is limited.
pub(super) const BRACES: usize = 32;

/// Names per list.
pub(super) const NAMES: usize = 1000;

/// Default number of lines of a search.
pub(super) const MATCHES: usize = 500;

/// Entries of a walk: more is a whole disk, not a project.
pub(super) const WALKED: usize = 500_000;

/// Bytes of one result: some ten thousand tokens.
pub(super) const RESULT_BYTES: usize = 50_000;

/// Bytes of a regular expression when compiled.
pub(super) const PATTERN_BYTES: usize = 10 << 20;

/// Lines of context around a match.
pub(super) const CONTEXT: usize = 100;

/// Bytes of two texts that are compared line by line, which takes more than linear time.
pub(super) const COMPARED_BYTES: usize = 1 << 20;

/// Bytes of a page that are read: the text of larger ones does not fit into a result.
pub(super) const PAGE_BYTES: usize = 5 << 20;

/// Seconds for one page.
pub(super) const FETCH_SECONDS: u64 = 30;

/// Redirects within a host: more are a loop.
pub(super) const HOPS: usize = 5;

/// Default time limit of a command, in milliseconds.
pub(super) const COMMAND_MS: usize = 120_000;

/// The maximum that the model may set.
pub(super) const COMMAND_MS_MOST: usize = 600_000;

/// Commands of an agent that run in the background at once: more are a mistake.
pub(super) const BACKGROUND: usize = 16;

/// Time limit of one, in milliseconds: a day, longer than any session.
pub(super) const BACKGROUND_MS: usize = 86_400_000;

/// Default time for which an agent waits for one, in milliseconds.
pub(super) const WAIT_MS: usize = 30_000;

/// Milliseconds for reading remaining output after the command has ended.
pub(super) const DRAIN_MS: u64 = 500;

/// Bytes of output that are kept of the start, and as many of the end.
pub(super) const OUTPUT_BYTES: usize = 15_000;
