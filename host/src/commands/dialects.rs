//! `dialects`: lists and describes dialects.

use callsheet::output::{concise, json_v1, text};

use super::context::Context;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, name: Option<&str>) -> Result<Exit, Failure> {
    let mut dialects = context.callsheet.dialects()?;
    if let Some(name) = name {
        // Fails with the closest name if the dialect is unknown.
        context.callsheet.locations(name)?;
        dialects.retain(|dialect| dialect.id == name);
    }
    let look = context.look;
    match (context.format(), name) {
        (Format::Json, _) => context.print(&json_v1::dialects(&dialects))?,
        (Format::Concise, _) => {
            for dialect in &dialects {
                context.print(&concise::dialect(dialect))?;
            }
        }
        (Format::Text, None) => context.print(&text::dialects(&look, &dialects))?,
        (Format::Text, Some(_)) => {
            for dialect in &dialects {
                context.print(&text::dialect(&look, dialect))?;
            }
        }
    }
    Ok(Exit::Clean)
}
