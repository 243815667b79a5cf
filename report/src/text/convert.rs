//! The fate of each field in a conversion.

use callsheet_contract::documents::{Carried, Transfer};

use super::{Look, clean};
use crate::report::{Conversion, Conversions};
use crate::words;

/// The indentation of the fields.
const INDENT: usize = 14;

/// A line for each field, with its reason below.
pub fn conversion(look: &Look, conversion: &Conversion) -> String {
    let mut out = String::new();
    for carried in conversion.report() {
        out.push_str(&line(look, carried));
    }
    out
}

/// A line for each file of a directory, with lost and refused fields below.
pub fn conversions(look: &Look, conversions: &Conversions) -> String {
    let mut out = String::new();
    for (file, target) in conversions.files.iter().zip(&conversions.targets) {
        let path = look.heading(clean(&file.path));
        match (target, &file.written) {
            (Some(_), Some(written)) => out.push_str(&format!("{path}: wrote {}\n", clean(written))),
            (Some(target), None) => out.push_str(&format!("{path} -> {}\n", clean(target))),
            (None, _) => out.push_str(&format!("{path}: {}\n", look.bad("refused"))),
        }
        let told = |carried: &&Carried| match target {
            Some(_) => carried.fate == Transfer::Dropped,
            None => carried.fate == Transfer::Refused,
        };
        for carried in file.report().iter().filter(told) {
            out.push_str(&line(look, carried));
        }
    }
    let (total, refused) = (conversions.files.len(), conversions.refused());
    let written = conversions.files.iter().filter(|file| file.written.is_some());
    out.push_str(&format!(
        "{} of {} to {}, {refused} refused, {} written\n",
        total - refused,
        if total == 1 {
            "1 file converts".to_string()
        } else {
            format!("{total} files convert")
        },
        clean(&conversions.to),
        written.count()
    ));
    out
}

fn line(look: &Look, carried: &Carried) -> String {
    let fate = words::transfer(carried.fate);
    let blanks = " ".repeat(INDENT - fate.len());
    let fate = match carried.fate {
        Transfer::Kept | Transfer::Renamed => look.good(fate),
        Transfer::Approximated | Transfer::Dropped => look.doubtful(fate),
        Transfer::Refused => look.bad(fate),
    };
    let mut what = clean(&carried.field);
    match (carried.before.is_empty(), carried.after.is_empty()) {
        (true, true) => {}
        _ if carried.before == carried.after => what.push_str(&format!(": {}", clean(&carried.after))),
        (false, true) => what.push_str(&format!(": {}", clean(&carried.before))),
        (true, false) => what.push_str(&format!(": {}", clean(&carried.after))),
        (false, false) => {
            what.push_str(&format!(
                ": {} -> {}",
                clean(&carried.before),
                clean(&carried.after)
            ));
        }
    }
    let what = wrapped(&what, look.width);
    let reason = if carried.reason.is_empty() {
        String::new()
    } else {
        wrapped(&clean(&carried.reason), look.width)
            .lines()
            .map(|line| format!("{}{}\n", " ".repeat(INDENT), look.faint(line)))
            .collect()
    };
    let mut lines = what.lines();
    let first = lines.next().unwrap_or_default();
    let rest: String = lines
        .map(|line| format!("{}{line}\n", " ".repeat(INDENT)))
        .collect();
    format!("{fate}{blanks}{first}\n{rest}{reason}")
}

/// Broken between words to fit beside the indentation; a longer word is kept whole.
fn wrapped(text: &str, width: usize) -> String {
    let room = width.saturating_sub(INDENT).max(20);
    let (mut out, mut used) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > room {
            out.push('\n');
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    out
}
