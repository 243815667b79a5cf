//! An agent that another one stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use callsheet::conversation::{ModelAnswer, ModelRequest, ToolAnswer, ToolCall, ToolRequest, ToolSpec};
use callsheet::delegation::Ending;
use callsheet::drive::{Options, Saved, Saver, Silent, block_on, drive};
use callsheet::{Answer, Caller, Completion, Heard, Models, Tools};
use tokio::sync::Notify;

use super::{Hosted, about};

/// Stops an agent while its call is made, which never ends by itself.
#[derive(Default)]
struct Stopping {
    is_made: Notify,
    is_aborted: Arc<Notify>,
    ended: AtomicU32,
}

/// Tells that a call was aborted.
struct Aborted(Arc<Notify>);

impl Drop for Aborted {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

impl Models for Stopping {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _: Heard<'a>) -> Answer<'a, Completion> {
        Box::pin(async {
            let turn = request.messages.len();
            let call = match (&*request.agent.join("/"), turn) {
                ("lead", 2) => Some((
                    "Agent",
                    r#"{"description": "1", "prompt": "One.", "subagent_type": "worker", "run_in_background": true}"#,
                )),
                ("lead", 4) => {
                    self.is_made.notified().await;
                    Some(("TaskStop", r#"{"task_id": "agent-1"}"#))
                }
                ("lead", _) => {
                    self.is_aborted.notified().await;
                    None
                }
                _ => Some(("Read", r#"{"file_path": "a"}"#)),
            };
            let call = call.map(|(name, arguments)| ToolCall {
                id: turn.to_string(),
                name: name.to_owned(),
                arguments: arguments.to_owned(),
            });
            Ok(Completion::from(ModelAnswer {
                text: "Done.".to_owned(),
                calls: call.into_iter().collect(),
                input_tokens: 1,
                output_tokens: 1,
                cost: None,
            }))
        })
    }
}

impl Tools for Stopping {
    fn specs(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    fn call<'a>(&'a self, _: &'a ToolRequest, _: &'a Caller) -> Answer<'a, ToolAnswer> {
        Box::pin(async {
            let _aborted = Aborted(Arc::clone(&self.is_aborted));
            self.is_made.notify_one();
            std::future::pending().await
        })
    }

    fn ended(&self, _: u64, run: Option<u32>) {
        let agents = run.map_or(0b100, |run| 1 << run);
        self.ended.fetch_add(agents, Ordering::SeqCst);
    }
}

#[test]
fn a_stopped_agent_leaves_no_call_behind() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("session");
    let mut session = Hosted::script("background-stopped").session;
    let world = Arc::new(Stopping::default());
    let options = Options {
        saver: Some(Saver::create(&path, about()).expect("there is room")),
        ..Options::default()
    };
    let (models, tools) = (Arc::clone(&world), Arc::clone(&world));
    let driven = drive(&mut session, models, tools, options, Arc::new(Silent));
    let ended = block_on(driven).expect("there are threads").expect("it ends");
    let outcome = ended.outcome.expect("it ended");
    assert_eq!((outcome.ending, &*outcome.text), (Ending::Answer, "Done."));
    assert_eq!(
        world.ended.load(Ordering::SeqCst),
        0b111,
        "each agent has ended once, and then all have"
    );
    let saved = Saved::load(&path).expect("it was saved");
    assert_eq!(saved.left.in_flight, Vec::<u32>::new());
}
