//! Fuzzes `callsheet_invariants::splitter`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callsheet_invariants::splitter(bytes));
