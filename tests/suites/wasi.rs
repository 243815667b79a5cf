//! What is composed for WASI runtimes, in a stock one: `CALLSHEET_WASMTIME` names it, and without it these tests skip.

#[path = "wasi/command.rs"]
mod command;
#[path = "wasi/files.rs"]
mod files;
#[path = "wasi/http.rs"]
mod http;
#[path = "wasi/stock.rs"]
mod stock;
