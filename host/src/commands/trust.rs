//! `trust`: trusts the servers, endpoints and variables in a file.

use std::path::PathBuf;

use callsheet::config;
use callsheet::output::json_v1;
use callsheet::output::report::Trusted;
use callsheet::output::text::{clean, clean_lines};
use callsheet::trust::{Stake, Trust, deeds, deeds_of_file, stakes, stakes_of_configuration};

use super::context::Context;
use super::named;
use crate::cli::{self, Format};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &cli::Trust) -> Result<Exit, Failure> {
    let trust = Trust::open(context.options.home.as_deref());
    let mut trust = trust.map_err(|error| unkept(&error))?;
    match &command.what {
        None => list(context, &trust),
        Some(what) if command.revoke => revoke(context, &mut trust, what),
        Some(what) => add(context, &mut trust, what, command.yes),
    }
}

fn list(context: &mut Context, trust: &Trust) -> Result<Exit, Failure> {
    let files = trust.files().map(|(path, trusted)| Trusted {
        path: path.to_string_lossy().into_owned(),
        trusted,
        stakes: Vec::new(),
    });
    let files: Vec<Trusted> = files.collect();
    if context.format() == Format::Json {
        context.print(&json_v1::trust(&files))?;
        return Ok(Exit::Clean);
    }
    for file in &files {
        let note = if file.trusted {
            ""
        } else {
            " (changed or deleted: not trusted)"
        };
        context.print(&format!("{}{note}\n", clean(&file.path)))?;
    }
    if files.is_empty() {
        context.remark("nothing is trusted");
    }
    Ok(Exit::Clean)
}

fn revoke(context: &mut Context, trust: &mut Trust, what: &str) -> Result<Exit, Failure> {
    let kept = |path: PathBuf| trust.files().any(|(known, _)| known == path).then_some(path);
    let path = match std::path::absolute(what).ok().and_then(kept) {
        // The file itself may have been deleted.
        Some(path) => path,
        None => File::find(context, what)?.real,
    };
    let removed = trust.remove(&path).map_err(|error| unkept(&error))?;
    let path = path.to_string_lossy().into_owned();
    let shown = clean(&path);
    if !removed {
        return Err(Failure::nothing_found(format!("{shown} was not trusted")));
    }
    if context.format() == Format::Json {
        let file = Trusted {
            path,
            trusted: false,
            stakes: Vec::new(),
        };
        context.print(&json_v1::trust(&[file]))?;
    }
    context.remark(&format!("{shown} is no longer trusted"));
    Ok(Exit::Clean)
}

fn add(context: &mut Context, trust: &mut Trust, what: &str, yes: bool) -> Result<Exit, Failure> {
    let file = File::find(context, what)?;
    let path = clean(&file.path);
    let stakes = file.stakes(context)?;
    let known = trust.trusts(&file.real, &file.contents);
    if context.format() == Format::Json {
        return report(context, trust, &file, stakes, known, yes);
    }
    if stakes.is_empty() {
        context.remark(&format!("nothing in {path} needs trust"));
        return Ok(Exit::Clean);
    }
    if known {
        context.remark(&format!("{path} is already trusted"));
        return Ok(Exit::Clean);
    }
    show(context, &path, &stakes)?;
    if !yes && !context.asks() {
        let failure = Failure::trouble(format!("not a terminal; cannot ask before trusting {path}"));
        return Err(failure.help("add `--yes` to confirm"));
    }
    if !yes && !context.confirm("Trust it?", false)? {
        context.remark("nothing was trusted");
        return Ok(Exit::Findings);
    }
    keep(trust, &file)?;
    context.remark(&format!("{path} is trusted until it changes"));
    Ok(Exit::Clean)
}

