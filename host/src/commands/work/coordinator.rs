//! An agent that calls the others.

use callsheet::delegation::{Bounds, Isolation, ModelChoice, PermissionMode, Settings, Step, Task};
use callsheet::documents::{Draft, DraftField, FieldValue};
use callsheet::{Callsheet, Catalog};

use crate::exit::Failure;

/// Its name.
pub(in crate::commands) const COORDINATOR: &str = "coordinator";

const DESCRIPTION: &str = "Delegates a task to the agents that fit";

const PROMPT: &str = "\
You see to it that a task is done. Read it, look at what is there as far as you must, and choose the agents that fit from \
those that you can call. Give each its part: it starts afresh and sees only what you write, so say all that it has to know \
and what it is to answer. Call those whose parts do not depend on one another in one answer, so that they work side by side. \
Do yourself what no agent fits. Check their answers, and end with one answer to the task that stands on its own.";

/// Placeholders for a dialect that requires a model: the real model must be set elsewhere.
const MADE_UP: [(&str, &str); 3] = [
    ("provider", "anthropic"),
    ("model", "default"),
    ("max-tokens", "8192"),
];

/// Adds the coordinator to the catalog. Returns whether its model is a placeholder.
pub(in crate::commands) fn register(
    callsheet: &mut Callsheet,
    catalog: &mut Catalog,
) -> Result<bool, Failure> {
    if catalog.get(COORDINATOR)?.is_some() {
        return Ok(false);
    }
    let dialect = catalog.dialect();
    let plain = dialect.split('@').next().unwrap_or(dialect).to_owned();
    let demanded = demanded(callsheet, &plain)?;
    let named = [("name", COORDINATOR), ("description", DESCRIPTION)];
    let made_up = MADE_UP
        .into_iter()
        .filter(|(key, _)| demanded.iter().any(|demanded| demanded == key));
    let field = |(canonical, value): (&str, &str)| DraftField {
        canonical: canonical.to_owned(),
        value: FieldValue::Entered(value.to_owned()),
    };
    let draft = Draft {
        fields: named.into_iter().chain(made_up).map(field).collect(),
        prompt: PROMPT.to_owned(),
    };
    let contents = callsheet.render(&draft, &plain)?;
    catalog.register(COORDINATOR, &contents)?;
    Ok(demanded.iter().any(|key| key == "model"))
}

/// The required keys of a file, by their canonical names.
fn demanded(callsheet: &mut Callsheet, dialect: &str) -> Result<Vec<String>, Failure> {
    let dialects = callsheet.dialects()?.into_iter();
    let keys = dialects
        .filter(|known| known.id == dialect)
        .flat_map(|known| known.keys);
    Ok(keys.filter(|key| key.required).map(|key| key.canonical).collect())
}

/// The tools for calling agents in this dialect, as a coordinator without other tools sees them: one for all agents, or the agents
/// themselves.
pub(in crate::commands) fn calling(callsheet: &mut Callsheet, dialect: &str) -> Result<Vec<String>, Failure> {
    let mut catalog = callsheet.open(dialect)?;
    register(callsheet, &mut catalog)?;
    let task = Task {
        agent: COORDINATOR.to_owned(),
        prompt: "x".to_owned(),
        description: None,
        model: None,
    };
    let mut session = catalog.session(&task, &[], &nothing())?;
    let mut names = Vec::new();
    for step in session.poll(0, 0)? {
        if let Step::AskModel(request) = step.step {
            names.extend(request.tools.into_iter().map(|tool| tool.name));
        }
    }
    names.retain(|name| name != COORDINATOR);
    Ok(names)
}

/// Settings of a session that is only inspected.
fn nothing() -> Settings {
    Settings {
        bounds: Bounds {
            depth: 1,
            turns: 1,
            total_turns: 1,
            children: 1,
            parallel: 1,
            tokens: None,
            cost: None,
            context: None,
            deadline: None,
            result_bytes: 1,
        },
        attenuate: false,
        mode: PermissionMode::Default,
        allow: Vec::new(),
        trusted: Vec::new(),
        root: String::new(),
        isolation: Isolation::Unavailable(String::new()),
        home: None,
        surroundings: None,
        base_prompt: String::new(),
        default_model: ModelChoice {
            provider: None,
            model: String::new(),
        },
        aliases: Vec::new(),
    }
}
