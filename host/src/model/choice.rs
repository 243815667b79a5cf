//! Models by name.

use crate::delegation::ModelChoice;

/// Reads `provider:name`. The name is everything after the first colon, as in `ollama:qwen3:8b`; without a colon there is no provider.
pub fn parse(text: &str) -> ModelChoice {
    let (provider, model) = match text.split_once(':') {
        Some(("", model)) => (None, model),
        Some((provider, model)) => (Some(provider.to_owned()), model),
        None => (None, text),
    };
    let model = model.to_owned();
    ModelChoice { provider, model }
}

/// The inverse of [`parse`].
pub fn name(provider: Option<&str>, model: &str) -> String {
    match provider {
        Some(provider) => format!("{provider}:{model}"),
        None => model.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_colon_ends_the_provider() {
        for (text, provider, model) in [
            ("anthropic:claude-sonnet", Some("anthropic"), "claude-sonnet"),
            ("ollama:qwen3:8b", Some("ollama"), "qwen3:8b"),
            ("replay:C:/demo.jsonl", Some("replay"), "C:/demo.jsonl"),
            ("sonnet", None, "sonnet"),
            (":sonnet", None, "sonnet"),
            ("ollama:", Some("ollama"), ""),
            ("", None, ""),
        ] {
            let choice = parse(text);
            assert_eq!(
                (choice.provider.as_deref(), &*choice.model),
                (provider, model),
                "{text}"
            );
        }
    }

    #[test]
    fn a_name_round_trips() {
        for text in ["anthropic:claude-sonnet", "ollama:qwen3:8b", "sonnet"] {
            let choice = parse(text);
            assert_eq!(name(choice.provider.as_deref(), &choice.model), text);
        }
    }
}
