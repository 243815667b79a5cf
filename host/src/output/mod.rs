//! The output for people and machines: turns values of the contract into text, without decisions.

pub mod concise;
pub mod doctor;
pub mod drawing;
pub mod github;
pub mod gitlab;
pub mod graph;
mod json;
pub mod json_v1;
pub mod live;
pub mod located;
pub mod pages;
pub mod report;
pub mod sarif;
pub mod saved;
pub mod secrets;
pub mod text;
pub mod transcript;
mod words;
