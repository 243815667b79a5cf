//! Models that their providers no longer serve.

include!(concat!(env!("OUT_DIR"), "/retired_models.rs"));

/// A model that its provider no longer serves.
#[derive(Debug)]
pub struct RetiredModel {
    /// The prefix of its names.
    pub begins: &'static str,
    /// The retirement date.
    pub since: &'static str,
    /// The replacement by the provider, or of the family.
    pub instead: &'static str,
}

/// The retired model of this name, without its provider's prefix.
pub fn retired_model(name: &str) -> Option<&'static RetiredModel> {
    let own = name.rsplit_once('/').map_or(name, |(_, own)| own);
    RETIRED.iter().find(|model| {
        let rest = own.strip_prefix(model.begins);
        // `claude-opus-4-1` is not `claude-opus-4-10`.
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retired_models_are_found_in_every_spelling() {
        assert!(retired_model("claude-3-5-sonnet-20241022").is_some());
        assert!(retired_model("anthropic/claude-3-5-sonnet-latest").is_some());
        assert!(retired_model("claude-sonnet-4-20250514").is_some());
        assert!(retired_model("claude-sonnet-4-6").is_none());
        assert!(retired_model("claude-opus-4-10").is_none());
    }
}
