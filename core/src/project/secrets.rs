//! Keeps secrets out of a report: asterisks replace them in texts, and an edit that would repeat one is split around it. If that is
//! impossible, the fix is dropped, since a masked one would write asterisks into the file.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::memmem;

use super::Finding;
use crate::diagnostic::{Diagnostic, Edit};
use crate::files::Files;
use crate::order;
use crate::span::Span;

/// A truncated secret with fewer characters reveals nothing.
const TELLING: usize = 8;

const ELLIPSIS: char = '\u{2026}';

fn path(finding: &Finding) -> &str {
    &finding.diagnostic.primary.place.path
}

fn secret(contents: &[u8], found: &Diagnostic) -> Option<String> {
    let span = found.primary.place.span;
    let bytes = contents.get(span.start.index()..span.end.index())?;
    (found.rule == "secret" && !bytes.is_empty()).then(|| String::from_utf8_lossy(bytes).into_owned())
}

/// The secrets.
pub(super) struct Secrets {
    /// Sorted, each once.
    texts: Vec<String>,
    /// For each, the longest other one that it starts with.
    shorter: Vec<Option<usize>>,
}

impl Secrets {
    /// Those that findings point at.
    pub(super) fn of(findings: &[Finding], files: &dyn Files) -> Self {
        let mut texts = Vec::new();
        let found = findings
            .iter()
            .filter(|finding| finding.diagnostic.rule == "secret");
        let found: Vec<&Finding> = found.collect();
        for findings in found.chunk_by(|a, b| path(a) == path(b)) {
            let contents = files.read(path(findings[0])).unwrap_or_default();
            texts.extend(
                findings
                    .iter()
                    .filter_map(|found| secret(&contents, &found.diagnostic)),
            );
        }
        Self::new(texts)
    }

    /// Masks them in findings, which are sorted by file.
    pub(super) fn conceal(&self, findings: &mut [Finding], files: &dyn Files) {
        if self.texts.is_empty() {
            return;
        }
        for findings in findings.chunk_by_mut(|a, b| path(a) == path(b)) {
            let edits = findings
                .iter()
                .flat_map(|finding| &finding.diagnostic.fixes)
                .flat_map(|fix| &fix.edits);
            let tells = edits.clone().any(|edit| !self.within(&edit.text).is_empty());
            let contents = tells.then(|| files.read(path(&findings[0])).unwrap_or_default());
            for finding in findings {
                if let Some(contents) = &contents {
                    self.conceal_fixes(&mut finding.diagnostic, contents);
                }
                self.mask(&mut finding.diagnostic);
            }
        }
    }

    fn conceal_fixes(&self, found: &mut Diagnostic, contents: &[u8]) {
        found.fixes.retain_mut(|fix| {
            let edits: Option<Vec<Vec<Edit>>> =
                fix.edits.iter().map(|edit| self.around(contents, edit)).collect();
            let is_told = edits.is_some();
            fix.edits = edits.unwrap_or_default().concat();
            is_told
        });
    }

    fn new(texts: Vec<String>) -> Self {
        let texts = order::names(texts);
        let mut shorter: Vec<Option<usize>> = Vec::with_capacity(texts.len());
        for at in 0..texts.len() {
            let mut before = at.checked_sub(1);
            while let Some(candidate) = before
                && !texts[at].starts_with(&texts[candidate])
            {
                before = shorter[candidate];
            }
            shorter.push(before);
        }
        Self { texts, shorter }
    }

    /// The length of the longest secret at the start of a text.
    fn at_start(&self, text: &str) -> Option<usize> {
        let mut candidate = self
            .texts
            .partition_point(|known| &**known <= text)
            .checked_sub(1);
        while let Some(at) = candidate {
            if text.starts_with(&self.texts[at]) {
                return Some(self.texts[at].len());
            }
            candidate = self.shorter[at];
        }
        None
    }

