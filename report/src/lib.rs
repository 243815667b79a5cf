//! The output of Callsheet for people and machines: turns values of the contract into text, without decisions.
//!
//! The command line uses it natively, and components that use the component compile it to WebAssembly.

pub mod a2a;
mod assets;
mod built;
mod checked;
pub mod concise;
pub mod cyclonedx;
pub mod doctor;
pub mod drawing;
pub mod fingerprint;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod json_v1;
pub mod lines;
pub mod located;
pub mod pages;
pub mod report;
pub mod sarif;
pub mod secrets;
pub mod text;
mod words;
