//! How names resolve after a change.

use callsheet::Catalog;
use callsheet::catalogs::Standing;
use callsheet::output::report::{Now, Written};
use callsheet::output::{json_v1, text};
use callsheet::types::Kind;

use crate::cli::Format;
use crate::commands::context::Context;
use crate::exit::{Exit, Failure};

/// Catalogs before the change.
pub(in crate::commands) struct Watch(Vec<Catalog>);

impl Watch {
    /// Opens the catalogs in use, and the one of this dialect.
    pub(in crate::commands) fn start(context: &mut Context, dialect: &str) -> Result<Self, Failure> {
        let mut dialects = context.dialects()?;
        if dialects.iter().all(|known| known != dialect) {
            dialects.push(dialect.to_owned());
        }
        let open = |dialect: &String| context.open(dialect);
        Ok(Self(dialects.iter().map(open).collect::<Result<_, _>>()?))
    }

    /// Prints what was done, and what the names resolve to now, where that changed.
    pub(in crate::commands) fn finish(
        self,
        context: &mut Context,
        mut written: Written,
        names: &[&str],
    ) -> Result<Exit, Failure> {
        for mut catalog in self.0 {
            let changes = catalog.refresh()?;
            for name in names {
                let now = now(&mut catalog, context.kind, name)?;
                let mentions = |path: &Option<String>| {
                    path.is_some() && now.paths().any(|it| Some(it) == path.as_deref())
                };
                if changes.iter().any(|change| change.name == *name) || mentions(&written.path) {
                    written.now.push(now);
                }
            }
        }
        match context.format() {
            Format::Json => context.print(&json_v1::written(&written))?,
            Format::Concise => context.print(&text::done(&written))?,
            Format::Text => {
                context.print(&text::done(&written))?;
                if !context.options.quiet {
                    context.print(&text::now(&written))?;
                }
                if written.now.is_empty() && written.changed {
                    context.remark("note: no tool in use here looks for agents there");
                }
            }
        }
        Ok(Exit::Clean)
    }
}

fn now(catalog: &mut Catalog, kind: Kind, name: &str) -> Result<Now, Failure> {
    let explanation = catalog.explain(name)?;
    let mut candidates = explanation.candidates;
    let winner = candidates
        .iter()
        .position(|entry| entry.standing == Standing::Active);
    let winner = winner.map(|at| candidates.remove(at));
    candidates.retain(|entry| entry.standing != Standing::NotAnAgent);
    Ok(Now {
        dialect: catalog.dialect().to_owned(),
        kind,
        name: name.to_owned(),
        winner,
        others: candidates,
    })
}
