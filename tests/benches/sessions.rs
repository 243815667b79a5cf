//! Sessions in the component: the cost of a step, and what a thousand sessions leave behind.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::time::Duration;

use callsheet::conversation::{ModelAnswer, ModelRequest, ToolCall};
use callsheet::delegation::{Reply, Settings, Step, Task};
use callsheet::{Callsheet, Catalog};
use callsheet_tests::backend::Backend;
use callsheet_tests::case::Case;
use callsheet_tests::measure;
use callsheet_tests::script::{Script, Stage};

use super::table::Table;

/// Agents that one session calls.
const CHILDREN: usize = 4;

const AGENT: &str = "---\nname: NAME\ndescription: Does a part of the work\n---\nDo it.\n";

pub(crate) fn measure(table: &mut Table) {
    let mut catalog = catalog();
    let before = resident();
    let (_, peak) = run(&mut catalog, 1_000);
    let after = resident();
    run(&mut catalog, 1_000);
    let again = resident();
    let catalog = RefCell::new(catalog);
    let [few, many] = measure::least(
        5,
        [&mut || run(&mut catalog.borrow_mut(), 250).0, &mut || {
            run(&mut catalog.borrow_mut(), 1_000).0
        }],
        |now, best| now < best,
    );
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
    let (mut native, mut component) = (stages(Backend::Native), stages(Backend::Component));
    let [native, component] = measure::least(
        9,
        [&mut || play(&mut native), &mut || play(&mut component)],
        |now, best| now < best,
    );
    table.report(
        "the scripts of the tests on the component",
        component.as_secs_f64() / native.as_secs_f64(),
        " × native core",
    );
}

fn stages(backend: Backend) -> Vec<Stage> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/delegation");
    let cases = Case::all(&folder).into_iter();
    let cases = cases.map(|(_, case)| case.expect("the conformance suite reads it, too"));
    let repeats = |case: &Case| case.script.as_ref().is_some_and(Script::repeats);
    cases
        .filter(repeats)
        .map(|case| Stage::set(&case, backend).expect("the conformance suite plays it, too"))
        .collect()
}

fn play(stages: &mut [Stage]) -> Duration {
    let open = |stage: &mut Stage| stage.open().expect("the agent is active");
    let sessions: Vec<_> = stages.iter_mut().map(open).collect();
    let all = stages.iter().zip(sessions);
    measure::thread(|| all.for_each(|(stage, session)| drop(stage.play(session)))).0
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

/// Runs so many sessions side by side against a model that answers at once: CPU time of their steps, and the memory of the
/// process with all of them open.
fn run(catalog: &mut Catalog, count: usize) -> (Duration, u64) {
    let task = Task {
        agent: "lead".to_owned(),
        prompt: "Split it.".to_owned(),
        description: None,
        model: None,
    };
    let settings = settings();
    let open = |_| catalog.session(&task, &[], &settings).expect("it starts");
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

/// The first agent calls the others at once; all others answer.
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
    let script = stages(Backend::Native).remove(0).script;
    script.settings(Path::new("/work/project"))
}

/// Memory that this process uses, in bytes.
pub(crate) fn resident() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
