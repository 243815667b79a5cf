//! Fuzzes `callsheet_invariants::definition`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callsheet_invariants::definition(bytes));
