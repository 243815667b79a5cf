//! Models over the wire: the formats against a mock server that others wrote, the accidents against a socket of our own.
//!
//! The mock server is a package of npm. `.ci/servers` installs it, and `CALLSHEET_SERVERS` says where it is.

mod accidents;
mod ask;
mod cached;
mod chaos;
mod formats;
mod mock;
mod socket;
