//! Dialects and readers: core types to contract types.

use callsheet_core::{dialect, document, reader, vocabulary};

use crate::bindings::exports::callsheet::agents::documents;
use crate::common::{level, list};

pub fn dialect(dialect: &dialect::Dialect) -> documents::Dialect {
    documents::Dialect {
        id: dialect.id.clone(),
        title: dialect.title.clone(),
        evidence: dialect.evidence.clone(),
        sources: list(&dialect.sources, |source| documents::DialectSource {
            level: level(source.level),
            directory: source.directory_words(),
        }),
        clash: dialect.clash.words().to_owned(),
        file_names: dialect.files.words.clone(),
        endings: dialect.endings().collect(),
        identity: match dialect.identity {
            dialect::Identity::Stem => documents::Identity::FileName,
            dialect::Identity::Path => documents::Identity::Path,
            dialect::Identity::Colons => documents::Identity::Colons,
            dialect::Identity::Dashes => documents::Identity::Dashes,
            dialect::Identity::Folder => documents::Identity::Folder,
        },
        keys: list(&dialect.keys, |key| documents::DialectKey {
            canonical: key.field.name().to_owned(),
            spellings: key.spellings.clone(),
            required: key.is_required(),
            default: key.default.clone(),
            values: key.one_of.clone(),
        }),
        prompt_key: dialect.prompt_key().map(str::to_owned),
        models: dialect.model_aliases.clone(),
        tools: list(vocabulary::current(&dialect.id), |tool| documents::DialectTool {
            name: tool.name.to_owned(),
            may: list(tool.rights.iter(), |right| right.words.to_owned()),
            rights: list(tool.rights.ids(), ToOwned::to_owned),
        }),
    }
}

pub fn reader(reader: &reader::Reader) -> documents::Reader {
    documents::Reader {
        id: reader.id.clone(),
        title: reader.title.clone(),
        dialect: reader.dialect.clone(),
        evidence: reader.evidence.clone(),
        measured: reader.measured,
    }
}

pub fn seen(seen: document::Seen) -> documents::Seen {
    documents::Seen {
        reader: seen.reader.id.clone(),
        fate: match seen.fate {
            document::Fate::Loads => documents::Fate::Loads,
            document::Fate::LoadsDifferently => documents::Fate::LoadsDifferently,
            document::Fate::Dropped => documents::Fate::Dropped,
            document::Fate::NotLookedAt => documents::Fate::NotLookedAt,
        },
        reason: seen.reason,
        differs: seen.differs.into_iter().map(str::to_owned).collect(),
        agent: seen.agent.map(held_agent),
    }
}

fn held_agent(agent: reader::HeldAgent) -> documents::HeldAgent {
    documents::HeldAgent {
        name: held(agent.name),
        description: held(agent.description),
        tools: held_tools(agent.tools),
        denied_tools: held_tools(agent.denied),
        model: agent.model.map(held),
        color: agent.color.map(held),
        prompt: String::from_utf8_lossy(&agent.prompt).into_owned(),
    }
}

fn held(held: reader::Held) -> documents::Held {
    let (value, kind) = match held {
        reader::Held::Text(text) => (text, "text"),
        reader::Held::Other { json, kind } => (json, kind),
    };
    documents::Held {
        value,
        kind: kind.to_owned(),
    }
}

fn held_tools(tools: reader::HeldTools) -> documents::HeldTools {
    match tools {
        reader::HeldTools::Nothing => documents::HeldTools::Nothing,
        reader::HeldTools::All => documents::HeldTools::All,
        reader::HeldTools::Only(names) => documents::HeldTools::Only(names),
    }
}
