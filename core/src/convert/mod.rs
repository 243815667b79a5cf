//! Converts a definition of one dialect to a file of another, with a report line for each field.
//!
//! Rights are never widened: that is refused. Losing rights is refused unless it is allowed.

mod called;
mod covers;
mod fields;
mod forked;
mod fresh;
mod grants;
mod manifest;
mod names;
mod plan;
mod sections;
#[cfg(test)]
mod tests;
mod text;
mod tools;
mod values;
mod widening;
mod within;

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

pub use fresh::{edit, render};
pub(crate) use grants::{Grants, Served};
pub(crate) use names::for_file;
pub use plan::{Fate, Loss};
pub(crate) use widening::widening;

use crate::definition::Definition;
use crate::dialect::{
    Clash, Dialect, Dialects, Format, Identity, Kind, Level, Source, UnknownDialect, with_kind,
};
use crate::document;
use crate::lines::have_same_lines;
use crate::verdict::Outcome;
use crate::vocabulary;
use fields::Fields;
use plan::Plan;

/// A file in another dialect.
#[derive(Debug)]
pub struct Converted {
    /// The source dialect.
    pub from: String,
    /// Its text.
    pub contents: Vec<u8>,
    /// The file below the target directory, in the folders of the original if the dialect reads folders.
    pub file: String,
    /// The project directory that the dialect reads it from. Empty for a manifest, which stays in its plugin.
    pub directory: String,
    /// The fate of each field, in file order.
    pub report: Vec<Loss>,
}

/// Why there is no result.
#[derive(Debug)]
pub enum ConvertError {
    /// The dialect is unknown.
    UnknownDialect(UnknownDialect),
    /// The source dialect does not load this file, for this reason.
    Unusable(String),
    /// The other dialect cannot express something: the whole report, refusals included.
    Refused(Vec<Loss>),
}

/// Converts a file. Without a source dialect, the one that owns the file's place is used. The result is of the same kind, unless the target
/// has another one before its name: `skill:codex`.
pub fn convert(
    path: &str,
    bytes: &[u8],
    from: Option<&str>,
    to: &str,
    allow_loss: bool,
    dialects: &Dialects,
) -> Result<Converted, ConvertError> {
    if manifest::is_manifest(path) {
        return manifest(path, bytes, from, to, allow_loss, dialects);
    }
    if let Some(stem) = sections::stem(path).filter(|_| from.is_none()) {
        let target = dialects.get(to).map_err(ConvertError::UnknownDialect)?;
        return of_section(stem, bytes, target, dialects);
    }
    let source = dialects.choose(from, path, &String::from_utf8_lossy(bytes));
    let source = source.map_err(ConvertError::UnknownDialect)?;
    let target = target(to, source.kind, dialects)?;
    let read = document::read_with_values(path, bytes, source, dialects);
    let (document, root) = (read.0, read.1.and_then(|values| values.root));
    let result = |contents: Vec<u8>, file: String, report: Vec<Loss>| Converted {
        from: source.id.clone(),
        contents,
        file,
        directory: directory(target).to_owned(),
        report,
    };
    if source.id == target.id && source.kind == target.kind {
        let folders = usize::from(target.identity == Identity::Folder);
        let start = path.rmatch_indices('/').nth(folders);
        let file = &path[start.map_or(0, |(at, _)| at + 1)..];
        return Ok(result(
            bytes.to_vec(),
            file.to_owned(),
            unchanged(&document.definition),
        ));
    }
    if let Outcome::Dropped(reason) | Outcome::NotAnAgent(reason) | Outcome::Withheld(reason) =
        document.outcome
    {
        return Err(ConvertError::Unusable(reason));
    }
    let mut plan = Plan {
        allow_loss,
        ..Plan::default()
    };
    let fields = Fields {
        source,
        target,
        definition: &document.definition,
        root: root.as_ref(),
    };
    let stem = fields.write(&mut plan);
    if source.kind == Kind::Skill {
        let reason = if target.kind == Kind::Skill {
            "the other files of its folder have to be copied, too, if it has any"
        } else {
            "links to other files of its folder have to be changed, if it has any"
        };
        plan.say("files", Fate::Approximated, "", "", reason);
    }
    let file = match (&target.files.name, target.identity) {
        (Some(name), Identity::Folder) => alloc::format!("{stem}/{name}"),
        _ => {
            let extension = &target.files.extensions[0];
            alloc::format!("{}{stem}.{extension}", folders(path, source, target))
        }
    };
    let text = fields::rendered(&mut plan, target).map(|text| with_lines_of(bytes, target, text));
    let Some(text) = text.filter(|_| !plan.is_refused()) else {
        return Err(ConvertError::Refused(fields.spelled_out(plan.report)));
    };
    if let Some((field, reason)) = misread(
        &file,
        &text,
        &document.definition,
        &plan,
        source,
        target,
        dialects,
    ) {
        plan.refuse(field, "", &reason);
        return Err(ConvertError::Refused(fields.spelled_out(plan.report)));
    }
    Ok(result(text.into_bytes(), file, fields.spelled_out(plan.report)))
}

