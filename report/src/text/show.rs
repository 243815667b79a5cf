//! All details of one agent.

use callsheet_contract::documents::{Dialect, Outline};
use callsheet_contract::types::{Agent, ModelChoice, ToolFilter};

use super::built;
use super::cell::{clean, clean_lines, wrap};
use super::check::plural;
use super::entry::{model, rule, tools, whereabouts};
use super::graph;
use super::look::Look;
use crate::report::Shown;
use crate::words;

const LINES_OF_PROMPT: usize = 10;
const MARGIN: usize = 18;

/// One agent; `rules` are its dialect's, for the defaults. The prompt is cut unless `whole` is set.
pub fn show(look: &Look, shown: &Shown, rules: &Dialect, whole: bool) -> String {
    let agent = &shown.agent;
    let mut sheet = Sheet {
        look,
        out: String::new(),
    };
    sheet.out.push_str(&format!(
        "{} ({})\n",
        look.heading(clean(&agent.name)),
        shown.dialect
    ));
    for line in wrap(&clean(&agent.description), look.width.saturating_sub(2)) {
        sheet.out.push_str(&format!("  {line}\n"));
    }
    sheet.out.push('\n');
    provenance(&mut sheet, shown);
    rights(&mut sheet, agent, rules);
    settings(&mut sheet, agent);
    users(&mut sheet, shown);
    if let Some(document) = &shown.document {
        sheet.state("body", outline(&document.outline));
    }
    unknown(&mut sheet, agent);
    examples(&mut sheet, agent);
    prompt(&mut sheet, &agent.system_prompt, whole);
    sheet.out
}

struct Sheet<'a> {
    look: &'a Look,
    out: String,
}

impl Sheet<'_> {
    /// A line or several, if there is a value.
    fn state(&mut self, title: &str, text: Option<impl AsRef<str>>) {
        let Some(text) = text else { return };
        let lines = wrap(&clean(text.as_ref()), self.look.width.saturating_sub(MARGIN));
        for (number, line) in lines.iter().enumerate() {
            let title = if number == 0 { title } else { "" };
            let head = format!("  {title:<width$}", width = MARGIN - 2);
            self.out.push_str(&format!("{}{line}\n", self.look.faint(head)));
        }
    }

    fn section(&mut self, title: &str) {
        self.out.push_str(&format!("\n  {}\n", self.look.heading(title)));
    }
}

fn provenance(sheet: &mut Sheet<'_>, shown: &Shown) {
    let origin = &shown.agent.origin;
    let line = shown.line.map(|line| format!(":{line}")).unwrap_or_default();
    sheet.state("from", Some(format!("{}{line}", whereabouts(origin))));
    if origin.path.is_some() {
        sheet.state(
            "source",
            Some(format!("{}, {}", words::level(origin.level), origin.source)),
        );
    }
    if let Some(origins) = &shown.origins {
        sheet.state("compiled from", Some(&origins.source));
        for line in built::origins(origins) {
            sheet.state("", Some(line));
        }
    }
    if !shown.also.is_empty() {
        let dialects = shown.also.join(", ");
        sheet.state(
            "also in",
            Some(format!("{dialects} (`--as DIALECT` shows that one)")),
        );
    }
    if let Some(document) = shown
        .document
        .as_ref()
        .filter(|document| !document.diagnostics.is_empty())
    {
        let remarks = plural(document.diagnostics.len(), "finding");
        sheet.state(
            "check",
            Some(format!(
                "{remarks}: see `callsheet check {}`",
                whereabouts(origin)
            )),
        );
    }
}

/// The most users in the output.
const USERS: usize = 10;

fn users(sheet: &mut Sheet<'_>, shown: &Shown) {
    let first = shown.users.iter().take(USERS);
    for (number, user) in first.enumerate() {
        let title = if number == 0 { "used by" } else { "" };
        sheet.state(title, Some(graph::user(user)));
    }
    if let Some(more @ 1..) = shown.users.len().checked_sub(USERS) {
        let name = &shown.agent.name;
        sheet.state(
            "",
            Some(format!("and {more} more: `callsheet why {name}` lists all")),
        );
    }
}

