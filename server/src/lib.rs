//! The language server of Callsheet without input and output. It decides nothing about agents: it translates positions and questions,
//! and the answers are the component's.
//!
//! Natively, the command line drives it with threads and a watcher. On WebAssembly, a component does, for editors in a browser.

mod actions;
mod annotations;
mod answers;
mod client;
mod completion;
mod converting;
mod creating;
mod extracting;
mod glance;
mod handshake;
mod host;
mod hover;
mod lenses;
mod lines;
mod marks;
mod places;
mod renames;
mod root;
mod server;
mod spot;
mod state;

pub use client::Client;
pub use creating::required;
pub use handshake::Handshake;
pub use host::{Answers, Failure, Folder, Host};
pub use root::{Look, Seen};
pub use server::Server;
