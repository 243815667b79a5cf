//! One run: disturbed several times, resumed each time, and then left alone until it has an answer.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use callsheet_tests::generate::Dice;
use serde_json::json;

use super::model::{Model, Mood};
use super::plan::{FIRST, Plan};
use super::processes;
use super::totals::{Damage, Found};
use super::world::{Shared, World};

/// The longest that a process may take, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(100);

/// The most disturbances of a run.
const DISTURBANCES: usize = 3;

/// A disturbance comes within this many milliseconds.
const SOON: usize = 3000;

/// The run was interrupted during a call.
const IN_DOUBT: &str = "The session was interrupted during this call.";

/// Files that a command has open: its three streams, and the folder that it lists.
const OPEN: usize = 4;

/// Blocks of 512 bytes for a file on a full disk, at least: the memory of the component is a file, too.
const ROOM: u32 = 1600;

/// The most characters of a message.
const SHOWN: usize = 2000;

/// What happens to a process.
#[derive(Clone, Copy, Debug)]
enum Trouble {
    /// A signal, after a delay.
    Signal(&'static str, Duration),
    /// Another process resumes the session meanwhile.
    Rival(Duration),
    /// A limit, as an option.
    Limit(&'static str, &'static str),
    /// The model.
    Model(Mood),
    /// No room for more than this many blocks in a file.
    Full(u32),
    /// The folder of sessions cannot be written.
    ReadOnly,
}

impl Trouble {
    fn choose(dice: &mut Dice, has_long_answers: bool) -> Self {
        let delay = Duration::from_millis(dice.below(SOON) as u64);
        if has_long_answers && dice.below(2) == 0 {
            return Self::Full(ROOM + dice.below(ROOM as usize) as u32);
        }
        match dice.below(15) {
            0..3 => Self::Signal("-KILL", delay),
            3 | 4 => Self::Signal("-TERM", delay),
            5 | 6 => Self::Signal("-INT", delay),
            7 => Self::Signal("-HUP", delay),
            8 => Self::Rival(delay),
            9 => Self::Limit("--time", "1s"),
            10 => Self::Limit("--turns", "1"),
            11 => Self::Limit("--total-turns", "2"),
            12 => Self::Model(Mood::Refusing),
            13 => Self::Model(Mood::Silent),
            _ => Self::ReadOnly,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Signal("-KILL", _) => "kills",
            Self::Signal(..) => "signals",
            Self::Rival(_) => "rivals",
            Self::Limit(..) => "limits",
            Self::Model(Mood::Silent) => "models without an answer",
            Self::Model(_) => "models that refuse",
            Self::Full(_) => "full disks",
            Self::ReadOnly => "read-only folders",
        }
    }

    fn is_kill(self) -> bool {
        matches!(self, Self::Signal("-KILL", _))
    }
}

/// A run in progress.
struct Run<'a> {
    model: &'a Model,
    world: World,
    name: String,
    plan: Plan,
    dice: Dice,
    mark: String,
    kept: String,
    config: PathBuf,
    is_confined: bool,
    was_killed: bool,
    /// A second process got the answer: what its commands left on purpose stays.
    has_rival_answer: bool,
    /// What happened to it so far.
    troubles: Vec<String>,
    found: Found,
}

/// Runs it, and returns what it left behind. What happens in it depends on the seed and on `like`.
pub(crate) fn one(shared: &Shared, model: &Model, seed: u64, number: u64, like: u64) -> Found {
    let name = format!("run-{number}");
    let unique = u64::from(std::process::id() % 10_000) * 100_000 + number;
    let (mark, kept) = (format!("41{unique:010}"), format!("52{unique:010}"));
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9).wrapping_add(like));
    let plan = Plan::new(Dice(dice.below(usize::MAX) as u64), &mark, &kept);
    model.expect(&name, plan.clone());
    let mut run = Run {
        model,
        world: shared.world(&name, &mark),
        is_confined: dice.below(4) > 0,
        config: shared.config(plan.has_server()),
        name,
        plan,
        dice,
        mark,
        kept,
        was_killed: false,
        has_rival_answer: false,
        troubles: Vec::new(),
        found: Found::default(),
    };
    if run.dice.below(8) == 0 {
        run.serve();
    } else {
        run.disturb();
    }
    run.finish()
}

