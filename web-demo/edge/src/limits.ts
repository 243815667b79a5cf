// Every limit that is not in openapi.json, with its reason.

/** The largest body of a request. It is in memory several times while it is read, and an isolate has 128 MB. */
export const BODY_BYTES = 1 << 20;

/** What is read, and thrown away, of a body that is refused. */
export const DRAINED_BYTES = 16 << 20;

/** The largest session that is kept. Each request reads and writes all of it, and an isolate has 128 MB. */
export const SNAPSHOT_BYTES = 8 << 20;

/** The largest value of a Durable Object's storage is 2 MiB with its key. */
export const PART_BYTES = 1 << 20;

/** How long a session is kept after it was last changed, in milliseconds: a day. */
export const KEPT = 24 * 60 * 60 * 1000;

/** How many places a problem names. More would not be read. */
export const ERRORS = 10;

/** The most findings of one request, one for each dialect that reports it. Each takes about 3 KB, and an isolate has 128 MB. */
export const FINDINGS = 10_000;

/** Files of fewer bytes in all have not so many findings that they have to be counted first, which takes time. */
export const COUNTED_BYTES = 16 << 10;

/** The deepest nesting of a body. A tool's schema needs ten; each costs stack. */
export const DEPTH = 64;
