//! What the conformance cases cannot say of the command line: exit codes, the terminal, the documentation.

mod baseline;
mod chosen;
mod config;
mod confine;
mod documentation;
mod editor;
mod endings;
mod ends;
mod fix;
mod formats;
mod help;
mod ignore;
mod models;
mod naming;
mod readers;
mod rules;
mod run;
mod secrets;
mod servers;
mod sessions;
mod terminal;
mod trust;
mod watch;
mod world;
mod write;
