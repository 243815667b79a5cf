//! Exports `documents`: one file at a time.

use callsheet_core::{discover, document, rules};

use crate::bindings::exports::callsheet::agents::documents::{
    Diagnostic, Dialect, DocumentError, Found, Guest, Parsed, Rule,
};
use crate::files::HostFiles;
use crate::{Component, convert, dialects};

impl Guest for Component {
    fn parse(path: String, contents: Vec<u8>, dialect: Option<String>) -> Result<Parsed, DocumentError> {
        let parsed = document::parse(&path, &contents, dialect.as_deref(), &dialects());
        parsed.map(convert::parsed).map_err(convert::unknown_dialect)
    }

    fn discover(path: String) -> (Vec<Found>, Vec<Diagnostic>) {
        let (found, diagnostics) = discover::discover(&HostFiles, &dialects(), &path);
        let found = found.into_iter().map(convert::found).collect();
        (found, convert::diagnostics(diagnostics))
    }

    fn rules() -> Vec<Rule> {
        rules::RULES.iter().map(|rule| convert::rule(rule)).collect()
    }

    fn dialects() -> Vec<Dialect> {
        dialects()
            .iter()
            .map(|dialect| convert::dialect(dialect))
            .collect()
    }
}
