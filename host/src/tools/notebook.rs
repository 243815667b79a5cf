//! Edits of Jupyter notebooks, cell by cell. Everything outside of the cell keeps its bytes.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize as _};
use serde_json::ser::PrettyFormatter;
use serde_json::value::RawValue;
use serde_json::{Map, Serializer, Value, json};

use super::arguments::Arguments;
use super::text::BOM;

/// The version of the format that is edited. All since 2015 have it.
const FORMAT: u32 = 4;

/// The names of cells in a message.
const NAMED: usize = 20;

#[derive(Deserialize)]
struct Notebook<'a> {
    #[serde(borrow)]
    cells: &'a RawValue,
    nbformat: u32,
    #[serde(default)]
    nbformat_minor: u32,
}

/// A notebook and the places of its cells.
struct Cells<'a> {
    text: &'a str,
    list: Range<usize>,
    cells: Vec<Range<usize>>,
    has_ids: bool,
}

/// The contents after the call.
pub(super) fn edited(contents: &[u8], arguments: &Arguments) -> Result<Vec<u8>, String> {
    let (mark, text) = match contents.strip_prefix(BOM) {
        Some(text) => (BOM, text),
        None => (&[][..], contents),
    };
    let text = std::str::from_utf8(text).map_err(|_| "it is not UTF-8")?;
    let notebook = Cells::of(text)?;
    let named = notebook.named(arguments)?;
    let source = || arguments.demand(&["new_source"]);
    let after = match arguments.text(&["edit_mode"]).unwrap_or("replace") {
        "replace" => notebook.replaced(
            named.ok_or("the argument `cell_id` is missing")?,
            arguments,
            source()?,
        )?,
        "insert" => notebook.inserted(named, arguments, source()?)?,
        "delete" => notebook.deleted(named.ok_or("the argument `cell_id` is missing")?),
        other => {
            return Err(format!(
                "unknown `edit_mode` `{other}`; use replace, insert or delete"
            ));
        }
    };
    Ok([mark, after.as_bytes()].concat())
}

impl<'a> Cells<'a> {
    fn of(text: &'a str) -> Result<Self, String> {
        let not_one = |error| format!("it is not a notebook: {error}");
        let notebook: Notebook<'a> = serde_json::from_str(text).map_err(not_one)?;
        if notebook.nbformat != FORMAT {
            let format = notebook.nbformat;
            return Err(format!(
                "it is a notebook of format {format}; only {FORMAT} can be edited"
            ));
        }
        let cells: Vec<&'a RawValue> = serde_json::from_str(notebook.cells.get()).map_err(not_one)?;
        let place = |part: &str| {
            let start = part.as_ptr() as usize - text.as_ptr() as usize;
            start..start + part.len()
        };
        Ok(Self {
            text,
            list: place(notebook.cells.get()),
            cells: cells.iter().map(|cell| place(cell.get())).collect(),
            has_ids: notebook.nbformat_minor >= 5,
        })
    }

    fn cell(&self, at: usize) -> Result<Map<String, Value>, String> {
        match serde_json::from_str(&self.text[self.cells[at].clone()]) {
            Ok(Value::Object(cell)) => Ok(cell),
            _ => Err(format!("cell {at} is not an object")),
        }
    }

    fn id(&self, at: usize) -> Option<String> {
        let cell = self.cell(at).ok()?;
        cell.get("id")?.as_str().map(str::to_owned)
    }

    /// The cell that a call names by its ID, or by its number from 0: older notebooks have no IDs.
    fn named(&self, arguments: &Arguments) -> Result<Option<usize>, String> {
        let Some(name) = arguments.text(&["cell_id"]).filter(|name| !name.is_empty()) else {
            let number = arguments.number(&["cell_number"]);
            return number.map(|number| self.numbered(number)).transpose();
        };
        let ids: Vec<Option<String>> = (0..self.cells.len()).map(|at| self.id(at)).collect();
        if let Some(at) = ids.iter().position(|id| id.as_deref() == Some(name)) {
            return Ok(Some(at));
        }
        let number = name.strip_prefix("cell-").unwrap_or(name).parse();
        if let Some(number) = number.ok().filter(|_| ids.iter().all(Option::is_none)) {
            return self.numbered(number).map(Some);
        }
        let known: Vec<String> = ids.into_iter().flatten().take(NAMED).collect();
        Err(match &*known {
            [] => format!("there is no cell `{name}`; cells have no IDs here, use cell-0, cell-1 and so on"),
            known => format!("there is no cell `{name}`; there are {}", known.join(", ")),
        })
    }

