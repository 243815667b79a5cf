//! Parses, validates and resolves AI agent files.
#![no_std]
extern crate alloc;
