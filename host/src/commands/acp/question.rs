//! Asks the user of an editor.

use std::pin::Pin;
use std::sync::Arc;

use agent_client_protocol::v1::schema::{
    PermissionOption, PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest,
    ToolCallContent, ToolCallUpdate, ToolCallUpdateFields,
};
use agent_client_protocol::{is_connection_terminated, is_incoming_transport_closed};
use callsheet::output::text::clean;
use callsheet::tools::{Asker, Decision, Question};

use super::super::work::Voice;
use super::screen::{Screen, block};
use super::words::verbatim;

/// The options of a question.
const ONCE: &str = "once";
const TOOL: &str = "tool";
const RULE: &str = "rule";
const NO: &str = "no";

/// Tells and asks the user of the editor.
pub(super) fn voice(screen: &Arc<Screen>) -> Voice {
    let told = Arc::clone(screen);
    Voice {
        say: Arc::new(move |words| told.remark(words)),
        asker: Arc::clone(screen) as Arc<dyn Asker>,
    }
}

impl Asker for Screen {
    fn ask<'a>(&'a self, question: &'a Question) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(decide(self, question))
    }

    fn tell(&self, remark: &str) {
        self.remark(remark);
    }
}

async fn decide(screen: &Screen, question: &Question) -> Decision {
    let tool = &question.call.name;
    if screen.memory.granted().contains(tool) {
        return Decision::Once;
    }
    let asked = screen.editor.send_request(request(screen, question)).block_task();
    match asked.await.map(|answer| answer.outcome) {
        Ok(RequestPermissionOutcome::Selected(selected)) => match &*selected.option_id.0 {
            ONCE => Decision::Once,
            RULE => Decision::Remember,
            TOOL => {
                screen.memory.granted().insert(tool.clone());
                Decision::Once
            }
            _ => Decision::No(None),
        },
        // The user canceled the answer, and denied nothing: the question stays open.
        Ok(RequestPermissionOutcome::Cancelled) => {
            screen.stop.notify_one();
            std::future::pending().await
        }
        // An editor that closes the connection denies nothing: the session is saved with the question open.
        Err(error) if is_incoming_transport_closed(&error) || is_connection_terminated(&error) => {
            std::future::pending().await
        }
        _ => Decision::No(None),
    }
}

/// The question with all that the call does, for editors that show nothing else.
fn request(screen: &Screen, question: &Question) -> RequestPermissionRequest {
    let shown = screen
        .shown(&question.agent, &question.call)
        .unwrap_or_else(|| screen.call(0, &question.agent, &question.call));
    let content = match shown.change {
        Some(change) => ToolCallContent::Diff(change),
        None => block(&verbatim(&question.what)),
    };
    let fields = ToolCallUpdateFields::new()
        .kind(screen.calls.kind(&question.call.name))
        .title(shown.title)
        .content(vec![content]);
    RequestPermissionRequest::new(
        screen.id.clone(),
        ToolCallUpdate::new(shown.id, fields),
        options(question),
    )
}

fn options(question: &Question) -> Vec<PermissionOption> {
    use PermissionOptionKind::{AllowAlways, AllowOnce, RejectOnce};
    let tool = clean(&question.call.name);
    let rule = question.rule.as_ref().map(|rule| {
        let name = format!("Always allow {}", clean(rule));
        PermissionOption::new(RULE, name, AllowAlways)
    });
    let tool = format!("Allow {tool} in this conversation");
    [PermissionOption::new(ONCE, "Allow", AllowOnce)]
        .into_iter()
        .chain(rule)
        .chain([
            PermissionOption::new(TOOL, tool, AllowAlways),
            PermissionOption::new(NO, "Deny", RejectOnce),
        ])
        .collect()
}