/// The target, if the source's kind can become its kind.
fn target<'a>(to: &str, kind: Kind, dialects: &'a Dialects) -> Result<&'a Dialect, ConvertError> {
    let refused = |reason: String| {
        ConvertError::Refused(Vec::from([Loss {
            field: "kind".to_owned(),
            fate: Fate::Refused,
            from: kind.noun().to_owned(),
            to: String::new(),
            reason,
        }]))
    };
    let (wanted, id) = with_kind(to, kind);
    let target = match dialects.named(to, kind) {
        Err(_) if dialects.check(id).is_ok() => {
            let reason = alloc::format!("no rules are known for {}s of {id}", wanted.noun());
            return Err(refused(reason));
        }
        found => found.map_err(ConvertError::UnknownDialect)?,
    };
    let others = [
        (Kind::Command, Kind::Skill),
        (Kind::Agent, Kind::Skill),
        (Kind::Skill, Kind::Agent),
    ];
    if kind == target.kind || others.contains(&(kind, target.kind)) {
        Ok(target)
    } else {
        let reason = alloc::format!("{} does not convert to {}", kind.a(), target.kind.a());
        Err(refused(reason))
    }
}

/// Converts the manifest of a plugin. It names formats of manifests, and dialects that have none.
fn manifest(
    path: &str,
    bytes: &[u8],
    from: Option<&str>,
    to: &str,
    allow_loss: bool,
    dialects: &Dialects,
) -> Result<Converted, ConvertError> {
    for name in from.into_iter().chain([to]) {
        if !manifest::is_format(name) {
            dialects.get(name).map_err(ConvertError::UnknownDialect)?;
        }
    }
    match manifest::convert(path, bytes, from, to, allow_loss) {
        Ok(written) => Ok(Converted {
            from: written.from.to_owned(),
            contents: match written.text {
                Some(text) => with_lines(bytes, text).into_bytes(),
                None => bytes.to_vec(),
            },
            file: written.file,
            directory: String::new(),
            report: written.report,
        }),
        Err(manifest::Stop::Unusable(reason)) => Err(ConvertError::Unusable(reason)),
        Err(manifest::Stop::Refused(report)) => Err(ConvertError::Refused(report)),
    }
}

/// The file of one tool from a file with a section per tool.
fn of_section(
    stem: &str,
    bytes: &[u8],
    target: &Dialect,
    dialects: &Dialects,
) -> Result<Converted, ConvertError> {
    let mut plan = Plan::default();
    let text = sections::written(bytes, target, &mut plan).map_err(ConvertError::Unusable)?;
    let Some(text) = text.map(|text| with_lines_of(bytes, target, text)) else {
        return Err(ConvertError::Refused(plan.report));
    };
    let extension = &*target.files.extensions[0];
    let mut file = alloc::format!("{stem}.md");
    if !file.ends_with(&alloc::format!(".{extension}")) {
        file = alloc::format!("{stem}.{extension}");
    }
    let place = alloc::format!("{}/{file}", directory(target));
    let read = document::read(&place, text.as_bytes(), None, target, dialects);
    match read.outcome {
        Outcome::Loads if have_same_lines(&read.definition.system_prompt, &plan.draft.prompt) => {}
        Outcome::Loads => plan.refuse("prompt", "", "the result would be read differently"),
        Outcome::Withheld(reason) | Outcome::Dropped(reason) | Outcome::NotAnAgent(reason) => {
            plan.refuse("file", "", &alloc::format!("the result would not load: {reason}"));
        }
    }
    if plan.is_refused() {
        return Err(ConvertError::Refused(plan.report));
    }
    Ok(Converted {
        from: sections::NAME.to_owned(),
        contents: text.into_bytes(),
        file,
        directory: directory(target).to_owned(),
        report: plan.report,
    })
}

