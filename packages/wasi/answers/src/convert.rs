//! What a file says, in another dialect.

use crate::documents::{self, ConvertError};
use crate::output::report::Conversion;
use crate::output::secrets::{Secrets, conceal_report};
use crate::{Failure, Project};

/// A file in another dialect, or why it cannot be said there.
///
/// Fails with [`Failure::UnknownDialect`] if one of the dialects is not known and with [`Failure::Unusable`] if the file is
/// no agent that loads.
pub fn converted(
    path: &str,
    contents: &[u8],
    dialect: Option<&str>,
    to: &str,
    allow_loss: bool,
) -> Result<Conversion, Failure> {
    // They say which of the two is not known.
    for known in [Some(to), dialect].into_iter().flatten() {
        Project::default().locations(known)?;
    }
    let parsed =
        documents::parse(path, contents, dialect, None).map_err(|error| Failure::document(error, dialect))?;
    let found = parsed.diagnostics.iter().chain(&parsed.suppressed);
    let secrets = Secrets::of(contents, found);
    let name = path.to_owned();
    let mut conversion = match documents::convert(path, contents, dialect, to, allow_loss) {
        Ok(converted) => Conversion::done(name, to, converted),
        Err(ConvertError::Refused(report)) => Conversion::refused(name, to, report),
        Err(ConvertError::UnknownDialect(nearest)) => return Err(Failure::unknown(to, nearest)),
        Err(ConvertError::Unusable(reason)) => return Err(Failure::Unusable(reason)),
        Err(ConvertError::Other(reason)) => return Err(Failure::Other(reason)),
    };
    conceal_report(&mut conversion, &secrets);
    Ok(conversion)
}
