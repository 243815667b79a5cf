//! Moving a part of an agent's prompt to a skill.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use callsheet_contract::documents::{
    Dialect, Draft, DraftField, FieldValue, Found, KeyChange, Outline, Parsed, Transfer,
};
use callsheet_contract::projects::{Checked, NodeKind};
use callsheet_contract::types::{Agent, Diagnostic, Edit, Field, Kind, Level, Span, ToolFilter};
use gen_lsp_types::{CodeAction, CodeActionKind, Uri, WorkspaceEdit};

use super::lines::Lines;
use super::marks;
use super::spot::{Refused, failed, parsed};
use super::state::State;

pub(super) const EXTRACT: &str = "refactor.extract";

/// The name of a skill whose text has none.
const NAME: &str = "instructions";
/// The most characters of a description that has no end of a sentence.
const SENTENCE: usize = 200;
/// The open specification, in whose skills nothing is replaced.
const PLAIN: &str = "skill:agent-skills";

/// Creates a skill of the selected lines of the prompt, and names it in the agent instead.
///
/// None if they are not whole lines of a prompt with others, or if something would be lost or would not be loaded.
pub(super) fn extraction(
    state: &mut State,
    path: &Path,
    range: gen_lsp_types::Range,
) -> Result<Option<CodeAction>, Refused> {
    let is_agent = |file: &Checked| {
        let has_place = file.level == Level::User || (file.level == Level::Project && file.in_project);
        file.kind == Kind::Agent && has_place
    };
    let root = state.root(path);
    let found = root
        .found_as(path)
        .filter(|_| root.known(path).is_some_and(is_agent));
    let (Some(found), true) = (found, state.client.creates && !State::is_untitled(path)) else {
        return Ok(None);
    };
    let bytes = state.bytes(path);
    let lines = Lines::new(&bytes, state.client.encoding);
    let Ok(text) = str::from_utf8(&bytes) else {
        return Ok(None);
    };
    let Some(before) = parsed(state, path)?.filter(|parsed| parsed.loads) else {
        return Ok(None);
    };
    let Some(agent) = &before.agent else {
        return Ok(None);
    };
    let Some(part) = Selected::of(text, marks::bytes(&agent.body), lines.span(range)) else {
        return Ok(None);
    };
    if part.cuts(&before.outline) {
        return Ok(None);
    }
    let Some(tool) = Tool::of(state, path, &found)? else {
        return Ok(None);
    };
    let Some(skill) = Skill::of(state, path, &tool, &part, &before)? else {
        return Ok(None);
    };
    let folder = &mut state.root(path).folder;
    let edits = if tool.preloads() {
        let is_skills = |field: &&Field| field.canonical.as_deref() == Some("skills");
        let mut fields = agent.fields.iter().filter(is_skills);
        // A map among the names, or another list, would be lost.
        let is_list = |field: &Field| !field.value.contains('{') && !field.value.contains(": ");
        if !fields.next().is_none_or(is_list) || fields.next().is_some() {
            return Ok(None);
        }
        let mut skills = agent.skills.clone();
        skills.push(skill.name.clone());
        let change = KeyChange {
            key: "skills".into(),
            value: Some(FieldValue::Words(skills)),
        };
        let Ok(mut edits) = folder.revise(&bytes, &tool.agents.id, &[change]) else {
            return Ok(None);
        };
        edits.push(edit(part.removed(), String::new()));
        edits
    } else if tool.loads_skills(agent) {
        let reference = format!("{}Use the skill `{}`.", part.mark(), skill.name);
        vec![edit(part.lines.clone(), reference)]
    } else {
        return Ok(None);
    };
    let after = folder.parse(&found, &edited(&bytes, &edits)).map_err(failed)?;
    if !after.loads || !adds_nothing(&before.diagnostics, &after.diagnostics) {
        return Ok(None);
    }
    let mut changes = marks::new_file(skill.uri, skill.text);
    let Some(uri) = state.uri(path) else {
        return Ok(None);
    };
    let version = state.documents.get(path).map(|document| document.version);
    changes.push(marks::change(uri, version, marks::edits(&edits, &lines)));
    Ok(Some(CodeAction {
        title: format!("Extract as skill `{}`", skill.name),
        kind: Some(CodeActionKind::RefactorExtract),
        edit: Some(WorkspaceEdit {
            document_changes: Some(changes),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    }))
}

/// Whole lines of a body, without the blank ones around them.
struct Selected<'a> {
    text: &'a str,
    body: Range<usize>,
    /// Without the last line end.
    lines: Range<usize>,
}

impl<'a> Selected<'a> {
    /// None if a line is not selected as a whole, or nothing else is left.
    fn of(text: &'a str, body: Range<usize>, selected: Range<usize>) -> Option<Self> {
        let inside = &text[selected.clone()];
        let first = selected.start + (inside.len() - inside.trim_start().len());
        let end = selected.start + inside.trim_end().len();
        if first >= end {
            return None;
        }
        let start = line_start(text, first);
        let rest = text[end..].split(['\n', '\r']).next().unwrap_or_default();
        let is_whole = text[start..first].trim().is_empty() && rest.trim().is_empty();
        if !is_whole || start < body.start || end > body.end {
            return None;
        }
        let others = [&text[body.start..start], &text[end..body.end]];
        let lines = start..end;
        let is_part = others.iter().any(|other| !other.trim().is_empty());
        is_part.then_some(Self { text, body, lines })
    }

    /// Whether a block of code or an example is only selected in part.
    fn cuts(&self, outline: &Outline) -> bool {
        let blocks = outline.code_blocks.iter().map(|block| &block.span);
        let examples = outline.examples.iter().map(|example| &example.span);
        blocks.chain(examples).map(marks::bytes).any(|span| {
            let is_apart = span.end <= self.lines.start || self.lines.end <= span.start;
            !is_apart && !self.contains(&span)
        })
    }

    fn contains(&self, span: &Range<usize>) -> bool {
        // A block may end with its line.
        let end = self.text[..span.end].trim_end().len();
        self.lines.start <= span.start && end <= self.lines.end
    }

    /// The lines, and the blank ones on one side, so that those of the other side stay between the rest.
    fn removed(&self) -> Range<usize> {
        let Range { start, end } = self.lines;
        let (before, after) = (&self.text[self.body.start..start], &self.text[end..self.body.end]);
        let kept = before.trim_end().len();
        if after.trim().is_empty() {
            return self.body.start + kept..end;
        }
        let next = line_start(self.text, self.body.end - after.trim_start().len());
        let is_apart = kept == 0 || before[kept..].lines().count() > 1;
        if is_apart {
            return start..next;
        }
        let rest = after.find(['\n', '\r']).unwrap_or(after.len());
        let line_end = if after[rest..].starts_with("\r\n") { 2 } else { 1 };
        start..end + rest + line_end
    }

    /// What the first line begins with, if it is an item of a list.
    fn mark(&self) -> &'a str {
        let text = &self.text[self.lines.clone()];
        let item = item(text.trim_start()).map_or(text.len(), str::len);
        &text[..text.len() - item]
    }

    fn text(&self) -> String {
        self.text[self.lines.clone()].replace("\r\n", "\n")
    }

    /// The first heading.
    fn heading<'o>(&self, outline: &'o Outline) -> Option<&'o str> {
        let mut headings = outline.headings.iter();
        let first = headings.find(|heading| self.contains(&marks::bytes(&heading.span)))?;
        Some(first.text.trim()).filter(|text| !text.is_empty())
    }

    /// The first sentence of its first paragraph or item.
    fn sentence(&self, outline: &Outline) -> Option<String> {
        let headings = outline.headings.iter().map(|heading| &heading.span);
        let blocks = outline.code_blocks.iter().map(|block| &block.span);
        let skipped: Vec<Range<usize>> = headings.chain(blocks).map(marks::bytes).collect();
        let (mut words, mut at) = (Vec::new(), self.lines.start);
        for line in self.text[self.lines.clone()].split_inclusive('\n') {
            let content = line.trim_start();
            let start = at + (line.len() - content.len());
            at += line.len();
            let is_prose = content.contains(char::is_alphanumeric)
                && !content.starts_with('<')
                && !skipped.iter().any(|span| span.contains(&start));
            match item(content) {
                None if is_prose => words.extend(content.split_whitespace()),
                Some(text) if is_prose && words.is_empty() => words.extend(text.split_whitespace()),
                _ if words.is_empty() => {}
                _ => break,
            }
        }
        let text = words.join(" ");
        let sentence = text[..sentence_end(&text)].trim_end_matches([':', ' ']);
        (!sentence.is_empty()).then(|| sentence.to_owned())
    }
}

