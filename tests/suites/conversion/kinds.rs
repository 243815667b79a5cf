//! Conversions of generated skills and commands into every dialect that has some: what the model may do without asking, what runs, and who
//! calls it.

use callsheet_core::convert::{ConvertError, Converted, Fate, convert};
use callsheet_core::definition::{Definition, ToolFilter};
use callsheet_core::dialect::{Canonical, Dialect, Dialects, Kind, ToolsAre};
use callsheet_core::document;
use callsheet_core::verdict::Outcome;
use callsheet_core::vocabulary::{self, Rights};
use callsheet_core::write::render;
use callsheet_tests::{drafts, texts};
use proptest::collection;
use proptest::prelude::Strategy;
use proptest::sample::select;

/// What some product replaces, and what comes near to it.
const PIECES: &[&str] = &[
    "$ARGUMENTS",
    "\\$ARGUMENTS",
    "$ARGUMENTS[1]",
    "$0",
    "$1",
    "$12",
    "$name",
    "$",
    "{{args}}",
    "{{",
    "${input:name}",
    "${input:a b:c}",
    "${file}",
    "${CLAUDE_SKILL_DIR}",
    "!`git log`",
    "!`",
    "!{git log}",
    "!{",
    "}",
    "`",
    "\n```!\nls\n```\n",
    "@{docs/a.md}",
    "@docs/a.md",
    "@",
    " ",
    "\n",
    "text",
    "!",
];

/// The rights of the tools that may be used without asking.
fn approved(dialect: &Dialect, definition: &Definition) -> Rights {
    let vocabulary = vocabulary::of(dialect.product()).expect("every product has one");
    let ToolFilter::Only(rules) = &definition.tools else {
        let is_all = definition.tools == ToolFilter::All;
        return if is_all { Rights::all() } else { Rights::default() };
    };
    if dialect.call.tools != ToolsAre::Approved {
        return Rights::default();
    }
    let rights = rules.iter().filter_map(|rule| vocabulary.find(&rule.tool));
    rights
        .fold(Rights::default(), |all, tool| all.with(tool.rights))
        .closed()
}

/// How many commands a text can run.
fn commands(dialect: &Dialect, text: &str) -> usize {
    let pairs = dialect.call.commands.iter();
    pairs.map(|[open, close]| enclosed(text, open, close)).sum()
}

fn enclosed(text: &str, open: &str, close: &str) -> usize {
    let (mut count, mut rest) = (0, text);
    while let Some((before, after)) = rest.split_once(open) {
        let is_placed = !open.starts_with('`') || before.is_empty() || before.ends_with('\n');
        let end = if close == "}" {
            closing_brace(after)
        } else {
            after.find(close)
        };
        // Products refuse a text with an open brace.
        let Some(end) = end else {
            break;
        };
        rest = after;
        if is_placed && !after[..end].trim().is_empty() {
            count += 1;
            rest = &after[end + close.len()..];
        }
    }
    count
}

fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, letter)| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        (depth < 0).then_some(at)
    })
}

fn is_locked(dialect: &Dialect, definition: &Definition) -> bool {
    let field = definition.field(Canonical::ModelMayNotPick);
    let is_true = |value: &str| matches!(value.trim_matches(['"', '\'']), "true" | "yes" | "on" | "1");
    dialect.call.by_user || field.is_some_and(|field| is_true(&field.value))
}

fn check(path: &str, text: &str, from: &Dialect, to: &Dialect, dialects: &Dialects) {
    let source = document::read(path, text.as_bytes(), None, from, dialects);
    let name = format!(
        "{} of {} to {} of {}:\n{text}",
        from.kind.noun(),
        from.id,
        to.kind.noun(),
        to.id
    );
    let wanted = format!("{}:{}", to.kind.noun(), to.id);
    let given = format!("{}:{}", from.kind.noun(), from.id);
    for allow_loss in [false, true] {
        match convert(path, text.as_bytes(), Some(&given), &wanted, allow_loss, dialects) {
            Ok(converted) if (&to.id, to.kind) == (&from.id, from.kind) => {
                assert_eq!(converted.contents, text.as_bytes(), "{name}");
            }
            Ok(converted) => holds(&name, &source.definition, from, &converted, to, dialects),
            Err(ConvertError::Refused(report)) => {
                let mut refused = report.iter().filter(|loss| loss.fate == Fate::Refused);
                let first = refused.next();
                assert!(first.is_some(), "{name}");
            }
            Err(ConvertError::Unusable(_)) => assert_ne!(source.outcome, Outcome::Loads, "{name}"),
            Err(error) => panic!("{name}: {error:?}"),
        }
    }
}

fn holds(
    name: &str,
    source: &Definition,
    from: &Dialect,
    converted: &Converted,
    to: &Dialect,
    dialects: &Dialects,
) {
    let place = format!("{}/{}", converted.directory, converted.file);
    let text = String::from_utf8_lossy(&converted.contents);
    let name = format!("{name}\n{place}:\n{text}");
    let result = document::read(&place, &converted.contents, None, to, dialects);
    assert_eq!(result.outcome, Outcome::Loads, "{name}");
    let result = result.definition;
    let has = |field: &str, fate: Fate| {
        let mut report = converted.report.iter();
        report.any(|loss| loss.field == field && loss.fate == fate)
    };
    if has("description", Fate::Kept) {
        assert_eq!(result.description, source.description, "{name}");
    }
    if has("prompt", Fate::Kept) {
        assert_eq!(
            result.system_prompt.trim(),
            super::lines(&source.system_prompt, to).trim(),
            "{name}"
        );
    }
    let (before, after) = (approved(from, source), approved(to, &result));
    assert!(before.contains(after), "{name}");
    let (before, after) = (
        commands(from, &source.system_prompt),
        commands(to, &result.system_prompt),
    );
    assert!(after <= before, "{name}");
    if is_locked(from, source) {
        let mut keys = from.keys.iter();
        let lock = keys.find(|key| key.field == Canonical::ModelMayNotPick);
        let lock = lock.map_or("kind", |key| key.written());
        assert!(is_locked(to, &result) || has(lock, Fate::Dropped), "{name}");
    }
}

#[test]
fn generated_skills_and_commands_never_gain_permissions() {
    let dialects = Dialects::embedded();
    let prompt = collection::vec(select(PIECES), 0..12).prop_map(|pieces| pieces.concat());
    let kinds = [Kind::Skill, Kind::Command];
    let all = || kinds.into_iter().flat_map(|kind| dialects.of(kind));
    texts::check(64, (drafts::answers(), prompt), |(answers, prompt)| {
        for from in all() {
            let mut draft = answers.draft(from);
            draft.prompt.clone_from(&prompt);
            let Ok(text) = render(&draft, from) else {
                continue;
            };
            let path = match &from.files.name {
                Some(file) => format!("x/helper/{file}"),
                None => format!("x/helper.{}", from.files.extensions[0]),
            };
            for to in all().filter(|to| from.kind == to.kind || to.kind == Kind::Skill) {
                check(&path, &text, from, to, &dialects);
            }
        }
        Ok(())
    });
}
