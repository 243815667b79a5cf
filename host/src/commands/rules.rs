//! `rules`: lists the rules of `check`.

use callsheet::output::{concise, json_v1, text};

use super::context::Context;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context) -> Result<Exit, Failure> {
    let rules = context.callsheet.rules()?;
    let out = match context.format() {
        Format::Json => json_v1::rules(&rules),
        Format::Concise => rules.iter().map(concise::rule).collect(),
        Format::Text => text::rules(&context.look, &rules),
    };
    context.print(&out)?;
    Ok(Exit::Clean)
}
