//! Fuzzes `invariants::session`.
#![no_main]

#[allow(dead_code, reason = "the other targets use the rest")]
#[path = "../../src/invariants/mod.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::session(bytes));
