//! Findings with their lines.

use std::ops::Range;
use std::rc::Rc;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};

use callsheet_contract::types::{Diagnostic, Edit, Fix, Label, Place, Position, Severity, Span};

use super::around::Around;
use super::cell::{clean, clean_lines, cut, width};
use super::look::Look;
use super::source::{REACH, SourceText};
use crate::pages::address;

/// The columns beside the lines of a patch.
const MARGIN: usize = 8;

/// A file's path, and its text if available.
type File<'a> = (&'a str, Option<Rc<SourceText>>);

/// Renders findings with the files that they name.
pub struct Excerpts<'a> {
    read: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    look: Look,
    /// The file of the last finding, since the next one is usually in it.
    last: Option<(String, Rc<SourceText>)>,
}

impl<'a> Excerpts<'a> {
    /// Files that `read` does not have are named without an excerpt.
    pub fn new(look: Look, read: &'a dyn Fn(&str) -> Option<Vec<u8>>) -> Self {
        Self {
            read,
            look,
            last: None,
        }
    }

    /// One finding in the style of compilers, with further notes.
    pub fn render(&mut self, diagnostic: &Diagnostic, notes: &[String]) -> String {
        let labels: Vec<&Label> = [&diagnostic.primary]
            .into_iter()
            .chain(&diagnostic.related)
            .collect();
        let files = self.files(&labels);
        let mut title = level(diagnostic.severity)
            .primary_title(clean(&diagnostic.message))
            .id(&diagnostic.rule);
        if let Some(address) = address(&diagnostic.rule).filter(|_| self.look.links) {
            title = title.id_url(address);
        }
        let mut cut = Vec::new();
        let mut group = self.places(Group::with_title(title), &labels, &files, &mut cut);
        if let Some(note) = &diagnostic.note {
            group = group.element(Level::NOTE.message(clean_lines(note)));
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(clean_lines(help)));
        }
        for note in notes {
            group = group.element(Level::NOTE.message(note.clone()));
        }
        let primary = files.first().and_then(|(_, source)| source.as_deref());
        let mut report = vec![group];
        report.extend(diagnostic.fixes.iter().map(|fix| self.fix(fix, primary)));
        let renderer = if self.look.color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        located(&renderer.term_width(self.look.width).render(&report), &cut)
    }

    /// The labels, file by file; the first label is the primary one. Those in a part of a line are `cut`.
    fn places<'b>(
        &self,
        mut group: Group<'b>,
        labels: &[&'b Label],
        files: &'b [File<'_>],
        cut: &mut Vec<&'b Place>,
    ) -> Group<'b> {
        for (path, source) in files {
            let here: Vec<&Label> = labels
                .iter()
                .copied()
                .filter(|label| label.place.path == *path)
                .collect();
            let Some(source) = source else {
                group = here.iter().fold(group, |group, label| bare(group, label));
                continue;
            };
            for near in near(&here) {
                group = group.element(snippet(source, &near, labels[0], self.look.width / 4, cut));
            }
        }
        group
    }

    /// The files of the labels, each once.
    fn files<'b>(&mut self, labels: &[&'b Label]) -> Vec<File<'b>> {
        let mut paths: Vec<&str> = Vec::new();
        for label in labels {
            if !paths.contains(&label.place.path.as_str()) {
                paths.push(&label.place.path);
            }
        }
        // In reverse, so that the file of the primary label is cached.
        let mut files: Vec<File<'b>> = paths
            .into_iter()
            .rev()
            .map(|path| (path, self.file(path)))
            .collect();
        files.reverse();
        files
    }

    fn file(&mut self, path: &str) -> Option<Rc<SourceText>> {
        if let Some((last, source)) = &self.last
            && last == path
        {
            return Some(Rc::clone(source));
        }
        let source = Rc::new(SourceText::new(&(self.read)(path)?));
        self.last = Some((path.to_owned(), Rc::clone(&source)));
        Some(source)
    }

    /// The fix as a patch; of lines that do not fit, the part around the change.
    fn fix<'b>(&self, fix: &'b Fix, source: Option<&'b SourceText>) -> Group<'b> {
        let caution = if fix.safe {
            ""
        } else {
            " (unsafe: review before applying)"
        };
        let title = Level::HELP.secondary_title(format!("{}{caution}", clean(&fix.title)));
        let Some(source) = source.filter(|_| !fix.edits.is_empty()) else {
            return Group::with_title(title);
        };
        let ranges: Vec<_> = fix.edits.iter().map(|edit| range(source, edit.span)).collect();
        let lines = source.lines(&ranges);
        let edits = fix.edits.iter().zip(&ranges);
        let edits = edits.map(|(edit, range)| (lines.place(range), clean_lines(&edit.text)));
        let edits: Vec<(Range<usize>, String)> = edits.collect();
        let fits = |edit: &Edit| self.fits(source, edit.span, &edit.text);
        if fix.edits.iter().all(fits) {
            let patches = edits.into_iter().map(|(range, text)| Patch::new(range, text));
            let snippet = Snippet::source(lines.text).line_start(lines.number);
            return title.element(snippet.patches(patches));
        }
        let around = Around::change(lines.text, &edits, self.look.width.saturating_sub(MARGIN));
        if around.before == around.after {
            return Group::with_title(title);
        }
        let patch = Patch::new(0..around.before.len(), around.after);
        let snippet = Snippet::source(around.before).line_start(lines.number + around.line);
        title.element(snippet.patch(patch))
    }

    fn fits(&self, source: &SourceText, span: Span, text: &str) -> bool {
        let mut lines = source.around(range(source, span));
        let added = text.lines().map(width).max().unwrap_or(0);
        lines.all(|line| line.len() <= REACH && width(line.trim_end_matches('\n')) + added <= self.look.width)
    }
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// The labels of a file that are shown together: those with the first label, then by place.
fn near<'a>(labels: &[&'a Label]) -> Vec<Vec<&'a Label>> {
    let mut sorted = labels.to_vec();
    sorted.sort_by_key(|label| label.place.span.start);
    let is_near = |a: &&Label, b: &&Label| {
        let between = b.place.span.start.saturating_sub(a.place.span.end);
        between as usize <= REACH
    };
    let mut all: Vec<Vec<&Label>> = sorted.chunk_by(is_near).map(<[_]>::to_vec).collect();
    let has_first = |near: &[&Label]| near.iter().any(|label| std::ptr::eq(*label, labels[0]));
    all.sort_by_key(|near| !has_first(near));
    all
}

