//! A reference to an agent that does not exist.
//!
//! `Agent(name)` in a list of tools lets an agent call another one, handoffs offer one, and a skill or command can run in one. If no agent
//! has that name, the call fails.
//!
//! ```yaml
//! tools: Read, Agent(code-reveiwer)
//! ```
//!
//! Use the name from the agent's own file; `callsheet list` shows all names. A name such as `plugin:name` is checked only if the plugin is in
//! the project. In the text of a file, only such names are reported, as in `subagent_type="plugin:name"`.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::cast::{Cast, Member};
use crate::closest::fold;
use crate::diagnostic::{Diagnostic, Edit, Fix, Place};
use crate::dialect::Kind;
use crate::limits::GUESSES;
use crate::mentions::Mention;
use crate::offered::{Verdict, closest_full};

crate::diagnostic::rule! {
    name: "unknown-agent",
    severity: Warning,
    fix: Unsafe,
    found: cast,
    evidence: "Claude Code documentation; the active agents of the catalog",
}

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    between(cast, Some(cast), found);
}

/// The agents that files name, among `agents`; with none, among those of plugins.
pub(crate) fn between(cast: &Cast<'_>, agents: Option<&Cast<'_>>, found: &mut Vec<Diagnostic>) {
    let known = Known::new(cast, agents);
    let mut guesses = GUESSES;
    for member in &cast.members {
        let named = member.mentions.agents.iter().map(|mention| (mention, false));
        let said = member.mentions.said_agents().map(|mention| (mention, true));
        for (mention, is_said) in named.chain(said) {
            let name = &mention.name;
            let verdict = if is_said {
                known.said(name)
            } else {
                known.verdict(name)
            };
            if verdict == Verdict::Missing {
                found.extend(diagnostic(&known, member, mention, is_said, guesses > 0));
                guesses = guesses.saturating_sub(1);
            }
        }
    }
}

/// The finding about the agent that settings name.
pub(crate) fn in_settings(place: Place, name: &str) -> Diagnostic {
    let message = format!("the settings name unknown agent `{name}`");
    let mut diagnostic = Diagnostic::new(&RULE, place, message);
    diagnostic.primary.text = "no agent of this name is active".to_string();
    diagnostic
}

/// The names by which the agents of a cast can be called.
pub(crate) struct Known<'a> {
    cast: &'a Cast<'a>,
    agents: Option<&'a Cast<'a>>,
    /// Agents by names and titles without case and separators, if these do not count.
    folded: BTreeMap<String, usize>,
}

impl<'a> Known<'a> {
    pub(crate) fn new(cast: &'a Cast<'a>, agents: Option<&'a Cast<'a>>) -> Self {
        let members = agents.into_iter().flat_map(|agents| &agents.members).enumerate();
        // Where agents have titles, others name them by these.
        let titles = members
            .clone()
            .filter_map(|(at, member)| Some((member.mentions.title.as_deref()?, at)));
        let titles: Vec<(&str, usize)> = titles.collect();
        let folds = agents.is_some_and(|agents| agents.dialect.folds_names) || !titles.is_empty();
        let is_asked = cast
            .members
            .iter()
            .any(|member| member.mentions.every_agent().next().is_some());
        let names = members.map(|(at, member)| (member.name, at)).chain(titles);
        let names = names.filter(|_| folds && is_asked);
        Self {
            cast,
            agents,
            folded: names.map(|(name, at)| (fold(name), at)).collect(),
        }
    }

    /// The agent that has this name.
    pub(crate) fn find(&self, name: &str) -> Option<&'a str> {
        let agents = self.agents?;
        let folded = || self.folded.get(&fold(name)).copied();
        let at = agents.find(name).or_else(folded)?;
        Some(agents.members[at].name)
    }

    pub(crate) fn verdict(&self, name: &str) -> Verdict {
        let offered = self.cast.offered.verdict(&self.cast.offered.agents, name);
        let Some(agents) = self.agents else {
            return offered;
        };
        let mut others = agents.dialect.other_agents.iter();
        let mut shipped = || others.any(|known| known.eq_ignore_ascii_case(name));
        if self.find(name).is_some() || shipped() {
            Verdict::There
        } else if name.contains(':') {
            offered
        } else {
            Verdict::Missing
        }
    }

    /// The same for a name in a text, which may be about what is installed elsewhere, or an example.
    pub(crate) fn said(&self, name: &str) -> Verdict {
        match self.verdict(name) {
            Verdict::Missing if !name.contains(':') => Verdict::Unknown,
            verdict => verdict,
        }
    }

    /// The name that is probably meant.
    fn meant(&self, name: &str) -> Option<&'a str> {
        let offered = &self.cast.offered.agents;
        let own = self.agents.into_iter().flat_map(|agents| &agents.members);
        let names = own.map(|member| member.name);
        let full = names
            .clone()
            .find(|full| full.rsplit_once(':').is_some_and(|(_, last)| last == name));
        full.or_else(|| offered.ending(name))
            .or_else(|| closest_full(name, names.chain(offered.all())))
    }
}

fn diagnostic(
    known: &Known<'_>,
    member: &Member<'_>,
    mention: &Mention,
    is_said: bool,
    guess: bool,
) -> Option<Diagnostic> {
    let (name, kind) = (&mention.name, known.cast.dialect.kind);
    let is_broken = |agents: &Cast<'_>| agents.broken.binary_search(&&**name).is_ok();
    let broken = known.agents.is_some_and(is_broken);
    let message = match (kind, broken) {
        _ if is_said => format!("the text of `{}` names unknown agent `{name}`", member.name),
        (Kind::Agent, true) => format!("`{}` may call `{name}`, which does not load", member.name),
        (Kind::Agent, false) => format!("`{}` may call unknown agent `{name}`", member.name),
        (_, true) => format!(
            "{} `{}` runs in agent `{name}`, which does not load",
            kind.noun(),
            member.name
        ),
        (_, false) => format!("{} `{}` runs in unknown agent `{name}`", kind.noun(), member.name),
    };
    let mut diagnostic = member.diagnostic(&RULE, mention.at, message)?;
    diagnostic.primary.text = "calls to it fail".to_string();
    if let Some((plugin, _)) = name.split_once(':') {
        diagnostic.note = Some(format!("plugin `{plugin}` of this project does not have it"));
    }
    let meant = (guess && !broken).then(|| known.meant(name)).flatten();
    if let Some(meant) = meant {
        diagnostic.help = Some(format!("did you mean `{meant}`?"));
        diagnostic.fixes = vec![Fix {
            title: format!("Write `{meant}`"),
            safe: false,
            edits: vec![Edit {
                span: diagnostic.primary.place.span,
                text: meant.to_string(),
            }],
        }];
    }
    Some(diagnostic)
}
