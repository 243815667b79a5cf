//! Fuzzes `callsheet_invariants::command`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callsheet_invariants::command(bytes));
