//! Tools whose changes are shown before they are made.

use std::path::Path;
use std::sync::Arc;

use callsheet::conversation::{ToolAnswer, ToolRequest, ToolSpec};
use callsheet::{Answer, Caller, Tools};
use tokio::task::yield_now;

use super::screen::Screen;
use super::unsaved::Waiting;

/// Shows what each call changes, before the user is asked and before it is made.
pub(super) struct Shown {
    inner: Arc<dyn Tools>,
    screen: Arc<Screen>,
    waiting: Arc<Waiting>,
}

impl Shown {
    pub(super) fn new(inner: Arc<dyn Tools>, screen: Arc<Screen>, waiting: Arc<Waiting>) -> Self {
        Self {
            inner,
            screen,
            waiting,
        }
    }

    /// The editor may have taken its time: an answer that was canceled meanwhile is aborted here.
    async fn unless_canceled(&self) {
        if self.waiting.is_canceled() {
            std::future::pending::<()>().await;
        }
        yield_now().await;
    }

    fn show(&self, request: &ToolRequest) {
        if let Some(workspace) = &request.workspace {
            self.screen
                .locate(&request.agent, &request.call, Path::new(&workspace.root));
        }
        if let Some(change) = self.inner.change(request) {
            self.screen.change(&request.agent, &request.call, change);
        }
    }
}

impl Tools for Shown {
    fn specs(&self) -> Vec<ToolSpec> {
        self.inner.specs()
    }

    fn inner(&self) -> Option<&dyn Tools> {
        Some(&*self.inner)
    }

    fn permit<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, Option<ToolAnswer>> {
        Box::pin(async move {
            self.show(request);
            self.unless_canceled().await;
            self.inner.permit(request).await
        })
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, caller: &'a Caller) -> Answer<'a, ToolAnswer> {
        Box::pin(async move {
            self.show(request);
            self.unless_canceled().await;
            self.inner.call(request, caller).await
        })
    }
}
