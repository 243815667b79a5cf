//! `dialects`: lists and describes dialects.

use callsheet::output::report::Dialects;
use callsheet::output::{concise, json_v1, text};

use super::context::Context;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, name: Option<&str>) -> Result<Exit, Failure> {
    if let Some(name) = name {
        // Fails with the closest name if the dialect is unknown.
        context.callsheet.locations(name)?;
    }
    let all = Dialects {
        dialects: context.callsheet.dialects()?,
        releases: context.callsheet.readers()?,
    };
    let all = all.only(name);
    let Dialects { dialects, releases } = &all;
    let look = context.look;
    match (context.format(), name) {
        (Format::Json, _) => context.print(&json_v1::dialects(&all))?,
        (Format::Concise, None) => {
            for dialect in dialects {
                context.print(&concise::dialect(dialect))?;
            }
        }
        (Format::Concise, Some(_)) => {
            for dialect in dialects {
                context.print(&concise::dialect(dialect))?;
            }
            for release in releases {
                context.print(&concise::release(release))?;
            }
        }
        (Format::Text, None) => context.print(&text::dialects(&look, dialects))?,
        (Format::Text, Some(_)) => {
            for dialect in dialects {
                context.print(&text::dialect(&look, dialect, releases))?;
            }
            if dialects.is_empty() {
                for release in releases {
                    context.print(&text::release(&look, release))?;
                }
            }
        }
    }
    Ok(Exit::Clean)
}
