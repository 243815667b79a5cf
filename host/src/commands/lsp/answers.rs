//! The answers to the client's questions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use callsheet::documents::{Fate, Held, Seen, Word};
use callsheet::fix::Which;
use callsheet::output::pages::Page;
use callsheet::output::text::noun;
use callsheet::projects::{Edge, Exception, NodeKind};
use callsheet::types::{Agent, Field};
use gen_lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionRequest, CompletionItem, CompletionItemKind,
    CompletionParams, CompletionRequest, Definition, DefinitionParams, DefinitionRequest,
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticRequest, DocumentLink,
    DocumentLinkParams, DocumentLinkRequest, DocumentSymbol, DocumentSymbolParams, DocumentSymbolRequest,
    FullDocumentDiagnosticReport, Hover, HoverParams, HoverRequest, Location, MarkupContent, MarkupKind,
    Position, Range, ReferenceParams, ReferencesRequest, RelatedFullDocumentDiagnosticReport, Request,
    SymbolKind, TextDocumentPositionParams, TextEdit, Uri,
};
use lsp_server::ErrorCode;
use serde_json::Value;

use super::lines::Lines;
use super::marks;
use super::state::State;
use crate::exit::Failure;

/// The kind of the action that applies every safe fix of a file.
pub(super) const FIX_ALL: &str = "source.fixAll.callsheet";

/// Why there is no answer: a code of the protocol, and a text.
pub(super) type Refused = (ErrorCode, String);

pub(super) fn failed(failure: Failure) -> Refused {
    (ErrorCode::RequestFailed, failure.message().to_owned())
}

/// An answer; `null` about a file that no tool reads.
pub(super) fn answer(state: &mut State, method: &str, params: Value) -> Result<Value, Refused> {
    let is = |known: gen_lsp_types::LspRequestMethod<'static>| known.as_str() == method;
    if is(HoverRequest::METHOD) {
        reply::<HoverRequest>(state, params, hover)
    } else if is(CompletionRequest::METHOD) {
        reply::<CompletionRequest>(state, params, completions)
    } else if is(DefinitionRequest::METHOD) {
        reply::<DefinitionRequest>(state, params, definition)
    } else if is(ReferencesRequest::METHOD) {
        reply::<ReferencesRequest>(state, params, references)
    } else if is(DocumentLinkRequest::METHOD) {
        reply::<DocumentLinkRequest>(state, params, links)
    } else if is(DocumentSymbolRequest::METHOD) {
        reply::<DocumentSymbolRequest>(state, params, symbols)
    } else if is(CodeActionRequest::METHOD) {
        reply::<CodeActionRequest>(state, params, actions)
    } else if is(DocumentDiagnosticRequest::METHOD) {
        reply::<DocumentDiagnosticRequest>(state, params, diagnostics)
    } else {
        Err((ErrorCode::MethodNotFound, format!("`{method}` is not supported")))
    }
}

fn reply<R: Request>(
    state: &mut State,
    params: Value,
    answer: fn(&mut State, R::Params) -> Result<R::Result, Refused>,
) -> Result<Value, Refused> {
    let params = serde_json::from_value(params).map_err(|error| {
        let reason = format!("the parameters of `{}` cannot be read: {error}", R::METHOD);
        (ErrorCode::InvalidParams, reason)
    })?;
    let answer = answer(state, params)?;
    Ok(serde_json::to_value(answer).expect("the protocol is JSON"))
}

/// A place in a file that some tool reads.
struct Spot {
    path: PathBuf,
    bytes: Vec<u8>,
    offset: usize,
}

impl Spot {
    fn of(state: &mut State, at: &TextDocumentPositionParams) -> Option<Self> {
        let path = known(state, &at.text_document.uri)?;
        let bytes = state.bytes(&path);
        let offset = Lines::new(&bytes, state.client.encoding).offset(at.position);
        Some(Self { path, bytes, offset })
    }
}

/// The path of a file that some tool reads.
fn known(state: &mut State, uri: &Uri) -> Option<PathBuf> {
    let path = State::path(uri)?;
    state.root(&path).known(&path)?;
    Some(path)
}

