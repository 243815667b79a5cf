//! What the conformance cases cannot say of the command line: exit codes, the terminal, the documentation.

mod baseline;
mod documentation;
mod ends;
mod fix;
mod formats;
mod terminal;
mod world;
