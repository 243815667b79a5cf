//! Here-documents.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::Word;
use super::list::{Document, Parser};

impl Parser<'_> {
    pub(super) fn expect(&mut self, delimiter: Word, tabs: bool) -> Result<(), String> {
        let verbatim = delimiter.quoted;
        let Some(delimiter) = delimiter.literal.filter(|text| !text.contains('\n')) else {
            return Err("the end of a here-document is unknown".to_owned());
        };
        self.expected.push(Document {
            delimiter,
            tabs,
            verbatim,
            from: self.cursor.at,
        });
        Ok(())
    }

    /// Reads the here-documents that start here.
    pub(super) fn documents(&mut self) -> Result<(), String> {
        let line_end = self.cursor.at.saturating_sub(1);
        for document in core::mem::take(&mut self.expected) {
            let between = self.cursor.text.get(document.from..line_end);
            if between.is_none_or(|text| text.contains('\n')) {
                return Err("lines end between a here-document and its text".to_owned());
            }
            loop {
                if self.cursor.rest().is_empty() {
                    return Err("a here-document is not closed".to_owned());
                }
                let line = self.cursor.until(&['\n']);
                self.cursor.next();
                let text = if document.tabs {
                    line.trim_start_matches('\t')
                } else {
                    line
                };
                if text == document.delimiter {
                    break;
                }
                if !document.verbatim && line.contains(['$', '`', '\\']) {
                    return Err(
                        "something in a here-document would be expanded: quote its delimiter".to_owned(),
                    );
                }
            }
        }
        Ok(())
    }
}
