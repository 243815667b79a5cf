//! Conversions of generated definitions and, where `CALLSHEET_SHARED` says where `corpus/` is, of thousands of real files
//! into every dialect: no panic, no wider rights, no right lost without a word, and a result that its dialect reads as it
//! was meant.

mod kinds;
mod losses;
mod measured;
mod rulesync;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use callsheet_core::convert::{ConvertError, Converted, Fate, convert};
use callsheet_core::definition::{Definition, ToolFilter};
use callsheet_core::dialect::{Canonical, Dialect, Dialects, Extent, Format};
use callsheet_core::document;
use callsheet_core::verdict::Outcome;
use callsheet_core::vocabulary::{self, Rights};
use callsheet_core::write::render;
use callsheet_tests::{drafts, texts};

/// Everything that a definition lets the agent do, computed independently: what is listed, without what is denied.
fn rights(dialect: &Dialect, definition: &Definition) -> Rights {
    let vocabulary = vocabulary::of(&dialect.id).expect("every dialect has one");
    let of = |tool: &str| {
        vocabulary
            .find(tool)
            .map_or(Rights::default(), |tool| tool.rights)
    };
    let everything = |extent: Extent| match extent {
        Extent::All => Rights::all(),
        Extent::None => Rights::default(),
    };
    let allowed = match &definition.tools {
        ToolFilter::Absent => everything(dialect.tools.absent),
        ToolFilter::Null => everything(dialect.tools.null),
        ToolFilter::None => everything(dialect.tools.empty),
        ToolFilter::All => Rights::all(),
        ToolFilter::Only(rules) => {
            let rights = rules.iter().map(|rule| of(&rule.tool));
            rights.fold(Rights::default(), Rights::with).closed()
        }
    };
    let denied = definition.denied_tools.iter().map(|rule| of(&rule.tool));
    allowed.without(denied.fold(Rights::default(), Rights::with))
}

/// What a mode leaves of that in a result: a sandbox limits what has no list, and some modes change nothing.
fn within_mode(dialect: &Dialect, definition: &Definition, rights: Rights) -> Rights {
    let vocabulary = vocabulary::of(&dialect.id).expect("every dialect has one");
    let mode = definition.permission_mode.as_deref();
    let read_only = definition.field(Canonical::ReadOnly).map(|field| &*field.value);
    let word = mode.or(read_only);
    let bounded = vocabulary.bounded.iter().find(|(name, _)| Some(*name) == word);
    bounded.map_or(rights, |(_, rights)| rights.closed())
}

/// Whether the source grants everything, so that nothing can be wider.
fn is_wide(dialect: &Dialect, definition: &Definition) -> bool {
    rights(dialect, definition) == Rights::all()
}

fn check(path: &str, bytes: &[u8], from: &Dialect, dialects: &Dialects, tally: &mut Tally) {
    let source = document::read(path, bytes, None, from, dialects);
    for to in dialects.iter() {
        // What goes over without losses does so with them.
        let mut done = false;
        for allow_loss in [false, true] {
            if done {
                break;
            }
            let result = convert(path, bytes, Some(&from.id), &to.id, allow_loss, dialects);
            let row = tally.rows.entry(to.id.clone()).or_default();
            match result {
                Ok(converted) if to.id == from.id => assert_eq!(converted.contents, bytes, "{path}"),
                Ok(converted) => {
                    assert_eq!(
                        source.outcome,
                        Outcome::Loads,
                        "{path}: what does not load is not converted"
                    );
                    holds(path, &source.definition, from, &converted, to, dialects);
                    row[usize::from(allow_loss)] += 1;
                    done = true;
                }
                Err(ConvertError::Refused(report)) => {
                    let refused = report.iter().any(|loss| loss.fate == Fate::Refused);
                    assert!(refused, "{path}: neither refused nor converted");
                    row[2 + usize::from(allow_loss)] += 1;
                }
                Err(ConvertError::Unusable(_)) => {
                    assert_ne!(
                        source.outcome,
                        Outcome::Loads,
                        "{path}: what loads can be converted"
                    );
                }
                Err(error) => panic!("{path}: {error:?}"),
            }
        }
    }
}

/// A prompt as a dialect keeps it: in TOML, CRLF would be a part of it.
fn lines(prompt: &str, to: &Dialect) -> String {
    match to.format {
        Format::Toml => prompt.replace("\r\n", "\n"),
        Format::Markdown => prompt.to_owned(),
    }
}

fn holds(
    path: &str,
    source: &Definition,
    from: &Dialect,
    converted: &Converted,
    to: &Dialect,
    dialects: &Dialects,
) {
    let place = format!("{}/{}", converted.directory, converted.file);
    let text = String::from_utf8_lossy(&converted.contents);
    let result = document::read(&place, &converted.contents, None, to, dialects);
    let name = format!("{path} of {} to {}:\n{text}", from.id, to.id);
    assert_eq!(result.outcome, Outcome::Loads, "{name}");
    assert_eq!(
        result.definition.system_prompt.trim(),
        lines(&source.system_prompt, to).trim(),
        "{name}"
    );
    let reported = |field: &str, fate: Fate| {
        converted
            .report
            .iter()
            .any(|loss| loss.field == field && loss.fate == fate)
    };
    if reported("description", Fate::Kept) {
        assert_eq!(result.definition.description, source.description, "{name}");
    }
    if reported("name", Fate::Kept) {
        assert_eq!(result.definition.name, source.name, "{name}");
    }
    let (before, after) = (rights(from, source), rights(to, &result.definition));
    let after = within_mode(to, &result.definition, after);
    assert!(is_wide(from, source) || before.closed().contains(after), "{name}");
}

/// For each target: converted without losses, only with them, refused without, refused with them.
#[derive(Default)]
struct Tally {
    rows: BTreeMap<String, [usize; 4]>,
}

#[test]
fn real_files_never_gain_permissions() {
    let Some(shared) = std::env::var_os("CALLSHEET_SHARED") else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: CALLSHEET_SHARED does not say where corpus/ is"
        );
        return;
    };
    let packed = File::open(PathBuf::from(shared).join("corpus/corpus.tar.gz")).expect("the corpus is there");
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed));
    let dialects = Dialects::embedded();
    let mut tally = Tally::default();
    let mut files = 0;
    for entry in archive.entries().expect("it is an archive") {
        let mut entry = entry.expect("it is whole");
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = entry
            .path()
            .expect("it has a name")
            .to_string_lossy()
            .into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("it is whole");
        let from = dialects.get("claude-code").expect("it is built in");
        // As an agent, also if it is a skill or a command where it comes from.
        let name = path.rsplit('/').next().unwrap_or_default();
        check(
            &format!(".claude/agents/{name}"),
            &bytes,
            from,
            &dialects,
            &mut tally,
        );
        files += 1;
    }
    println!("{files} files: converted, only with losses, refused without, refused with them");
    for (to, row) in &tally.rows {
        println!("{to:>12} {:>6} {:>6} {:>6} {:>6}", row[0], row[1], row[2], row[3]);
    }
}

#[test]
fn generated_definitions_never_gain_permissions() {
    let dialects = Dialects::embedded();
    texts::check(256, drafts::answers(), |answers| {
        for from in dialects.iter() {
            if let Ok(text) = render(&answers.draft(from), from) {
                let path = format!("x/helper.{}", from.files.extensions[0]);
                check(&path, text.as_bytes(), from, &dialects, &mut Tally::default());
            }
        }
        Ok(())
    });
}
