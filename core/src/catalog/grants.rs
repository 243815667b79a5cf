//! The tools that an agent gets.

use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Catalog;
use crate::definition::{ToolFilter, ToolRule};
pub use crate::permission::Grant;
use crate::permission::{covers, grant_in_mode};
use crate::{ignored, skills};

/// The offered tools that an agent gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grants {
    /// One for each tool offered.
    pub offered: Vec<Grant>,
    /// Entries of the agent's list that match no offered tool.
    pub unmatched: Vec<String>,
    /// Parts of its file that runs ignore or refuse. Servers and endpoints depend on trust and are not among them.
    pub ignored: Vec<String>,
}

impl Catalog {
    /// The tools of the agent with this name; none if it is not active.
    pub fn grants(&mut self, name: &str, offered: &[String]) -> Option<Grants> {
        let (definition, _) = self.get(name)?;
        let remembering = self.with_memory(Rc::clone(&definition), true);
        let grant = |tool: &String| {
            let granted = grant_in_mode(&self.dialect, &definition, tool);
            let for_memory = grant_in_mode(&self.dialect, &remembering, tool);
            if granted.granted || !for_memory.granted {
                return granted;
            }
            let reason = "for its memory".to_string();
            Grant { reason, ..for_memory }
        };
        let offered: Vec<Grant> = offered.iter().map(grant).collect();
        let unmatched = rules(&definition.tools)
            .iter()
            .filter(|rule| {
                !offered
                    .iter()
                    .any(|grant| covers(&self.dialect, rule, &grant.tool))
            })
            .map(|rule| rule.tool.clone())
            .collect();
        let mut ignored = ignored::ignored(&definition, true, &self.dialect);
        if !definition.skills.is_empty() {
            let (_, missing) = skills::listed(&self.skills_to_load(), &definition);
            ignored.extend(missing);
        }
        ignored.extend(ignored::unsupported_isolation(&definition));
        Some(Grants {
            offered,
            unmatched,
            ignored,
        })
    }
}

fn rules(filter: &ToolFilter) -> &[ToolRule] {
    match filter {
        ToolFilter::Only(rules) => rules,
        _ => &[],
    }
}
