//! The arguments of commands that work on many repositories.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

#[derive(Args, Clone, Debug)]
pub struct Repos {
    /// Read every repository in a directory or listed in a file, each separately
    #[arg(long, value_name = "PATH")]
    pub repos: Option<PathBuf>,
    /// With --repos: keep results in this file, and read only what changed
    #[arg(long, value_name = "FILE", requires = "repos")]
    pub cache: Option<PathBuf>,
    /// With --repos: read only this part of the repositories, such as 1/4
    #[arg(long, value_name = "PART/PARTS", requires = "repos")]
    pub shard: Option<Shard>,
}

/// A part of the repositories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    pub part: usize,
    /// The number of parts.
    pub parts: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        match numbers {
            Some((part, parts)) if (1..=parts).contains(&part) => Ok(Self { part, parts }),
            _ => Err("expected a part and the number of parts, such as 1/4".to_owned()),
        }
    }
}
