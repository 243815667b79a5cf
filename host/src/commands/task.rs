//! `task`: has something done by whichever agents fit.

use callsheet::Catalog;
use callsheet::delegation::Task as Order;
use callsheet::documents::{Draft, DraftField, FieldValue};

use super::context::Context;
use super::work;
use crate::cli::Task;
use crate::exit::{Exit, Failure};

/// What the agent is called that calls the others.
const COORDINATOR: &str = "coordinator";

const DESCRIPTION: &str = "Sees to it that a task is done by the agents that fit";

const PROMPT: &str = "\
You see to it that a task is done. Read it, look at what is there as far as you must, and choose the agents that fit from \
those that you can call. Give each its part: it starts afresh and sees only what you write, so say all that it has to know \
and what it is to answer. Call those whose parts do not depend on one another in one answer, so that they work side by side. \
Do by yourself what no agent fits. Check what they answer, and end with one answer to the task that stands on its own.";

pub(super) fn run(context: &mut Context, command: Task) -> Result<Exit, Failure> {
    let prompt = work::prompt(command.task)?;
    work::run(context, &command.work, |context, aside| {
        let (dialect, catalog, agent) = match command.agent {
            Some(agent) => {
                let (dialect, catalog) = work::catalog_of(context, &agent)?;
                (dialect, catalog, agent)
            }
            None => {
                let (dialect, catalog) = coordinated(context)?;
                (dialect, catalog, COORDINATOR.to_owned())
            }
        };
        let task = Order {
            agent,
            prompt,
            description: None,
            model: None,
        };
        work::begin::anew(context, dialect, catalog, task, &command.work, aside)
    })
}

/// The catalog of the first dialect in use, and a coordinator in it.
fn coordinated(context: &mut Context) -> Result<(String, Catalog), Failure> {
    let dialects = context.dialects()?;
    let Some(dialect) = dialects.first().cloned() else {
        let failure = Failure::nothing_found("there are no agents: no known tool keeps any here");
        return Err(failure.help("`callsheet list` says what was looked for"));
    };
    if dialects.len() > 1 {
        let others = dialects[1..].join(", ");
        context.remark(&format!(
            "these are the agents of {dialect}; `--as` takes others: {others}"
        ));
    }
    let mut catalog = context.callsheet.open(&dialect)?;
    if catalog.get(COORDINATOR)?.is_none() {
        let field = |canonical: &str, value: &str| DraftField {
            canonical: canonical.to_owned(),
            value: FieldValue::Text(value.to_owned()),
        };
        let draft = Draft {
            fields: vec![field("name", COORDINATOR), field("description", DESCRIPTION)],
            prompt: PROMPT.to_owned(),
        };
        let plain = dialect.split('@').next().unwrap_or(&dialect);
        let contents = context.callsheet.render(&draft, plain)?;
        catalog.register(COORDINATOR, &contents)?;
    }
    Ok((dialect, catalog))
}
