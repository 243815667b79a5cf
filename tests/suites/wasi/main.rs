//! What is composed for WASI runtimes, in a stock one: `CALLSHEET_WASMTIME` names it, and without it these tests skip.

mod command;
mod files;
mod http;
mod stock;
