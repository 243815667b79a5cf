//! `edit`: changes fields of a file, and nothing else in it.

use callsheet::documents::{FieldValue, KeyChange};
use callsheet::fix::FixedFile;
use callsheet::output::report::Written;
use callsheet::output::text::{self, clean};

use super::context::Context;
use super::written::{self, Naming, Target, Watch, prompt};
use super::{editor, kinds};
use crate::cli::{Edit, Format};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Edit) -> Result<Exit, Failure> {
    if command.diff && context.format() != Format::Text {
        return Err(Failure::trouble(
            "`--diff` prints a diff and supports no other format",
        ));
    }
    let prompt = prompt::given(&command.prompt)?;
    let prompt = prompt.as_deref().map(prompt::lines);
    let says_nothing = command.set.is_empty() && command.unset.is_empty() && prompt.is_none();
    if says_nothing && (command.diff || !context.asks()) {
        return Err(nothing_said(&command.name));
    }
    let name = kinds::named(context, &command.name);
    let target = match Target::find_own(context, name) {
        Err(_) if kinds::is_other(context, name)? => Target::find_own(context, name),
        found => found,
    }?;
    let after = if says_nothing {
        editor::revise(context, &target.path, &target.rules, &target.contents)?
    } else {
        Some(revised(context, command, &target, prompt.as_deref())?)
    };
    match after {
        None => {
            context.remark("nothing was written");
            Ok(Exit::Findings)
        }
        Some(after) if command.diff => show(context, target, after),
        Some(after) => write(context, name, target, &after),
    }
}

/// The contents with the options applied.
fn revised(
    context: &mut Context,
    command: &Edit,
    target: &Target,
    prompt: Option<&str>,
) -> Result<Vec<u8>, Failure> {
    let naming = Naming::of(context, &target.dialect)?;
    let name = command.set.iter().rfind(|(key, _)| key == "name");
    // If the file name is the agent's name, a `name` key is only displayed.
    if let Some((_, name)) = name.filter(|_| naming.is_in_file()) {
        naming.file(context, name)?;
    }
    target.revised(context, &changes(command), prompt)
}

fn show(context: &mut Context, target: Target, after: Vec<u8>) -> Result<Exit, Failure> {
    let look = context.look;
    let secrets = target.secrets(context, &target.contents)?;
    let secrets = secrets.join(target.secrets(context, &after)?);
    let diff = FixedFile {
        path: target.path,
        before: target.contents,
        after,
        applied: Vec::new(),
    };
    context.print(&text::diff(&look, &secrets.in_diff(diff)))?;
    Ok(Exit::Clean)
}

fn write(context: &mut Context, old: &str, target: Target, after: &[u8]) -> Result<Exit, Failure> {
    let parsed = context
        .callsheet
        .parse(&target.path, after, Some(&target.rules))?;
    let watch = Watch::start(context, &target.dialect)?;
    let changed = after != target.contents;
    if changed {
        context.callsheet.replace(&target.path, &target.contents, after)?;
    }
    let dialect = Some(&*target.rules);
    let before = context.callsheet.parse(&target.path, &target.contents, dialect)?;
    written::remark(context, &target.path, &before.diagnostics, &parsed.diagnostics);
    let written = Written {
        command: "edit",
        path: Some(target.path),
        from: None,
        changed,
        also: Vec::new(),
        now: Vec::new(),
    };
    let new = parsed.agent.map(|agent| agent.name);
    let new = new.as_deref().filter(|name| *name != old);
    let names: Vec<&str> = new.into_iter().chain([old]).collect();
    watch.finish(context, written, &names)
}

fn nothing_said(name: &str) -> Failure {
    let name = clean(name);
    let failure = Failure::trouble(format!("no changes are given for `{name}`"));
    let failure = failure.help(format!(
        "such as `callsheet edit {name} --set model=opus`, `--unset KEY`, `--prompt TEXT` or `--prompt-file FILE`"
    ));
    failure.help(format!(
        "on a terminal, `callsheet edit {name}` opens your editor"
    ))
}

fn changes(command: &Edit) -> Vec<KeyChange> {
    let set = command.set.iter().map(|(key, value)| KeyChange {
        key: key.clone(),
        value: Some(FieldValue::Entered(value.clone())),
    });
    let unset = command.unset.iter().map(|key| KeyChange {
        key: key.clone(),
        value: None,
    });
    set.chain(unset).collect()
}
