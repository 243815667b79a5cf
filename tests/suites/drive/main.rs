//! Sessions driven by the host: side by side, over time, saved and resumed.

mod background;
mod log;
mod saved;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use callsheet::conversation::{
    CallError, ModelAnswer, ModelRequest, ToolAnswer, ToolCall, ToolRequest, ToolSpec,
};
use callsheet::delegation::{Bounds, Ending};
use callsheet::drive::{
    About, Clock, Ended, Observer, Options, Saved, Saver, Silent, block_on, doubt, drive,
};
use callsheet::{Answer, Caller, Completion, Heard, Models, Tools};
use callsheet_tests::backend::Backend;
use callsheet_tests::case::Case;
use callsheet_tests::script::{Played, Stage};

/// A script, and a session of it on the component.
struct Hosted {
    stage: Stage,
    session: callsheet::Session,
    catalog: callsheet::Catalog,
}

impl Hosted {
    fn of(case: &Case) -> Self {
        let stage = Stage::set(case, Backend::Native);
        let mut stage = stage.unwrap_or_else(|error| panic!("{error}"));
        let (session, catalog) = stage.hosted();
        Self {
            stage,
            session,
            catalog,
        }
    }

    fn script(name: &str) -> Self {
        let mut cases = cases().into_iter();
        Self::of(&cases.find(|(other, _)| other == name).expect("it is there").1)
    }

    async fn drive(&mut self, world: &Arc<Scripted>, options: Options) -> Ended {
        let (models, tools) = (Arc::clone(world), Arc::clone(world));
        let driven = drive(&mut self.session, models, tools, options, Arc::new(Silent)).await;
        driven.unwrap_or_else(|error| panic!("{error}"))
    }

    fn run(&mut self, world: &Arc<Scripted>, options: Options) -> Ended {
        block_on(self.drive(world, options)).expect("there are threads")
    }
}

fn cases() -> Vec<(String, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/delegation");
    let cases = Case::all(&folder).into_iter();
    cases
        .map(|(name, case)| (name, case.unwrap_or_else(|error| panic!("{error}"))))
        .collect()
}