fn snippet<'a>(
    source: &'a SourceText,
    labels: &[&'a Label],
    primary: &Label,
    columns: usize,
    cut: &mut Vec<&'a Place>,
) -> Snippet<'a, Annotation<'a>> {
    let ranges: Vec<_> = labels
        .iter()
        .map(|label| marked(source, label.place.span, columns))
        .collect();
    let lines = source.lines(&ranges);
    let is_primary = |label: &&Label| std::ptr::eq(*label, primary);
    let annotation = |(label, range): (&&Label, _)| {
        let kind = if is_primary(label) {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let text = Some(clean(&label.text)).filter(|text| !text.is_empty());
        kind.span(lines.place(range)).label(text)
    };
    let named = labels.iter().copied().find(is_primary).unwrap_or(labels[0]);
    let mut path = clean(&named.place.path);
    if lines.is_part {
        path.insert(0, CUT);
        cut.push(&named.place);
    }
    Snippet::source(lines.text)
        .line_start(lines.number)
        .path(path)
        .annotations(labels.iter().zip(&ranges).map(annotation))
}

/// Begins the path of a snippet that shows a part of a line, whose columns are counted from where the part starts. A private character.
const CUT: char = '\u{f8ff}';

/// A drawing with the real places of the `cut` snippets, in their order.
fn located(drawing: &str, cut: &[&Place]) -> String {
    let (mut text, mut rest) = (String::with_capacity(drawing.len()), drawing);
    for place in cut {
        let path = clean(&place.path);
        let Some((before, after)) = rest.split_once(&format!("{CUT}{path}:")) else {
            break;
        };
        let Position { line, column } = place.start;
        text.push_str(&format!("{before}{path}:{line}:{column}"));
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
    }
    text + rest
}

/// A label in a file that cannot be shown.
fn bare<'a>(group: Group<'a>, label: &Label) -> Group<'a> {
    let place = &label.place;
    let origin = Origin::path(clean(&place.path))
        .line(place.start.line as usize)
        .char_column(place.start.column as usize);
    let group = group.element(origin);
    if label.text.is_empty() {
        group
    } else {
        group.element(Level::NOTE.message(clean(&label.text)))
    }
}

/// A range that leaves room for the label: of a wide one, only the start is marked.
fn marked(source: &SourceText, span: Span, columns: usize) -> Range<usize> {
    let range = range(source, span);
    let text = &source.text()[range.clone()];
    if text.contains('\n') || width(text) <= columns {
        return range;
    }
    range.start..range.start + cut(text, columns).trim_end_matches('…').len()
}

