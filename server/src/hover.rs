//! What is written at a place.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use callsheet_contract::documents::{Fate, Held, Seen, TokenKind};
use callsheet_contract::projects::{Edge, NodeKind};
use callsheet_contract::types::{Agent, Field, Kind};
use callsheet_report::pages::Page;
use callsheet_report::text::noun;
use gen_lsp_types::{Hover, HoverParams, MarkupContent, MarkupKind};

use super::annotations;
use super::lines::Lines;
use super::marks;
use super::spot::{Refused, Spot, edge_at, failed, parsed};
use super::state::State;

/// What is wrong there, what is named there, and what tools make of the field.
pub(super) fn hover(state: &mut State, params: HoverParams) -> Result<Option<Hover>, Refused> {
    let Some(spot) = Spot::of(state, &params.text_document_position_params) else {
        return Ok(None);
    };
    let mut parts = rules(state, &spot);
    let edge = edge_at(state, &spot)?;
    let mut range = edge.as_ref().map(|edge| marks::bytes(&edge.place.span));
    let named = edge.map(|edge| named(state, &spot.path, &edge)).transpose()?;
    if let Some(text) = named.flatten() {
        parts.push(text);
    } else if let Some((agent, field)) = field_at(state, &spot)? {
        range = Some(marks::bytes(&field.key_span));
        let tool = tool_at(state, &spot)?;
        range = tool.as_ref().map(|(span, _)| span.clone()).or(range);
        parts.extend(tool.map(|(_, text)| text));
        parts.push(read_by(state, &spot, &agent, &field)?);
    }
    let lines = Lines::new(&spot.bytes, state.client.encoding);
    Ok((!parts.is_empty()).then(|| Hover {
        contents: MarkupContent {
            kind: MarkupKind::Markdown,
            value: parts.join("\n\n---\n\n"),
        }
        .into(),
        range: range.map(|range| lines.range(range)),
    }))
}

/// The first lines of the pages of the rules that report this place.
fn rules(state: &mut State, spot: &Spot) -> Vec<String> {
    let findings = state.root(&spot.path).findings(&spot.path);
    let here = findings
        .iter()
        .map(|finding| &finding.diagnostic)
        .filter(|found| {
            let span = marks::bytes(&found.primary.place.span);
            span.contains(&spot.offset) || span.start == spot.offset
        });
    let rules: BTreeSet<&str> = here.map(|found| &*found.rule).collect();
    let page = |rule: &&str| {
        let text = Page::of(rule).text;
        let first: Vec<&str> = text.splitn(3, "\n\n").take(2).collect();
        (!text.is_empty()).then(|| format!("**{rule}**: {}", first.join("\n\n")))
    };
    rules.iter().filter_map(page).collect()
}

/// The kind and the file of what is named, and what it says of itself.
fn named(state: &mut State, from: &Path, edge: &Edge) -> Result<Option<String>, Refused> {
    let Some(target) = edge.target else {
        return Ok(None);
    };
    let root = state.root(from);
    let node = root.graph().map_err(failed)?.nodes[target as usize].clone();
    let kind = match node.kind {
        NodeKind::Agent => "agent",
        NodeKind::Skill => "skill",
        NodeKind::Command => "command",
        NodeKind::Server => "MCP server",
        NodeKind::Plugin => "plugin",
        NodeKind::File => "file",
    };
    let mut text = format!("{kind} `{}`", node.name);
    let Some(path) = node.path else {
        return Ok(Some(text));
    };
    let shown = path
        .strip_prefix(&*root.directory.to_string_lossy())
        .unwrap_or(&path);
    let _ = write!(text, " in `{}`", shown.trim_start_matches('/'));
    if let (NodeKind::Agent | NodeKind::Skill | NodeKind::Command, Some(path)) =
        (node.kind, root.system_path(&path))
        && let Some(agent) = parsed(state, &path)?.and_then(|parsed| parsed.agent)
    {
        let _ = write!(text, "\n\n{}", agent.description.trim());
    }
    Ok(Some(text))
}

