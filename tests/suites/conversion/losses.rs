//! Rights before are rights after and what is reported as lost: over every pair of dialects, and sets of up to six tools.

use std::fmt::Write as _;

use callsheet_core::convert::{ConvertError, Converted, Fate, Loss, convert};
use callsheet_core::definition::{Definition, ToolFilter};
use callsheet_core::dialect::{Canonical, Dialect, Dialects, Kind, Readers, Shape};
use callsheet_core::document;
use callsheet_core::vocabulary::{self, Rights, Tool, Vocabulary};

/// The largest set of tools.
const TOOLS: usize = 6;

/// The tools whose sets are tested. The others are tested alone, and beside the first of them.
const COMBINED: usize = 7;

fn vocabulary_of(dialect: &Dialect) -> &'static Vocabulary {
    vocabulary::of(dialect.product()).expect("every dialect has one")
}

fn together(rights: impl Iterator<Item = Rights>) -> Rights {
    rights.fold(Rights::default(), Rights::with)
}

/// The first tool for each set of rights.
fn distinct(vocabulary: &'static Vocabulary) -> Vec<&'static Tool> {
    let mut tools: Vec<&Tool> = Vec::new();
    for tool in vocabulary.current().filter(|tool| !tool.rights.is_empty()) {
        if tools.iter().all(|known| known.rights != tool.rights) {
            tools.push(tool);
        }
    }
    tools
}

/// The sets of tools to try.
fn sets(tools: &[&'static Tool]) -> Vec<Vec<&'static Tool>> {
    let combined = tools.len().min(COMBINED);
    let chosen = |bits: u32| (0..combined).filter(move |at| bits >> at & 1 == 1);
    let few = |bits: &u32| bits.count_ones() as usize <= TOOLS;
    let mut sets: Vec<Vec<&Tool>> = (1..1 << combined)
        .filter(few)
        .map(|bits| chosen(bits).map(|at| tools[at]).collect())
        .collect();
    for tool in &tools[combined..] {
        sets.push(vec![tool]);
        sets.push(vec![tools[0], tool]);
    }
    sets
}

/// A file of a dialect that lists these tools; none where it has no list.
fn file(dialect: &Dialect, tools: &[&Tool]) -> Option<String> {
    let key = |field: Canonical| dialect.keys.iter().find(|key| key.field == field);
    let mut text = String::from("---\nname: helper\ndescription: Helps\n");
    let given = [
        Canonical::Name,
        Canonical::Description,
        Canonical::Prompt,
        Canonical::Tools,
    ];
    for key in dialect
        .keys
        .iter()
        .filter(|key| key.is_required() && !given.contains(&key.field))
    {
        let number = if key.shape == Shape::Integer { "1" } else { "other" };
        let value = key.one_of.first().map_or(number, |word| word);
        let _ = writeln!(text, "{}: {value}", key.written());
    }
    if let Some(key) = key(Canonical::Permissions) {
        let _ = writeln!(text, "{}:\n  \"*\": deny", key.written());
        for tool in tools {
            let _ = writeln!(text, "  {}: allow", tool.name);
        }
    } else {
        let key = key(Canonical::Tools)?;
        let names: Vec<&str> = tools.iter().map(|tool| tool.name).collect();
        let names = match &key.shape {
            Shape::Tools(shape) if !shape.list => names.join(", "),
            _ => format!("{names:?}"),
        };
        let _ = writeln!(text, "{}: {names}", key.written());
    }
    text.push_str("---\n\nDo what was asked.\n");
    Some(text)
}

/// What a result grants, what that implies aside.
fn granted(dialect: &Dialect, definition: &Definition) -> Rights {
    let vocabulary = vocabulary_of(dialect);
    let field = |field: Canonical| definition.field(field).map(|field| field.value.trim_matches('"'));
    let word = definition
        .permission_mode
        .as_deref()
        .or(field(Canonical::ReadOnly));
    if let Some((_, rights)) = vocabulary.bounded.iter().find(|(name, _)| Some(*name) == word) {
        let switches = vocabulary.switches.iter();
        let on = switches.filter(|switch| field(switch.field) == Some(switch.on));
        let rights = rights.with(together(on.map(|switch| switch.right)));
        let off = vocabulary
            .switches
            .iter()
            .filter(|switch| field(switch.field) == Some(switch.off));
        let settings = vocabulary
            .settings
            .without(together(off.map(|switch| switch.right)));
        return rights.with(vocabulary.kept).with(settings);
    }
    let of = |tool: &str| {
        vocabulary
            .find(tool)
            .map_or(Rights::default(), |tool| tool.rights)
    };
    match &definition.tools {
        ToolFilter::Only(rules) => together(rules.iter().map(|rule| of(&rule.tool))),
        ToolFilter::None => Rights::default(),
        open => panic!("{}: a list became {open:?}", dialect.id),
    }
}

/// Whether a file of a dialect lists its tools in this field.
fn is_about_tools(dialect: &Dialect, field: &str) -> bool {
    let fields = [Canonical::Tools, Canonical::Permissions];
    let mut keys = dialect.keys.iter().filter(|key| fields.contains(&key.field));
    keys.any(|key| key.written() == field)
}

/// What is reported as lost.
fn lost(from: &Dialect, report: &[Loss]) -> Rights {
    let is_loss = |loss: &&Loss| {
        is_about_tools(from, &loss.field) && matches!(loss.fate, Fate::Dropped | Fate::Refused)
    };
    let of = |loss: &Loss| {
        vocabulary_of(from)
            .find(&loss.from)
            .map_or(Rights::default(), |tool| tool.rights)
    };
    together(report.iter().filter(is_loss).map(of))
}

/// Whether a permission that another one implies has no tool in a list of the target.
fn has_no_tool(right: Rights, before: Rights, vocabulary: &'static Vocabulary) -> bool {
    let mut tools = vocabulary.current().filter(|tool| tool.rights.meets(right));
    !vocabulary.bounded.is_empty() || tools.all(|tool| !before.closed().contains(tool.rights))
}

fn holds(
    name: &str,
    before: Rights,
    from: &Dialect,
    converted: &Converted,
    to: &Dialect,
    dialects: &Dialects,
) {
    let vocabulary = vocabulary_of(to);
    let place = format!("{}/{}", converted.directory, converted.file);
    let result = document::read(&place, &converted.contents, None, to, dialects);
    let after = granted(to, &result.definition);
    let unbound = vocabulary.kept.with(vocabulary.settings);
    assert!(
        before.closed().contains(after.without(unbound)),
        "{name}: grants more"
    );
    let lost = lost(from, &converted.report);
    let is_told = converted
        .report
        .iter()
        .any(|loss| is_about_tools(from, &loss.field) && loss.fate == Fate::Approximated);
    for right in before.without(after).without(lost).iter() {
        let right = Rights::of(right.id).expect("it is one of them");
        let implied = after.closed().contains(right) && is_told && has_no_tool(right, before, vocabulary);
        assert!(implied, "{name}: loses {} without a word", right.words());
    }
    assert!(
        lost.is_empty() || !after.contains(lost),
        "{name}: reports a false loss"
    );
}

#[test]
fn every_lost_permission_is_reported() {
    let dialects = Dialects::embedded();
    let readers = Readers::embedded();
    let releases = readers.of(Kind::Agent).map(|reader| {
        let release = dialects.get(&reader.id);
        release.expect("every measured release of agents can be converted to")
    });
    let targets: Vec<&Dialect> = dialects.iter().chain(releases).map(|to| &**to).collect();
    let mut tried = 0;
    for from in dialects.iter() {
        for tools in sets(&distinct(vocabulary_of(from))) {
            let Some(text) = file(from, &tools) else {
                break;
            };
            let before = together(tools.iter().map(|tool| tool.rights));
            let path = format!("x/helper.{}", from.files.extensions[0]);
            for to in targets.iter().filter(|to| to.product() != from.id) {
                let names: Vec<&str> = tools.iter().map(|tool| tool.name).collect();
                let name = format!("{} of {} to {}", names.join(", "), from.id, to.id);
                let convert = |allow_loss| {
                    convert(
                        &path,
                        text.as_bytes(),
                        Some(&from.id),
                        &to.id,
                        allow_loss,
                        &dialects,
                    )
                };
                match convert(true) {
                    Ok(converted) => {
                        holds(&name, before, from, &converted, to, &dialects);
                        let is_whole = lost(from, &converted.report).is_empty();
                        assert_eq!(
                            convert(false).is_ok(),
                            is_whole,
                            "{name}: a loss has to be allowed"
                        );
                    }
                    Err(ConvertError::Refused(_)) => {
                        assert!(
                            convert(false).is_err(),
                            "{name}: refused only where losses are allowed"
                        );
                    }
                    Err(error) => panic!("{name}: {error:?}"),
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 20_000, "only {tried} conversions");
}

#[test]
fn read_only_agents_get_an_allow_list() {
    let dialects = Dialects::embedded();
    let agents = [
        (
            "opencode",
            "x/helper.md",
            "---\ndescription: Helps\npermission:\n  edit: deny\n  bash: deny\n---\n\nDo what was asked.\n",
        ),
        (
            "claude-code",
            "x/helper.md",
            "---\nname: helper\ndescription: Helps\ndisallowedTools: Write, Edit, NotebookEdit, Bash, PowerShell\n---\n\nDo what was asked.\n",
        ),
        (
            "cursor",
            "x/helper.md",
            "---\nname: helper\ndescription: Helps\nreadonly: true\n---\n\nDo what was asked.\n",
        ),
        (
            "codex",
            "x/helper.toml",
            "name = \"helper\"\ndescription = \"Helps\"\nsandbox_mode = \"read-only\"\ndeveloper_instructions = \"Do what was asked.\"\n",
        ),
    ];
    let acts = ["write", "edit", "notebook-edit", "make-directory", "shell"];
    let acts = together(acts.into_iter().filter_map(Rights::of));
    for (from, path, text) in agents {
        for to in dialects.iter().filter(|to| to.id != from) {
            let result = convert(path, text.as_bytes(), Some(from), &to.id, true, &dialects);
            let converted = result.unwrap_or_else(|error| panic!("{from} to {}: {error:?}", to.id));
            let place = format!("{}/{}", converted.directory, converted.file);
            let read = document::read(&place, &converted.contents, None, to, &dialects);
            let after = granted(to, &read.definition).closed();
            assert!(!after.meets(acts), "{from} to {}: {}", to.id, after.words());
        }
    }
}
