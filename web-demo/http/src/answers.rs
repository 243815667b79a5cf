//! The handlers of operations without a session.

use callsheet_answers::{Project, check as check_project, converted, listed, reasons};
use callsheet_contract::types::Kind;
use callsheet_contract::{documents, projects};
use callsheet_report::json_v1;
use serde_json::{Value, json};

use crate::bindings::callsheet::http::store;
use crate::body::compact;
use crate::limits::{COUNTED_BYTES, FINDINGS};
use crate::problem::Problem;
use crate::requests::{Check, Convert, Paths, Resolve};

const DESCRIPTION: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));

/// The project of a request: its files and home directory.
pub(crate) fn project() -> Project {
    Project {
        name: ".".to_owned(),
        home: Some("~".to_owned()),
        ..Project::default()
    }
}

pub(crate) fn check(request: Check) -> Result<String, Problem> {
    provide(
        request.files,
        request.dialect.as_deref(),
        1 + request.targets.len(),
    )?;
    let build = request.build.map(projects::Build::from);
    let asked = projects::Request {
        dialect: request.dialect,
        targets: request.targets,
        paths: request.paths,
    };
    let checked = check_project(&project(), &asked, build.as_ref())?;
    Ok(compact(&json_v1::check(&checked)))
}

pub(crate) fn resolve(request: Resolve) -> Result<String, Problem> {
    let dialects = provide(request.files, request.dialect.as_deref(), 1)?;
    Ok(compact(&match request.name {
        Some(name) => {
            let (named, explained, _) = reasons(&project(), &dialects, &name)?;
            json_v1::why(&name, Some(&named), &explained, &[])
        }
        None => {
            let (listings, lookouts) = listed(&project(), &dialects)?;
            json_v1::list(&listings, &lookouts, request.all)
        }
    }))
}

pub(crate) fn convert(request: Convert) -> Result<String, Problem> {
    let contents = request.contents.bytes()?;
    let dialect = request.dialect.as_deref();
    let conversion = converted(&request.path, &contents, dialect, &request.to, request.allow_loss)?;
    Ok(compact(&json_v1::convert(&conversion)))
}

/// All rules, without pages and evidence, which are in `docs/rules.md`.
pub(crate) fn rules() -> String {
    let mut document: Value =
        serde_json::from_str(&json_v1::rules(&documents::rules())).expect("it was just written");
    for rule in document["rules"].as_array_mut().into_iter().flatten() {
        let rule = rule.as_object_mut().expect("a rule is a map");
        rule.shift_remove("page");
        rule.shift_remove("evidence");
    }
    compact(&document.to_string())
}

pub(crate) fn dialects() -> String {
    compact(&json_v1::dialects(&callsheet_answers::dialects()))
}

/// The description with the known dialects and releases.
pub(crate) fn description() -> String {
    let mut description: Value = serde_json::from_str(DESCRIPTION).expect("the build script wrote it");
    let dialects = documents::dialects(Kind::Agent)
        .into_iter()
        .map(|dialect| dialect.id);
    let readers = documents::readers().into_iter().map(|reader| reader.id);
    let known: Vec<String> = dialects.chain(readers).collect();
    description["components"]["schemas"]["Dialect"]["enum"] = json!(known);
    compact(&description.to_string())
}

/// Checks that the component answers.
pub(crate) fn health() -> String {
    // Any result will do.
    let _ = documents::parse("agents/health.md", &[], None, None);
    compact(r#"{"status": "ok"}"#)
}

/// Provides the files of a request, each judged so many times, and returns the requested dialect, or all dialects in use.
pub(crate) fn provide(files: Paths, named: Option<&str>, each: usize) -> Result<Vec<String>, Problem> {
    let mut bytes = 0;
    store::clear();
    for (path, contents) in files {
        let contents = contents.bytes()?;
        bytes += contents.len();
        store::put(&path, &contents);
    }
    let dialects = match named {
        Some(dialect) => {
            // Fails for an unknown dialect even without files.
            project().locations(dialect)?;
            vec![dialect.to_owned()]
        }
        None => project().dialects_in_use(),
    };
    if bytes >= COUNTED_BYTES {
        count(named, each)?;
    }
    Ok(dialects)
}

/// Counts findings first, because a catalog with all of them may exceed the memory.
fn count(named: Option<&str>, each: usize) -> Result<(), Problem> {
    let mut found = 0;
    for documents::Found { path, dialect, level } in documents::discover(".").0 {
        let contents = callsheet_answers::read(&path)?;
        let Some(dialect) = named.or(dialect.as_deref()) else {
            continue;
        };
        if let Ok(parsed) = documents::parse(&path, &contents, Some(dialect), level) {
            found += (parsed.diagnostics.len() + parsed.suppressed.len()) * each;
        }
        if found > FINDINGS {
            let detail = format!(
                "the files have more than {FINDINGS} findings, some in {path}; send fewer files per request"
            );
            return Err(Problem::new(422, "too-many-findings", detail));
        }
    }
    Ok(())
}
