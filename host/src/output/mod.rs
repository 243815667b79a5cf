//! The output for people and machines: the results of runs and sessions, in addition to the reports of [`callsheet_report`].

pub mod live;
mod markup;
pub mod saved;
pub mod tested;
pub mod transcript;

pub use callsheet_report::{
    a2a, concise, cyclonedx, doctor, drawing, github, gitlab, json, json_v1, located, pages, report, sarif,
    secrets, text,
};
