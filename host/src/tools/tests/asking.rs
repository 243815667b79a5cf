//! Questions to the user.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::{World, request};
use crate::conversation::{CallError, ToolAnswer, ToolRequest};
use crate::lent::{Caller, Tools};
use crate::tools::{Asker, Asking, Decision, LocalTools, Options, Question, Unattended};

/// Says what it was told to say.
#[derive(Default)]
struct Scripted {
    decisions: Mutex<VecDeque<Decision>>,
    questions: Mutex<Vec<Question>>,
    asked_at_once: AtomicUsize,
    told: Mutex<Vec<String>>,
}

impl Asker for Scripted {
    fn ask<'a>(&'a self, question: &'a Question) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(async move {
            assert_eq!(
                self.asked_at_once.fetch_add(1, Ordering::SeqCst),
                0,
                "one at a time"
            );
            self.questions.lock().unwrap().push(question.clone());
            tokio::task::yield_now().await;
            self.asked_at_once.fetch_sub(1, Ordering::SeqCst);
            self.decisions
                .lock()
                .unwrap()
                .pop_front()
                .expect("nothing more is asked")
        })
    }

    fn tell(&self, remark: &str) {
        self.told.lock().unwrap().push(remark.into());
    }
}

fn tools(world: &World) -> Arc<dyn Tools> {
    Arc::new(LocalTools::new(&world.project(), &super::dialect(), Options::default()).unwrap())
}

fn asking(world: &World, decisions: impl Into<VecDeque<Decision>>) -> (Asking, Arc<Scripted>) {
    let asker = Arc::new(Scripted {
        decisions: Mutex::new(decisions.into()),
        ..Scripted::default()
    });
    (Asking::new(tools(world), asker.clone()), asker)
}

fn unpermitted(tool: &str, arguments: Value) -> ToolRequest {
    ToolRequest {
        permitted: false,
        ..request(tool, arguments)
    }
}

fn call(tools: &Asking, request: &ToolRequest) -> Result<ToolAnswer, CallError> {
    futures_executor::block_on(tools.call(request, &Caller::default()))
}

#[test]
fn permitted_calls_do_not_ask() {
    let world = World::new(&[("a", "one\n")]);
    let (tools, asker) = asking(&world, []);
    assert!(
        !call(&tools, &request("Read", json!({"path": "a"})))
            .unwrap()
            .is_error
    );
    assert!(asker.questions.lock().unwrap().is_empty());
}

#[test]
fn decisions_are_followed() {
    let world = World::new(&[("a", "one\n")]);
    let no = Decision::No(Some("not today".into()));
    let (tools, asker) = asking(&world, [Decision::Once, no, Decision::ToolForSession]);
    let edit = |old: &str, new: &str| {
        unpermitted(
            "Edit",
            json!({"file_path": "a", "old_string": old, "new_string": new}),
        )
    };
    assert!(!call(&tools, &edit("one", "two")).unwrap().is_error);
    match call(&tools, &edit("two", "three")) {
        Err(CallError::Denied(reason)) => assert_eq!(reason, "the user denied it: not today"),
        other => panic!("{other:?}"),
    }
    assert_eq!(world.contents("a"), "two\n");
    call(&tools, &edit("two", "three")).unwrap();
    call(&tools, &edit("three", "four")).unwrap();
    assert_eq!(world.contents("a"), "four\n");
    let questions = asker.questions.lock().unwrap();
    assert_eq!(questions.len(), 3, "the tool was allowed for the session");
    assert!(
        questions[0].what.ends_with("-one\n+two\n"),
        "{}",
        questions[0].what
    );
    assert_eq!(questions[0].rule, None, "there is nowhere to keep it");
}

#[test]
fn calls_that_would_fail_do_not_ask() {
    let world = World::new(&[("a", "one\n")]);
    let (tools, _) = asking(&world, []);
    for (tool, arguments) in [
        (
            "Edit",
            json!({"file_path": "a", "old_string": "two", "new_string": "three"}),
        ),
        ("Write", json!({"file_path": "../b", "content": ""})),
        ("Bash", json!({})),
    ] {
        assert!(call(&tools, &unpermitted(tool, arguments)).unwrap().is_error);
    }
}

#[test]
fn rules_are_remembered() {
    let world = World::new(&[]);
    for fails in [false, true] {
        let (tools, asker) = asking(&world, [Decision::Remember, Decision::Once]);
        let kept = Arc::new(Mutex::new(Vec::new()));
        let tools = tools.remembering({
            let kept = Arc::clone(&kept);
            Box::new(move |rule| {
                kept.lock().unwrap().push(rule.to_owned());
                if fails {
                    Err(io::Error::other("no room"))
                } else {
                    Ok(())
                }
            })
        });
        let run = |command: &str| unpermitted("Bash", json!({"command": command}));
        for command in ["echo hi", "echo hi", "echo *"] {
            call(&tools, &run(command)).unwrap();
        }
        assert_eq!(*kept.lock().unwrap(), ["Bash(echo hi)"]);
        let questions = asker.questions.lock().unwrap();
        let rules: Vec<Option<&str>> = questions
            .iter()
            .map(|question| question.rule.as_deref())
            .collect();
        assert_eq!(rules, [Some("Bash(echo hi)"), None]);
        assert_eq!(asker.told.lock().unwrap().len(), usize::from(fails));
    }
}

#[test]
fn questions_are_asked_one_at_a_time() {
    let world = World::new(&[]);
    let (tools, asker) = asking(&world, vec![Decision::ToolForSession]);
    let requests: Vec<ToolRequest> = (0..20)
        .map(|number| unpermitted("Write", json!({"file_path": format!("f{number}"), "content": ""})))
        .collect();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let tools = Arc::new(tools);
    runtime.block_on(async {
        let calls: Vec<_> = requests
            .into_iter()
            .map(|request| {
                let tools = Arc::clone(&tools);
                tokio::spawn(async move { tools.call(&request, &Caller::default()).await })
            })
            .collect();
        for call in calls {
            assert!(!call.await.unwrap().unwrap().is_error);
        }
    });
    assert_eq!(
        asker.questions.lock().unwrap().len(),
        1,
        "the answer to the first holds for all"
    );
}

#[test]
fn without_a_terminal_the_needed_flag_is_named() {
    let world = World::new(&[]);
    let tools = Asking::new(tools(&world), Arc::new(Unattended));
    for (command, flag) in [
        (
            "git push",
            "`--allow 'Bash(git push)'`, or with a wider `--permission-mode`",
        ),
        ("a && b", "`--allow 'Bash(a && b)'`, "),
        ("echo 'a'", "`--allow \"Bash(echo 'a')\"`, "),
        (
            "ls *",
            "No entry of `--allow` covers only this call; a wider `--permission-mode` may",
        ),
    ] {
        match call(&tools, &unpermitted("Bash", json!({"command": command}))) {
            Err(CallError::Denied(reason)) => {
                assert!(reason.contains(flag), "{reason}");
            }
            other => panic!("{other:?}"),
        }
    }
}
