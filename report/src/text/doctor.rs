//! The results of `doctor`.

use super::cell::{clean, width, wrap};
use super::look::Look;
use crate::doctor::Section;

/// Every section under its name.
pub fn doctor(look: &Look, sections: &[Section]) -> String {
    let facts = sections.iter().flat_map(|section| &section.facts);
    let names = facts.map(|fact| width(&clean(&fact.name)));
    let margin = names.max().unwrap_or(0).min(look.width / 3) + 4;
    let mut out = String::new();
    for section in sections {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&format!("{}\n", look.heading(section.name)));
        for fact in &section.facts {
            let name = clean(&fact.name);
            let mark = if fact.is_problem { '!' } else { ' ' };
            let mut first = format!("{mark} {name}");
            if width(&first) + 2 > margin {
                out.push_str(&format!("{first}\n"));
                first.clear();
            }
            for line in wrap(&clean(&fact.value), look.width.saturating_sub(margin)) {
                let padding = " ".repeat(margin - width(&first));
                let line = if fact.is_problem {
                    look.doubtful(line)
                } else {
                    line
                };
                out.push_str(&format!("{first}{padding}{line}\n"));
                first.clear();
            }
        }
    }
    out
}
