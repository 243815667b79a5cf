//! Plays a script to its end, one reply at a time.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use callsheet::conversation::{CallError, Message};
use callsheet::delegation::{Event, Outstanding, Reply, Step};
use callsheet::{Caller, Models, Tools};

use super::{Account, Script};
use crate::backend::Machine;

/// A script with more replies than this is wrong.
const ENOUGH: u64 = 10_000;

/// The result of a script.
pub struct Played {
    /// What happened.
    pub account: Account,
    /// The session after its end.
    pub session: Box<dyn Machine>,
}

/// Plays a session to its end. A script's `then` is sent after its answers. `pick` chooses which of several steps is
/// answered; `between` may save the session and restore it.
pub fn play(
    mut session: Box<dyn Machine>,
    who: (&dyn Models, &dyn Tools),
    script: &Script,
    mut pick: impl FnMut(usize) -> usize,
    mut between: impl FnMut(Box<dyn Machine>) -> Box<dyn Machine>,
) -> Played {
    let own: Vec<String> = who.1.specs().into_iter().map(|spec| spec.name).collect();
    let mut account = Account::default();
    let mut kept: BTreeMap<u32, Vec<Message>> = BTreeMap::new();
    let (mut known, mut denied) = (0, false);
    let mut then = script.then.iter();
    for now in 1..ENOUGH {
        session = between(session);
        let mut steps = session.poll(now, 0);
        let mut brief = session.poll_brief(now, 0);
        let new = steps.iter().filter(|step| step.id >= known).cloned();
        assert_eq!(session.poll(now, known), new.collect::<Vec<_>>());
        for brief in &mut brief {
            fill(brief, kept.entry(brief.run).or_default(), &mut *session);
        }
        assert_eq!(steps, brief, "they differ in messages only");
        known = steps.last().map_or(known, |step| step.id + 1);
        note(&session.events(), &mut account);
        if steps.is_empty() {
            let Some(message) = then.next() else { break };
            assert!(session.send(message).is_ok(), "it has no answer");
            continue;
        }
        let Outstanding { id, step, .. } = steps.swap_remove(pick(steps.len()));
        match &step {
            Step::AskModel(request) => {
                account.asked(request);
                let delegating = request.tools.iter().filter(|tool| !own.contains(&tool.name));
                delegating
                    .filter(|_| script.describe)
                    .for_each(|tool| account.described(&request.agent, tool));
            }
            Step::CallTool(request) => account.called(request),
        }
        let reply = reply(&step, who);
        denied |= matches!(reply, Reply::Failed(CallError::Denied(_)));
        session.reply(id, reply, now).expect("the step is outstanding");
        note(&session.events(), &mut account);
    }
    let refused = denied || !account.refused.is_empty();
    account.close(session.outcome(), &session.usage(), refused);
    Played { account, session }
}

/// Gives a request the messages that it lacks, like a host that keeps conversations.
fn fill(brief: &mut Outstanding, kept: &mut Vec<Message>, session: &mut dyn Machine) {
    if let Step::AskModel(request) = &mut brief.step {
        assert_eq!(request.messages, []);
        let changed_from = request.changed_from.map_or(usize::MAX, |from| from as usize);
        kept.truncate(changed_from);
        let known = u32::try_from(kept.len()).unwrap_or(u32::MAX);
        kept.append(&mut session.messages(brief.run, known));
        request.messages.clone_from(kept);
    }
}

/// The reply to a step.
pub(super) fn reply(step: &Step, (models, tools): (&dyn Models, &dyn Tools)) -> Reply {
    let reply = match step {
        Step::AskModel(request) => wait(models.complete(request, &|_| {})).map(|it| Reply::Model(it.answer)),
        Step::CallTool(request) => wait(tools.call(request, &Caller::default())).map(Reply::Tool),
    };
    reply.unwrap_or_else(Reply::Failed)
}

fn note(events: &[Event], account: &mut Account) {
    events.iter().for_each(|event| account.heard(event));
}

/// The host's tools wait for processes, which needs a runtime.
fn wait<T>(answer: impl Future<Output = T>) -> T {
    static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        runtime.expect("the system has threads")
    });
    RUNTIME.block_on(answer)
}
