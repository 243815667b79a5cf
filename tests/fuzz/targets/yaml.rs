//! Fuzzes `callsheet_invariants::yaml`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callsheet_invariants::yaml(bytes));
