//! What people and machines see: everything here turns values of the contract into text and decides nothing.

pub mod concise;
pub mod json_v1;
pub mod report;
pub mod text;
mod words;