fn rights(sheet: &mut Sheet<'_>, agent: &Agent, rules: &Dialect) {
    let stated = match &agent.tools {
        ToolFilter::Absent => without(rules, "tools"),
        ToolFilter::Null => "the field has no value".to_owned(),
        filter => tools(filter),
    };
    sheet.state("tools", Some(stated));
    sheet.state(
        "denied tools",
        list(&agent.denied_tools.iter().map(rule).collect::<Vec<_>>()),
    );
    if let Some(patterns) = &agent.allowed_commands {
        sheet.state(
            "commands",
            Some(list(patterns).unwrap_or_else(|| "none".to_owned())),
        );
    }
    let chosen = match &agent.model {
        ModelChoice::Absent => without(rules, "model"),
        ModelChoice::Inherit => "inherit: the parent's".to_owned(),
        ModelChoice::Alias(name) => format!("{name} (an alias)"),
        ModelChoice::Id(_) => model(&agent.model),
    };
    sheet.state("model", Some(chosen));
}

fn settings(sheet: &mut Sheet<'_>, agent: &Agent) {
    sheet.state("model name", agent.model_name.as_ref());
    sheet.state("provider", agent.provider.as_ref());
    sheet.state("effort", agent.effort.as_ref());
    sheet.state(
        "longest answer",
        agent.max_tokens.map(|tokens| format!("{tokens} tokens")),
    );
    sheet.state(
        "thinking",
        agent.thinking_budget.map(|tokens| format!("{tokens} tokens")),
    );
    sheet.state(
        "turns",
        agent.limits.turns.map(|turns| format!("at most {turns}")),
    );
    sheet.state("permission mode", agent.permission_mode.as_ref());
    sheet.state(
        "fork context",
        agent.fork_context.map(|fork| if fork { "yes" } else { "no" }),
    );
    sheet.state("context", agent.context.as_ref());
    sheet.state("color", agent.color.as_ref());
    sheet.state("skills", list(&agent.skills));
    let inert = |names: &[String]| list(names).map(|names| format!("{names} (inert until allowed)"));
    sheet.state("hooks", inert(&agent.hooks));
    sheet.state("MCP servers", inert(&agent.mcp_servers));
    if let Some(endpoint) = &agent.endpoint {
        let named = [&endpoint.base_url, &endpoint.api_key_variable]
            .into_iter()
            .flatten()
            .cloned();
        sheet.state("endpoint", inert(&named.collect::<Vec<_>>()));
    }
}

fn unknown(sheet: &mut Sheet<'_>, agent: &Agent) {
    let mut unknown = agent
        .fields
        .iter()
        .filter(|field| field.canonical.is_none())
        .peekable();
    if unknown.peek().is_some() {
        sheet.section("Unknown fields");
    }
    for field in unknown {
        for line in clean_lines(&format!("{}: {}", field.key, field.value))
            .trim_end()
            .lines()
        {
            sheet.out.push_str(&format!("  {line}\n"));
        }
    }
}

fn examples(sheet: &mut Sheet<'_>, agent: &Agent) {
    for (number, example) in agent.examples.iter().enumerate() {
        sheet.section(&format!("Example {}", number + 1));
        for line in clean_lines(example).lines() {
            sheet.out.push_str(&format!("  {line}\n"));
        }
    }
}

fn prompt(sheet: &mut Sheet<'_>, prompt: &str, whole: bool) {
    let prompt = clean_lines(prompt);
    let lines: Vec<&str> = prompt.lines().collect();
    let kept = if whole {
        lines.len()
    } else {
        lines.len().min(LINES_OF_PROMPT)
    };
    sheet.section(if lines.is_empty() {
        "No system prompt"
    } else {
        "System prompt"
    });
    for line in &lines[..kept] {
        sheet.out.push_str(format!("  {line}").trim_end());
        sheet.out.push('\n');
    }
    if kept < lines.len() {
        let more = plural(lines.len() - kept, "more line");
        sheet.out.push_str(&format!(
            "  {}\n",
            sheet.look.faint(format!("… {more}: `--prompt` shows them"))
        ));
    }
}

fn without(rules: &Dialect, key: &str) -> String {
    let default = rules
        .keys
        .iter()
        .find(|known| known.canonical == key)
        .map(|known| known.default.as_str());
    match default {
        Some(default) if !default.is_empty() => format!("default: {default}"),
        _ => "not set".to_owned(),
    }
}

fn list(items: &[String]) -> Option<String> {
    if items.is_empty() {
        None
    } else {
        Some(items.join(", "))
    }
}

/// The structure of the body's Markdown; none if there is none.
fn outline(outline: &Outline) -> Option<String> {
    let counts = [
        (outline.headings.len(), "heading"),
        (outline.code_blocks.len(), "code block"),
        (outline.links.len(), "link"),
        (outline.examples.len(), "example"),
    ];
    let some: Vec<String> = counts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| plural(*number, noun))
        .collect();
    list(&some)
}
