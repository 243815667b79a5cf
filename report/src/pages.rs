//! The pages of the rules: the component leaves them out to be small.

/// A section for each rule: its page and its evidence.
const SECTIONS: &str = include_str!("../docs/rules.md");

const EVIDENCE: &str = "\n\nEvidence: ";

/// The address of the documentation site, which ends with a slash; a release is built with it.
const SITE: Option<&str> = if cfg!(test) {
    Some("https://docs.test/")
} else {
    option_env!("CALLSHEET_SITE")
};

/// The address of a rule's page; none in a program that was built without a site.
pub fn address(rule: &str) -> Option<String> {
    SITE.map(|site| format!("{site}rules/{rule}/"))
}

/// The documentation of a rule; none for a rule that only another build of the component has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Markdown: a summary line, a blank line, and the rest.
    pub text: &'static str,
    /// The reader or document that it is based on.
    pub evidence: &'static str,
}

impl Page {
    /// The page of the rule of this name.
    pub fn of(rule: &str) -> Self {
        let sections = SECTIONS.split("\n## ").skip(1);
        let section = sections
            .filter_map(|section| section.split_once("\n\n"))
            .find(|(name, _)| *name == rule);
        let parts = section.and_then(|(_, section)| section.trim_end().rsplit_once(EVIDENCE));
        parts.map_or(Self::default(), |(text, evidence)| Self {
            text,
            evidence: evidence.trim_end_matches('.'),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_text_and_evidence() {
        let page = Page::of("unquoted-value");
        assert!(page.text.starts_with("A value that must be quoted.\n\n"));
        assert!(page.text.ends_with("```"));
        assert!(page.evidence.starts_with("61 of the 66"));
        assert_eq!(Page::of("no-such-rule"), Page::default());
    }
}
