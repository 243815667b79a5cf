//! What to start from.

use callsheet::documents::DialectTool;

/// An agent to start from, whatever dialect it will be written in.
pub(super) struct Template {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// What its tools may do, as dialects put it.
    may: &'static str,
    pub(super) prompt: &'static str,
}

const FILES: [(&str, &str); 4] = [
    ("researcher", include_str!("templates/researcher.md")),
    ("reviewer", include_str!("templates/reviewer.md")),
    ("tester", include_str!("templates/tester.md")),
    ("writer", include_str!("templates/writer.md")),
];

/// All of them, sorted by name.
pub(super) fn templates() -> impl Iterator<Item = Template> {
    FILES
        .into_iter()
        .map(|(name, text)| parse(name, text).expect("a test reads them all"))
}

fn parse(name: &'static str, text: &'static str) -> Option<Template> {
    let (description, rest) = text.strip_prefix("---\ndescription: ")?.split_once("\nmay: ")?;
    let (may, prompt) = rest.split_once("\n---\n\n")?;
    Some(Template {
        name,
        description,
        may,
        prompt,
    })
}

impl Template {
    /// Those tools of a dialect that may do nothing but what the template needs.
    pub(super) fn tools(&self, tools: &[DialectTool]) -> Vec<String> {
        let wanted: Vec<&str> = self.may.split(", ").collect();
        let fits =
            |tool: &&DialectTool| !tool.may.is_empty() && tool.may.iter().all(|it| wanted.contains(&&**it));
        // One tool for each thing is enough.
        let (mut chosen, mut can) = (Vec::new(), Vec::new());
        for tool in tools.iter().filter(fits) {
            if tool.may.iter().any(|it| !can.contains(it)) {
                can.extend(tool.may.iter().cloned());
                chosen.push(tool.name.clone());
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_can_be_read() {
        assert_eq!(templates().count(), FILES.len());
        assert!(templates().all(|it| it.prompt.starts_with("You ") && it.prompt.ends_with('\n')));
    }

    #[test]
    fn tools_that_may_do_more_are_left_out() {
        let tool = |name: &str, may: &[&str]| DialectTool {
            name: name.to_owned(),
            may: may.iter().map(|it| (*it).to_owned()).collect(),
            rights: Vec::new(),
        };
        let tools = [
            tool("Shell", &["run commands"]),
            tool("Read", &["read files"]),
            tool("View", &["read files"]),
            tool("Editor", &["read files", "edit files"]),
            tool("Think", &[]),
        ];
        let reviewer = templates().find(|it| it.name == "reviewer").unwrap();
        assert_eq!(reviewer.tools(&tools), ["Read"]);
    }
}
