//! What was found to be secret: what is printed may be kept in logs and shown to others.
//!
//! Texts and excerpts have asterisks in its place. An edit that would repeat a secret is split into edits around it, which come
//! to the same; where that cannot be done, the fix is left out, for a masked one would write asterisks into the file.

use super::report::{Checked, Conversion, Finding};
use crate::fix::Mended;
use crate::types::{Diagnostic, Edit, Span};

/// Fewer characters of a secret that was cut tell nobody anything.
const TELLING: usize = 8;

/// What is not to be shown.
#[derive(Clone, Debug, Default)]
pub struct Secrets(Vec<String>);

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
        Self(secrets.filter_map(text).collect())
    }

    /// Those of both.
    pub fn join(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The same contents with asterisks, which have the same places and lines.
    pub fn mask(&self, contents: &mut [u8]) {
        for secret in &self.0 {
            let mut from = 0;
            while let Some(at) = find(&contents[from..], secret) {
                let found = &mut contents[from + at..from + at + secret.len()];
                found
                    .iter_mut()
                    .filter(|byte| !matches!(byte, b'\n' | b'\r'))
                    .for_each(|byte| *byte = b'*');
                from += at + secret.len();
            }
        }
    }

    /// Both states of a file with asterisks, to be shown and not to be written.
    pub fn in_diff(&self, mut file: Mended) -> Mended {
        self.mask(&mut file.before);
        self.mask(&mut file.after);
        file
    }

    /// The same text with asterisks, also where a secret was cut.
    pub fn masked(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.0 {
            text = text.replace(secret.as_str(), "***");
            let ends = secret.char_indices().map(|(at, _)| at).skip(TELLING);
            for end in ends.collect::<Vec<_>>().into_iter().rev() {
                let cut = format!("{}\u{2026}", &secret[..end]);
                if text.contains(&cut) {
                    text = text.replace(&cut, "***\u{2026}");
                }
            }
        }
        text
    }

    /// Edits that come to the same and hold no secret; none if there are no such.
    fn around(&self, contents: &[u8], edit: &Edit) -> Option<Vec<Edit>> {
        let Some(secret) = self.0.iter().find(|secret| edit.text.contains(&***secret)) else {
            return Some(vec![edit.clone()]);
        };
        let Span { start, end } = edit.span;
        let old = contents.get(start as usize..end as usize)?;
        let at = u32::try_from(find(old, secret)?).ok()?;
        let length = u32::try_from(secret.len()).ok()?;
        let (before, after) = edit.text.split_once(secret.as_str())?;
        let part = |start, end, text: &str| Edit {
            span: Span { start, end },
            text: text.to_owned(),
        };
        let parts = [
            part(start, start + at, before),
            part(start + at + length, end, after),
        ];
        let changes = |part: &&Edit| {
            let old = &contents[part.span.start as usize..part.span.end as usize];
            old != part.text.as_bytes()
        };
        let parts = parts
            .iter()
            .filter(changes)
            .map(|part| self.around(contents, part));
        Some(parts.collect::<Option<Vec<_>>>()?.concat())
    }

    fn conceal(&self, finding: &mut Diagnostic) {
        let mask = |text: &mut String| *text = self.masked(text);
        mask(&mut finding.message);
        finding.help.iter_mut().for_each(mask);
        mask(&mut finding.primary.text);
        finding.related.iter_mut().for_each(|label| mask(&mut label.text));
        finding.fixes.iter_mut().for_each(|fix| mask(&mut fix.title));
    }
}

/// Takes what is secret out of all that is said of files.
pub fn conceal(checked: &mut Checked, mut read: impl FnMut(&str) -> Option<Vec<u8>>) {
    let secret = |finding: &&Finding| finding.diagnostic.rule == "secret";
    let found = checked.findings.iter().filter(secret);
    let mut paths: Vec<String> = found
        .map(|finding| finding.diagnostic.primary.place.path.clone())
        .collect();
    paths.dedup();
    let mut all = Secrets::default();
    for path in paths {
        let Some(contents) = read(&path) else { continue };
        let here = |finding: &&mut Finding| finding.diagnostic.primary.place.path == path;
        let secrets = Secrets::of(&contents, checked.of(&path));
        for finding in checked.findings.iter_mut().filter(here) {
            finding.diagnostic.fixes.retain_mut(|fix| {
                let edits = fix.edits.iter().map(|edit| secrets.around(&contents, edit));
                let edits = edits.collect::<Option<Vec<_>>>().map(|edits| edits.concat());
                let is_told = edits.is_some();
                fix.edits = edits.unwrap_or_default();
                is_told
            });
        }
        all = all.join(secrets);
    }
    for finding in &mut checked.findings {
        all.conceal(&mut finding.diagnostic);
    }
    let applied = checked
        .fixed
        .iter_mut()
        .flatten()
        .flat_map(|file| &mut file.applied);
    applied.for_each(|fix| fix.title = all.masked(&fix.title));
}

/// Takes what is secret out of what is said of a conversion. The result itself is what was asked for, and stays.
pub fn conceal_report(conversion: &mut Conversion, secrets: &Secrets) {
    for line in conversion.report_mut() {
        for text in [&mut line.before, &mut line.after, &mut line.reason] {
            *text = secrets.masked(text);
        }
    }
}

fn find(contents: &[u8], secret: &str) -> Option<usize> {
    let mut windows = contents.windows(secret.len());
    windows.position(|window| window == secret.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-0123456789";

    fn secrets() -> Secrets {
        Secrets(vec![KEY.to_owned()])
    }

    #[test]
    fn texts_are_masked_even_where_they_are_cut() {
        let masked = |text: &str| secrets().masked(text);
        assert_eq!(masked("`sk-0123456789` and sk-0123456789"), "`***` and ***");
        assert_eq!(masked("a sk-0123456\u{2026}"), "a ***\u{2026}");
        assert_eq!(masked("sk-01\u{2026}"), "sk-01\u{2026}");
        let mut contents = format!("a {KEY}\nb {KEY}").into_bytes();
        secrets().mask(&mut contents);
        assert_eq!(contents, b"a *************\nb *************");
    }

    #[test]
    fn edits_go_around_secrets() {
        let contents = format!("key: {KEY} and: {KEY}");
        let edit = |start: usize, text: String| Edit {
            span: Span {
                start: u32::try_from(start).unwrap(),
                end: u32::try_from(contents.len()).unwrap(),
            },
            text,
        };
        let quoted = edit(5, format!("\"{KEY} and: {KEY}\""));
        let parts = secrets().around(contents.as_bytes(), &quoted).unwrap();
        assert!(parts.iter().all(|part| !part.text.contains(KEY)));
        let whole = |edits: &[Edit]| crate::write::edited(contents.as_bytes(), edits);
        assert_eq!(whole(&parts), whole(&[quoted]));
        let moved = edit(contents.len(), format!("\n{KEY}"));
        assert_eq!(secrets().around(contents.as_bytes(), &moved), None);
    }
}