fn diagnostics(
    state: &mut State,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReport, Refused> {
    let path = State::path(&params.text_document.uri);
    let items = path
        .map(|path| marks::diagnostics(state, &path))
        .unwrap_or_default();
    Ok(RelatedFullDocumentDiagnosticReport {
        full_document_diagnostic_report: FullDocumentDiagnosticReport {
            result_id: None,
            items,
        },
        related_documents: None,
    }
    .into())
}

// What is written under the pointer.

/// What is wrong there, what is named there, and what tools make of the field.
fn hover(state: &mut State, params: HoverParams) -> Result<Option<Hover>, Refused> {
    let Some(spot) = Spot::of(state, &params.text_document_position_params) else {
        return Ok(None);
    };
    let mut parts = rules(state, &spot);
    let mut range = None;
    if let Some(edge) = edge_at(state, &spot)? {
        range = Some(marks::bytes(&edge.place.span));
        parts.extend(named(state, &spot.path, &edge)?);
    } else if let Some((agent, field)) = field_at(state, &spot)? {
        range = Some(marks::bytes(&field.key_span));
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

/// The reference at a place.
fn edge_at(state: &mut State, spot: &Spot) -> Result<Option<Edge>, Refused> {
    let edges = edges_of(state, &spot.path)?;
    Ok(edges.into_iter().find(|edge| {
        let span = marks::bytes(&edge.place.span);
        span.start <= spot.offset && spot.offset <= span.end
    }))
}

/// What a file names, by place.
fn edges_of(state: &mut State, path: &Path) -> Result<Vec<Edge>, Refused> {
    let root = state.root(path);
    let edges = root.graph().map_err(failed)?.edges.clone();
    let is_here = |edge: &Edge| root.system_path(&edge.place.path).as_deref() == Some(path);
    Ok(edges.into_iter().filter(is_here).collect())
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
        && let Some(agent) = agent(state, &path)?
    {
        let _ = write!(text, "\n\n{}", agent.description.trim());
    }
    Ok(Some(text))
}

/// The definition in a file.
fn agent(state: &mut State, path: &Path) -> Result<Option<Agent>, Refused> {
    let contents = state.bytes(path);
    let root = state.root(path);
    let Some(found) = root.found_as(path) else {
        return Ok(None);
    };
    let parsed = root.context.callsheet.parse_found(&found, &contents);
    let parsed = parsed.map_err(|error| failed(error.into()))?;
    Ok(parsed.agent)
}

/// The field of the frontmatter at a place.
fn field_at(state: &mut State, spot: &Spot) -> Result<Option<(Agent, Field)>, Refused> {
    let Some(agent) = agent(state, &spot.path)? else {
        return Ok(None);
    };
    let is_here = |field: &&Field| {
        field.key_span.start as usize <= spot.offset && spot.offset <= field.value_span.end as usize
    };
    let field = agent.fields.iter().find(is_here).cloned();
    Ok(field.map(|field| (agent, field)))
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
    let dialects = root.context.callsheet.dialects_for(file.kind);
    let dialects = dialects.map_err(|error| failed(error.into()))?;
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
    if file.kind != callsheet::types::Kind::Agent {
        return Ok(text);
    }
    let seen = root.context.callsheet.readings(&file.path, &spot.bytes);
    let seen = seen.map_err(|error| failed(error.into()))?;
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

/// The keys, values, tools and models that fit there.
fn completions(
    state: &mut State,
    params: CompletionParams,
) -> Result<<CompletionRequest as Request>::Result, Refused> {
    let Some(spot) = Spot::of(state, &params.text_document_position_params) else {
        return Ok(None);
    };
    let root = state.root(&spot.path);
    let Some(found) = root.found_as(&spot.path) else {
        return Ok(None);
    };
    let at = u32::try_from(spot.offset).unwrap_or(u32::MAX);
    let completions = root.context.callsheet.complete(&found, &spot.bytes, at);
    let completions = completions.map_err(|error| failed(error.into()))?;
    let lines = Lines::new(&spot.bytes, state.client.encoding);
    let range = lines.range(marks::bytes(&completions.span));
    let items = completions
        .words
        .into_iter()
        .enumerate()
        .map(|(number, word)| CompletionItem {
            label: word.word,
            kind: Some(match word.kind {
                Word::Key => CompletionItemKind::Property,
                Word::Value => CompletionItemKind::EnumMember,
                Word::Tool => CompletionItemKind::Function,
                Word::Model => CompletionItemKind::Constant,
            }),
            detail: (!word.detail.is_empty()).then_some(word.detail),
            // In the order of the component.
            sort_text: Some(format!("{number:04}")),
            text_edit: Some(
                TextEdit {
                    range,
                    new_text: word.text,
                }
                .into(),
            ),
            ..CompletionItem::default()
        });
    Ok(Some(items.collect::<Vec<_>>().into()))
}

// Where things are.

fn definition(
    state: &mut State,
    params: DefinitionParams,
) -> Result<<DefinitionRequest as Request>::Result, Refused> {
    let Some(spot) = Spot::of(state, &params.text_document_position_params) else {
        return Ok(None);
    };
    let Some(edge) = edge_at(state, &spot)? else {
        return Ok(None);
    };
    let target = target(state, &spot.path, &edge)?;
    let target = target.and_then(|path| state.uri(&path));
    Ok(target.map(|uri| {
        let range = Range::default();
        Definition::Location(Location { uri, range }).into()
    }))
}

/// The file that a reference leads to.
fn target(state: &mut State, from: &Path, edge: &Edge) -> Result<Option<PathBuf>, Refused> {
    let Some(target) = edge.target else {
        return Ok(None);
    };
    let root = state.root(from);
    let path = root.graph().map_err(failed)?.nodes[target as usize].path.clone();
    Ok(path.and_then(|path| root.system_path(&path)))
}

/// The places that name what is named here, or else what this file defines.
fn references(
    state: &mut State,
    params: ReferenceParams,
) -> Result<<ReferencesRequest as Request>::Result, Refused> {
    let Some(spot) = Spot::of(state, &params.text_document_position_params) else {
        return Ok(None);
    };
    let here = edge_at(state, &spot)?;
    let root = state.root(&spot.path);
    let graph = root.graph().map_err(failed)?.clone();
    let mut wanted: BTreeSet<u32> = here.and_then(|edge| edge.target).into_iter().collect();
    if wanted.is_empty() {
        for (number, node) in graph.nodes.iter().enumerate() {
            let path = node.path.as_ref().and_then(|path| root.system_path(path));
            if path.as_deref() == Some(&*spot.path) {
                wanted.extend(u32::try_from(number));
            }
        }
    }
    let mut locations = Vec::new();
    let edges = graph.edges.iter();
    for edge in edges.filter(|edge| edge.target.is_some_and(|target| wanted.contains(&target))) {
        let Some(path) = state.root(&spot.path).system_path(&edge.place.path) else {
            continue;
        };
        let bytes = state.bytes(&path);
        let lines = Lines::new(&bytes, state.client.encoding);
        let range = lines.range(marks::bytes(&edge.place.span));
        locations.extend(state.uri(&path).map(|uri| Location { uri, range }));
    }
    if params.context.include_declaration {
        for number in wanted {
            let path = graph.nodes[number as usize].path.as_ref();
            let path = path.and_then(|path| state.root(&spot.path).system_path(path));
            let uri = path.and_then(|path| state.uri(&path));
            let range = Range::default();
            locations.extend(uri.map(|uri| Location { uri, range }));
        }
    }
    Ok(Some(locations))
}

fn links(
    state: &mut State,
    params: DocumentLinkParams,
) -> Result<<DocumentLinkRequest as Request>::Result, Refused> {
    let Some(path) = known(state, &params.text_document.uri) else {
        return Ok(None);
    };
    let bytes = state.bytes(&path);
    let lines = Lines::new(&bytes, state.client.encoding);
    let mut links = Vec::new();
    for edge in edges_of(state, &path)? {
        let Some(target) = target(state, &path, &edge)? else {
            continue;
        };
        links.push(DocumentLink {
            range: lines.range(marks::bytes(&edge.place.span)),
            target: state.uri(&target),
            tooltip: None,
            data: None,
        });
    }
    Ok(Some(links))
}

/// The keys of the frontmatter and the headings.
fn symbols(
    state: &mut State,
    params: DocumentSymbolParams,
) -> Result<<DocumentSymbolRequest as Request>::Result, Refused> {
    let Some(path) = known(state, &params.text_document.uri) else {
        return Ok(None);
    };
    let Some(agent) = agent(state, &path)? else {
        return Ok(None);
    };
    let bytes = state.bytes(&path);
    let lines = Lines::new(&bytes, state.client.encoding);
    let keys = agent.fields.iter().map(|field| {
        let key = marks::bytes(&field.key_span);
        let value = marks::bytes(&field.value_span);
        symbol(
            &field.key,
            SymbolKind::Key,
            lines.range(key.start..value.end.max(key.end)),
            lines.range(key),
        )
    });
    let whole = lines.range(0..bytes.len());
    let start = Range {
        start: Position::default(),
        end: Position::default(),
    };
    let mut agent = symbol(&agent.name, SymbolKind::Class, whole, start);
    agent.children = Some(keys.collect());
    Ok(Some(vec![agent].into()))
}

#[expect(deprecated, reason = "the field is a part of the type")]
fn symbol(name: &str, kind: SymbolKind, range: Range, selection_range: Range) -> DocumentSymbol {
    DocumentSymbol {
        // A client refuses an empty name.
        name: if name.is_empty() { "(no name)" } else { name }.to_owned(),
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range,
        selection_range,
        children: None,
    }
}

// What to do.

/// The fixes of the findings in a range, and every safe fix of the file.
fn actions(
    state: &mut State,
    params: CodeActionParams,
) -> Result<<CodeActionRequest as Request>::Result, Refused> {
    let Some(path) = State::path(&params.text_document.uri) else {
        return Ok(None);
    };
    let only = params.context.only.as_deref();
    let wants = |kind: &str| {
        let asked = |wanted: &CodeActionKind| {
            let wanted: String = wanted.clone().into();
            wanted.is_empty() || kind == wanted || kind.starts_with(&format!("{wanted}."))
        };
        only.is_none_or(|only| only.iter().any(asked))
    };
    let mut actions = Vec::new();
    if wants("quickfix") {
        actions.extend(quick(state, &path, params.range));
    }
    if wants(FIX_ALL) {
        actions.extend(fix_all(state, &path)?);
    }
    Ok(Some(actions.into_iter().map(Into::into).collect()))
}

fn quick(state: &mut State, path: &Path, range: Range) -> Vec<CodeAction> {
    let bytes = state.bytes(path);
    let lines = Lines::new(&bytes, state.client.encoding);
    let asked = lines.span(range);
    let mut actions = Vec::new();
    for finding in state.root(path).findings(path).to_vec() {
        let span = marks::bytes(&finding.diagnostic.primary.place.span);
        if span.end < asked.start || asked.end < span.start {
            continue;
        }
        for fix in &finding.diagnostic.fixes {
            let edits = marks::edits(&fix.edits, &lines);
            actions.push(CodeAction {
                title: if fix.safe {
                    fix.title.clone()
                } else {
                    format!("{} (unsafe: review before applying)", fix.title)
                },
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(vec![marks::diagnostic(state, path, &finding, &lines)]),
                is_preferred: Some(fix.safe),
                edit: marks::edit(state, path, edits),
                ..CodeAction::default()
            });
        }
    }
    actions
}

fn fix_all(state: &mut State, path: &Path) -> Result<Option<CodeAction>, Refused> {
    let root = state.root(path);
    if root.findings(path).iter().all(|finding| {
        let fixes = &finding.diagnostic.fixes;
        fixes.iter().all(|fix| !fix.safe)
    }) {
        return Ok(None);
    }
    let name = root.name(path);
    let request = root.request(vec![name.clone()]);
    // Rules that the configuration turns off fix nothing.
    let rules = root
        .context
        .callsheet
        .rules()
        .map_err(|error| failed(error.into()))?;
    let off = rules
        .into_iter()
        .filter(|rule| root.context.config.is_off(&rule.name, &name));
    let off: Vec<Exception> = off
        .map(|rule| Exception {
            path: name.clone(),
            rule: rule.name,
        })
        .collect();
    let fixed = root.context.callsheet.fix(&request, Which::Safe, &off);
    let fixed = fixed.map_err(|error| failed(error.into()))?;
    let mut fixed = fixed.into_iter();
    let Some(fixed) = fixed.find(|file| root.system_path(&file.path).as_deref() == Some(path)) else {
        return Ok(None);
    };
    let lines = Lines::new(&fixed.before, state.client.encoding);
    let edits = marks::edit(
        state,
        path,
        vec![difference_of(&fixed.before, &fixed.after, &lines)],
    );
    Ok(Some(CodeAction {
        title: "Apply all safe fixes of callsheet".into(),
        kind: Some(CodeActionKind::new(FIX_ALL)),
        edit: edits,
        ..CodeAction::default()
    }))
}

/// One edit for everything between the first and the last changed line.
fn difference_of(before: &[u8], after: &[u8], lines: &Lines<'_>) -> TextEdit {
    let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let start = before[..same]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let (old, new) = (&before[start..], &after[start..]);
    let same = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    // A line that only partly is the same is replaced, so that no character is cut.
    let tail = &old[old.len() - same..];
    let same = tail
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(0, |at| tail.len() - at);
    TextEdit {
        range: lines.range(start..start + old.len() - same),
        new_text: String::from_utf8_lossy(&new[..new.len() - same]).into_owned(),
    }
}
