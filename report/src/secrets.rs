//! Masks secrets, since output may be kept in logs and shown to others.
//!
//! Excerpts, diffs and the reports of conversions are masked here, findings by the component.

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

use callsheet_contract::types::{Diagnostic, Span};

use super::report::Conversion;
use crate::report::FixedFile;

/// A truncated secret with fewer characters reveals nothing.
const TELLING: usize = 8;

const ELLIPSIS: char = '\u{2026}';

/// The secrets.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    /// In order, each once.
    texts: Vec<String>,
    /// None if there are none.
    search: Option<AhoCorasick>,
}

impl Secrets {
    /// Those that findings point at in the contents of their file.
    pub fn of<'a>(contents: &[u8], found: impl IntoIterator<Item = &'a Diagnostic>) -> Self {
        let secrets = found.into_iter().filter(|found| found.rule == "secret");
        let text = |found: &Diagnostic| {
            let Span { start, end } = found.primary.place.span;
            let bytes = contents.get(start as usize..end as usize)?;
            let text = String::from_utf8_lossy(bytes).into_owned();
            (!text.is_empty()).then_some(text)
        };
        Self::new(secrets.filter_map(text).collect())
    }

    /// Those of both.
    pub fn join(self, other: Self) -> Self {
        Self::new([self.texts, other.texts].concat())
    }

    fn new(mut texts: Vec<String>) -> Self {
        texts.sort();
        texts.dedup();
        let search = (!texts.is_empty()).then(|| {
            let mut builder = AhoCorasick::builder();
            let built = builder.match_kind(MatchKind::LeftmostLongest).build(&texts);
            built.expect("secrets are far from two billion bytes")
        });
        Self { texts, search }
    }

    /// The contents with asterisks of the same length, which keep places and lines.
    pub fn mask(&self, contents: &mut [u8]) {
        for found in self.within(contents) {
            contents[found]
                .iter_mut()
                .filter(|byte| !matches!(byte, b'\n' | b'\r'))
                .for_each(|byte| *byte = b'*');
        }
    }

    /// Both states of a file with asterisks, for display only.
    pub fn in_diff(&self, mut file: FixedFile) -> FixedFile {
        self.mask(&mut file.before);
        self.mask(&mut file.after);
        file
    }

    /// The text with asterisks, also for truncated secrets.
    pub fn masked(&self, text: &str) -> String {
        let mut masked = String::with_capacity(text.len());
        let mut kept = 0;
        for found in self.within(text.as_bytes()) {
            masked += &text[kept..found.start];
            masked += "***";
            kept = found.end;
        }
        masked += &text[kept..];
        self.without_cut(&masked)
    }

    /// The text without the start of a secret before an ellipsis.
    fn without_cut(&self, text: &str) -> String {
        let mut parts: Vec<&str> = text.split(ELLIPSIS).collect();
        let rest = parts.pop().unwrap_or_default();
        let begins = |cut: &str| {
            let next = self.texts.partition_point(|text| &**text < cut);
            self.texts.get(next).is_some_and(|text| text.starts_with(cut))
        };
        let cut = |part: &str| {
            let (last, _) = part.char_indices().nth_back(TELLING - 1)?;
            let mut starts = part.char_indices().map(|(at, _)| at).take_while(|at| *at <= last);
            starts.find(|at| begins(&part[*at..]))
        };
        let masked = parts.into_iter().map(|part| match cut(part) {
            Some(at) => format!("{}***{ELLIPSIS}", &part[..at]),
            None => format!("{part}{ELLIPSIS}"),
        });
        masked.chain([rest.to_owned()]).collect()
    }

    /// Their places in a text, in order.
    fn within(&self, text: &[u8]) -> Vec<Range<usize>> {
        let search = self.search.iter();
        search
            .flat_map(|search| search.find_iter(text))
            .map(|found| found.range())
            .collect()
    }
}

/// Masks the report of a conversion. The result itself is not masked.
pub fn conceal_report(conversion: &mut Conversion, secrets: &Secrets) {
    for line in conversion.report_mut() {
        for text in [&mut line.before, &mut line.after, &mut line.reason] {
            *text = secrets.masked(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-0123456789";

    fn secrets() -> Secrets {
        Secrets::new(vec![KEY.to_owned()])
    }

    #[test]
    fn truncated_secrets_are_masked() {
        let masked = |text: &str| secrets().masked(text);
        assert_eq!(masked("`sk-0123456789` and sk-0123456789"), "`***` and ***");
        assert_eq!(masked("a sk-0123456\u{2026}"), "a ***\u{2026}");
        assert_eq!(masked("sk-01\u{2026}"), "sk-01\u{2026}");
        let mut contents = format!("a {KEY}\nb {KEY}").into_bytes();
        secrets().mask(&mut contents);
        assert_eq!(contents, b"a *************\nb *************");
    }
}