/// JSON output, without asking.
fn report(
    context: &mut Context,
    trust: &mut Trust,
    file: &File,
    stakes: Vec<Stake>,
    known: bool,
    yes: bool,
) -> Result<Exit, Failure> {
    let added = yes && !known && !stakes.is_empty();
    if added {
        keep(trust, file)?;
    }
    let file = Trusted {
        path: file.path.clone(),
        trusted: known || added,
        stakes: stakes
            .into_iter()
            .map(|stake| (stake.what, stake.value))
            .collect(),
    };
    let settled = file.trusted || file.stakes.is_empty();
    context.print(&json_v1::trust(&[file]))?;
    Ok(if settled { Exit::Clean } else { Exit::Findings })
}

fn show(context: &mut Context, path: &str, stakes: &[Stake]) -> Result<(), Failure> {
    context.print(&format!("trusting {path} enables\n"))?;
    for Stake { what, value } in stakes {
        context.print(&format!("  {what}:\n"))?;
        for line in clean_lines(value).lines().filter(|line| !line.trim().is_empty()) {
            context.print(&format!("    {line}\n"))?;
        }
    }
    Ok(())
}

fn keep(trust: &mut Trust, file: &File) -> Result<(), Failure> {
    let added = trust.add(&file.real, &file.contents);
    added.map_err(|error| unkept(&error))
}

/// The file.
struct File {
    path: String,
    real: PathBuf,
    contents: Vec<u8>,
    /// Its dialect, if known.
    dialect: Option<String>,
}

impl File {
    fn find(context: &mut Context, what: &str) -> Result<Self, Failure> {
        let (path, dialect) = named::file(context, what, "trust")?;
        let contents = context.callsheet.read(&path)?;
        let real = context.callsheet.real_path(&path);
        let real = real.ok_or_else(|| Failure::trouble(format!("{} not found", clean(&path))))?;
        Ok(Self {
            path,
            real,
            contents,
            dialect,
        })
    }

    fn stakes(&self, context: &mut Context) -> Result<Vec<Stake>, Failure> {
        if self.real.ends_with(".mcp.json") {
            let value = String::from_utf8_lossy(&self.contents).into_owned();
            let deeds = deeds_of_file(&self.path, &value);
            let what = "MCP servers that are started or contacted";
            return Ok([Stake { what, value }].into_iter().chain(deeds).collect());
        }
        if self.real.ends_with(config::FILE) {
            let text = String::from_utf8_lossy(&self.contents);
            return Ok(stakes_of_configuration(&text).into_iter().collect());
        }
        let dialect = self.dialect.as_deref();
        let parsed = context.callsheet.parse(&self.path, &self.contents, dialect)?;
        // One that `--config` names may have any name.
        if parsed.agent.is_none() && self.real.extension().is_some_and(|extension| extension == "toml") {
            let text = String::from_utf8_lossy(&self.contents);
            return Ok(stakes_of_configuration(&text).into_iter().collect());
        }
        let no_agent = || Failure::nothing_found(format!("{} is not an agent file", clean(&self.path)));
        let agent = parsed.agent.ok_or_else(no_agent)?;
        if !agent.hooks.is_empty() {
            let path = clean(&self.path);
            context.remark(&format!(
                "note: the hooks in {path} never run, whether it is trusted or not"
            ));
        }
        let mut stakes: Vec<Stake> = stakes(&agent).into_iter().chain(deeds(&agent)).collect();
        // The output may be kept in logs.
        for secret in parsed.diagnostics.iter().filter(|found| found.rule == "secret") {
            let span = secret.primary.place.span;
            let secret = self.contents.get(span.start as usize..span.end as usize);
            let secret = String::from_utf8_lossy(secret.unwrap_or_default());
            for stake in stakes.iter_mut().filter(|_| !secret.is_empty()) {
                stake.value = stake.value.replace(&*secret, "***");
            }
        }
        Ok(stakes)
    }
}

fn unkept(error: &std::io::Error) -> Failure {
    Failure::trouble(format!("cannot read or write the list of trusted files: {error}"))
}
