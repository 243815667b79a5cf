//! A conversation as one HTML page, without scripts and without anything from elsewhere.

use std::fmt::{Display, Write as _};

use super::Conversation;
use super::markdown::tool;
use crate::conversation::{Message, Role};
use crate::output::live;
use crate::output::markup::{self, escaped};
use crate::output::text::{clean, clean_lines};

const STYLE: &str = "\
dl { display: grid; grid-template-columns: max-content 1fr; gap: .125rem 1rem; margin: 1rem 0 2rem; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
article { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: .75rem 1rem; }
article.user { background: var(--user); }
article.error summary b { color: var(--bad); }
article > pre.text { font: inherit; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary span { color: var(--faint); }
";

/// The page.
pub fn html(conversation: &Conversation) -> String {
    let session = &conversation.session;
    let about = session.about.as_ref();
    let title = about.map(|about| shown(&about.task));
    let title = title.filter(|title| !title.is_empty());
    let title = title.unwrap_or_else(|| shown(&session.id));
    let mut out = markup::head(&title, STYLE);
    out.push_str("<dl>\n");
    write_facts(&mut out, conversation);
    out.push_str("</dl>\n<main>\n");
    let agent = about.map(|about| shown(&about.agent)).unwrap_or_default();
    for message in &conversation.messages {
        write_message(&mut out, message, &agent, &conversation.messages);
    }
    // Sessions of earlier versions kept only the answer.
    if let Some(stopped) = &conversation.stopped
        && (conversation.messages.is_empty() || session.state != "finished")
    {
        let heading = shown(session.state);
        let _ = write!(
            out,
            "<article>\n<h2>{heading}</h2>\n{}</article>\n",
            text(stopped)
        );
    }
    out.push_str("</main>\n");
    out.push_str(markup::END);
    out
}

fn write_facts(out: &mut String, conversation: &Conversation) {
    let session = &conversation.session;
    let mut fact = |name: &str, value: &dyn Display| {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{value}</dd>");
    };
    if let Some(about) = &session.about {
        let agent = format!("{} ({})", shown(&about.agent), shown(&about.dialect));
        fact("Agent", &agent);
        fact("Project", &shown(&about.project.to_string_lossy()));
    }
    fact("Session", &format!("{} ({})", shown(&session.id), session.state));
    let status = &session.status;
    fact("Turns", &status.turns);
    fact("Tokens", &status.tokens);
    if status.cost > 0 {
        fact("Cost", &live::amount(status.cost));
    }
    let agents = live::by_agent(&session.agents);
    let agents: Vec<String> = agents.iter().map(|line| shown(line)).collect();
    if !agents.is_empty() {
        fact("By agent", &agents.join("<br>"));
    }
}

fn write_message(out: &mut String, message: &Message, agent: &str, all: &[Message]) {
    let (class, heading) = match message.role {
        Role::System => ("system", "System prompt".to_owned()),
        Role::User => ("user", "User".to_owned()),
        Role::Assistant => ("agent", agent.to_owned()),
        Role::Tool if message.is_error => ("error", format!("Error of {}", shown(&tool(message, all)))),
        Role::Tool => ("tool", format!("Result of {}", shown(&tool(message, all)))),
    };
    let _ = writeln!(out, "<article class=\"{class}\">");
    let body = &message.text;
    match message.role {
        Role::System | Role::Tool => out.push_str(&folded(&format!("<b>{heading}</b>"), body)),
        Role::User | Role::Assistant => {
            let _ = writeln!(out, "<h2>{heading}</h2>");
            if !body.trim().is_empty() {
                out.push_str(&text(body));
            }
        }
    }
    for call in &message.calls {
        let name = shown(&call.name);
        out.push_str(&folded(&format!("Calls <b>{name}</b>"), &call.arguments));
    }
    out.push_str("</article>\n");
}

/// A text that is shown on demand, with its beginning.
fn folded(summary: &str, whole: &str) -> String {
    const BEGINNING: usize = 80;
    let whole = clean_lines(whole);
    let first = whole
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    let first = first.trim();
    let beginning = match first.char_indices().nth(BEGINNING) {
        Some((end, _)) => format!("{}…", &first[..end]),
        None => first.to_owned(),
    };
    format!(
        "<details>\n<summary>{summary} <span>{}</span></summary>\n<pre>{}</pre>\n</details>\n",
        escaped(&beginning),
        escaped(whole.trim_end())
    )
}

fn text(text: &str) -> String {
    format!(
        "<pre class=\"text\">{}</pre>\n",
        escaped(clean_lines(text).trim_end())
    )
}

/// On one line.
fn shown(text: &str) -> String {
    escaped(&clean(text))
}
