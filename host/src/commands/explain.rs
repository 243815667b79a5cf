//! `explain`: the page of a rule.

use callsheet::closest::closest;
use callsheet::documents::Rule;
use callsheet::output::{concise, json_v1, text};

use super::context::Context;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, name: &str) -> Result<Exit, Failure> {
    let rules = context.callsheet.rules()?;
    let rule = rules.iter().find(|rule| rule.name == name);
    let rule = rule.ok_or_else(|| unknown(name, &rules))?;
    let out = match context.format() {
        Format::Json => json_v1::explain(rule),
        Format::Concise => concise::rule(rule),
        Format::Text => text::rule(&context.look, rule),
    };
    context.print(&out)?;
    Ok(Exit::Clean)
}

fn unknown(name: &str, rules: &[Rule]) -> Failure {
    let near = closest(name, rules.iter().map(|rule| rule.name.as_str()));
    let guess = near
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    let failure = Failure::trouble(format!("unknown rule `{}`{guess}", text::clean(name)));
    failure.help("run `callsheet rules` for the list")
}
