//! Fuzzes `callsheet_invariants::readers`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callsheet_invariants::readers(bytes));
