//! Every definition of a name, and why one wins.

use callsheet_contract::catalogs::{Entry, NearMiss, Nearness, Standing};
use callsheet_contract::types::Kind;

use super::cell::{clean, wrap};
use super::entry::{noun, standing, whereabouts};
use super::look::Look;
use crate::report::Explained;
use crate::words;

/// Every definition of a name in one dialect, in order of precedence.
pub fn why(look: &Look, explained: &Explained) -> String {
    let explanation = &explained.explanation;
    let mut out = format!(
        "{}: {}\n",
        look.heading(&explained.dialect),
        verdict(explained.kind, &explanation.name, &explanation.candidates)
    );
    if !explanation.candidates.is_empty() {
        paragraph(
            &mut out,
            look,
            "  ",
            &format!("The rule: {}", clean(&explanation.rule)),
        );
    }
    for (number, entry) in explanation.candidates.iter().enumerate() {
        candidate(&mut out, look, number + 1, entry);
    }
    for miss in &explanation.near {
        paragraph(&mut out, look, "  ", &near(miss));
    }
    out
}

/// A similar name, as a question.
pub fn near(miss: &NearMiss) -> String {
    let how = match miss.nearness {
        Nearness::Folded => " Only case or separators differ",
        Nearness::Similar => "",
        Nearness::FileName => " Only its file has the name you searched for",
    };
    let entry = &miss.entry;
    let state = match entry.standing {
        Standing::Active => String::new(),
        other => format!(", {}", standing(other)),
    };
    format!(
        "did you mean `{}` ({}{state})?{how}",
        clean(&entry.name),
        whereabouts(&entry.origin)
    )
}

fn verdict(kind: Kind, name: &str, candidates: &[Entry]) -> String {
    let name = clean(name);
    match candidates.iter().find(|entry| entry.standing == Standing::Active) {
        Some(winner) => format!("`{name}` is {}", whereabouts(&winner.origin)),
        None if candidates.is_empty() => format!("no {} `{name}`", noun(kind)),
        None => format!("`{name}` cannot be called"),
    }
}

fn candidate(out: &mut String, look: &Look, number: usize, entry: &Entry) {
    let words = standing(entry.standing);
    let painted = match entry.standing {
        Standing::Active => look.good(&words),
        Standing::Broken => look.bad(&words),
        _ => look.doubtful(&words),
    };
    let place = whereabouts(&entry.origin);
    let level = words::level(entry.origin.level);
    let level = if level == place {
        String::new()
    } else {
        look.faint(format!(" ({level})"))
    };
    out.push_str(&format!("  {number}. {painted}: {place}{level}\n"));
    paragraph(out, look, "     ", &clean(&entry.reason));
}

fn paragraph(out: &mut String, look: &Look, margin: &str, text: &str) {
    for line in wrap(text, look.width.saturating_sub(margin.len())) {
        out.push_str(&format!("{margin}{line}\n"));
    }
}
