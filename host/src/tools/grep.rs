//! Searches in files.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use globset::GlobMatcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};

use super::apart::Stop;
use super::arguments::Arguments;
use super::glob::{matcher, names_hidden};
use super::limits::{CONTEXT, LINE_CHARS, MATCHES, NAMES, PATTERN_BYTES, SEARCHED_BYTES};
use super::project::{Project, shown};
use super::text::{Lines, cut};
use super::walk::{Walk, is_file};

/// The output for a matching file.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Lines,
    Names,
    Counts,
}

pub(super) fn grep(project: &Project, arguments: &Arguments, stop: &Stop) -> Result<String, String> {
    let from = project.locate(arguments.optional_path().unwrap_or("."))?;
    let mut search = Search::new(project, arguments)?;
    if !project.is_directory(&from) {
        search.one(&from)?;
        return Ok(search.finish(None));
    }
    let only = arguments.text(&["glob", "include", "include_pattern"]);
    let hidden = only.is_some_and(names_hidden);
    let only = only.map(filter).transpose()?;
    let walk = Walk {
        project,
        from: &from,
        hidden,
        depth: None,
        stop,
    };
    let cut = walk.go(|below, entry| {
        let inside = below.strip_prefix(&from).unwrap_or(below);
        let wanted = is_file(entry) && only.as_ref().is_none_or(|only| only.is_match(inside));
        // Unreadable files are skipped, as in ripgrep.
        if wanted {
            let _ = search.one(below);
        }
        if search.full {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    Ok(search.finish(cut))
}

/// A pattern without a slash matches names at any depth.
fn filter(pattern: &str) -> Result<GlobMatcher, String> {
    if pattern.contains('/') {
        matcher(pattern)
    } else {
        matcher(&format!("**/{pattern}"))
    }
}

struct Search<'a> {
    project: &'a Project,
    matcher: RegexMatcher,
    searcher: Searcher,
    mode: Mode,
    lines: Lines,
    full: bool,
    too_large: usize,
}

impl<'a> Search<'a> {
    fn new(project: &'a Project, arguments: &Arguments) -> Result<Self, String> {
        let pattern = arguments.demand(&["pattern", "query", "regex"])?;
        let multiline = arguments.flag(&["multiline"]);
        let matcher = RegexMatcherBuilder::new()
            .case_insensitive(arguments.flag(&["-i", "ignore_case", "case_insensitive"]))
            .multi_line(true)
            .dot_matches_new_line(multiline)
            .size_limit(PATTERN_BYTES)
            .line_terminator((!multiline).then_some(b'\n'))
            .build(pattern)
            .map_err(|error| format!("`{pattern}` is not a regular expression: {error}"))?;
        let around = arguments.count(&["-C", "context"], 0, CONTEXT);
        let searcher = SearcherBuilder::new()
            .multi_line(multiline)
            .before_context(arguments.count(&["-B"], around, CONTEXT))
            .after_context(arguments.count(&["-A"], around, CONTEXT))
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(SEARCHED_BYTES as usize))
            .build();
        let mode = match arguments.text(&["output_mode"]) {
            Some("files_with_matches") => Mode::Names,
            Some("count") => Mode::Counts,
            _ => Mode::Lines,
        };
        let default = if mode == Mode::Lines { MATCHES } else { NAMES };
        let most = arguments.count(&["head_limit", "max_results", "limit"], default, default);
        Ok(Self {
            project,
            matcher,
            searcher,
            mode,
            lines: Lines::new(if most == 0 { default } else { most }),
            full: false,
            too_large: 0,
        })
    }

    fn one(&mut self, below: &Path) -> Result<(), String> {
        let file = self.project.open_file(below)?.into_std();
        if file
            .metadata()
            .is_ok_and(|metadata| metadata.len() > SEARCHED_BYTES)
        {
            self.too_large += 1;
            return Ok(());
        }
        let name = shown(below);
        let mut sink = Hits {
            name: &name,
            mode: self.mode,
            lines: &mut self.lines,
            full: &mut self.full,
            count: 0,
        };
        let searched = self.searcher.search_file(&self.matcher, &file, &mut sink);
        let count = sink.count;
        searched.map_err(|error| format!("`{name}` cannot be searched: {error}"))?;
        if count > 0 && self.mode != Mode::Lines {
            let line = match self.mode {
                Mode::Counts => format!("{name}:{count}"),
                _ => name,
            };
            self.full |= !self.lines.push(&line);
        }
        Ok(())
    }

    fn finish(self, cut: Option<&str>) -> String {
        let large = format!("{} files are too large and were not searched", self.too_large);
        let full = self.full.then_some("there are more; narrow the search");
        let large = (self.too_large > 0).then_some(&*large);
        self.lines.finish("No matches found", full.or(cut).or(large))
    }
}

/// Collects the matches of one file.
struct Hits<'a> {
    name: &'a str,
    mode: Mode,
    lines: &'a mut Lines,
    full: &'a mut bool,
    count: u64,
}

impl Hits<'_> {
    fn line(&mut self, bytes: &[u8], number: Option<u64>, mark: char) -> bool {
        let text = String::from_utf8_lossy(bytes);
        for (line, number) in text.lines().zip(number.unwrap_or(1)..) {
            let line = cut(line, LINE_CHARS);
            if !self
                .lines
                .push(&format!("{}{mark}{number}{mark}{line}", self.name))
            {
                *self.full = true;
                return false;
            }
        }
        true
    }
}

impl Sink for Hits<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.count += 1;
        Ok(match self.mode {
            Mode::Lines => self.line(found.bytes(), found.line_number(), ':'),
            Mode::Names => false,
            Mode::Counts => true,
        })
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> io::Result<bool> {
        let shown = self.mode == Mode::Lines;
        Ok(!shown || self.line(found.bytes(), found.line_number(), '-'))
    }
}
