//! Fuzzes `callsheet_invariants::convert`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callsheet_invariants::convert(bytes));
