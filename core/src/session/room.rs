//! Room in conversations: before one grows beyond what its model takes, results of earlier tool calls are left out.

use super::Session;
use super::conversation::{Message, ModelAnswer, Role};
use super::event::Happening;
use super::state::{Run, Size};

/// The last results that stay, unless they alone are too long: the model is working with them.
const KEPT: usize = 3;

/// The text in place of a result. It asks for no second call, which may have effects.
const LEFT_OUT: &str = "[This result was left out to shorten the conversation.]";

/// Bytes of a token, for an estimate that is rather too high: words have four to five, code has three to four.
const BYTES: u64 = 3;

impl Session {
    /// The first message that changed since the last request of an agent.
    pub(super) fn changed_from(&self, number: u32) -> Option<u32> {
        let size = self.state.sizes.iter().find(|size| size.run == number)?;
        size.changed_from
    }

    /// Takes note of the size of an agent's conversation, as its model counts it.
    pub(super) fn measure(&mut self, number: u32, answer: &ModelAnswer) {
        if self.state.settings.bounds.context.is_none() {
            return self.forget_size(number);
        }
        let known = self.state.run(number).map_or(0, |run| run.messages.len());
        let size = self.size(number);
        *size = Size {
            run: number,
            tokens: u64::from(answer.input_tokens) + u64::from(answer.output_tokens),
            // The answer is added next.
            messages: u32::try_from(known + 1).unwrap_or(u32::MAX),
            ..Size::default()
        };
    }

    /// Whether an agent can be asked again after its model refused a request as too long.
    pub(super) fn can_shorten(&mut self, number: u32) -> bool {
        let can = self
            .state
            .run_mut(number)
            .is_some_and(|run| earlier(run, 0).next().is_some());
        if can {
            self.size(number).refused = true;
        }
        can
    }

    /// Leaves out results if the next request of an agent is too long.
    pub(super) fn make_room(&mut self, number: u32) {
        let limit = self.state.settings.bounds.context;
        let (Some(run), Some(size)) = (
            self.state.run(number),
            self.state.sizes.iter().find(|size| size.run == number),
        ) else {
            return;
        };
        let is_full = size.refused || limit.is_some_and(|limit| estimate(size, &run.messages) > limit);
        let system = u32::from(!self.system(number, run).is_empty());
        let (mut left_out, mut first) = (0_u32, None);
        let refused = size.refused;
        if is_full && let Some(run) = self.state.run_mut(number) {
            let kept = if refused && earlier(run, KEPT).next().is_none() {
                0
            } else {
                KEPT
            };
            for (at, message) in earlier(run, kept) {
                message.text = LEFT_OUT.into();
                first.get_or_insert(at.saturating_add(system));
                left_out = left_out.saturating_add(1);
            }
        }
        let size = self.size(number);
        (size.refused, size.changed_from) = (false, first);
        if left_out > 0 {
            self.note(number, Happening::Compacted(left_out));
        }
    }

    pub(super) fn forget_size(&mut self, number: u32) {
        self.state.sizes.retain(|size| size.run != number);
    }

    fn size(&mut self, number: u32) -> &mut Size {
        let sizes = &mut self.state.sizes;
        let at = sizes.iter().position(|size| size.run == number);
        let at = at.unwrap_or_else(|| {
            sizes.push(Size {
                run: number,
                ..Size::default()
            });
            sizes.len() - 1
        });
        &mut sizes[at]
    }
}

/// Tokens of the next request.
fn estimate(size: &Size, messages: &[Message]) -> u64 {
    let new = messages.get(size.messages as usize..).unwrap_or_default();
    let bytes: u64 = new.iter().map(|message| message.text.len() as u64).sum();
    size.tokens.saturating_add(bytes / BYTES)
}

/// The results that may be left out, with their places: neither the last `kept` ones nor those that the model has not read yet.
fn earlier(run: &mut Run, kept: usize) -> impl Iterator<Item = (u32, &mut Message)> {
    let messages = &run.messages;
    let read = messages
        .iter()
        .rposition(|message| message.role == Role::Assistant);
    let mut results = messages
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, message)| message.role == Role::Tool);
    let end = match kept.checked_sub(1) {
        Some(others) => results.nth(others).map_or(0, |(at, _)| at),
        None => messages.len(),
    };
    let end = end.min(read.unwrap_or(0));
    let messages = (0_u32..).zip(&mut run.messages).take(end);
    messages.filter(|(_, message)| message.role == Role::Tool && message.text.len() > LEFT_OUT.len())
}
