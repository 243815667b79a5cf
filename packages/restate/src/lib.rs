//! Callsheet's sessions as virtual objects of [Restate](https://restate.dev), a durable execution engine.
//!
//! A session has no I/O, so the engine can own it: its state is a snapshot that the engine stores, and each step is an invocation that the
//! engine repeats until it ends. Workers have no state. [`serve`] is a worker, and [`Remote`] is a client of the engine.
//!
//! A model is asked again after a failure. A tool call that changes something is made at most once: a worker that vanishes during one
//! leaves it in doubt, and the agent is told so.

mod bytes;
mod names;
mod remote;
mod serve;
mod session;
mod step;
mod taken;
mod wire;
mod worker;

pub use self::remote::{Remote, RemoteError};
pub use self::serve::{BadIdentity, Service, serve};
pub use self::wire::{Answered, Change, Known, Note, Open, Refused, Step, Told, Turned};
pub use self::worker::{Answer, Steps, Turns};
