//! Every limit that is not in `openapi.json`: the worker's, by the same names.

/// The largest body of a request.
pub(crate) const BODY_BYTES: usize = 1 << 20;

/// The largest session. It is larger in base64, and a reply comes with it.
pub(crate) const SNAPSHOT_BYTES: usize = 8 << 20;

/// The largest body of a request with a session.
pub(crate) const SESSION_BODY_BYTES: usize = 12 << 20;

/// What is read, and thrown away, of a body that is refused.
pub(crate) const DRAINED_BYTES: u64 = 16 << 20;

/// The deepest nesting of a body.
pub(crate) const DEPTH: usize = 64;

/// How many places a problem names. More would not be read.
pub(crate) const ERRORS: usize = 10;

/// The most findings of one request, one for each dialect that reports it.
pub(crate) const FINDINGS: usize = 10_000;

/// Files of fewer bytes in all have not so many findings that they have to be counted first.
pub(crate) const COUNTED_BYTES: usize = 16 << 10;
