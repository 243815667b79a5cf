//! The commands: each calls the component and formats the result.

use callsheet_answers::{
    check as check_project, converted, exists, explained, graph as references, listed, read, reasons, shown,
};
use callsheet_contract::bindings::callsheet::agents::files;
use callsheet_contract::catalogs::Standing;
use callsheet_contract::documents;
use callsheet_contract::projects::{Part, Request, Scope};
use callsheet_contract::types::Severity;
use callsheet_report::pages::Page;
use callsheet_report::report::{Checked, Explained};
use callsheet_report::text::clean;
use callsheet_report::{concise, drawing, json_v1};

use crate::arguments::{Arguments, Command, Format, HELP};
use crate::contract::exports::callsheet::command::main::Status;
use crate::failure::Failure;
use crate::places;

/// The output of a command.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) output: String,
    pub(crate) errors: String,
    pub(crate) status: Status,
}

impl Told {
    fn clean(output: impl Into<String>) -> Self {
        Self::with(output, true)
    }

    fn with(output: impl Into<String>, clean: bool) -> Self {
        Self {
            output: output.into(),
            status: status(clean),
            ..Self::default()
        }
    }
}

fn status(clean: bool) -> Status {
    if clean { Status::Clean } else { Status::Problems }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Told, Failure> {
    let Some(command) = &arguments.command else {
        return Ok(Told::clean(HELP));
    };
    let about_project = match command {
        Command::Check { paths, .. } => paths.is_empty(),
        Command::List { .. } | Command::Show { .. } | Command::Why { .. } | Command::Graph { .. } => true,
        _ => false,
    };
    if about_project {
        places::opened(&arguments.project)?;
    }
    match command {
        Command::Check {
            paths,
            targets,
            no_ignore,
        } => check(arguments, paths, targets, *no_ignore),
        Command::List { all } => list(arguments, *all),
        Command::Show { name } => show(arguments, name),
        Command::Why { name } => why(arguments, name),
        Command::Graph { scope, part } => graph(arguments, scope, *part),
        Command::Convert { what, to, allow_loss } => convert(arguments, what, to, *allow_loss),
        Command::Dialects { name } => dialects(arguments, name.as_deref()),
        Command::Rules => Ok(rules(arguments)),
        Command::Explain { rule } => explain(arguments, rule),
        Command::Version => Ok(Told::clean(concat!(
            "callsheet ",
            env!("CARGO_PKG_VERSION"),
            "\n"
        ))),
    }
}

fn check(
    arguments: &Arguments,
    paths: &[String],
    targets: &[String],
    no_ignore: bool,
) -> Result<Told, Failure> {
    let mut failures = Vec::new();
    let mut request = Request {
        dialect: arguments.dialect.clone(),
        targets: targets.to_vec(),
        paths: Vec::new(),
    };
    for path in paths {
        match exists(path) {
            Ok(()) => request.paths.push(path.clone()),
            Err(failure) => failures.push(failure),
        }
    }
    let mut checked = if failures.is_empty() || !request.paths.is_empty() {
        check_project(&arguments.project, &request, None)?
    } else {
        Checked::default()
    };
    if no_ignore {
        for finding in &mut checked.findings {
            finding.suppressed = None;
        }
    }
    let findings = checked.count(Severity::Error) + checked.count(Severity::Warning);
    let mut told = if arguments.is_json() {
        Told::clean(json_v1::check(&checked))
    } else {
        let lines = checked
            .reported()
            .map(|finding| concise::diagnostic(&finding.diagnostic));
        Told::clean(lines.collect::<String>())
    };
    told.status = if failures.is_empty() {
        status(findings == 0)
    } else {
        Status::Failed
    };
    if !arguments.quiet {
        told.errors = remarks(arguments, &checked);
    }
    let failures = failures
        .into_iter()
        .map(|failure| Failure::from(failure).report(arguments.caller));
    told.errors.extend(failures);
    Ok(told)
}

fn remarks(arguments: &Arguments, checked: &Checked) -> String {
    let mut remarks = String::new();
    if places::is_configured(&arguments.project) {
        remarks.push_str("note: callsheet.toml is ignored; use the native `callsheet` to apply it\n");
    }
    for path in &checked.unowned {
        remarks.push_str(&format!(
            "note: {} is in no tool's agents folder and was not checked; name the dialect to check it: `--as DIALECT`\n",
            clean(path)
        ));
    }
    if checked.files == 0 {
        remarks.push_str("note: nothing to check; `list` shows the folders searched\n");
    }
    remarks
}

fn list(arguments: &Arguments, all: bool) -> Result<Told, Failure> {
    let (listings, lookouts) = listed(&arguments.project, &dialects_of(arguments)?)?;
    if arguments.is_json() {
        return Ok(Told::clean(json_v1::list(&listings, &lookouts, all)));
    }
    let entries = listings.iter().flat_map(|listing| &listing.entries);
    let shown = entries.filter(|entry| all || matches!(entry.standing, Standing::Active | Standing::Broken));
    let lines = shown.map(|entry| match entry.standing {
        Standing::Active => concise::entry(entry, &entry.description),
        _ => concise::entry(entry, &entry.reason),
    });
    let mut told = Told::clean(lines.collect::<String>());
    if !arguments.quiet {
        for lookout in lookouts {
            let places = lookout
                .locations
                .iter()
                .map(|location| clean(&location.directory));
            let places = places.collect::<Vec<_>>().join(", ");
            told.errors
                .push_str(&format!("note: {} searches {places}\n", lookout.dialect));
        }
    }
    Ok(told)
}

fn show(arguments: &Arguments, name: &str) -> Result<Told, Failure> {
    let dialects = dialects_of(arguments)?;
    match shown(&arguments.project, &dialects, name)? {
        Some(shown) => Ok(Told::clean(json_v1::show(&shown))),
        None => Err(unknown_agent(
            name,
            &explained(&arguments.project, &dialects, name)?,
        )),
    }
}

fn why(arguments: &Arguments, name: &str) -> Result<Told, Failure> {
    let (named, explained, known) = reasons(&arguments.project, &dialects_of(arguments)?, name)?;
    if arguments.is_json() {
        return Ok(Told::with(
            json_v1::why(name, Some(&named), &explained, &[]),
            known,
        ));
    }
    if !known {
        return Err(unknown_agent(name, &explained));
    }
    let candidates = explained.iter().flat_map(|it| &it.explanation.candidates);
    let lines: String = candidates
        .map(|entry| concise::entry(entry, &entry.reason))
        .collect();
    Ok(Told::clean(if lines.is_empty() {
        concise::named(&named)
    } else {
        lines
    }))
}

fn unknown_agent(name: &str, explained: &[Explained]) -> Failure {
    let mut near: Vec<&str> = explained
        .iter()
        .flat_map(|it| &it.explanation.near)
        .map(|miss| &*miss.entry.name)
        .collect();
    near.dedup();
    let failure = Failure::nothing_found(format!("no active agent `{}`", clean(name)));
    near.into_iter().fold(failure, |failure, name| {
        failure.help(format!("did you mean `{}`?", clean(name)))
    })
}

fn graph(arguments: &Arguments, scope: &Scope, part: Part) -> Result<Told, Failure> {
    let graph = references(&arguments.project, scope, part)?;
    if let (Scope::Around(name), Some(instead)) = (scope, &graph.instead) {
        let failure = Failure::nothing_found(format!("nothing here is called `{}`", clean(name)));
        return Err(match instead.first() {
            Some(meant) => failure.help(format!("did you mean `{}`?", clean(meant))),
            None => failure.help("`graph` shows all names"),
        });
    }
    let mut told = Told::clean(match arguments.format {
        Format::Concise => concise::references(&graph),
        Format::Json => json_v1::graph(&graph),
        Format::Dot => drawing::dot(&graph),
        Format::Mermaid => drawing::mermaid(&graph),
    });
    if arguments.format == Format::Mermaid && !arguments.quiet {
        told.errors = drawing::too_many(&graph).map_or(String::new(), |note| note + "\n");
    }
    Ok(told)
}

fn convert(arguments: &Arguments, what: &str, to: &str, allow_loss: bool) -> Result<Told, Failure> {
    if files::list_directory(what).is_ok() {
        return Err(Failure::native_only("`convert` of a directory"));
    }
    let (path, dialect) = file(arguments, what)?;
    let conversion = converted(&path, &read(&path)?, dialect.as_deref(), to, allow_loss)?;
    let done = conversion.converted.is_some();
    if arguments.is_json() {
        return Ok(Told::with(json_v1::convert(&conversion), done));
    }
    let lines = conversion.report().iter().filter(|line| !line.reason.is_empty());
    let report = lines.map(|line| format!("{}: {}\n", clean(&line.field), clean(&line.reason)));
    let contents = conversion
        .converted
        .as_ref()
        .map(|it| String::from_utf8_lossy(&it.contents));
    Ok(Told {
        output: contents.unwrap_or_default().into_owned(),
        errors: report.collect(),
        status: status(done),
    })
}

/// The file for an argument, and its dialect if known.
fn file(arguments: &Arguments, what: &str) -> Result<(String, Option<String>), Failure> {
    let unread = match read(what) {
        Ok(_) => return Ok((what.to_owned(), arguments.dialect.clone())),
        Err(failure) => failure,
    };
    let dialects = dialects_of(arguments)?;
    let Some(shown) = shown(&arguments.project, &dialects, what)? else {
        return Err(match exists(what) {
            Err(failure) if what.contains(['/', '.']) => Failure::from(failure).into_problem(),
            Ok(()) if what.contains(['/', '.']) => unread.into(),
            _ => unknown_agent(what, &explained(&arguments.project, &dialects, what)?),
        });
    };
    let path = shown.agent.origin.path;
    let path =
        path.ok_or_else(|| Failure::nothing_found(format!("`{}` is not defined in a file", clean(what))))?;
    Ok((path, Some(shown.dialect)))
}

fn dialects(arguments: &Arguments, name: Option<&str>) -> Result<Told, Failure> {
    if let Some(name) = name {
        // Fails for an unknown dialect.
        arguments.project.locations(name)?;
    }
    let all = callsheet_answers::dialects().only(name);
    Ok(Told::clean(if arguments.is_json() || name.is_some() {
        json_v1::dialects(&all)
    } else {
        all.dialects.iter().map(concise::dialect).collect()
    }))
}

fn rules(arguments: &Arguments) -> Told {
    let rules = documents::rules();
    Told::clean(if arguments.is_json() {
        json_v1::rules(&rules)
    } else {
        rules.iter().map(concise::rule).collect()
    })
}

fn explain(arguments: &Arguments, name: &str) -> Result<Told, Failure> {
    let rules = documents::rules();
    let rule = rules.iter().find(|rule| rule.name == name).ok_or_else(|| {
        Failure::new(format!("unknown rule `{}`", clean(name))).help("run `rules` for the list")
    })?;
    Ok(Told::clean(if arguments.is_json() {
        json_v1::explain(rule)
    } else {
        format!("{}{}\n", concise::rule(rule), Page::of(&rule.name).text)
    }))
}

/// The requested dialect, or all dialects in use.
fn dialects_of(arguments: &Arguments) -> Result<Vec<String>, Failure> {
    match &arguments.dialect {
        Some(dialect) => Ok(vec![dialect.clone()]),
        None => Ok(arguments.project.dialects_in_use()),
    }
}