fn range(source: &SourceText, span: Span) -> Range<usize> {
    let start = source.offset(span.start);
    start..source.offset(span.end).max(start)
}

#[cfg(test)]
mod tests {
    use super::Excerpts;
    use crate::text::Look;
    use callsheet_contract::types::{Diagnostic, Edit, Fix, Label, Place, Position, Severity, Span};

    fn label(path: &str, start: u32, end: u32, text: &str) -> Label {
        let position = Position {
            line: 2,
            column: start,
        };
        let span = Span { start, end };
        let place = Place {
            path: path.into(),
            span,
            start: position,
            end: position,
        };
        Label {
            place,
            text: text.into(),
        }
    }

    fn diagnostic(path: &str) -> Diagnostic {
        let edit = Edit {
            span: Span { start: 4, end: 5 },
            text: "'b'".into(),
        };
        Diagnostic {
            rule: "some-rule".into(),
            severity: Severity::Warning,
            message: "something\x1b is wrong".into(),
            primary: label(path, 4, 5, "here"),
            related: vec![label("gone.md", 1, 2, "there")],
            note: Some("it was read".into()),
            help: Some("do something".into()),
            fixes: vec![Fix {
                title: "Quote it".into(),
                safe: false,
                edits: vec![edit],
            }],
        }
    }

    fn render(width: usize, contents: &'static str) -> String {
        let read = |path: &str| (path == "a.md").then(|| contents.into());
        Excerpts::new(
            Look {
                color: false,
                links: false,
                width,
            },
            &read,
        )
        .render(&diagnostic("a.md"), &["reported for kode".into()])
    }

    #[test]
    fn shows_location_related_places_help_and_fix() {
        let expected = "\
warning[some-rule]: something␛ is wrong
 --> a.md:2:3
  |
2 | a\x20\x20\x20\x20b
  |      ^ here
 ::: gone.md:2:1
  = note: there
  = note: it was read
  = help: do something
  = note: reported for kode
help: Quote it (unsafe: review before applying)
  |
2 - a\x20\x20\x20\x20b
2 + a\x20\x20\x20\x20'b'
  |";
        assert_eq!(render(80, "-\na\tb\n"), expected);
    }

    #[test]
    fn a_rule_is_a_link_where_terminals_show_links() {
        let look = Look {
            color: true,
            links: true,
            width: 80,
        };
        let text = Excerpts::new(look, &|_| None).render(&diagnostic("a.md"), &[]);
        assert!(
            text.contains("\x1b]8;;https://docs.test/rules/some-rule/\x1b\\"),
            "{text:?}"
        );
    }

    #[test]
    fn a_fix_of_a_long_line_is_cut() {
        assert!(render(80, "-\na\tb and so on\n").contains("'b' and so on\n"));
        let cut = render(18, "-\na\tb and so on\n");
        assert!(
            cut.contains("'b'") && cut.contains("…\n") && !cut.contains("so on"),
            "{cut}"
        );
    }

    #[test]
    fn of_a_long_line_the_part_around_each_place_is_shown() {
        let line = ["-\n", &"é".repeat(8000), "wrong", &"é".repeat(8000), "first\n"].concat();
        let at = |word: &str| u32::try_from(line.find(word).unwrap()).unwrap();
        let label = |word: &str, column| {
            let mut label = label("a.md", at(word), at(word) + 5, word);
            label.place.start = Position { line: 2, column };
            label
        };
        let found = Diagnostic {
            primary: label("wrong", 8001),
            related: vec![label("first", 16006)],
            fixes: Vec::new(),
            ..diagnostic("a.md")
        };
        let look = Look {
            color: false,
            links: false,
            width: 40,
        };
        let text = Excerpts::new(look, &|_| Some(line.clone().into())).render(&found, &[]);
        let expected = "\
warning[some-rule]: something␛ is wrong
 --> a.md:2:8001
  |
2 | ...éééééééééwrongéééééééééééééééé...
  |             ^^^^^ wrong
  |
 ::: a.md:2:16006
  |
2 | ...éééééééééfirst
";
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn every_place_in_every_file_can_be_shown() {
        for contents in ["", "\u{feff}", "é", "\r", "a\r\nb", "日本語"] {
            for width in [1, 40] {
                assert!(render(width, contents).contains("a.md"));
            }
        }
    }
}
