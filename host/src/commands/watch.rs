//! `watch`: reports changes of agents while their files change.

use callsheet::output::report::Checked;
use callsheet::output::{concise, json_v1, text};
use callsheet::watch::{News, Watch};

use super::context::Context;
use crate::cli::{Format, Output};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, json: bool) -> Result<Exit, Failure> {
    if json {
        context.options.format = Output::Json;
    }
    let chosen = chosen(context);
    let mut watch = Watch::start(&mut context.callsheet, chosen)?;
    watch.stop_on_interrupt()?;
    let agents = watch.agents()?;
    match context.format() {
        Format::Json => context.print(&json_v1::watching(&agents))?,
        _ => context.remark(text::watching(&context.look, &agents).trim_end()),
    }
    context.pause()?;
    while let Some(news) = watch.wait(&mut context.callsheet)? {
        for news in news {
            say(context, news)?;
        }
        context.flush()?;
    }
    Ok(Exit::Clean)
}

/// The given dialects; none to follow all in use, including new ones.
fn chosen(context: &Context) -> Option<Vec<String>> {
    let targets = &context.config.checks.targets;
    let dialect = context.options.dialect.clone();
    dialect
        .map(|dialect| vec![dialect])
        .or_else(|| (!targets.is_empty()).then(|| targets.clone()))
}

fn say(context: &mut Context, news: News) -> Result<(), Failure> {
    let mut checked = Checked::from_diagnostics(news.findings, Some(&news.dialect));
    for finding in &mut checked.findings {
        context.config.apply(finding);
    }
    match context.format() {
        Format::Json => context.print(&json_v1::news(&news.dialect, &news.changes, &checked))?,
        Format::Concise => {
            for change in &news.changes {
                context.print(&concise::change(&news.dialect, change))?;
            }
            for finding in checked.reported() {
                context.print(&concise::diagnostic(&finding.diagnostic))?;
            }
        }
        Format::Text => {
            let lines = text::changes(&context.look, &news.dialect, &news.changes);
            context.print(&lines)?;
            context.print_excerpts(&checked, checked.reported())?;
        }
    }
    Ok(())
}