    fn numbered(&self, number: i64) -> Result<usize, String> {
        let at = usize::try_from(number).ok().filter(|at| *at < self.cells.len());
        at.ok_or_else(|| {
            format!(
                "there is no cell {number}; there are {}, counted from 0",
                self.cells.len()
            )
        })
    }

    fn replaced(&self, at: usize, arguments: &Arguments, source: &str) -> Result<String, String> {
        let mut cell = self.cell(at)?;
        if let Some(kind) = arguments.text(&["cell_type"]) {
            cell.insert("cell_type".into(), json!(kind));
        }
        self.fill(&mut cell, source)?;
        let place = self.cells[at].clone();
        Ok(self.with(place, &self.shown(&cell)))
    }

    /// A new cell after this one, or at the start.
    fn inserted(&self, after: Option<usize>, arguments: &Arguments, source: &str) -> Result<String, String> {
        let kind = arguments.text(&["cell_type"]);
        let kind = kind.ok_or("the argument `cell_type` is missing: code or markdown")?;
        let mut cell = Map::new();
        cell.insert("cell_type".into(), json!(kind));
        if self.has_ids {
            cell.insert("id".into(), json!(self.fresh(source)));
        }
        cell.insert("metadata".into(), json!({}));
        self.fill(&mut cell, source)?;
        cell.sort_keys();
        let (new, between) = (self.shown(&cell), &*self.between());
        Ok(match (after, self.cells.first()) {
            (Some(at), _) => {
                let end = self.cells[at].end;
                self.with(end..end, &[",", between, &new].concat())
            }
            (None, Some(first)) => self.with(first.start..first.start, &[&new, ",", between].concat()),
            (None, None) => {
                let outer = between.strip_suffix(self.unit()).unwrap_or(between);
                self.with(self.list.clone(), &["[", between, &new, outer, "]"].concat())
            }
        })
    }

    fn deleted(&self, at: usize) -> String {
        let place = match (at.checked_sub(1), self.cells.get(at + 1)) {
            (Some(before), _) => self.cells[before].end..self.cells[at].end,
            (None, Some(next)) => self.cells[at].start..next.start,
            (None, None) => self.list.start + 1..self.list.end - 1,
        };
        self.with(place, "")
    }

    /// Sets the source, and removes what an earlier one printed.
    fn fill(&self, cell: &mut Map<String, Value>, source: &str) -> Result<(), String> {
        match cell.get("cell_type").and_then(Value::as_str) {
            Some("code") => {
                cell.insert("execution_count".into(), Value::Null);
                cell.insert("outputs".into(), json!([]));
            }
            Some("markdown" | "raw") => {
                cell.shift_remove("execution_count");
                cell.shift_remove("outputs");
            }
            _ => return Err("the `cell_type` is unknown; use code or markdown".into()),
        }
        let lines: Vec<&str> = source.split_inclusive('\n').collect();
        cell.insert("source".into(), json!(lines));
        Ok(())
    }

    /// An ID that no cell has: the same for the same call, so that what is shown first is what is written.
    fn fresh(&self, source: &str) -> String {
        let known: Vec<String> = (0..self.cells.len()).filter_map(|at| self.id(at)).collect();
        let mut hash = crc32fast::Hasher::new();
        hash.update(self.text.as_bytes());
        loop {
            hash.update(source.as_bytes());
            hash.update(b"\0");
            let id = format!("{:08x}", hash.clone().finalize());
            if !known.contains(&id) {
                return id;
            }
        }
    }

    /// The white space before a cell, which is twice as deep as a key of the notebook.
    fn between(&self) -> Cow<'a, str> {
        match self.cells.first() {
            Some(first) => self.text[self.list.start + 1..first.start].into(),
            None => [self.indent(), self.unit()].concat().into(),
        }
    }

    /// The white space before the first key.
    fn indent(&self) -> &'a str {
        let inner = self.text.trim_start().trim_start_matches('{');
        &inner[..inner.len() - inner.trim_start().len()]
    }

    /// One level of indentation.
    fn unit(&self) -> &'a str {
        self.indent().trim_start_matches(['\r', '\n'])
    }

    fn shown(&self, cell: &Map<String, Value>) -> String {
        let between = self.between();
        let mut bytes = Vec::new();
        let is_written = if between.contains('\n') {
            let formatter = PrettyFormatter::with_indent(self.unit().as_bytes());
            cell.serialize(&mut Serializer::with_formatter(&mut bytes, formatter))
        } else {
            cell.serialize(&mut Serializer::new(&mut bytes))
        };
        is_written.expect("a value of JSON can be written");
        let text = String::from_utf8(bytes).expect("JSON is UTF-8");
        text.replace('\n', &between)
    }

    fn with(&self, place: Range<usize>, new: &str) -> String {
        [&self.text[..place.start], new, &self.text[place.end..]].concat()
    }
}
