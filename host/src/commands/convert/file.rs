//! `convert FILE`, or `convert NAME`.

use std::path::Path;

use callsheet::documents::Converted;
use callsheet::output::report::Conversion;
use callsheet::output::secrets::{Secrets, conceal_report};
use callsheet::output::text::clean;
use callsheet::output::{json_v1, text};

use crate::cli::{Convert, Format};
use crate::commands::context::Context;
use crate::commands::{kinds, named, written};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Convert) -> Result<Exit, Failure> {
    let (path, dialect) = find(context, &command.what)?;
    let mut conversion = match convert(context, command, path, dialect.as_deref()) {
        Err(error @ callsheet::Error::Unusable(_)) => {
            return Err(Failure::nothing_found(clean(&error.to_string())));
        }
        converted => converted?,
    };
    if command.write {
        write(context, &mut conversion)?;
    }
    let is_refused = conversion.converted.is_none() && !command.allow_loss;
    let is_lossy = is_refused && is_lossy(context, command, &conversion.path, dialect.as_deref())?;
    print(context, &conversion, is_lossy)?;
    Ok(match conversion.converted {
        Some(_) => Exit::Clean,
        None => Exit::Findings,
    })
}

/// The file of a path or a name, and its dialect if known.
fn find(context: &mut Context, what: &str) -> Result<(String, Option<String>), Failure> {
    if Path::new(what).is_file() {
        return named::file(context, what, "convert");
    }
    let name = kinds::named(context, what);
    let found = match named::file(context, name, "convert") {
        Err(_) if kinds::is_other(context, name)? => named::file(context, name, "convert"),
        found => found,
    };
    let (path, dialect) = found?;
    Ok((
        path,
        dialect.map(|dialect| kinds::dialect(context.kind, &dialect)),
    ))
}

/// Converts one file, and masks secrets in the report.
pub(super) fn convert(
    context: &mut Context,
    command: &Convert,
    path: String,
    dialect: Option<&str>,
) -> callsheet::Result<Conversion> {
    let contents = context.callsheet.read(&path)?;
    let found = match context.callsheet.parse(&path, &contents, dialect) {
        // That of a manifest.
        Err(callsheet::Error::UnknownDialect { .. }) => Vec::new(),
        parsed => {
            let parsed = parsed?;
            [parsed.diagnostics, parsed.suppressed].concat()
        }
    };
    let secrets = Secrets::of(&contents, &found);
    let to = &command.to;
    let result = context
        .callsheet
        .convert(&path, &contents, dialect, to, command.allow_loss);
    let mut conversion = match result {
        Ok(converted) => Conversion::done(path, to, converted),
        Err(callsheet::Error::Refused(report)) => Conversion::refused(path, to, report),
        Err(error) => return Err(error),
    };
    conceal_report(&mut conversion, &secrets);
    Ok(conversion)
}

/// Whether a file can be converted with losses.
fn is_lossy(
    context: &mut Context,
    command: &Convert,
    path: &str,
    dialect: Option<&str>,
) -> callsheet::Result<bool> {
    let contents = context.callsheet.read(path)?;
    let converted = context
        .callsheet
        .convert(path, &contents, dialect, &command.to, true);
    Ok(converted.is_ok())
}

/// The path of a result in the project with this root.
pub(super) fn target(root: &str, converted: &Converted) -> String {
    let root =
        Some(root.trim_end_matches('/')).filter(|root| *root != "." && !converted.directory.is_empty());
    let parts = root.into_iter().chain([&*converted.directory, &*converted.file]);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("/")
}

/// Creates the file; an existing one is kept.
fn write(context: &mut Context, conversion: &mut Conversion) -> Result<(), Failure> {
    let Some(converted) = &conversion.converted else {
        return Ok(());
    };
    let path = target(&context.root()?, converted);
    let made = context.callsheet.create(&path, &converted.contents);
    made.map_err(written::not_made)?;
    conversion.written = Some(path);
    Ok(())
}

fn print(context: &mut Context, conversion: &Conversion, is_lossy: bool) -> Result<(), Failure> {
    if context.format() == Format::Json {
        return Ok(context.print(&json_v1::convert(conversion))?);
    }
    context.remark(text::conversion(&context.look, conversion).trim_end());
    match (&conversion.converted, &conversion.written) {
        (Some(converted), None) => Ok(context.print(&String::from_utf8_lossy(&converted.contents))?),
        (Some(_), Some(path)) => Ok(context.print(&format!("wrote {}\n", clean(path)))?),
        (None, _) => {
            let message = format!("not converted to {}", clean(&conversion.to));
            let mut failure = Failure::nothing_found(message);
            if is_lossy {
                failure = failure
                    .help("`--allow-loss` converts even if tools or limits are lost, but never grants more");
            }
            context.complain(&failure);
            Ok(())
        }
    }
}
