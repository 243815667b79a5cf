//! One run of a case.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use callsheet::cases::{Case, CaseFile, Facts, Ground, Observed, Priced};
use callsheet::delegation::{Ending, Outcome, Task};
use callsheet::drive::{self, Ended, Interrupts, drive};
use callsheet::keys::masked;
use callsheet::model::Replay;
use callsheet::output::tested::{Problem, Try};
use callsheet::output::text::Look;
use callsheet::{Catalog, Models};

use super::super::context::Context;
use super::super::work::begin::Opened;
use super::super::work::{self, Voice, begin, lend, settings};
use crate::cli::{Output, Test, Told, Work};
use crate::exit::{Exit, Failure};

/// Runs cases.
pub(super) struct Runner<'a> {
    context: &'a mut Context,
    pub(super) command: &'a Test,
    work: Work,
    interrupts: &'a Interrupts,
    /// The dialect of each agent.
    dialects: BTreeMap<String, String>,
    /// Whether remarks about this machine were printed: they are the same for each case.
    has_remarked: bool,
    /// Agents whose models are available.
    checked: BTreeSet<String>,
}

/// The instructions of a case's agent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum With {
    /// Those of its file.
    Agent,
    /// None, for comparison.
    Nothing,
}

/// The source of answers.
enum Source {
    Live(Arc<dyn Models>),
    Recorded(Arc<Replay>),
}

impl Source {
    fn models(&self) -> Arc<dyn Models> {
        match self {
            Self::Live(models) => Arc::clone(models),
            Self::Recorded(replay) => Arc::clone(replay) as Arc<dyn Models>,
        }
    }
}

impl<'a> Runner<'a> {
    pub(super) fn new(context: &'a mut Context, command: &'a Test, interrupts: &'a Interrupts) -> Self {
        Self {
            context,
            command,
            work: command.work(),
            interrupts,
            dialects: BTreeMap::new(),
            has_remarked: false,
            checked: BTreeSet::new(),
        }
    }

    /// Prints a part of the text at once; other formats are printed at the end.
    pub(super) fn print(&mut self, part: impl FnOnce(&Look) -> String) -> Result<(), Failure> {
        if matches!(self.context.options.format, Output::Text | Output::Concise) {
            let part = part(&self.context.look);
            self.context.print(&part)?;
            self.context.flush()?;
        }
        Ok(())
    }

    /// Runs a case once; none if the user interrupts it.
    ///
    /// Fails if no case can run, such as without a key.
    pub(super) fn attempt(
        &mut self,
        file: &CaseFile,
        case: &Case,
        with: With,
    ) -> Result<Option<Try>, Failure> {
        let ready = match self.prepare(file, case, with) {
            Ok(ready) => ready,
            Err(Obstacle::Case(problem)) => return Ok(Some(problem.into())),
            Err(Obstacle::All(failure)) => return Err(failure),
        };
        let Ready {
            ground,
            _catalog,
            opened,
            source,
        } = ready;
        let Some((ended, observation)) = self.drive(opened, &source)? else {
            return Ok(None);
        };
        let mut result = judged(case, &ground, &ended, &observation);
        if let Source::Recorded(replay) = &source
            && let Some(misfit) = misfit(replay, &ended)
        {
            // What else is wrong follows from it.
            let problem = Problem::new(format!("the recording no longer fits: {misfit}"));
            result.problems = vec![problem.help(again(file, case))];
        }
        if self.command.record {
            result
                .problems
                .extend(keep(&ground, &file.recording(case), &ended));
        }
        Ok(Some(result))
    }

    fn prepare(&mut self, file: &CaseFile, case: &Case, with: With) -> Result<Ready, Obstacle> {
        let replay = if self.command.is_live() {
            None
        } else {
            Some(replay(file, case)?)
        };
        let ground =
            Ground::lay(&file.base(), &case.files).map_err(|error| Problem::new(error.to_string()))?;
        let mut catalog = self.catalog(&case.agent)?;
        self.work.told = replay.as_ref().map_or(Told::Shared, |replay| {
            Told::Recorded(replay.surroundings().cloned())
        });
        let mut opened = self.open(&mut catalog, case, with, &ground)?;
        let source = match replay {
            Some(replay) => Source::Recorded(Arc::new(replay)),
            None => Source::Live(self.models(&case.agent, &mut opened, &mut catalog, &ground)?),
        };
        Ok(Ready {
            ground,
            _catalog: catalog,
            opened,
            source,
        })
    }

    fn catalog(&mut self, agent: &str) -> Result<Catalog, Obstacle> {
        if let Some(dialect) = self.dialects.get(agent) {
            return Ok(self.context.callsheet.open(dialect).map_err(Failure::from)?);
        }
        let found = work::catalog_of(self.context, agent);
        let (dialect, catalog) = found.map_err(|failure| match failure.exit {
            Exit::Findings => Obstacle::Case(Problem {
                message: failure.message().to_owned(),
                help: failure.advice().to_vec(),
            }),
            _ => Obstacle::All(failure),
        })?;
        self.dialects.insert(agent.to_owned(), dialect);
        Ok(catalog)
    }

    /// Opens a session whose project is the scratch folder. Its agents are those of the real one.
    fn open(
        &mut self,
        catalog: &mut Catalog,
        case: &Case,
        with: With,
        ground: &Ground,
    ) -> Result<Opened, Failure> {
        let task = Task {
            agent: case.agent.clone(),
            prompt: case.prompt.clone(),
            description: None,
            model: self.work.model().map(|_| settings::NAMED.to_owned()),
        };
        self.work.is_baseline = with == With::Nothing;
        let options = &mut self.context.options;
        let (project, quiet) = (options.project.clone(), options.quiet);
        options.project = ground.project().to_owned();
        options.quiet |= std::mem::replace(&mut self.has_remarked, true);
        let isolated = Err("test cases have no worktrees".to_owned());
        let voice = Voice::plain();
        let opened = begin::open(self.context, catalog, &task, &self.work, &voice, &isolated);
        (self.context.options.project, self.context.options.quiet) = (project, quiet);
        opened
    }

