//! Replaces the prompt in a body.

use alloc::format;
use alloc::vec::Vec;

use super::Refusal;
use super::page::Page;
use super::render::prompt_refusals;
use crate::diagnostic::Edit;
use crate::dialect::Dialect;
use crate::span::Span;

/// The edit, if one is needed. If the dialect trims, the whitespace around the old prompt is kept; its line ends follow the closing
/// fence. Fails if the dialect does not load such a prompt.
pub(super) fn edit(page: &Page<'_>, dialect: &Dialect, prompt: &str) -> Result<Option<Edit>, Vec<Refusal>> {
    let refusals = prompt_refusals(prompt, dialect);
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let fence_end = page.newline_before(page.body.start.index());
    let (newline, body) = (fence_end.unwrap_or(page.newline()), page.body.of(page.text));
    let lines = |text: &str| text.replace("\r\n", "\n").replace('\n', newline);
    let (old, mut text) = if dialect.body.trim {
        let old = body.trim();
        let start = page.body.start.index() + (body.len() - body.trim_start().len());
        match (old.is_empty(), prompt.trim()) {
            (true, "") => return Ok(None),
            (true, prompt) => (page.body, format!("{newline}{}{newline}", lines(prompt))),
            (false, prompt) => (Span::new(start, start + old.len()), lines(prompt)),
        }
    } else {
        (page.body, lines(prompt))
    };
    if old.of(page.text) == text {
        return Ok(None);
    }
    if fence_end.is_none() {
        // The closing fence is the last line.
        text.insert_str(0, newline);
    }
    Ok(Some(Edit { span: old, text }))
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::super::unchanged::edited;
    use super::super::{EditError, edit};
    use crate::dialect::Dialects;

    fn prompted(dialect: &str, text: &str, prompt: &str) -> Result<String, EditError> {
        let dialects = Dialects::embedded();
        let dialect = dialects.get(dialect).expect("it is built in");
        edit(text.as_bytes(), dialect, &[], Some(prompt)).map(|edits| edited(text, &edits))
    }

    #[track_caller]
    fn check(before: &str, prompt: &str, after: &str) {
        let file = |body: &str| ["---\nname: a # it\ndescription: D\n---", body].concat();
        for newline in ["\n", "\r\n"] {
            let [before, after] = [before, after].map(|body| file(body).replace('\n', newline));
            assert_eq!(prompted("claude-code", &before, prompt).as_deref(), Ok(&*after));
            assert_eq!(
                prompted("claude-code", &after, prompt),
                Ok(after),
                "once is enough"
            );
        }
    }

    #[test]
    fn whitespace_around_a_prompt_is_kept() {
        check("\n\n\nOld.\n\n\n", "New.\nMore.\r\n", "\n\n\nNew.\nMore.\n\n\n");
        check("\nOld.", "New.\n", "\nNew.");
        check("\n", "New.", "\n\nNew.\n");
        check("", "New.", "\n\nNew.\n");
        check("\nOld.\n", "", "\n\n");
        check("\nOld.\n", "\n---\nname: b\n---\n", "\n---\nname: b\n---\n");
    }

    #[test]
    fn an_untrimmed_prompt_is_replaced_whole() {
        let after = prompted("kodelet", "---\nname: a\n---\nOld.\n\n", "New.\n");
        assert_eq!(after.as_deref(), Ok("---\nname: a\n---\nNew.\n"));
        // Together with a line feed, this fence would end otherwise.
        let after = prompted("kodelet", "---\nname: a\n---\rOld.", "\nNew.\n");
        assert_eq!(after.as_deref(), Ok("---\nname: a\n---\r\rNew.\r"));
    }

    #[test]
    fn a_prompt_that_would_not_load_is_refused() {
        let text = "---\nname: a\ndescription: D\n---\nOld prompt.\n";
        for (dialect, prompt, why) in [
            ("neovate", " \n", "neovate needs a prompt"),
            (
                "qwen-code",
                "Short.",
                "the prompt has 6 characters; qwen-code accepts at least 10",
            ),
        ] {
            match prompted(dialect, text, prompt) {
                Err(EditError::Refused(refusals)) => assert_eq!(refusals[0].reason, why),
                other => panic!("{other:?}"),
            }
        }
    }
}