/// Models and tools that say what the script says, each after a while.
struct Scripted {
    models: Arc<dyn Models>,
    tools: Arc<dyn Tools>,
    wait: Duration,
    /// Those at work, and the most that were.
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Scripted {
    fn new(stage: &Stage, wait: Duration) -> Arc<Self> {
        Arc::new(Self {
            models: stage.models.clone(),
            tools: stage.tools.clone(),
            wait,
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        })
    }

    async fn wait(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(self.wait).await;
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Models for Scripted {
    fn complete<'a>(&'a self, request: &'a ModelRequest, heard: Heard<'a>) -> Answer<'a, Completion> {
        Box::pin(async move {
            self.wait().await;
            self.models.complete(request, heard).await
        })
    }
}

impl Tools for Scripted {
    fn specs(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, caller: &'a Caller) -> Answer<'a, ToolAnswer> {
        Box::pin(async move {
            self.wait().await;
            self.tools.call(request, caller).await
        })
    }
}

/// In any order of answers, a driven script ends like a played one.
#[test]
fn driven_scripts_end_like_played_ones() {
    for (name, case) in cases() {
        let Some(script) = &case.script else { continue };
        if !script.repeats() || !script.any_order() || script.has_deadline() || !script.ends_at_once() {
            continue;
        }
        let mut hosted = Hosted::of(&case);
        let session = hosted.stage.open().expect("the agent is active");
        let Played { mut session, .. } = hosted.stage.play(session);
        let world = Scripted::new(&hosted.stage, Duration::ZERO);
        let ended = hosted.run(&world, Options::default());
        assert_eq!(ended.outcome, session.outcome(), "{name}");
    }
}

/// Paused time only advances when all tasks wait.
#[tokio::test(start_paused = true)]
async fn parallel_calls_run_at_the_same_time() {
    let mut hosted = Hosted::script("side-by-side");
    let world = Scripted::new(&hosted.stage, Duration::from_secs(1));
    let ended = hosted.drive(&world, Options::default()).await;
    assert!(matches!(ended.outcome.map(|it| it.ending), Some(Ending::Answer)));
    assert!(world.most.load(Ordering::SeqCst) >= 3);
}

/// An agent that was asked when the session stopped at a limit gets its own messages afterwards.
#[test]
fn conversations_are_the_same_after_a_limit() {
    let mut hosted = Hosted::script("side-by-side");
    let session = hosted.stage.open().expect("the agent is active");
    let mut played = hosted.stage.play(session).session;
    let bounds = |total_turns| Bounds {
        depth: 5,
        turns: 50,
        total_turns,
        children: 50,
        parallel: 4,
        tokens: None,
        cost: None,
        context: None,
        deadline: None,
        result_bytes: 65_536,
    };
    for total_turns in 1..played.usage().turns {
        let mut hosted = Hosted::script("side-by-side");
        let world = Scripted::new(&hosted.stage, Duration::ZERO);
        let mut end = |limit| {
            let raised = hosted.session.go_on(Some(bounds(limit)), None);
            raised.expect("it has no answer");
            hosted.run(&world, Options::default()).outcome.map(|it| it.ending)
        };
        assert!(
            matches!(end(total_turns), Some(Ending::Bound(_))),
            "{total_turns}"
        );
        assert_eq!(end(played.usage().turns), Some(Ending::Answer), "{total_turns}");
        let messages = hosted.session.messages(0, 0).expect("it does not trap");
        assert_eq!(messages, played.messages(0, 0), "{total_turns}");
    }
}

#[test]
fn a_deadline_ends_a_pending_model_request() {
    let mut hosted = Hosted::script("deadline");
    let world = Scripted::new(&hosted.stage, Duration::from_secs(600));
    let options = Options {
        deadline: Some(100),
        ..Options::default()
    };
    let ended = hosted.run(&world, options);
    assert!(matches!(ended.outcome.map(|it| it.ending), Some(Ending::Bound(end)) if end.bound == "deadline"));
}

#[test]
fn a_clock_continues_from_its_saved_time() {
    let clock = Clock::at(5_000_000_000);
    assert!(clock.now() >= 5_000_000_000);
    assert!(clock.now() < 3_600_000_000_000);
}

/// A damaged or hostile file may have any time.
#[test]
fn a_saved_time_at_the_end_of_the_clock_is_a_reached_deadline() {
    let mut hosted = Hosted::script("deadline");
    let world = Scripted::new(&hosted.stage, Duration::from_secs(600));
    let options = Options {
        clock: Clock::at(u64::MAX - 1),
        deadline: Some(100),
        ..Options::default()
    };
    let ended = hosted.run(&world, options);
    assert!(matches!(ended.outcome.map(|it| it.ending), Some(Ending::Bound(end)) if end.bound == "deadline"));
    assert_eq!(Clock::at(u64::MAX).now(), u64::MAX);
}

/// A model that calls a tool once, and a tool that never ends.
struct Stuck {
    calls: AtomicUsize,
    told: Mutex<Vec<String>>,
}

impl Models for Stuck {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _: Heard<'a>) -> Answer<'a, Completion> {
        let last = request.messages.last().expect("there is a task");
        self.told
            .lock()
            .expect("no thread panicked")
            .push(last.text.clone());
        let call = ToolCall {
            id: "1".to_owned(),
            name: "Bash".to_owned(),
            arguments: r#"{"command": "make"}"#.to_owned(),
        };
        let asks = request.messages.len() <= 2;
        Box::pin(std::future::ready(Ok(Completion::from(ModelAnswer {
            text: "Done.".to_owned(),
            calls: if asks { vec![call] } else { Vec::new() },
            input_tokens: 1,
            output_tokens: 1,
            cost: None,
        }))))
    }
}

impl Tools for Stuck {
    fn specs(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    fn call<'a>(&'a self, _: &'a ToolRequest, _: &'a Caller) -> Answer<'a, ToolAnswer> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::pending())
    }
}

fn about() -> About {
    About {
        dialect: "claude-code".to_owned(),
        project: PathBuf::from("/work/project"),
        ..About::default()
    }
}

/// A call in progress that may have changed something is not repeated: the model is told.
#[test]
fn interrupted_calls_are_not_repeated() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("session");
    let Hosted {
        mut session,
        mut catalog,
        ..
    } = Hosted::script("permitted-bypass");
    let stuck = Arc::new(Stuck {
        calls: AtomicUsize::new(0),
        told: Mutex::default(),
    });
    let options = Options {
        saver: Some(Saver::when_put_away(&path, about())),
        ..Options::default()
    };
    let stop = Arc::clone(&options.stop);
    let ended = block_on(async {
        let driven = drive(
            &mut session,
            Arc::clone(&stuck) as Arc<dyn Models>,
            Arc::clone(&stuck) as Arc<dyn Tools>,
            options,
            Arc::new(Silent),
        );
        let watcher = Arc::clone(&stuck);
        tokio::spawn(async move {
            while watcher.calls.load(Ordering::SeqCst) == 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            stop.notify_one();
        });
        driven.await
    });
    let ended = ended.expect("there are threads").expect("it can be saved");
    assert_eq!(ended.outcome, None);