    /// Their places in a text, in order.
    fn within(&self, text: &str) -> Vec<Range<usize>> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let rest = &text[at..];
            at += match self.at_start(rest) {
                Some(length) => {
                    found.push(at..at + length);
                    length
                }
                None => rest.chars().next().map_or(1, char::len_utf8),
            };
        }
        found
    }

    pub(super) fn masked(&self, text: &str) -> String {
        let mut masked = String::with_capacity(text.len());
        let mut kept = 0;
        for found in self.within(text) {
            masked += &text[kept..found.start];
            masked += "***";
            kept = found.end;
        }
        masked += &text[kept..];
        self.without_cut(&masked)
    }

    /// The same text without the start of a secret before an ellipsis.
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
        let mut whole = String::with_capacity(text.len());
        for part in parts {
            match cut(part) {
                Some(at) => {
                    whole += &part[..at];
                    whole += "***";
                }
                None => whole += part,
            }
            whole.push(ELLIPSIS);
        }
        whole + rest
    }

    /// Equivalent edits without a secret; none if there are none.
    fn around(&self, contents: &[u8], edit: &Edit) -> Option<Vec<Edit>> {
        let found = self.within(&edit.text);
        if found.is_empty() {
            return Some(alloc::vec![edit.clone()]);
        }
        let (start, end) = (edit.span.start.index(), edit.span.end.index());
        let mut parts = Vec::with_capacity(found.len() + 1);
        let (mut old, mut new) = (start, 0);
        for secret in found {
            let rest = contents.get(old..end)?;
            let same = old + memmem::find(rest, edit.text[secret.clone()].as_bytes())?;
            parts.push((old..same, new..secret.start));
            (old, new) = (same + secret.len(), secret.end);
        }
        parts.push((old..end, new..edit.text.len()));
        parts.retain(|(old, new)| contents[old.clone()] != edit.text.as_bytes()[new.clone()]);
        let edit = |(old, new): (Range<usize>, Range<usize>)| Edit {
            span: Span::new(old.start, old.end),
            text: edit.text[new].to_owned(),
        };
        Some(parts.into_iter().map(edit).collect())
    }

    fn mask(&self, found: &mut Diagnostic) {
        let mask = |text: &mut String| *text = self.masked(text);
        mask(&mut found.message);
        found.note.iter_mut().for_each(mask);
        found.help.iter_mut().for_each(mask);
        mask(&mut found.primary.text);
        found.related.iter_mut().for_each(|label| mask(&mut label.text));
        found.fixes.iter_mut().for_each(|fix| mask(&mut fix.title));
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    const KEY: &str = "sk-0123456789";

    fn secrets() -> Secrets {
        Secrets::new(alloc::vec![KEY.to_string()])
    }

    #[test]
    fn truncated_secrets_are_masked() {
        for (text, masked) in [
            ("`sk-0123456789` and sk-0123456789", "`***` and ***"),
            ("a sk-0123456\u{2026}", "a ***\u{2026}"),
            ("sk-01\u{2026}", "sk-01\u{2026}"),
        ] {
            assert_eq!(secrets().masked(text), masked);
        }
    }

    #[test]
    fn the_longest_matching_secret_is_masked() {
        let texts = ["ab", "abza", "abzb", "x"].map(ToString::to_string);
        let secrets = Secrets::new(texts.to_vec());
        assert_eq!(secrets.masked("abzz abza x"), "***zz *** ***");
    }

    #[test]
    fn edits_are_split_around_secrets() {
        let contents = format!("key: {KEY} and: {KEY}");
        let edit = |start: usize, text: String| Edit {
            span: Span::new(start, contents.len()),
            text,
        };
        let quoted = edit(5, format!("\"{KEY} and: {KEY}\""));
        let parts = secrets()
            .around(contents.as_bytes(), &quoted)
            .expect("each is there");
        assert!(parts.iter().all(|part| !part.text.contains(KEY)));
        assert_eq!(parts.len(), 2);
        let moved = edit(contents.len(), format!("\n{KEY}"));
        assert_eq!(secrets().around(contents.as_bytes(), &moved), None);
    }
}