    /// The models, recorded if requested. If they are known to be unavailable, no case can run.
    fn models(
        &mut self,
        agent: &str,
        opened: &mut Opened,
        catalog: &mut Catalog,
        ground: &Ground,
    ) -> Result<Arc<dyn Models>, Failure> {
        let (named, limits_cost) = (self.work.model(), opened.limits().cost.is_some());
        let models = lend::models(self.context, named, limits_cost, Voice::plain().say)?;
        if self.checked.insert(agent.to_owned()) {
            opened.check(self.context, catalog, &*models)?;
        }
        let file = self.command.record.then(|| ground.aside(RECORDING));
        lend::recorded(models, file.as_deref(), opened.surroundings())
    }

    fn drive(&self, opened: Opened, source: &Source) -> Result<Option<(Ended, Observation)>, Failure> {
        let deadline = opened.limits().deadline;
        let mut session = opened.session;
        let (observed, models) = (
            Arc::new(Observed::default()),
            Arc::new(Priced::new(source.models())),
        );
        let ended = drive::block_on(drive(
            &mut session,
            Arc::clone(&models) as Arc<dyn Models>,
            opened.tools,
            drive::Options {
                deadline,
                stop: self.interrupts.stop(),
                ..drive::Options::default()
            },
            Arc::clone(&observed) as Arc<dyn drive::Observer>,
        ))??;
        let observation = Observation {
            observed,
            is_priced: models.knows_the_cost(),
        };
        Ok(ended.outcome.is_some().then_some((ended, observation)))
    }
}

/// A case that can start.
struct Ready {
    ground: Ground,
    /// Must outlive the session: they share an instance of the component.
    _catalog: Catalog,
    opened: Opened,
    source: Source,
}

/// Why a case cannot start.
enum Obstacle {
    /// This one.
    Case(Problem),
    /// Nor any other one.
    All(Failure),
}

impl From<Problem> for Obstacle {
    fn from(problem: Problem) -> Self {
        Self::Case(problem)
    }
}

impl From<Failure> for Obstacle {
    fn from(failure: Failure) -> Self {
        Self::All(failure)
    }
}

/// The recording of a case.
fn replay(file: &CaseFile, case: &Case) -> Result<Replay, Problem> {
    let recording = file.recording(case);
    if !recording.exists() {
        let problem = Problem::new(format!("no recording: {} does not exist", recording.display()));
        return Err(problem.help(again(file, case)));
    }
    let opened = Replay::open(&recording).map(Replay::for_any_model);
    opened.map_err(|error| {
        let problem = Problem::new(format!("the recording cannot be used: {error}"));
        problem.help(again(file, case))
    })
}

/// What was observed of a run.
struct Observation {
    observed: Arc<Observed>,
    is_priced: bool,
}

/// The file name of a recording that is not finished.
const RECORDING: &str = "recording.jsonl";

/// What is wrong with a run.
fn judged(case: &Case, ground: &Ground, ended: &Ended, observation: &Observation) -> Try {
    let outcome = ended.outcome.as_ref().expect("it was not interrupted");
    let (problems, answer) = match outcome.ending {
        Ending::Answer => {
            let problems = objections(case, ground, ended, outcome, observation);
            (problems, masked(outcome.text.clone()))
        }
        _ => {
            let problem = Problem::new(format!("no answer: {}", outcome.text));
            (vec![problem], String::new())
        }
    };
    Try {
        problems,
        answer,
        usage: Some(ended.usage),
    }
}

fn objections(
    case: &Case,
    ground: &Ground,
    ended: &Ended,
    outcome: &Outcome,
    observation: &Observation,
) -> Vec<Problem> {
    let changes = match ground.changes() {
        Ok(changes) => changes,
        Err(error) => return vec![Problem::new(format!("cannot read the changed files: {error}"))],
    };
    let facts = Facts {
        answer: &outcome.text,
        seen: &observation.observed.seen(),
        usage: &ended.usage,
        is_priced: observation.is_priced,
        ground,
        changes: &changes,
    };
    let assertions = case.assertions.iter();
    let objections = assertions.filter_map(|assertion| assertion.objection(&facts));
    objections.map(Problem::new).collect()
}

/// Why a recording does not fit the run.
fn misfit(replay: &Replay, ended: &Ended) -> Option<String> {
    let outcome = ended.outcome.as_ref();
    let has_answer = outcome.is_some_and(|it| matches!(it.ending, Ending::Answer));
    replay.misfit().or_else(|| match replay.left() {
        left @ 1.. if has_answer => Some(format!("recorded answers that were not requested: {left}")),
        _ => None,
    })
}

/// Keeps a new recording, if the run got an answer.
fn keep(ground: &Ground, recording: &Path, ended: &Ended) -> Option<Problem> {
    let outcome = ended.outcome.as_ref()?;
    if !matches!(outcome.ending, Ending::Answer) {
        return Some(Problem::new("it was not recorded, as there is no answer"));
    }
    let folder = recording.parent().unwrap_or(recording);
    let kept = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::copy(ground.aside(RECORDING), recording).map(drop));
    kept.err()
        .map(|error| Problem::new(format!("cannot write {}: {error}", recording.display())))
}

/// How to record a case again.
fn again(file: &CaseFile, case: &Case) -> String {
    format!(
        "to record it: callsheet test {} --case {} --record",
        file.path.display(),
        case.id
    )
}
