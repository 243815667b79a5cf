//! The values for a new agent so far.

use callsheet::Callsheet;
use callsheet::closest::closest;
use callsheet::documents::{Dialect, DialectKey, Draft, DraftField, FieldValue, KeyChange};
use callsheet::output::text::clean;
use callsheet::types::{Kind, ToolFilter};
use callsheet_server::required;

use super::template::{Template, change, changed, templates};
use crate::cli::New;
use crate::commands::context::Context;
use crate::commands::kinds;
use crate::commands::written::{Naming, prompt};
use crate::exit::Failure;

/// The default dialect for users of none: most agent files are written for it.
const USUAL: &str = "claude-code";

/// The values for a new agent.
pub(super) struct Answers {
    pub(super) dialect: Dialect,
    /// The dialects to choose from, if several are possible.
    pub(super) choice: Vec<Dialect>,
    pub(super) user: bool,
    pub(super) template: Option<Template>,
    pub(super) prompt: Option<String>,
    /// Whether to set no tools, not even the template's.
    tools_open: bool,
    /// Values as entered, by canonical field.
    fields: Vec<(String, String)>,
}

impl Answers {
    pub(super) fn start(context: &mut Context, command: New) -> Result<Self, Failure> {
        let name = command.name.map(|name| kinds::named(context, &name).to_owned());
        if context.kind != Kind::Agent && command.template.is_some() {
            let failure = Failure::trouble("templates are agents");
            return Err(failure.help("omit `--template`, and set everything on the command line"));
        }
        let (dialect, choice) = dialects(context)?;
        let prompt = prompt::given(&command.prompt)?;
        let template = command.template.as_deref().map(template).transpose()?;
        let mut answers = Self {
            dialect,
            choice,
            user: command.user,
            template,
            prompt,
            tools_open: false,
            fields: Vec::new(),
        };
        let given = [
            ("name", name),
            ("description", command.description),
            ("tools", command.tools),
            ("model", command.model),
            ("color", command.agent_color),
        ];
        for (field, value) in given {
            answers
                .fields
                .extend(value.map(|value| (field.to_owned(), value)));
        }
        for (key, value) in command.set {
            answers.assign(&key, value)?;
        }
        Ok(answers)
    }

    pub(super) fn get(&self, field: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        fields
            .find(|(known, _)| known == field)
            .map(|(_, value)| value.as_str())
    }

    pub(super) fn set(&mut self, field: &str, value: impl Into<String>) {
        self.fields.retain(|(known, _)| known != field);
        self.fields.push((field.to_owned(), value.into()));
    }

    /// Sets no tools.
    pub(super) fn leave_tools(&mut self) {
        self.tools_open = true;
    }

    pub(super) fn name(&self) -> &str {
        self.get("name").unwrap_or_default()
    }

    /// The keys that the dialect has, by canonical name.
    pub(super) fn key(&self, field: &str) -> Option<&DialectKey> {
        self.dialect.keys.iter().find(|key| key.canonical == field)
    }

