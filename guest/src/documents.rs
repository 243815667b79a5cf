//! Exports `documents`: one file at a time.

use crate::Component;
use crate::bindings::exports::callsheet::agents::documents::{
    Diagnostic, Dialect, DocumentError, Found, Guest, Parsed,
};

impl Guest for Component {
    fn parse(
        _path: String,
        _contents: Vec<u8>,
        _dialect: Option<String>,
    ) -> Result<Parsed, DocumentError> {
        Err(DocumentError::Other("not built yet".into()))
    }

    fn discover(path: String) -> (Vec<Found>, Vec<Diagnostic>) {
        let _ = crate::bindings::callsheet::agents::files::list_directory(&path);
        let _ = crate::bindings::callsheet::agents::files::read(&path);
        (Vec::new(), Vec::new())
    }

    fn dialects() -> Vec<Dialect> {
        Vec::new()
    }
}