impl Run<'_> {
    /// Starts a session, disturbs it, and resumes it until it has an answer.
    fn disturb(&mut self) {
        let times = self.dice.below(DISTURBANCES + 1);
        for _ in 0..times {
            let trouble = Trouble::choose(&mut self.dice, self.plan.has_long_answers());
            self.found.counts(trouble.name(), 1);
            self.troubles.push(format!("{trouble:?}"));
            if self.attempt(Some(trouble)) {
                return self.check_answer();
            }
        }
        self.model.becomes(&self.name, Mood::Calm);
        if self.attempt(None) {
            return self.check_answer();
        }
        let said = self.world.read("err");
        self.damage(Damage::Lost, &format!("no answer in the end: {}", said.trim()));
    }

    /// Runs the program until it ends. Returns whether there is an answer.
    fn attempt(&mut self, trouble: Option<Trouble>) -> bool {
        let session = self.session();
        if session.is_none() && !self.world.effects().is_empty() {
            let said = self.world.read("err");
            self.damage(Damage::Lost, &format!("no session, but calls: {}", said.trim()));
            return false;
        }
        let words = self.words(session, trouble);
        let full = match trouble {
            Some(Trouble::Full(blocks)) => Some(blocks),
            _ => None,
        };
        if let Some(Trouble::Model(mood)) = trouble {
            self.model.becomes(&self.name, mood);
        }
        self.world.lock(matches!(trouble, Some(Trouble::ReadOnly)));
        let mut child = self.world.start(&words, full).expect("the program starts");
        self.meanwhile(&mut child, trouble);
        let status = self.ended(child);
        self.world.lock(false);
        if matches!(trouble, Some(Trouble::Model(_))) {
            self.model.becomes(&self.name, Mood::Moody);
        }
        let by_signal = status.is_some_and(|status| status.code().is_none());
        let is_killed = by_signal && trouble.is_some_and(Trouble::is_kill);
        // One that arrives before the program listens ends it, before it has started anything.
        let is_early = by_signal && matches!(trouble, Some(Trouble::Signal(..)));
        self.check_end(status, is_killed, is_early);
        status.is_some_and(|status| status.code() == Some(0))
    }

    /// The session's file: none before it was saved for the first time.
    fn session(&self) -> Option<PathBuf> {
        let sessions = self.world.sessions();
        let newest = |path: &PathBuf| path.metadata().and_then(|it| it.modified()).ok();
        sessions.into_iter().max_by_key(newest)
    }

    fn words(&mut self, session: Option<PathBuf>, trouble: Option<Trouble>) -> Vec<String> {
        let mut words: Vec<String> = match session {
            Some(file) => vec!["run".into(), "--resume".into(), file.display().to_string()],
            None => {
                let words = [
                    "run",
                    "worker",
                    "Go",
                    "--as",
                    "claude-code",
                    "--permission-mode",
                    "bypass",
                ];
                words.map(str::to_owned).to_vec()
            }
        };
        let limits = match trouble {
            Some(Trouble::Limit(flag, value)) => vec![flag, value],
            Some(Trouble::Model(Mood::Silent)) => vec!["--time", "2s"],
            // More than any run needs.
            _ => vec!["--time", "10m", "--turns", "1000", "--total-turns", "10000"],
        };
        words.extend(limits.into_iter().map(str::to_owned));
        words.extend([
            "--transcript".to_owned(),
            self.world.at("transcript").display().to_string(),
        ]);
        words.extend(self.usual());
        words
    }

    fn usual(&self) -> Vec<String> {
        let confine = if self.is_confined { "best" } else { "off" };
        let config = self.config.display().to_string();
        let model = format!("soak:{}", self.name);
        ["--config", &config, "--model", &model, "--confine", confine]
            .map(str::to_owned)
            .to_vec()
    }

    fn meanwhile(&mut self, child: &mut Child, trouble: Option<Trouble>) {
        match trouble {
            Some(Trouble::Signal(name, delay)) => {
                sleep(delay);
                if child.try_wait().expect("it is ours").is_none() {
                    processes::signal(name, [child.id().to_string()]);
                }
            }
            Some(Trouble::Rival(delay)) => {
                sleep(delay);
                self.rival(child);
            }
            _ => {}
        }
    }

    /// Resumes a session that is running, which must be refused.
    fn rival(&mut self, child: &mut Child) {
        let Some(session) = self.session() else {
            return;
        };
        let words = self.words(Some(session), None);
        let is_running = |child: &mut Child| child.try_wait().expect("it is ours").is_none();
        let before = is_running(child);
        let rival = self.world.rival(&words).expect("the program starts");
        // One that starts after the end, or ends before it, may have had the session to itself.
        let code = rival.code();
        self.has_rival_answer |= code == Some(0);
        self.troubles.push(format!("the rival ended with {code:?}"));
        if before && is_running(child) && code != Some(2) {
            let said = self.world.read("rival");
            self.damage(
                Damage::Repeated,
                &format!("a second process ended with {code:?}: {said}"),
            );
        }
    }

    /// The status of a process; none if it had to be killed.
    fn ended(&mut self, mut child: Child) -> Option<ExitStatus> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = child.try_wait().expect("it is ours") {
                return Some(status);
            }
            if Instant::now() >= deadline {
                let said = self.world.read("err");
                self.damage(Damage::Stuck, &format!("it does not end: {}", said.trim()));
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            sleep(Duration::from_millis(3));
        }
    }

    /// Checks what an ended process left.
    fn check_end(&mut self, status: Option<ExitStatus>, is_killed: bool, is_early: bool) {
        self.found.counts("processes", 1);
        self.was_killed |= is_killed;
        if is_killed {
            // Only the system could end these in time: `SECURITY.md` says so.
            // One that was being started still has the arguments of the program.
            processes::end(&format!("soak:{} ", self.name));
            let left = processes::end(&self.mark) + processes::end(&self.kept);
            self.found.counts("left by kill -9, which is not counted", left);
            return;
        }
        let code = status.and_then(|status| status.code());
        for left in processes::left(&self.mark) {
            self.damage(Damage::Left, &format!("{left} (exit {code:?})"));
        }
        if code != Some(0) && !self.has_rival_answer {
            for left in processes::left(&self.kept) {
                self.damage(Damage::Left, &format!("{left} (exit {code:?})"));
            }
        }
        processes::end(&self.mark);
        let said = self.world.read("err");
        let is_known = matches!(code, Some(0 | 2 | 4 | 5 | 129 | 130 | 143)) || status.is_none();
        if !(is_known || is_early) || said.contains("panicked") || said.contains("is a bug") {
            self.damage(Damage::Stuck, &format!("exit {status:?}: {}", said.trim()));
        }
    }

    fn check_answer(&mut self) {
        let (answer, expected) = (self.world.read("out"), self.plan.answer(FIRST));
        if answer.trim_end() != expected {
            self.damage(Damage::Wrong, &format!("{answer:?} instead of {expected:?}"));
        }
        let heard = self.model.heard(&self.name);
        let effects: BTreeSet<String> = self.world.effects().into_iter().collect();
        for (id, result) in &heard.results {
            if result.contains(&format!("ok:{id}")) && !effects.contains(id) {
                self.damage(Damage::Lost, &format!("{id} was not made: {result}"));
            }
            if id.starts_with(FIRST) && result.contains("Done ") && *result != self.plan.answer(id) {
                self.damage(Damage::Wrong, &format!("{id}: {result}"));
            }
            let doubts = usize::from(result.contains(IN_DOUBT));
            self.found.counts("calls in doubt", doubts);
            self.check_result(id, result);
        }
        self.found.counts("sessions with an answer", 1);
    }

    /// What a command found in its environment.
    fn check_result(&mut self, id: &str, result: &str) {
        if result.contains("sk-soak-") {
            self.damage(Damage::Leaked, &format!("{id} read a key"));
        }
        let open = result.lines().filter(|line| line.contains(" -> ")).count();
        // Without confinement, commands inherit what the user's shell has open.
        if open > OPEN && self.is_confined {
            self.damage(Damage::Leaked, &format!("{id} had open files: {result}"));
        }
    }

    /// Calls an agent over MCP, and leaves at any time.
    fn serve(&mut self) {
        self.found.counts("MCP clients", 1);
        let mut words = vec!["mcp".to_owned(), "--as".to_owned(), "claude-code".to_owned()];
        words.extend(["--permission-mode".to_owned(), "bypass".to_owned()]);
        words.extend(self.usual());
        let mut child = self.world.start(&words, None).expect("the program starts");
        let mut input = child.stdin.take().expect("it is piped");
        let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
        let call = json!({"name": "worker", "arguments": {"task": "Go"}});
        for message in [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
        ] {
            // One that has ended is noticed below.
            let _ = writeln!(input, "{message}");
        }
        sleep(Duration::from_millis(self.dice.below(SOON) as u64));
        let end = self.dice.below(4);
        self.troubles.push(format!("client {end}"));
        if end == 0 {
            let cancel =
                json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
            let _ = writeln!(input, "{cancel}");
            sleep(Duration::from_millis(200));
        }
        if end == 1 {
            processes::signal("-TERM", [child.id().to_string()]);
        }
        drop(input);
        let status = self.ended(child);
        let is_early = end == 1 && status.is_some_and(|status| status.code().is_none());
        self.check_end(status, false, is_early);
    }

    /// Checks what is left in the end, and removes the directories.
    fn finish(mut self) -> Found {
        let heard = self.model.heard(&self.name);
        self.found.counts("requests to the model", heard.requests);
        self.found.counts("failures of the model", heard.failures);
        for what in heard.forgotten {
            self.damage(Damage::Lost, &what);
        }
        let effects = self.world.effects();
        self.found.counts("calls that were made", effects.len());
        let mut seen = BTreeSet::new();
        for id in effects {
            if !seen.insert(id.clone()) {
                self.damage(Damage::Repeated, &id);
            }
        }
        for leak in self.world.leaks(self.is_confined, self.was_killed) {
            self.damage(Damage::Leaked, &leak);
        }
        processes::end(&self.mark);
        processes::end(&self.kept);
        self.model.forget(&self.name);
        self.world.remove();
        self.found
    }

    fn damage(&mut self, kind: Damage, what: &str) {
        let what: String = what.chars().take(SHOWN).collect();
        let confined = if self.is_confined {
            "confined"
        } else {
            "not confined"
        };
        let events = [&[confined.to_owned()], &*self.troubles].concat().join(", ");
        self.found.is(kind, format!("{} ({events}): {what}", self.name));
    }
}
