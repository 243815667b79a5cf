//! Converts files.

use callsheet_contract::documents::{self, ConvertError};
use callsheet_report::report::Conversion;
use callsheet_report::secrets::{Secrets, conceal_report};

use crate::Failure;

/// Converts a file to another dialect, or returns why it cannot.
///
/// Fails with [`Failure::UnknownDialect`] for an unknown dialect, and with [`Failure::Unusable`] if the file does not load.
pub fn converted(
    path: &str,
    contents: &[u8],
    dialect: Option<&str>,
    to: &str,
    allow_loss: bool,
) -> Result<Conversion, Failure> {
    let found = match documents::parse(path, contents, dialect, None) {
        Ok(parsed) => [parsed.diagnostics, parsed.suppressed].concat(),
        // The format of a manifest, or unknown to the conversion, too.
        Err(_) => Vec::new(),
    };
    let secrets = Secrets::of(contents, &found);
    let name = path.to_owned();
    let mut conversion = match documents::convert(path, contents, dialect, to, allow_loss) {
        Ok(converted) => Conversion::done(name, to, converted),
        Err(ConvertError::Refused(report)) => Conversion::refused(name, to, report),
        Err(ConvertError::UnknownDialect(nearest)) => {
            let is_unknown = |name: &&str| documents::parse(path, contents, Some(name), None).is_err();
            let unknown = [Some(to), dialect].into_iter().flatten().find(is_unknown);
            return Err(Failure::unknown(unknown.unwrap_or(to), nearest));
        }
        Err(ConvertError::Unusable(reason)) => return Err(Failure::Unusable(reason)),
        Err(ConvertError::Other(reason)) => return Err(Failure::Other(reason)),
    };
    conceal_report(&mut conversion, &secrets);
    Ok(conversion)
}
