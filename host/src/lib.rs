//! Callsheet.
