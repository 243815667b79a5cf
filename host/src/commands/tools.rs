//! `tools`: lists the tools of an agent, and why it gets them.

use callsheet::output::report::Granted;
use callsheet::output::{json_v1, text};

use super::context::Context;
use super::kinds;
use super::work::{self, confined::Confined};
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, name: &str, confined: Confined) -> Result<Exit, Failure> {
    let name = kinds::of_agent(name, "tools")?;
    let (dialect, mut catalog) = work::catalog_of(context, name)?;
    let lent = work::lend::tools(context, &mut catalog, work::Voice::plain().say, confined, None)?;
    work::lend::remark_distrust(context, &mut catalog, &lent.trusted, name)?;
    let mut offered = lent.offered_to(name);
    offered.extend(work::coordinator::calling(&mut context.callsheet, &dialect)?);
    let grants = catalog.grants(name, &offered)?;
    let granted = Granted {
        dialect,
        name: name.to_owned(),
        grants: grants.expect("it is active"),
    };
    match context.format() {
        Format::Json => context.print(&json_v1::tools(&granted))?,
        Format::Text => {
            let text = text::grants(&context.look, &granted);
            context.print(&text)?;
        }
        Format::Concise => {
            for grant in &granted.grants.offered {
                let word = if grant.granted { "granted" } else { "denied" };
                let (tool, reason) = (text::clean(&grant.tool), text::clean(&grant.reason));
                context.print(&format!("{tool}: {word}: {reason}\n"))?;
            }
        }
    }
    Ok(Exit::Clean)
}
