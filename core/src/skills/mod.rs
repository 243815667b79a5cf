//! Skills as a session uses them: their texts, and why some cannot be loaded.

mod substitute;

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::definition::{Definition, Field, ToolFilter, switched};
use crate::dialect::Canonical;
use crate::limits::SKILLS;

/// A skill, or a command that is loaded like one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Skill {
    /// Its name.
    pub(crate) name: String,
    /// When to load it.
    pub(crate) description: String,
    /// Its folder, as seen from the project. None for a command.
    pub(crate) directory: Option<String>,
    /// Its text.
    pub(crate) text: String,
    /// The names of its arguments.
    pub(crate) arguments: Vec<String>,
    /// The agent that it runs in, if it says that it runs in one; empty if it does not name the agent.
    pub(crate) agent: Option<String>,
    /// Why agents cannot load it.
    pub(crate) obstacle: Option<String>,
    /// Parts of it that runs ignore, each with the reason.
    pub(crate) ignored: Vec<String>,
}

impl Skill {
    /// A skill whose file loads. `listing` is the number of characters of its description that are listed.
    pub(crate) fn of(definition: &Definition, directory: Option<String>, listing: Option<u32>) -> Self {
        let value = |field| definition.field(field).map(Field::unquoted);
        Self {
            name: definition.name.clone(),
            description: described(definition, listing),
            directory,
            text: definition.system_prompt.clone(),
            arguments: value(Canonical::Arguments).map_or_else(Vec::new, words),
            agent: value(Canonical::ContextKind)
                .filter(|kind| *kind == "fork")
                .map(|_| value(Canonical::Agent).unwrap_or_default().to_string()),
            obstacle: obstacle(definition),
            ignored: ignored(definition),
        }
    }

    /// A skill whose file does not load.
    pub(crate) fn broken(name: &str, reason: &str) -> Self {
        Self {
            name: name.to_string(),
            obstacle: Some(reason.to_string()),
            ..Self::default()
        }
    }

    /// Drops its text.
    pub(crate) fn refuse(&mut self, reason: &str) {
        self.text = String::new();
        self.description = String::new();
        self.obstacle.get_or_insert_with(|| reason.to_string());
    }
}

/// The description and when to use it; without one, the first paragraph. In one line, so that it cannot look like another skill.
fn described(definition: &Definition, listing: Option<u32>) -> String {
    let mut text = match definition.description.trim() {
        "" => definition.system_prompt.split("\n\n").next().unwrap_or_default(),
        description => description,
    }
    .to_string();
    if let Some(field) = definition.field(Canonical::WhenToUse) {
        text = [&*text, " - ", field.unquoted()].concat();
    }
    let most = listing.map_or(usize::MAX, |listing| listing as usize);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(most).collect()
}

/// Why agents cannot load a skill. A lock with an unknown value locks.
fn obstacle(definition: &Definition) -> Option<String> {
    let field = |field| definition.field(field);
    let lock = field(Canonical::ModelMayNotPick)
        .filter(|lock| !lock.value.is_empty() && switched(lock.unquoted()) != Some(false));
    if let Some(lock) = lock {
        return Some(["it has `", &*lock.key, "`, so only the user may start it"].concat());
    }
    // Without it, the agent could do more than the skill is meant to allow.
    let denied = field(Canonical::DeniedTools).filter(|denied| !matches!(&*denied.value, "" | "[]"));
    denied.map(|denied| ["it has `", &*denied.key, "`, which runs do not support"].concat())
}

fn ignored(definition: &Definition) -> Vec<String> {
    let name = &definition.name;
    let mut all = Vec::new();
    let mut add = |canonical, why: &str| {
        if let Some(field) = definition.field(canonical) {
            all.push(["`", &*field.key, "` of the skill `", name, "`, as ", why].concat());
        }
    };
    if definition.tools != ToolFilter::Absent {
        add(Canonical::Tools, "only the user may allow tools");
    }
    add(Canonical::Hooks, "hooks never run");
    add(Canonical::Model, "runs do not support it");
    add(Canonical::Effort, "runs do not support it");
    if definition.system_prompt.contains("!`") {
        let parts = [
            "the commands in the text of the skill `",
            name,
            "`, as they never run by themselves",
        ];
        all.push(parts.concat());
    }
    all
}

/// The words of a text or a list.
fn words(value: &str) -> Vec<String> {
    let apart = |letter: char| letter.is_whitespace() || matches!(letter, ',' | '[' | ']' | '"' | '\'');
    let words = value.split(apart).filter(|word| !matches!(*word, "" | "-"));
    words.map(ToString::to_string).collect()
}

/// The skills that an agent lists, each once, and why it gets none of the others.
pub(crate) fn listed<'a>(skills: &'a [Skill], definition: &Definition) -> (Vec<&'a Skill>, Vec<String>) {
    let (mut found, mut ignored) = (Vec::new(), Vec::new());
    let mut known = vec![false; skills.len()];
    for name in &definition.skills {
        let at = place(skills, name).unwrap_or(skills.len());
        let reason = match skills.get(at) {
            Some(_) if core::mem::replace(&mut known[at], true) => continue,
            Some(skill) => match &skill.obstacle {
                Some(reason) => reason,
                None => {
                    found.push(skill);
                    continue;
                }
            },
            None if name.contains(':') => "runs have no skills of plugins",
            None if skills.len() < SKILLS => "it was not found",
            None => "it is not among the skills that a session keeps",
        };
        ignored.push(["the skill `", name, "`, as ", reason].concat());
    }
    (found, ignored)
}

/// The place of the skill of this name, among skills that are sorted by it.
pub(crate) fn place(skills: &[Skill], name: &str) -> Option<usize> {
    skills.binary_search_by(|skill| (*skill.name).cmp(name)).ok()
}
