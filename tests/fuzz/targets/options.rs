//! Fuzzes `callsheet_invariants::command_options`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callsheet_invariants::command_options(bytes));
