//! Exports `documents`: one file at a time.

use callsheet_core::dialect::UnknownDialect;
use callsheet_core::fix::Which;
use callsheet_core::{convert as conversion, document, names, project, rules};

use crate::bindings::exports::callsheet::agents::documents::{
    Annotations, ConvertError, Converted, Diagnostic, Dialect, DocumentError, Draft, Edit, FixResult, Found,
    Guessed, Guest, KeyChange, Kind, Level, NameError, Parsed, Reader, Rule, Seen, Variable, WriteError,
};
use crate::files::HostFiles;
use crate::{Component, convert, dialects, readers, written};

impl Guest for Component {
    fn parse(
        path: String,
        contents: Vec<u8>,
        dialect: Option<String>,
        level: Option<Level>,
    ) -> Result<Parsed, DocumentError> {
        let level = level.map(convert::core_level);
        let parsed = document::parse(&path, &contents, dialect.as_deref(), level, &dialects());
        parsed.map(convert::parsed).map_err(convert::unknown_dialect)
    }

    fn fix(
        path: String,
        contents: Vec<u8>,
        unsafe_too: bool,
        dialect: Option<String>,
        level: Option<Level>,
    ) -> Result<FixResult, DocumentError> {
        let (level, which) = (level.map(convert::core_level), Which::new(unsafe_too));
        let fixed = document::fix(&path, &contents, dialect.as_deref(), level, which, &dialects());
        fixed.map(convert::fix_result).map_err(convert::unknown_dialect)
    }

    fn suppress(
        path: String,
        contents: Vec<u8>,
        rule: String,
        at: u32,
        dialect: Option<String>,
    ) -> Result<Option<Edit>, DocumentError> {
        let edit = document::suppress(
            &path,
            &contents,
            &rule,
            at as usize,
            dialect.as_deref(),
            &dialects(),
        );
        let edit = edit.map_err(convert::unknown_dialect)?;
        Ok(edit.map(written::edit))
    }

    fn annotate(
        path: String,
        contents: Vec<u8>,
        dialect: Option<String>,
        level: Option<Level>,
    ) -> Result<Annotations, DocumentError> {
        let level = level.map(convert::core_level);
        let shown = document::annotations(&path, &contents, dialect.as_deref(), level, &dialects());
        shown.map(convert::annotations).map_err(convert::unknown_dialect)
    }

    fn discover(path: String) -> (Vec<Found>, Vec<Diagnostic>) {
        let (found, diagnostics) = project::discover(&HostFiles, &dialects(), &path);
        let found = found.into_iter().map(convert::found).collect();
        (found, convert::diagnostics(diagnostics))
    }

    fn guess(contents: Vec<u8>, in_use: Vec<String>) -> Option<Guessed> {
        project::guess(&dialects(), &contents, &in_use).map(convert::guessed)
    }

    fn name_file(name: String, dialect: String) -> Result<String, NameError> {
        let dialects = dialects();
        let dialect = dialects
            .named(&dialect, convert::core_kind(Kind::Agent))
            .map_err(|unknown| NameError::UnknownDialect(unknown.nearest))?;
        names::file(&name, dialect).map_err(written::invalid_name)
    }

    fn render(draft: Draft, dialect: String) -> Result<String, WriteError> {
        let dialects = dialects();
        let dialect = dialects
            .named(&dialect, convert::core_kind(Kind::Agent))
            .map_err(unknown_dialect)?;
        conversion::render(&written::draft(draft), dialect).map_err(written::refused)
    }

    fn revise(
        contents: Vec<u8>,
        dialect: String,
        changes: Vec<KeyChange>,
        prompt: Option<String>,
    ) -> Result<Vec<Edit>, WriteError> {
        let dialects = dialects();
        let dialect = dialects
            .named(&dialect, convert::core_kind(Kind::Agent))
            .map_err(unknown_dialect)?;
        let changes = written::changes(changes);
        let edits = conversion::edit(&contents, dialect, &changes, prompt.as_deref());
        edits.map(written::edits).map_err(written::edit_error)
    }

    fn convert(
        path: String,
        contents: Vec<u8>,
        dialect: Option<String>,
        to: String,
        allow_loss: bool,
    ) -> Result<Converted, ConvertError> {
        let result = conversion::convert(&path, &contents, dialect.as_deref(), &to, allow_loss, &dialects());
        result.map(convert::converted).map_err(convert::convert_error)
    }

    fn rules() -> Vec<Rule> {
        rules::RULES.iter().map(|rule| convert::rule(rule)).collect()
    }

    fn dialects(kind: Kind) -> Vec<Dialect> {
        dialects()
            .of(convert::core_kind(kind))
            .map(|dialect| convert::dialect(dialect))
            .collect()
    }

    fn variables() -> Vec<Variable> {
        let all = dialects();
        let relocations = all.iter().flat_map(|dialect| &dialect.relocations);
        let variables = relocations.map(|known| Variable {
            name: known.variable.clone(),
            replaces: known.directory.clone(),
        });
        variables.collect()
    }

    fn readers() -> Vec<Reader> {
        readers().iter().map(|reader| convert::reader(reader)).collect()
    }

    fn readings(path: String, contents: Vec<u8>) -> Vec<Seen> {
        let seen = document::readings(&path, &contents, &dialects(), &readers());
        seen.into_iter().map(convert::seen).collect()
    }
}

fn unknown_dialect(unknown: UnknownDialect) -> WriteError {
    WriteError::UnknownDialect(unknown.nearest)
}