/// The field of the frontmatter at a place.
fn field_at(state: &mut State, spot: &Spot) -> Result<Option<(Agent, Field)>, Refused> {
    let Some(agent) = parsed(state, &spot.path)?.and_then(|parsed| parsed.agent) else {
        return Ok(None);
    };
    let is_here = |field: &&Field| {
        field.key_span.start as usize <= spot.offset && spot.offset <= field.value_span.end as usize
    };
    let field = agent.fields.iter().find(is_here).cloned();
    Ok(field.map(|field| (agent, field)))
}

/// The place of a tool's name, and what it is for.
fn tool_at(state: &mut State, spot: &Spot) -> Result<Option<(Range<usize>, String)>, Refused> {
    let shown = annotations::of_file(state, &spot.path, &spot.bytes)?;
    let mut tokens = shown.into_iter().flat_map(|shown| shown.tokens);
    let tool = tokens.find(|token| {
        let span = marks::bytes(&token.span);
        token.kind == TokenKind::Tool && span.start <= spot.offset && spot.offset <= span.end
    });
    let tool = tool.filter(|tool| !tool.rights.is_empty());
    Ok(tool.map(|tool| {
        let span = marks::bytes(&tool.span);
        let name = String::from_utf8_lossy(&spot.bytes[span.clone()]);
        let text = format!("`{name}`: a tool to {}", tool.rights);
        (span, text)
    }))
}

/// What the measured releases make of a field.
fn read_by(state: &mut State, spot: &Spot, agent: &Agent, field: &Field) -> Result<String, Refused> {
    let root = state.root(&spot.path);
    let file = root
        .known(&spot.path)
        .expect("an agent is in a known file")
        .clone();
    let dialect = &agent.origin.dialect;
    let mut text = format!("`{}`", field.key);
    let dialects = root.folder.dialects(file.kind);
    let dialects = dialects.map_err(failed)?;
    if let Some(owner) = dialects.iter().find(|known| known.id == *dialect) {
        let key = owner
            .keys
            .iter()
            .find(|key| field.canonical.as_ref() == Some(&key.canonical));
        match key {
            None => {
                let _ = write!(text, ": {} does not read it in {}s", owner.title, noun(file.kind));
            }
            Some(key) => {
                let _ = write!(text, ": read by {}", owner.title);
                if key.required {
                    text.push_str(", required");
                }
                if !key.default.is_empty() {
                    let _ = write!(text, ", default: {}", key.default);
                }
                if !key.values.is_empty() {
                    let _ = write!(text, ", one of {}", key.values.join(", "));
                }
            }
        }
    }
    // Only agents were measured.
    if file.kind != Kind::Agent {
        return Ok(text);
    }
    let seen = root.folder.readings(&file.path, &spot.bytes);
    let seen = seen.map_err(failed)?;
    let canonical = field.canonical.as_deref().unwrap_or_default();
    let mut others = BTreeMap::<String, Vec<&str>>::new();
    for seen in &seen {
        if let Some(difference) = difference(seen, canonical) {
            others.entry(difference).or_default().push(&seen.reader);
        }
    }
    if !others.is_empty() {
        text.push_str("\n\nOther releases that read this folder:\n");
        for (difference, readers) in others {
            let _ = write!(text, "\n- {}: {difference}", readers.join(", "));
        }
    }
    Ok(text)
}

/// How a release differs from the dialect of the file in this field, or drops the file.
fn difference(seen: &Seen, field: &str) -> Option<String> {
    let value = match seen.fate {
        Fate::NotLookedAt | Fate::Loads => return None,
        Fate::Dropped => format!("the file does not load ({})", seen.reason),
        Fate::LoadsDifferently if seen.differs.iter().any(|differs| differs == field) => {
            let agent = seen.agent.as_ref()?;
            let shown = |held: &Held| format!("`{}`", held.value.replace('`', "'"));
            match field {
                "name" => shown(&agent.name),
                "description" => shown(&agent.description),
                "model" => agent.model.as_ref().map_or("no model".to_owned(), shown),
                _ => "other tools".to_owned(),
            }
        }
        Fate::LoadsDifferently => return None,
    };
    Some(value)
}
