//! The names of models, permission modes and efforts in each dialect, and their equivalents.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use crate::dialect::Canonical;

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// How a dialect names a model without an alias.
#[derive(Debug)]
struct Form {
    dialect: &'static str,
    style: Style,
    /// The providers whose models it can run; empty for all of them.
    takes: &'static [&'static str],
    /// Whether it accepts `inherit`.
    inherit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// By its name.
    Bare,
    /// By a name of the dialect's own, which only the table has.
    Named,
    /// By its name, with a key of its own for the provider.
    Pair,
    /// With the provider and a slash in front.
    Provider,
}

/// A permission mode.
#[derive(Debug)]
pub(crate) struct Mode {
    pub(crate) id: &'static str,
    pub(crate) words: &'static str,
    /// Whether it allows no changes.
    pub(crate) reads_only: bool,
    names: &'static [(&'static str, &'static [&'static str])],
}

impl Mode {
    /// Its names in a dialect.
    pub(crate) fn name(&self, dialect: &str) -> Option<&'static str> {
        self.names(dialect).first().copied()
    }

    fn names(&self, dialect: &str) -> &'static [&'static str] {
        let names = self.names.iter().find(|(known, _)| *known == dialect);
        names.map_or(&[], |(_, names)| names)
    }
}

/// The mode that a dialect means by a word.
pub(crate) fn mode(dialect: &str, word: &str) -> Option<&'static Mode> {
    let named = |mode: &&Mode| mode.names(dialect).contains(&word);
    MODES.iter().find(named)
}

/// The modes that are narrower than one, the narrowest first.
pub(crate) fn narrower(mode: &Mode) -> &'static [Mode] {
    let at = MODES.iter().position(|known| known.id == mode.id);
    &MODES[..at.unwrap_or(0)]
}

/// Whether one mode is no wider than another.
pub(crate) fn is_within(mode: &Mode, other: &Mode) -> bool {
    let rank = |wanted: &Mode| MODES.iter().position(|mode| mode.id == wanted.id);
    rank(mode) <= rank(other)
}

/// Whether a mode asks at least as often as none does.
pub(crate) fn asks(mode: &Mode) -> bool {
    let asking = MODES.iter().find(|known| known.id == "ask");
    asking.is_some_and(|asking| is_within(mode, asking))
}

/// Whether a field restricts an agent.
pub(crate) fn is_guard(field: &str) -> bool {
    GUARDS.iter().any(|guard| guard.name() == field)
}

/// The nearest accepted word: the same, else the next lower one, else the next higher one.
pub(crate) fn effort<'a>(word: &str, taken: &'a [String]) -> Option<&'a str> {
    let rank = |word: &str| EFFORTS.iter().position(|known| *known == word);
    let wanted = rank(word)?;
    let known = || taken.iter().filter_map(|word| Some((rank(word)?, &**word)));
    let lower = known().filter(|(at, _)| *at <= wanted).max_by_key(|(at, _)| *at);
    let nearest = lower.or_else(|| known().min_by_key(|(at, _)| *at));
    nearest.map(|(_, word)| word)
}

/// A model in the words of a dialect.
#[derive(Debug, PartialEq)]
pub(crate) struct Named {
    pub(crate) model: String,
    pub(crate) provider: Option<&'static str>,
    /// Whether it is in the table; otherwise it is the same model by its own name.
    pub(crate) by_table: bool,
}

/// A dialect's name for a model of another; none if it has no name for it.
pub(crate) fn model(from: &str, model: &str, to: &str) -> Option<Named> {
    let of = |row: &[(&'static str, &'static str)], dialect: &str| {
        row.iter()
            .find(|(known, _)| *known == dialect)
            .map(|(_, name)| *name)
    };
    let form = FORMS.iter().find(|form| form.dialect == to)?;
    let row = MODELS.iter().find(|row| of(row, from) == Some(model));
    if let Some(name) = row.and_then(|row| of(row, to)) {
        return Some(Named {
            model: name.to_owned(),
            provider: provider(name).filter(|_| form.style == Style::Pair),
            by_table: true,
        });
    }
    let bare = model.rsplit_once('/').map_or(model, |(_, bare)| bare);
    let provider = provider(bare)?;
    let taken = form.takes.is_empty() || form.takes.contains(&provider);
    // A name of the dialect's own, like one with a dot for a hyphen, has no meaning for others.
    if !taken || form.style == Style::Named || !is_plain(bare) || is_named(from) {
        return None;
    }
    Some(Named {
        model: match form.style {
            Style::Provider => format!("{provider}/{bare}"),
            _ => bare.to_owned(),
        },
        provider: (form.style == Style::Pair).then_some(provider),
        by_table: false,
    })
}

/// Whether a dialect reads `inherit` as the parent's model.
pub(crate) fn knows_inherit(dialect: &str) -> bool {
    FORMS.iter().any(|form| form.dialect == dialect && form.inherit)
}

fn is_named(dialect: &str) -> bool {
    FORMS
        .iter()
        .any(|form| form.dialect == dialect && form.style == Style::Named)
}

fn is_plain(name: &str) -> bool {
    name.chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_'))
}

/// The providers whose models a dialect can run; empty for all of them.
pub(crate) fn providers_of(dialect: &str) -> &'static [&'static str] {
    let form = FORMS.iter().find(|form| form.dialect == dialect);
    form.map_or(&[], |form| form.takes)
}

/// Whether a dialect reads names of models with the provider only.
pub(crate) fn needs_provider(dialect: &str) -> bool {
    let mut forms = FORMS.iter();
    forms.any(|form| form.dialect == dialect && form.style == Style::Provider)
}

/// Whether a provider is known.
pub(crate) fn is_provider(name: &str) -> bool {
    PROVIDERS.iter().any(|(_, provider)| *provider == name)
}

/// The provider of a model with this name.
pub(crate) fn provider(name: &str) -> Option<&'static str> {
    let known = PROVIDERS
        .iter()
        .find(|(beginning, _)| name.starts_with(beginning));
    known.map(|(_, provider)| *provider)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn models_are_converted() {
        let named = |from, name, to| model(from, name, to).map(|named| named.model);
        assert_eq!(
            named("claude-code", "opus", "opencode").as_deref(),
            Some("anthropic/claude-opus-4-8")
        );
        assert_eq!(
            named("opencode", "anthropic/claude-x-1", "claude-code").as_deref(),
            Some("claude-x-1")
        );
        assert_eq!(named("claude-code", "claude-x-1", "codex"), None);
        assert_eq!(named("copilot", "claude-x.1", "claude-code"), None);
        assert_eq!(named("kode", "quick", "neovate").as_deref(), Some("haiku"));
    }

    #[test]
    fn efforts_and_modes_are_converted() {
        let taken = ["low", "medium", "high"].map(ToString::to_string);
        assert_eq!(effort("max", &taken), Some("high"));
        assert_eq!(effort("none", &taken), Some("low"));
        assert_eq!(effort("much", &taken), None);
        let mode = mode("claude-code", "auto").expect("it is a mode");
        assert!(!mode.reads_only && narrower(mode).iter().all(|other| is_within(other, mode)));
    }
}
