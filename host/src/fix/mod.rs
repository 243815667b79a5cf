//! Mending files: the fixes that findings come with, applied until none is left.
//!
//! [`Callsheet::mend`](crate::Callsheet::mend) says what would become of a file and writes nothing;
//! [`Callsheet::write`](crate::Callsheet::write) writes it, or leaves the file as it was.

mod mend;
mod round;

pub use self::mend::Mended;
pub use self::round::{Applied, Which, apply};
