//! Fuzzes `callsheet_invariants::resolver`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callsheet_invariants::resolver(bytes));
