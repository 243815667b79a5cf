//! Agents that may be called, and whose models are unavailable.

use std::collections::BTreeMap;

use callsheet::Catalog;
use callsheet::drive::Unavailable;
use callsheet::output::text::clean;
use callsheet::types::Level;

use super::super::context::Context;
use crate::exit::Failure;

/// Fails if there are any. One that comes with the product is only reported: the user did not choose it, and its calls fail.
pub(super) fn refuse(
    context: &Context,
    catalog: &mut Catalog,
    caller: &str,
    found: Vec<Unavailable>,
) -> Result<(), Failure> {
    // Sorted, by reason.
    let (mut own, mut built_in): (Reasons, Reasons) = Default::default();
    for Unavailable { reason, agent } in found {
        let level = catalog.get(&agent)?.map(|it| it.origin.level);
        let reasons = match level {
            Some(Level::BuiltIn) => &mut built_in,
            _ => &mut own,
        };
        reasons.entry(reason).or_default().push(clean(&agent));
    }
    for (reason, agents) in &built_in {
        context.remark(&format!(
            "note: calls of {} will fail: {}",
            listed(agents),
            clean(reason)
        ));
    }
    if own.is_empty() {
        return Ok(());
    }
    let caller = clean(caller);
    let reasons = own
        .iter()
        .map(|(reason, agents)| format!("{}: {}", listed(agents), clean(reason)));
    let reasons: Vec<String> = reasons.collect();
    let failure = Failure::trouble(format!("{caller} may call {}", reasons.join("\n       and ")));
    Err(failure.help("`--model ALIAS=PROVIDER:NAME` maps an alias for one run"))
}

/// Agents by the reason.
type Reasons = BTreeMap<String, Vec<String>>;

/// More agents are only counted.
const FEW: usize = 5;

fn listed(agents: &[String]) -> String {
    match agents.split_at_checked(FEW) {
        Some((few, others @ [_, ..])) => format!("{} and {} others", few.join(", "), others.len()),
        _ => agents.join(", "),
    }
}
