//! Limits that are not in `openapi.json`, with the same names as in the worker.

/// Maximum size of a request body.
pub(crate) const BODY_BYTES: usize = 1 << 20;

/// Maximum size of a session. In a request, it is base64-encoded and comes with a reply.
pub(crate) const SNAPSHOT_BYTES: usize = 8 << 20;

/// Maximum size of a request body with a session.
pub(crate) const SESSION_BODY_BYTES: usize = 12 << 20;

/// Number of bytes of a refused body to read and discard.
pub(crate) const DRAINED_BYTES: u64 = 16 << 20;

/// Maximum nesting of a body.
pub(crate) const DEPTH: usize = 64;

/// Maximum number of errors in a problem; more would not be useful.
pub(crate) const ERRORS: usize = 10;

/// Maximum number of findings per request, counted once for the owner and once for each target.
pub(crate) const FINDINGS: usize = 10_000;

/// Smaller projects cannot exceed the limit of findings, so their findings are not counted beforehand.
pub(crate) const COUNTED_BYTES: usize = 16 << 10;