    /// The missing values, as command line options.
    pub(super) fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        if !self.choice.is_empty() {
            let ids: Vec<&str> = self.choice.iter().map(|dialect| &*dialect.id).collect();
            missing.push(format!("--as ({})", ids.join(", ")));
        }
        if self.get("name").is_none() {
            missing.push("NAME".to_owned());
        }
        if self.get("description").is_none() && self.template.is_none() {
            missing.push("--description".to_owned());
        }
        missing.extend(self.unsaid().map(|key| format!("--set {}=…", key.spellings[0])));
        if self.prompt.is_none() && self.template.is_none() {
            missing.push("--prompt or --prompt-file".to_owned());
        }
        missing
    }

    /// The dialect's required fields besides name and description.
    pub(super) fn unsaid(&self) -> impl Iterator<Item = &DialectKey> {
        required(&self.dialect).filter(|key| self.get(&key.canonical).is_none())
    }

    /// The text of the file by these rules, and why the agent is not limited to its template's tools, if so.
    pub(super) fn text(
        &self,
        callsheet: &mut Callsheet,
        rules: &str,
    ) -> callsheet::Result<(String, Option<String>)> {
        let template = self.template.as_ref();
        if let Some(template) = template.filter(|_| !self.tools_open && self.get("tools").is_none()) {
            return self.from(template, callsheet);
        }
        let field = |(field, value): (&String, FieldValue)| DraftField {
            canonical: field.clone(),
            value,
        };
        let mut fields: Vec<DraftField> = self.said().map(field).collect();
        if let Some(template) = template.filter(|_| self.get("description").is_none()) {
            let description = FieldValue::Text(template.description.to_owned());
            fields.push(DraftField {
                canonical: "description".to_owned(),
                value: description,
            });
        }
        let prompt = self
            .prompt
            .as_deref()
            .or(template.map(|it| it.prompt))
            .unwrap_or_default();
        let prompt = prompt::lines(prompt);
        Ok((callsheet.render(&Draft { fields, prompt }, rules)?, None))
    }

    /// The template's tools in the dialect's names, and all other values as given.
    fn from(
        &self,
        template: &Template,
        callsheet: &mut Callsheet,
    ) -> callsheet::Result<(String, Option<String>)> {
        let prompt = self.prompt.as_deref().map(prompt::lines);
        let field = |(field, value): (&String, FieldValue)| change(field, Some(value));
        let is_shared = |field: &str| matches!(field, "name" | "description");
        let text = |value: &String| Some(FieldValue::Text(value.clone()));
        let shared = self.fields.iter().filter(|(field, _)| is_shared(field));
        let shared: Vec<KeyChange> = shared.map(|(field, value)| change(field, text(value))).collect();
        let written = template.written(callsheet, &shared, prompt.as_deref(), &self.dialect.id)?;
        let own: Vec<KeyChange> = self
            .said()
            .filter(|(field, _)| !is_shared(field))
            .map(field)
            .collect();
        let contents = changed(callsheet, &written.contents, &self.dialect.id, &own, None)?;
        Ok((String::from_utf8_lossy(&contents).into_owned(), written.unlimited))
    }

    /// The template's tools in the dialect.
    pub(super) fn usual_tools(&self, callsheet: &mut Callsheet) -> callsheet::Result<Vec<String>> {
        let Some(template) = &self.template else {
            return Ok(Vec::new());
        };
        let written = template.written(callsheet, &[], None, &self.dialect.id)?;
        let parsed = callsheet.parse(template.name, &written.contents, Some(&self.dialect.id))?;
        Ok(match parsed.agent.map(|agent| agent.tools) {
            Some(ToolFilter::Only(rules)) => rules.into_iter().map(|rule| rule.tool).collect(),
            _ => Vec::new(),
        })
    }

    /// The given values as fields of the dialect.
    fn said(&self) -> impl Iterator<Item = (&String, FieldValue)> {
        let is_said = |(field, _): &&(String, String)| field != "name" || self.key("name").is_some();
        self.fields.iter().filter(is_said).map(|(field, value)| {
            let value = match field.as_str() {
                "name" | "description" => FieldValue::Text(value.clone()),
                _ => FieldValue::Entered(value.clone()),
            };
            (field, value)
        })
    }

    /// Sets a field, which may be the prompt.
    fn assign(&mut self, key: &str, value: String) -> Result<(), Failure> {
        let field = self.field(key)?;
        if self.dialect.prompt_key.as_ref() != Some(&field) {
            self.fields.push((field, value));
        } else if self.prompt.replace(value).is_some() {
            let failure = Failure::trouble(format!("`{}` is the prompt, which is set twice", clean(key)));
            return Err(failure.help("omit `--prompt` or `--set`"));
        }
        Ok(())
    }

    /// The canonical field of a key in the user's spelling.
    fn field(&self, name: &str) -> Result<String, Failure> {
        let keys = &self.dialect.keys;
        let is_it = |key: &&DialectKey| key.canonical == name || key.spellings.iter().any(|it| it == name);
        if let Some(key) = keys.iter().find(is_it) {
            return Ok(key.canonical.clone());
        }
        let failure = Failure::trouble(format!("{} has no field `{}`", self.dialect.id, clean(name)));
        let spellings = keys.iter().flat_map(|key| &key.spellings).map(String::as_str);
        Err(match closest(name, spellings) {
            Some(near) => failure.help(format!("did you mean `{near}`?")),
            None => failure.help(format!("`callsheet dialects {}` lists fields", self.dialect.id)),
        })
    }
}

/// The dialect, and the choices if there are several.
fn dialects(context: &mut Context) -> Result<(Dialect, Vec<Dialect>), Failure> {
    let mut ids = context.dialects()?;
    if context.options.dialect.is_none() {
        // Not every tool has skills or commands.
        let kind = context.kind;
        ids.retain(|id| context.callsheet.locations_for(id, kind).is_ok());
    }
    let mut ids = ids.into_iter();
    let first = ids.next().unwrap_or_else(|| USUAL.to_owned());
    let first = Naming::of(context, &first)?.dialect;
    let others = ids.map(|id| Ok(Naming::of(context, &id)?.dialect));
    let others = others.collect::<Result<Vec<Dialect>, Failure>>()?;
    Ok(if others.is_empty() {
        (first, Vec::new())
    } else {
        (first.clone(), [vec![first], others].concat())
    })
}

fn template(name: &str) -> Result<Template, Failure> {
    let names: Vec<&str> = templates().map(|it| it.name).collect();
    templates().find(|it| it.name == name).ok_or_else(|| {
        let failure = Failure::trouble(format!("unknown template `{}`", clean(name)));
        let failure = failure.help(format!("use one of: {}", names.join(", ")));
        match closest(name, names.iter().copied()) {
            Some(near) => failure.help(format!("did you mean `{near}`?")),
            None => failure,
        }
    })
}
