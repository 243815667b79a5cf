//! Settings and reports of sessions.

use callsheet_core::session;

use crate::bindings::exports::callsheet::agents::delegation;
use crate::conversation;

pub fn task(task: delegation::Task) -> session::Task {
    session::Task {
        agent: task.agent,
        prompt: task.prompt,
        description: task.description,
        model: task.model,
    }
}

pub fn settings(settings: delegation::Settings) -> session::Settings {
    let aliases = settings.aliases.into_iter().map(|(name, choice)| session::Alias {
        name,
        model: model(choice),
    });
    session::Settings {
        bounds: bounds(settings.bounds),
        attenuate: settings.attenuate,
        mode: mode(settings.mode),
        allow: settings.allow,
        trusted: settings.trusted,
        root: settings.root,
        isolation: isolation(settings.isolation),
        surroundings: settings.surroundings.map(surroundings),
        home: settings.home,
        base_prompt: settings.base_prompt,
        default_model: model(settings.default_model),
        aliases: aliases.collect(),
    }
}

pub fn bounds(bounds: delegation::Bounds) -> session::Bounds {
    session::Bounds {
        depth: bounds.depth,
        turns: bounds.turns,
        total_turns: bounds.total_turns,
        children: bounds.children,
        parallel: bounds.parallel,
        tokens: bounds.tokens,
        cost: bounds.cost,
        context: bounds.context,
        deadline: bounds.deadline,
        result_bytes: bounds.result_bytes,
    }
}

fn isolation(isolation: delegation::Isolation) -> session::Isolation {
    match isolation {
        delegation::Isolation::Unavailable(reason) => session::Isolation::Unavailable(reason),
        delegation::Isolation::Worktrees(places) => session::Isolation::Worktrees(session::Workspaces {
            directory: places.directory,
            project: places.project,
        }),
    }
}

fn surroundings(told: delegation::Surroundings) -> session::Surroundings {
    session::Surroundings {
        directory: told.directory,
        platform: told.platform,
        date: told.date,
        personal: told.personal,
        is_repository: told.is_repository,
        repository: told.repository.map(|state| session::Repository {
            branch: state.branch,
            changes: state.changes,
            commits: state.commits,
        }),
    }
}

fn mode(mode: delegation::PermissionMode) -> session::PermissionMode {
    match mode {
        delegation::PermissionMode::Plan => session::PermissionMode::Plan,
        delegation::PermissionMode::Default => session::PermissionMode::Default,
        delegation::PermissionMode::AcceptEdits => session::PermissionMode::AcceptEdits,
        delegation::PermissionMode::Bypass => session::PermissionMode::Bypass,
    }
}

pub fn model(choice: delegation::ModelChoice) -> session::ModelChoice {
    session::ModelChoice {
        provider: choice.provider,
        model: choice.model,
    }
}

pub fn outstanding(step: session::Outstanding) -> delegation::Outstanding {
    delegation::Outstanding {
        id: step.id,
        run: step.run,
        step: match step.step {
            session::Step::AskModel(request) => {
                delegation::Step::AskModel(conversation::model_request(request))
            }
            session::Step::CallTool(request) => {
                delegation::Step::CallTool(conversation::tool_request(request))
            }
        },
    }
}

pub fn reach(reach: callsheet_core::permission::Reach) -> delegation::Reach {
    delegation::Reach {
        writes: reach.writes,
        keeps: reach.keeps,
        network: reach.network,
        files: reach.files.into_iter().collect(),
    }
}

pub fn reply(reply: delegation::Reply) -> session::Reply {
    match reply {
        delegation::Reply::Model(answer) => session::Reply::Model(conversation::model_answer(answer)),
        delegation::Reply::Tool(answer) => session::Reply::Tool(conversation::tool_answer(answer)),
        delegation::Reply::Failed(error) => session::Reply::Failed(conversation::call_error(error)),
    }
}

pub fn outcome(outcome: session::Outcome) -> delegation::Outcome {
    let text = outcome.text();
    let ending = match outcome {
        session::Outcome::Answer(_) => delegation::Ending::Answer,
        session::Outcome::Bound { bound, partial } => {
            delegation::Ending::Bound(delegation::Exceeded { bound, partial })
        }
        session::Outcome::Failed(_) => delegation::Ending::Failed,
        session::Outcome::Cancelled => delegation::Ending::Cancelled,
    };
    delegation::Outcome { ending, text }
}

pub fn error(error: session::SessionError) -> delegation::SessionError {
    match error {
        session::SessionError::UnknownAgent { name, nearest } => {
            delegation::SessionError::UnknownAgent(delegation::UnknownAgent { name, nearest })
        }
        session::SessionError::NotOutstanding(id) => delegation::SessionError::NotOutstanding(id),
        session::SessionError::UnfitReply(id) => delegation::SessionError::UnfitReply(id),
        session::SessionError::BadSnapshot => delegation::SessionError::BadSnapshot,
        session::SessionError::Finished => delegation::SessionError::Finished,
        session::SessionError::Unfinished => {
            delegation::SessionError::Other("the session has no answer yet".to_owned())
        }
    }
}

pub fn usage(usage: session::Usage) -> delegation::Usage {
    delegation::Usage {
        turns: usage.turns,
        children: usage.children,
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cost: usage.cost,
    }
}

pub fn event(event: session::Event) -> delegation::Event {
    delegation::Event {
        number: event.number,
        at: event.at,
        run: event.run,
        agent: event.agent,
        what: happening(event.what),
    }
}

fn happening(what: session::Happening) -> delegation::Happening {
    match what {
        session::Happening::Called(task) => delegation::Happening::Called(task),
        session::Happening::Waits => delegation::Happening::Waits,
        session::Happening::Ignored(what) => delegation::Happening::Ignored(what),
        session::Happening::Asked(model) => delegation::Happening::Asked(model),
        session::Happening::Said {
            text,
            input_tokens,
            output_tokens,
        } => delegation::Happening::Said(delegation::Said {
            text,
            input_tokens,
            output_tokens,
        }),
        session::Happening::Calls(call) => delegation::Happening::Calls(conversation::call(call)),
        session::Happening::Refused { id, tool, reason } => {
            delegation::Happening::Refused(delegation::Refused { id, tool, reason })
        }
        session::Happening::Returned { id, is_error } => {
            delegation::Happening::Returned(delegation::Returned { id, is_error })
        }
        session::Happening::Ended(ended) => delegation::Happening::Ended(outcome(ended)),
        session::Happening::Compacted(results) => delegation::Happening::Compacted(results),
        session::Happening::Invalid { id, tool, reason } => {
            delegation::Happening::Invalid(delegation::Refused { id, tool, reason })
        }
    }
}