/// The text with CRLF line ends, if the original has only those.
fn with_lines_of(original: &[u8], target: &Dialect, text: String) -> String {
    // In TOML, a line end in a prompt is part of it.
    if target.format == Format::Toml {
        text
    } else {
        with_lines(original, text)
    }
}

fn with_lines(original: &[u8], text: String) -> String {
    if has_windows_lines(original) {
        text.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        text
    }
}

/// Whether all lines end in CRLF.
pub(crate) fn has_windows_lines(bytes: &[u8]) -> bool {
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    let pairs = bytes.windows(2).filter(|pair| *pair == b"\r\n").count();
    ends > 0 && ends == pairs
}

/// The final check: the target dialect must read the result as intended, and it must not grant more.
fn misread(
    file: &str,
    text: &str,
    definition: &Definition,
    plan: &Plan,
    source: &Dialect,
    target: &Dialect,
    dialects: &Dialects,
) -> Option<(&'static str, Cow<'static, str>)> {
    let place = alloc::format!("{}/{file}", directory(target));
    let read = document::read(&place, text.as_bytes(), None, target, dialects);
    if let Outcome::Withheld(reason) | Outcome::Dropped(reason) | Outcome::NotAnAgent(reason) = read.outcome {
        let reason = alloc::format!("the result would not load: {reason}");
        return Some(("file", reason.into()));
    }
    let meant = &plan.draft;
    let says = |field: &str, value: &str| match meant.get(field) {
        Some(crate::write::Value::Text(text)) => text == value,
        _ => true,
    };
    if !says("name", &read.definition.name) || !says("description", &read.definition.description) {
        return Some(("name", "the result would be read differently".into()));
    }
    if !have_same_lines(&read.definition.system_prompt, &plan.draft.prompt) {
        return Some(("prompt", "the result would be read differently".into()));
    }
    let Some(vocabulary) = vocabulary::of(target.product()) else {
        return Some(("tools", "the tools of the target are not known".into()));
    };
    let is_about_agents = [source, target].map(|dialect| dialect.kind == Kind::Agent);
    let granted = |dialect: &Dialect, definition| match (dialect.kind, is_about_agents) {
        (Kind::Agent, _) => Grants::of(dialect, definition),
        (_, [false, false]) => called::approved(dialect, definition),
        _ => forked::allowed(dialect, definition),
    };
    let (before, mut after) = (granted(source, definition), granted(target, &read.definition));
    if source.product() == target.product() {
        after.others.retain(|name| !before.others.contains(name));
    }
    (!within::is_within(&after, vocabulary, &before))
        .then_some(("tools", "the result would grant more".into()))
}

/// Every field as it is.
fn unchanged(definition: &Definition) -> Vec<Loss> {
    let kept = definition.fields.iter().map(|field| Loss {
        field: field.key.clone(),
        fate: Fate::Kept,
        from: field.value.clone(),
        to: field.value.clone(),
        reason: String::new(),
    });
    kept.collect()
}

/// The folders below the source's directory, with a trailing slash; empty if the target does not read folders, or would use them in the
/// agent's name.
fn folders<'a>(path: &'a str, source: &Dialect, target: &Dialect) -> &'a str {
    match home(target) {
        // Otherwise the folders are in the name already.
        _ if source.identity == Identity::Dashes => "",
        _ if source.kind != Kind::Agent && source.identity != Identity::Stem => "",
        Some(home) if home.recursive && target.identity == Identity::Stem => source.folders(path),
        _ => "",
    }
}

/// The project directory that new files of a dialect belong in.
pub(crate) fn directory(dialect: &Dialect) -> &str {
    home(dialect).map_or("", |source| &source.directory)
}

/// The dialect's own project directory of highest precedence.
fn home(dialect: &Dialect) -> Option<&Source> {
    let in_project =
        |source: &&Source| source.level == Level::Project && source.keys.is_empty() && source.mode.is_none();
    let mut sources: Vec<&Source> = dialect.sources.iter().filter(in_project).collect();
    if dialect.clash != Clash::FirstWins {
        sources.reverse();
    }
    let own = sources.iter().find(|source| source.owned);
    own.or(sources.first()).copied()
}
