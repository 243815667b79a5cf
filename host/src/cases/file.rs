//! Case files.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer};

use super::assertion::Assertion;
use super::error::CaseError;
use super::find::FOLDER;
use super::rate::PassRate;
use super::written::{Below, Id, Prompt};
use crate::regular;

/// The folder of recordings, beside the case file.
const RECORDINGS: &str = "recordings";

/// A case file.
#[derive(Debug)]
pub struct CaseFile {
    /// Its path.
    pub path: PathBuf,
    /// In their order.
    pub cases: Vec<Case>,
}

/// A task for an agent, and what is expected.
#[derive(Debug)]
pub struct Case {
    /// Unique in its file.
    pub id: String,
    /// The agent.
    pub agent: String,
    /// The task.
    pub prompt: String,
    /// Input files and folders, relative to [`CaseFile::base`].
    pub files: Vec<String>,
    /// What is checked.
    pub assertions: Vec<Assertion>,
    /// What is left to people and graders.
    pub statements: Vec<String>,
    /// The part of its tries that must pass, if the file states it.
    pub min_pass_rate: Option<PassRate>,
}

impl CaseFile {
    /// Reads a case file. None if it names no agent: then it tests a skill.
    ///
    /// Fails if it cannot be read or is not a case file.
    pub fn read(path: &Path) -> Result<Option<Self>, CaseError> {
        let text = regular::text(path);
        let text = text.map_err(|error| CaseError::of(path, format!("cannot be read: {error}")))?;
        if serde_json::from_str::<Vec<IgnoredAny>>(&text).is_ok() {
            let problem = "expected an object with `evals`, not a list";
            return Err(CaseError::of(path, problem.to_owned()));
        }
        if !names_an_agent(&text) {
            return Ok(None);
        }
        let written: Written =
            serde_json::from_str(&text).map_err(|error| CaseError::at(path, &text, &error))?;
        let usual = written.agent.as_ref();
        let cases = written.evals.0.into_iter().map(|case| {
            let id = case.id.0;
            let agent = case.agent.as_ref().or(usual);
            let agent = agent.ok_or_else(|| {
                let advice = "add `agent` to it, or beside `evals` for all cases";
                CaseError::of(path, format!("the case `{id}` names no agent: {advice}"))
            })?;
            let (mut assertions, mut statements) = (Vec::new(), case.expectations);
            for expected in case.assertions {
                match expected {
                    Expected::Checked(assertion) => assertions.push(assertion),
                    Expected::Stated(statement) => statements.push(statement),
                }
            }
            Ok(Case {
                id,
                agent: agent.0.clone(),
                prompt: case.prompt.0,
                files: case.files.into_iter().map(|file| file.0).collect(),
                assertions,
                statements,
                min_pass_rate: case.min_pass_rate.or(written.min_pass_rate),
            })
        });
        Ok(Some(Self {
            path: path.to_owned(),
            cases: cases.collect::<Result<_, _>>()?,
        }))
    }

    /// The folder that input files are relative to: that of the folder `evals`, or of the file if it is elsewhere.
    pub fn base(&self) -> PathBuf {
        let folder = self.folder();
        let is_usual = folder.canonicalize().is_ok_and(|folder| folder.ends_with(FOLDER));
        if is_usual { folder.join("..") } else { folder }
    }

    /// The recording of a case.
    pub fn recording(&self, case: &Case) -> PathBuf {
        self.folder().join(RECORDINGS).join(format!("{}.jsonl", case.id))
    }

    fn folder(&self) -> PathBuf {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        }
    }
}

/// Other tools' files test skills: they name no agent, and may have other keys. What cannot be parsed is for the parser to explain.
fn names_an_agent(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Named {
        agent: Option<IgnoredAny>,
    }
    #[derive(Deserialize)]
    struct Names {
        agent: Option<IgnoredAny>,
        skill_name: Option<IgnoredAny>,
        evals: Vec<Named>,
    }
    let names = serde_json::from_str::<Names>(text);
    names.map_or(true, |it| {
        it.agent.is_some() || it.skill_name.is_none() || it.evals.iter().any(|case| case.agent.is_some())
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `evals`")]
struct Written {
    #[serde(default, rename = "$schema")]
    _schema: Option<IgnoredAny>,
    #[serde(default)]
    agent: Option<Prompt>,
    #[serde(default)]
    min_pass_rate: Option<PassRate>,
    /// Part of the convention.
    #[serde(default, rename = "skill_name")]
    _skill_name: Option<IgnoredAny>,
    evals: WrittenCases,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `id` and `prompt`")]
struct WrittenCase {
    id: Id,
    #[serde(default)]
    agent: Option<Prompt>,
    #[serde(default)]
    min_pass_rate: Option<PassRate>,
    prompt: Prompt,
    /// For people.
    #[serde(default, rename = "expected_output")]
    _expected_output: Option<String>,
    #[serde(default)]
    files: Vec<Below>,
    #[serde(default)]
    assertions: Vec<Expected>,
    /// Another name for statements.
    #[serde(default)]
    expectations: Vec<String>,
}

/// Cases with different IDs.
struct WrittenCases(Vec<WrittenCase>);

impl<'de> Deserialize<'de> for WrittenCases {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = WrittenCases;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a list of cases")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<WrittenCases, A::Error> {
                // Some file systems do not distinguish case.
                let (mut cases, mut known) = (Vec::new(), BTreeSet::new());
                while let Some(case) = list.next_element::<WrittenCase>()? {
                    let id = &case.id.0;
                    if !known.insert(id.to_lowercase()) {
                        return Err(A::Error::custom(format!(
                            "two cases have the ID `{id}`: each has a recording of that name, so choose another"
                        )));
                    }
                    cases.push(case);
                }
                Ok(WrittenCases(cases))
            }
        }
        from.deserialize_seq(Each)
    }
}

/// An element of `assertions`.
enum Expected {
    Checked(Assertion),
    Stated(String),
}

impl<'de> Deserialize<'de> for Expected {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Expected;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an assertion, or a statement as a string")
            }

            fn visit_str<E: Error>(self, statement: &str) -> Result<Expected, E> {
                Ok(Expected::Stated(statement.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Expected, A::Error> {
                Assertion::deserialize(MapAccessDeserializer::new(map)).map(Expected::Checked)
            }
        }
        from.deserialize_any(Either)
    }
}
