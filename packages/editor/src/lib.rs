//! The language server as a component, for editors in a browser: without threads, a clock and a disk.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "generated bindings")]

mod contract;
mod folder;
mod surroundings;
mod turns;

use self::contract::exports::callsheet::server::server::{Guest, Turn};

struct Editor;

contract::export!(Editor with_types_in contract);

impl Guest for Editor {
    fn receive(messages: Vec<String>) -> Turn {
        turns::receive(&messages)
    }

    fn look() -> Turn {
        turns::look()
    }

    fn read_ahead(directory: String) {
        folder::read_ahead(&directory);
    }
}