    let mut saved = Saved::load(&path).expect("it was saved");
    let mut again = saved.restore(&mut catalog).expect("it is a snapshot");
    let mut left = saved.left;
    assert_eq!(left.in_flight.len(), 1);
    doubt(&mut again, &mut left, saved.now).expect("it is at work");
    assert_eq!(left.doubted.len(), 1);
    assert_eq!(left.doubted[0].tool, "Bash");
    let options = Options {
        clock: Clock::at(saved.now),
        left,
        ..Options::default()
    };
    let driven = drive(
        &mut again,
        Arc::clone(&stuck) as Arc<dyn Models>,
        Arc::clone(&stuck) as Arc<dyn Tools>,
        options,
        Arc::new(Silent),
    );
    let ended = block_on(driven).expect("there are threads").expect("it ends");
    let outcome = ended.outcome.expect("it ended");
    assert_eq!((outcome.ending, &*outcome.text), (Ending::Answer, "Done."));
    assert_eq!(stuck.calls.load(Ordering::SeqCst), 1);
    let told = stuck.told.lock().expect("no thread panicked");
    assert!(
        told.last().expect("it was asked").contains("interrupted"),
        "{told:?}"
    );
}

/// An observer that fails when a model was asked.
struct Failing;

impl Observer for Failing {
    fn used(&self, _: &callsheet::delegation::Usage) {
        panic!("as it should");
    }
}

#[test]
fn a_panic_keeps_the_saved_session() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("session");
    let mut hosted = Hosted::script("flow");
    let world = Scripted::new(&hosted.stage, Duration::ZERO);
    let options = Options {
        saver: Some(Saver::when_put_away(&path, about())),
        ..Options::default()
    };
    let (models, tools) = (Arc::clone(&world), world);
    let driven = drive(&mut hosted.session, models, tools, options, Arc::new(Failing));
    let failed = block_on(driven).expect("there are threads");
    assert!(matches!(failed, Err(callsheet::Error::Driver)), "{failed:?}");
    assert!(Saved::load(&path).is_ok());
}

/// A client that panics does not take the session along.
struct Broken;

impl Models for Broken {
    fn complete<'a>(&'a self, _: &'a ModelRequest, _: Heard<'a>) -> Answer<'a, Completion> {
        Box::pin(async { panic!("as it should") })
    }
}

impl Tools for Broken {
    fn specs(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    fn call<'a>(&'a self, _: &'a ToolRequest, _: &'a Caller) -> Answer<'a, ToolAnswer> {
        Box::pin(std::future::ready(Err(CallError::TimedOut)))
    }
}

#[test]
fn a_panic_is_a_failure() {
    let Hosted {
        mut session,
        catalog: _catalog,
        ..
    } = Hosted::script("flow");
    let broken = Arc::new(Broken);
    let driven = drive(
        &mut session,
        Arc::clone(&broken) as Arc<dyn Models>,
        broken,
        Options::default(),
        Arc::new(Silent),
    );
    let ended = block_on(driven).expect("there are threads").expect("it ends");
    assert!(matches!(ended.outcome, Some(it) if it.ending == Ending::Failed && it.text.contains("bug")));
}

/// Killed repeatedly, a session still ends, and no agent's call is made twice.
#[test]
fn a_session_survives_being_killed() {
    let folder = tempfile::tempdir().expect("there is room");
    let (path, log) = (folder.path().join("session"), folder.path().join("log"));
    let mut dice = callsheet_tests::generate::Dice(7);
    let mut kills = 0;
    let in_doubt = || fs::read_to_string(&log).is_ok_and(|log| log.contains("in doubt worker/helper"));
    let ended = loop {
        let program = env!("CARGO_BIN_EXE_driven");
        let mut driven = std::process::Command::new(program)
            .args([&path, &log])
            .spawn()
            .expect("it was built");
        let before = fs::read_to_string(&log).unwrap_or_default().len();
        // It has to get somewhere, or a slow machine would be killed for ever.
        let moved = || fs::read_to_string(&log).unwrap_or_default().len() > before;
        let ended = loop {
            if let Some(status) = driven.try_wait().expect("it is ours") {
                break Some(status);
            }
            if (kills < 10 || !in_doubt()) && moved() {
                std::thread::sleep(Duration::from_millis(dice.below(40) as u64));
                break None;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        match ended {
            Some(status) => break status,
            None => {
                driven.kill().expect("it is ours");
                driven.wait().expect("it is ours");
                kills += 1;
            }
        }
    };
    assert!(ended.success());
    assert!(kills > 2, "it was killed {kills} times");
    assert!(in_doubt(), "no helper was killed in the middle of a call");
    let log = fs::read_to_string(&log).expect("it is there");
    let mut begun: Vec<&str> = log.lines().filter(|line| line.starts_with("begun")).collect();
    let count = begun.len();
    begun.sort_unstable();
    begun.dedup();
    assert_eq!(begun.len(), count, "some call was made twice:\n{log}");
}
