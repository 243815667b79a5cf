//! Fuzzes `callsheet_invariants::toml`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callsheet_invariants::toml(bytes));
