//! Models over the wire: the formats against a mock server that others wrote, the accidents against a socket of our own.
//!
//! The mock server is a package of npm. `.ci/servers` installs it, and `CALLSHEET_SERVERS` says where it is.

#[path = "wire/accidents.rs"]
mod accidents;
#[path = "wire/ask.rs"]
mod ask;
#[path = "wire/formats.rs"]
mod formats;
#[path = "wire/mock.rs"]
mod mock;
#[path = "wire/socket.rs"]
mod socket;
