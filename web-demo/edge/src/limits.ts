// Limits that are not in openapi.json, with reasons.

/** Maximum size of a request body. Reading it needs several copies in memory, and an isolate has 128 MB. */
export const BODY_BYTES = 1 << 20;

/** Number of bytes of a refused body to read and discard. */
export const DRAINED_BYTES = 16 << 20;

/** Maximum size of a session. Each request reads and writes all of it, and an isolate has 128 MB. */
export const SNAPSHOT_BYTES = 8 << 20;

/** Values in a Durable Object's storage are limited to 2 MiB including the key. */
export const PART_BYTES = 1 << 20;

/** Milliseconds that a session is kept after its last change: a day. */
export const KEPT = 24 * 60 * 60 * 1000;

/** Maximum number of errors in a problem; more would not be useful. */
export const ERRORS = 10;

/** Maximum number of findings per request, counted per dialect. Each takes about 3 KB, and an isolate has 128 MB. */
export const FINDINGS = 10_000;

/** Smaller projects cannot exceed the limit of findings, so their findings are not counted beforehand. */
export const COUNTED_BYTES = 16 << 10;

/** Maximum nesting of a body. A tool's schema needs ten levels; each uses stack. */
export const DEPTH = 64;
