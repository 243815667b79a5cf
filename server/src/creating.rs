//! New agents: the file of one, for the client to create.

use std::collections::BTreeMap;
use std::rc::Rc;

use callsheet_contract::documents::{Dialect, DialectKey, Draft, DraftField, FieldValue};
use callsheet_contract::types::{Kind, Level};
use callsheet_report::text::clean;
use gen_lsp_types::Uri;
use lsp_server::ErrorCode;
use serde::{Deserialize, Serialize};

use super::host::Failure;
use super::spot::{Refused, failed};
use super::state::State;

/// The request of a client. The protocol has none: its edits cannot create a file with contents, which would stay unsaved.
pub(super) const NEW_AGENT: &str = "callsheet/newAgent";

#[derive(Deserialize)]
pub(super) struct Wanted {
    /// The folder of the editor.
    folder: Uri,
    dialect: String,
    name: String,
    description: String,
    prompt: String,
    /// Other fields, by canonical name.
    #[serde(default)]
    fields: BTreeMap<String, String>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    /// The file, which does not exist.
    File { uri: Uri, text: String },
    /// The fields to ask for.
    Missing { missing: Vec<Missing> },
}

#[derive(Serialize)]
pub(super) struct Missing {
    /// Its canonical name.
    field: String,
    /// Its spelling in the file.
    key: String,
    /// The only values; empty if others are accepted.
    values: Vec<String>,
}

pub(super) fn new_agent(state: &mut State, wanted: Wanted) -> Result<Answer, Refused> {
    let Some(directory) = state.path(&wanted.folder) else {
        return Err(refused("the folder is not on a disk".to_owned()));
    };
    let host = Rc::clone(&state.host);
    let folder = &mut state.root(&directory).folder;
    let mut dialects = folder.dialects(Kind::Agent).map_err(failed)?.into_iter();
    let Some(dialect) = dialects.find(|dialect| dialect.id == wanted.dialect) else {
        return Err(refused(format!("unknown dialect `{}`", clean(&wanted.dialect))));
    };
    let file = folder.name_file(&wanted.name, &dialect.id).map_err(failed)?;
    let file = file.map_err(|invalid| failed(Failure::from(invalid)))?;
    let missing = required(&dialect).filter(|key| !wanted.fields.contains_key(&key.canonical));
    let missing: Vec<Missing> = missing.map(Missing::of).collect();
    if !missing.is_empty() {
        return Ok(Answer::Missing { missing });
    }
    let own = folder
        .own_directory(&dialect.id, Kind::Agent, Level::Project)
        .map_err(failed)?;
    let Some(own) = own else {
        return Err(refused(format!("{} has no agents of a project", dialect.title)));
    };
    let has_name = dialect.keys.iter().any(|key| key.canonical == "name");
    let name = has_name.then(|| ("name".to_owned(), FieldValue::Text(wanted.name.clone())));
    let description = ("description".to_owned(), FieldValue::Text(wanted.description));
    let others = wanted.fields.into_iter();
    let others = others.map(|(field, value)| (field, FieldValue::Entered(value)));
    let fields = name.into_iter().chain([description]).chain(others);
    let draft = Draft {
        fields: fields
            .map(|(canonical, value)| DraftField { canonical, value })
            .collect(),
        prompt: format!("{}\n", wanted.prompt.trim_end()),
    };
    let text = folder.render(&draft, &dialect.id).map_err(failed)?;
    let name = format!("{own}/{file}");
    let path = folder.locate(&name).filter(|path| !host.exists(path));
    let uri = path.and_then(|path| host.address(&path));
    let here = directory.to_string_lossy();
    let shown = name.strip_prefix(&*here).unwrap_or(&name);
    let exists = || refused(format!("{} already exists", clean(shown.trim_start_matches('/'))));
    let uri = uri.ok_or_else(exists)?;
    Ok(Answer::File { uri, text })
}

/// The required fields of a dialect, besides the name, the description and the prompt.
pub fn required(dialect: &Dialect) -> impl Iterator<Item = &DialectKey> {
    let prompt = dialect.prompt_key.as_deref();
    let asked = move |key: &&DialectKey| {
        !matches!(&*key.canonical, "name" | "description") && prompt != Some(&*key.canonical)
    };
    dialect.keys.iter().filter(|key| key.required).filter(asked)
}

impl Missing {
    fn of(key: &DialectKey) -> Self {
        Self {
            field: key.canonical.clone(),
            key: key.spellings[0].clone(),
            values: key.values.clone(),
        }
    }
}

fn refused(reason: String) -> Refused {
    (ErrorCode::RequestFailed, reason)
}
