//! The style of text.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

/// Color, links and width of the output.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether to use colors.
    pub color: bool,
    /// Whether names of rules are links to their pages.
    pub links: bool,
    /// The number of columns.
    pub width: usize,
}

impl Look {
    /// The text as a heading.
    pub fn heading(&self, text: impl Display) -> String {
        self.paint(Style::new().bold(), text)
    }

    pub(super) fn faint(&self, text: impl Display) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    pub(super) fn good(&self, text: impl Display) -> String {
        self.paint(AnsiColor::Green.on_default(), text)
    }

    pub(super) fn bad(&self, text: impl Display) -> String {
        self.paint(AnsiColor::Red.on_default().bold(), text)
    }

    pub(super) fn doubtful(&self, text: impl Display) -> String {
        self.paint(AnsiColor::Yellow.on_default(), text)
    }

    fn paint(&self, style: Style, text: impl Display) -> String {
        if self.color {
            format!("{style}{text}{style:#}")
        } else {
            text.to_string()
        }
    }
}
