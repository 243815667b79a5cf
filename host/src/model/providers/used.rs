//! The tokens of an answer, as its provider counts them.

use genai::chat::Usage;

use crate::{Cached, Completion};

/// What an answer used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    pub(super) input: u32,
    pub(super) output: u32,
    pub(super) cached: Cached,
    /// Whether the provider says how much.
    pub(super) is_reported: bool,
}

impl Used {
    pub(super) fn of(usage: Option<&Usage>) -> Self {
        let Some(usage) = usage else {
            return Self::default();
        };
        let details = usage.prompt_tokens_details.as_ref();
        let cached = Cached {
            read: tokens(details.and_then(|details| details.cached_tokens)),
            written: tokens(details.and_then(|details| details.cache_creation_tokens)),
        };
        Self {
            // Some gateways do not count cached tokens as read.
            input: tokens(usage.prompt_tokens).max(cached.read.saturating_add(cached.written)),
            output: tokens(usage.completion_tokens),
            cached,
            is_reported: usage.prompt_tokens.or(usage.completion_tokens).is_some(),
        }
    }

    /// With an attempt that had no usable answer, but was counted by the provider.
    pub(super) fn add(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cached.read = self.cached.read.saturating_add(other.cached.read);
        self.cached.written = self.cached.written.saturating_add(other.cached.written);
    }

    /// Adds it to the answer that came in the end.
    pub(super) fn add_to(self, completion: &mut Completion) {
        let Completion { answer, cached } = completion;
        answer.input_tokens = answer.input_tokens.saturating_add(self.input);
        answer.output_tokens = answer.output_tokens.saturating_add(self.output);
        cached.read = cached.read.saturating_add(self.cached.read);
        cached.written = cached.written.saturating_add(self.cached.written);
    }
}

fn tokens(count: Option<i32>) -> u32 {
    count
        .and_then(|count| u32::try_from(count).ok())
        .unwrap_or_default()
}
