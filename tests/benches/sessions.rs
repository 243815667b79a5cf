//! Sessions in the component: what a step costs there, and what a thousand of them leave behind.

use std::fs;
use std::time::Duration;

use callsheet::conversation::{ModelAnswer, ModelRequest, ToolCall};
use callsheet::delegation::{Reply, Settings, Step, Task};
use callsheet::{Callsheet, Catalog};
use callsheet_tests::machine::{self, Machine, Native};
use callsheet_tests::measure;
use callsheet_tests::script::Script;

use super::table::Table;

/// Agents that one session calls.
const CHILDREN: usize = 4;

const AGENT: &str = "---\nname: NAME\ndescription: Does a part of the work\n---\nDo it.\n";

pub(crate) fn measure(table: &mut Table) {
    let mut catalog = catalog();
    let few = best(&mut catalog, 250);
    let before = resident();
    let (many, peak) = run(&mut catalog, 1_000);
    let after = resident();
    run(&mut catalog, 1_000);
    let again = resident();
    let steps = |sessions: usize| (sessions * (CHILDREN + 2)) as f64;
    table.at_most(
        "one step of a session in the component, polling and replying",
        micros(many) / steps(1_000),
        50.0,
        " µs",
    );
    table.at_most(
        "1,000 sessions with 4 children each, for each session",
        (micros(many) / 1_000.0) / (micros(few) / 250.0),
        1.5,
        " × of 250 sessions",
    );
    table.at_most(
        "1,000 such sessions alive: memory of the process",
        peak as f64 / 1e6,
        200.0,
        " MB",
    );
    table.report(
        "their share of it",
        (peak.saturating_sub(before)) as f64 / 1e6,
        " MB",
    );
    table.at_most(
        "1,000 more after they ended: growth",
        again.saturating_sub(after) as f64 / 1e6,
        2.0,
        " MB",
    );
    against_the_core(table);
}

/// The scripts of the tests, played on both.
fn against_the_core(table: &mut Table) {
    let scripts: Vec<Script> = Script::all().into_iter().map(|(_, script)| script).collect();
    fn play<M: Machine>(scripts: &[Script], open: fn(&Script) -> M) -> Duration {
        let sessions: Vec<M> = scripts.iter().map(open).collect();
        let all = scripts.iter().zip(sessions);
        let played = measure::thread(|| {
            all.for_each(|(script, session)| drop(script.play(session, |_| 0, |session| session)));
        });
        played.0
    }
    let [native, component] = measure::least(
        9,
        [&mut || play::<Native>(&scripts, Script::open), &mut || {
            play::<machine::Component>(&scripts, Script::open_component)
        }],
        |now, best| now < best,
    );
    table.report(
        "the scripts of the tests on the component",
        component.as_secs_f64() / native.as_secs_f64(),
        " × native core",
    );
}

fn catalog() -> Catalog {
    let callsheet = Callsheet::builder().without_home().build();
    let callsheet = callsheet.expect("the component is embedded");
    let mut catalog = callsheet.open("claude-code").expect("the dialect is known");
    for name in ["lead", "worker"] {
        let text = AGENT.replace("NAME", name);
        catalog.register(name, &text).expect("it is an agent");
    }
    catalog
}

fn best(catalog: &mut Catalog, sessions: usize) -> Duration {
    let times = (0..3).map(|_| run(catalog, sessions).0);
    times.min().expect("there are three")
}

/// Runs so many sessions side by side against a model that answers at once: CPU time of their steps, and the memory of the
/// process when all were alive.
fn run(catalog: &mut Catalog, count: usize) -> (Duration, u64) {
    let task = Task {
        agent: "lead".to_owned(),
        prompt: "Split it.".to_owned(),
        description: None,
        model: None,
    };
    let settings = settings();
    let open = |_| catalog.session(&task, &[], &settings).expect("it can be begun");
    let mut sessions: Vec<_> = (0..count).map(open).collect();
    let mut peak = 0;
    let (time, ()) = measure::thread(|| {
        let mut known = vec![0; count];
        let mut now = 0;
        loop {
            let mut waiting = false;
            for (session, known) in sessions.iter_mut().zip(&mut known) {
                now += 1;
                for step in session.poll(now, *known).expect("it does not trap") {
                    waiting = true;
                    *known = step.id + 1;
                    let Step::AskModel(request) = &step.step else {
                        panic!("there are no tools")
                    };
                    let replied = session.reply(step.id, &answer(request), now);
                    replied.expect("it is outstanding");
                }
            }
            peak = peak.max(resident());
            if !waiting {
                break;
            }
        }
    });
    for session in &mut sessions {
        assert!(session.outcome().expect("it does not trap").is_some());
    }
    (time, peak)
}

/// The first agent calls the others at once, and everybody else answers.
fn answer(request: &ModelRequest) -> Reply {
    let splits = request.agent.len() == 1 && request.messages.len() <= 2;
    let calls = (0..CHILDREN).map(|at| ToolCall {
        id: at.to_string(),
        name: "Agent".to_owned(),
        arguments: r#"{"description": "a part", "prompt": "Do your part.", "subagent_type": "worker"}"#
            .to_owned(),
    });
    Reply::Model(ModelAnswer {
        text: "Here it is.".to_owned(),
        calls: if splits { calls.collect() } else { Vec::new() },
        input_tokens: 100,
        output_tokens: 10,
        cost: None,
    })
}

fn settings() -> Settings {
    let (_, script) = Script::all().remove(0);
    script.settings()
}

/// Memory that this process holds, in bytes.
fn resident() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
