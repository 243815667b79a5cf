//! Fuzzes `callsheet_invariants::writer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callsheet_invariants::writer(bytes));