/// The text of an item or a quotation.
fn item(line: &str) -> Option<&str> {
    let unnumbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let marks: &[&str] = if unnumbered.len() < line.len() {
        &[". ", ") "]
    } else {
        &["- ", "* ", "+ ", "> "]
    };
    marks.iter().find_map(|mark| unnumbered.strip_prefix(mark))
}

fn sentence_end(text: &str) -> usize {
    let marks = text.match_indices(['.', '!', '?', '\u{3002}']);
    let mut ends = marks.map(|(at, mark)| at + mark.len());
    let is_end = |end: &usize| {
        let rest = &text[*end..];
        // In the middle of a sentence, an abbreviation ends.
        let is_next = |rest: &str| !rest.starts_with(char::is_lowercase);
        rest.is_empty() || text[..*end].ends_with('\u{3002}') || rest.strip_prefix(' ').is_some_and(is_next)
    };
    let end = ends.find(is_end).unwrap_or(text.len());
    match text[..end].char_indices().nth(SENTENCE) {
        Some((most, _)) => text[..most].rfind(' ').unwrap_or(most),
        None => end,
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// The tool of an agent that has skills, too.
struct Tool {
    agents: Dialect,
    skills: Dialect,
    level: Level,
}

impl Tool {
    /// None if its agents have no body.
    fn of(state: &mut State, path: &Path, found: &Found) -> Result<Option<Self>, Refused> {
        let id = found
            .dialect
            .as_deref()
            .and_then(|dialect| dialect.split('@').next());
        let folder = &mut state.root(path).folder;
        let mut of_kind = |kind| {
            let mut dialects = folder.dialects(kind).map_err(failed)?.into_iter();
            Ok(dialects.find(|dialect| Some(&*dialect.id) == id))
        };
        let (agents, skills) = (of_kind(Kind::Agent)?, of_kind(Kind::Skill)?);
        let agents = agents.filter(|dialect| dialect.prompt_key.is_none());
        let both = agents.zip(skills).zip(found.level);
        Ok(both.map(|((agents, skills), level)| Self {
            agents,
            skills,
            level,
        }))
    }

    /// Whether its agents list the skills that they start with.
    fn preloads(&self) -> bool {
        self.agents.keys.iter().any(|key| key.canonical == "skills")
    }

    /// Whether an agent may load skills by itself.
    fn loads_skills(&self, agent: &Agent) -> bool {
        let tools = self.agents.tools.iter();
        let loads: Vec<&str> = tools
            .filter(|tool| tool.rights.iter().any(|right| right == "skill"))
            .map(|tool| &*tool.name)
            .collect();
        let loads = |tool: &str| loads.iter().any(|name| name.eq_ignore_ascii_case(tool));
        let is_allowed = match &agent.tools {
            ToolFilter::Absent | ToolFilter::All => true,
            ToolFilter::Only(rules) => rules.iter().any(|rule| loads(&rule.tool)),
            ToolFilter::Null | ToolFilter::None => false,
        };
        is_allowed && !agent.denied_tools.iter().any(|rule| loads(&rule.tool))
    }
}

/// A skill without a file yet.
struct Skill {
    name: String,
    uri: Uri,
    text: String,
}

impl Skill {
    /// None if no name and place is free, if there would be findings, or if its tool would replace something in the text.
    fn of(
        state: &mut State,
        path: &Path,
        tool: &Tool,
        part: &Selected<'_>,
        agent: &Parsed,
    ) -> Result<Option<Self>, Refused> {
        let host = Rc::clone(&state.host);
        let root = state.root(path);
        let id = &tool.skills.id;
        let own = root.folder.own_directory(id, Kind::Skill, tool.level);
        let Some(own) = own.map_err(failed)? else {
            return Ok(None);
        };
        let nodes = &root.graph().map_err(failed)?.nodes;
        // In some tools, commands are skills.
        let taken = nodes
            .iter()
            .filter(|node| matches!(node.kind, NodeKind::Skill | NodeKind::Command));
        let taken: BTreeSet<String> = taken.map(|node| node.name.to_lowercase()).collect();
        let heading = part.heading(&agent.outline);
        let description = part.sentence(&agent.outline);
        let description = description.or_else(|| heading.map(str::to_owned));
        let dialect = format!("skill:{id}");
        for base in heading.map(joined).into_iter().chain([NAME.into()]) {
            let mut file = |name: &str| -> Option<(String, PathBuf)> {
                let file = root.folder.name_file(name, &dialect).ok()?.ok()?;
                let file = format!("{own}/{file}");
                let path = root.folder.locate(&file)?;
                let is_free = path.parent().is_some_and(|folder| !host.exists(folder));
                (is_free && !taken.contains(name)).then_some((file, path))
            };
            let mut names = (1..=taken.len() + 2).map(|number| match number {
                1 => base.clone(),
                _ => format!("{base}-{number}"),
            });
            let free = names.find_map(|name| file(&name).map(|(file, path)| (name, file, path)));
            let Some((name, file, new)) = free else {
                continue;
            };
            let description = description.clone().unwrap_or_else(|| name.clone());
            let values = [("name", name.clone()), ("description", description)].into_iter();
            let has = |field: &str| tool.skills.keys.iter().any(|key| key.canonical == field);
            let fields = values
                .filter(|(field, _)| has(field))
                .map(|(field, value)| DraftField {
                    canonical: field.to_owned(),
                    value: FieldValue::Text(value),
                });
            let draft = Draft {
                fields: fields.collect(),
                prompt: format!("{}\n", part.text()),
            };
            let Ok(text) = root.folder.render(&draft, &dialect) else {
                continue;
            };
            let found = Found {
                path: file,
                dialect: Some(dialect.clone()),
                level: Some(tool.level),
            };
            let parsed = root.folder.parse(&found, text.as_bytes()).map_err(failed)?;
            let is_clean = parsed.loads && parsed.diagnostics.is_empty() && parsed.suppressed.is_empty();
            let plain = root.folder.convert(&found.path, text.as_bytes(), &dialect, PLAIN);
            let is_plain = plain.is_ok_and(|plain| {
                let mut texts = plain.report.iter().filter(|line| line.field == "prompt");
                texts.all(|line| line.fate == Transfer::Kept)
            });
            // A relative link would lead to another place from there.
            let is_absolute = |target: &str| target.contains(':') || target.starts_with(['/', '#']);
            let is_movable = parsed.outline.links.iter().all(|link| is_absolute(&link.target));
            if let Some(uri) = host.address(&new).filter(|_| is_clean && is_plain && is_movable) {
                return Ok(Some(Self { name, uri, text }));
            }
        }
        Ok(None)
    }
}

/// The words of a heading as a name.
fn joined(heading: &str) -> String {
    let words = heading.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

fn edit(span: Range<usize>, text: String) -> Edit {
    let offset = |at| u32::try_from(at).expect("the component reads no file of 4 GB");
    let span = Span {
        start: offset(span.start),
        end: offset(span.end),
    };
    Edit { span, text }
}

/// A text with edits, which are sorted.
fn edited(before: &[u8], edits: &[Edit]) -> Vec<u8> {
    let (mut after, mut done) = (Vec::with_capacity(before.len()), 0);
    for edit in edits {
        let span = marks::bytes(&edit.span);
        after.extend_from_slice(&before[done..span.start]);
        after.extend_from_slice(edit.text.as_bytes());
        done = span.end;
    }
    after.extend_from_slice(&before[done..]);
    after
}

/// Whether every finding was there before.
fn adds_nothing(before: &[Diagnostic], after: &[Diagnostic]) -> bool {
    let is_same =
        |one: &Diagnostic, other: &Diagnostic| (&one.rule, &one.message) == (&other.rule, &other.message);
    after.iter().all(|new| before.iter().any(|old| is_same(old, new)))
}
