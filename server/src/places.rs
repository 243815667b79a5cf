//! Where things are: definitions, references, links and outlines.

use std::collections::BTreeSet;

use callsheet_contract::documents::Heading;
use callsheet_contract::projects::{Edge, NodeKind};
use gen_lsp_types::{
    BaseSymbolInformation, Definition, DefinitionParams, DefinitionRequest, DocumentHighlight,
    DocumentHighlightKind, DocumentHighlightParams, DocumentHighlightRequest, DocumentLink,
    DocumentLinkParams, DocumentLinkRequest, DocumentSymbol, DocumentSymbolParams, DocumentSymbolRequest,
    FoldingRange, FoldingRangeParams, Location, Position, Range, ReferenceParams, ReferencesRequest, Request,
    SymbolKind, WorkspaceSymbol, WorkspaceSymbolParams, WorkspaceSymbolRequest,
};

use super::lines::Lines;
use super::marks;
use super::spot::{Refused, Spot, edge_at, edges_of, failed, known, parsed, target};
use super::state::State;

pub(super) fn definition(
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

/// The places that name what is named here, or else what this file defines.
pub(super) fn references(
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
            if node.kind != NodeKind::Server && path.as_deref() == Some(&*spot.path) {
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

/// Every place in the file that names what is named here.
pub(super) fn highlights(
    state: &mut State,
    params: DocumentHighlightParams,
) -> Result<<DocumentHighlightRequest as Request>::Result, Refused> {
    let Some(spot) = Spot::of(state, &params.text_document_position_params) else {
        return Ok(None);
    };
    let Some(here) = edge_at(state, &spot)? else {
        return Ok(None);
    };
    let lines = Lines::new(&spot.bytes, state.client.encoding);
    let is_same = |edge: &Edge| match here.target {
        Some(_) => edge.target == here.target,
        None => (edge.relation, &edge.name) == (here.relation, &here.name),
    };
    let edges = edges_of(state, &spot.path)?.into_iter().filter(is_same);
    let highlights = edges.map(|edge| DocumentHighlight {
        range: lines.range(marks::bytes(&edge.place.span)),
        kind: Some(DocumentHighlightKind::Read),
    });
    Ok(Some(highlights.collect()))
}

pub(super) fn links(
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

/// The definition, with its keys and the headings of its prompt.
pub(super) fn symbols(
    state: &mut State,
    params: DocumentSymbolParams,
) -> Result<<DocumentSymbolRequest as Request>::Result, Refused> {
    let Some(path) = known(state, &params.text_document.uri) else {
        return Ok(None);
    };
    let Some(parsed) = parsed(state, &path)? else {
        return Ok(None);
    };
    let Some(agent) = parsed.agent else {
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
    let headings = sections(&parsed.outline.headings, &lines, bytes.len());
    let whole = lines.range(0..bytes.len());
    let start = Range {
        start: Position::default(),
        end: Position::default(),
    };
    let mut agent = symbol(&agent.name, SymbolKind::Class, whole, start);
    agent.children = Some(keys.chain(headings).collect());
    Ok(Some(vec![agent].into()))
}

/// Each heading with its section, up to the next one that is not deeper.
fn sections(headings: &[Heading], lines: &Lines<'_>, end: usize) -> Vec<DocumentSymbol> {
    let (mut found, mut rest) = (Vec::new(), headings);
    while let [heading, after @ ..] = rest {
        let inner = after.iter().take_while(|next| next.depth > heading.depth).count();
        let (within, next) = after.split_at(inner);
        let end = next.first().map_or(end, |next| next.span.start as usize);
        let span = marks::bytes(&heading.span);
        let (range, title) = (lines.range(span.start..end), lines.range(span));
        let mut section = symbol(&heading.text, SymbolKind::String, range, title);
        let children = sections(within, lines, end);
        section.children = (!children.is_empty()).then_some(children);
        found.push(section);
        rest = next;
    }
    found
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

/// The agents, skills and commands whose names contain these letters.
pub(super) fn all_symbols(
    state: &mut State,
    params: WorkspaceSymbolParams,
) -> Result<<WorkspaceSymbolRequest as Request>::Result, Refused> {
    let wanted = params.query.to_lowercase();
    let mut symbols = Vec::new();
    for at in 0..state.roots.len() {
        let root = &mut state.roots[at];
        for node in root.graph().map_err(failed)?.nodes.clone() {
            let kind = match node.kind {
                NodeKind::Agent => SymbolKind::Class,
                NodeKind::Skill => SymbolKind::Module,
                NodeKind::Command => SymbolKind::Function,
                NodeKind::Server | NodeKind::Plugin | NodeKind::File => continue,
            };
            let path = node.path.and_then(|path| state.roots[at].system_path(&path));
            let uri = path.and_then(|path| state.uri(&path));
            let Some(uri) = uri.filter(|_| node.name.to_lowercase().contains(&wanted)) else {
                continue;
            };
            let range = Range::default();
            symbols.push(WorkspaceSymbol {
                location: Location { uri, range }.into(),
                data: None,
                base_symbol_information: BaseSymbolInformation {
                    name: node.name,
                    kind,
                    tags: None,
                    container_name: node.dialect,
                },
            });
        }
    }
    Ok(Some(symbols.into()))
}

/// The frontmatter, and the sections of the prompt.
pub(super) fn folds(
    state: &mut State,
    params: FoldingRangeParams,
) -> Result<Option<Vec<FoldingRange>>, Refused> {
    let Some(path) = known(state, &params.text_document.uri) else {
        return Ok(None);
    };
    let Some(parsed) = parsed(state, &path)? else {
        return Ok(None);
    };
    let Some(agent) = parsed.agent else {
        return Ok(Some(Vec::new()));
    };
    let bytes = state.bytes(&path);
    let lines = Lines::new(&bytes, state.client.encoding);
    let line = |offset: usize| lines.position(offset).line;
    let fold = |start_line, end_line| {
        (start_line < end_line).then(|| FoldingRange {
            start_line,
            end_line,
            ..FoldingRange::default()
        })
    };
    let body = marks::bytes(&agent.body);
    let frontmatter = agent.fields.first().and_then(|field| {
        let (first, last) = (line(field.key_span.start as usize), line(body.start));
        // The fences are the lines around the fields; the fields around a prompt are not folded.
        let is_fenced = bytes[..body.start].trim_ascii_end().ends_with(b"---");
        let is_there = is_fenced && first > 0 && last > first + 1;
        is_there.then(|| fold(first - 1, last - 1))?
    });
    let headings = &parsed.outline.headings;
    let sections = headings.iter().enumerate().filter_map(|(at, heading)| {
        let mut others = headings[at + 1..].iter();
        let next = others.find(|next| next.depth <= heading.depth);
        let start = heading.span.start as usize;
        let end = next.map_or(body.end, |next| next.span.start as usize);
        let text = bytes.get(start..end)?.trim_ascii_end();
        fold(line(start), line(start + text.len()))
    });
    Ok(Some(frontmatter.into_iter().chain(sections).collect()))
}
