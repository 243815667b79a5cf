//! The arguments of `inventory`.

use std::path::PathBuf;

use clap::Args;

use super::Repos;

#[derive(Args, Debug)]
pub struct Inventory {
    /// Write the inventory to a file
    #[arg(long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,
    #[command(flatten)]
    pub many: Repos,
}
