//! Fuzzes `callsheet_invariants::session`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callsheet_invariants::session(bytes));
