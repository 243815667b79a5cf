//! Applies a dialect's table to a spanned tree: every value becomes a field or a finding.

mod enumeration;
mod fields;
mod key;
pub(crate) mod permissions;
mod shape;
#[cfg(test)]
mod tests;
mod tools;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

pub(crate) use self::enumeration::{check_enumerations, holds};
pub(crate) use self::fields::value_span;
pub(crate) use self::key::Input;
use self::key::KeyReader;
use self::shape::Value;
pub(crate) use self::tools::{of as tools_of, rule as tool_rule, rules, words};
use crate::definition::{Definition, Endpoint, Model, ToolFilter, ToolRule};
use crate::dialect::{Canonical, Dialect, Verdict};
use crate::examples::examples;
use crate::reader;
use crate::verdict::Judgement;
use crate::vocabulary;
use crate::yaml::Node;

/// Reads the keys. The caller adds the prompt.
pub(crate) fn decode(dialect: &Dialect, input: &Input<'_>, judgement: &mut Judgement) -> Definition {
    let entries = input.root.map(Node::entries).unwrap_or_default();
    let fields = fields::fields(dialect, input.text, entries);
    fields::report_duplicates(dialect, &fields, judgement);
    fields::report_other_spellings(dialect, &fields, judgement);
    fields::judge_unknown(dialect, &fields, judgement);
    let mut rules = Vec::new();
    let mut definition = Definition {
        name: input.stem.to_owned(),
        ..Definition::default()
    };
    for key in &dialect.keys {
        let found = fields::find(key, entries, &fields);
        let found_servers = found.filter(|_| key.field == Canonical::McpServers);
        if let Some((entry, _)) = found_servers
            && (!key.list_only || entry.value.items().is_some())
        {
            definition.servers = reader::json(&entry.value).unwrap_or_default();
        }
        let mut value = KeyReader::new(dialect, key, input, judgement).read(found);
        if let Some(Value::Text(text)) = &mut value {
            if key.trimmed {
                *text = text.trim().to_owned();
            }
            if key.any_case && key.accepts(text) {
                text.make_ascii_lowercase();
            }
        }
        if let Some(Value::Permissions(mut more)) = value {
            rules.append(&mut more);
        } else if let Some(value) = value {
            assign(&mut definition, dialect, key.field, value);
        }
    }
    if !rules.is_empty() {
        (definition.tools, definition.denied_tools) = permissions::resolve(&rules);
        definition.permissions = rules;
    }
    judge_tools(dialect, &definition, judgement);
    let examples = examples(&definition.description).map(|example| example.text.to_owned());
    definition.examples = examples.collect();
    definition.fields = fields;
    definition
}

fn assign(definition: &mut Definition, dialect: &Dialect, field: Canonical, value: Value) {
    match (field, value) {
        (Canonical::Name, Value::Text(text)) if !text.is_empty() => definition.name = text,
        (Canonical::Description, Value::Text(text)) => definition.description = text,
        (Canonical::Tools, Value::Tools(tools)) => definition.tools = tools,
        (Canonical::DeniedTools, Value::Tools(ToolFilter::Only(rules))) => definition.denied_tools = rules,
        (Canonical::Model, Value::Text(text)) => definition.model = model(dialect, text),
        (Canonical::ModelName, Value::Text(text)) => definition.model_name = Some(text),
        (Canonical::Provider, Value::Text(text)) => definition.provider = Some(text),
        (Canonical::Effort, Value::Text(text)) => definition.effort = Some(text),
        (Canonical::MaxTokens, Value::Integer(number)) => definition.max_tokens = Some(number),
        (Canonical::ThinkingBudget, Value::Integer(number)) => definition.thinking_budget = Some(number),
        (Canonical::AllowedCommands, Value::Words(words)) => definition.allowed_commands = Some(words),
        (Canonical::Endpoint, Value::Endpoint(endpoint)) => definition.endpoint = Some(endpoint),
        (Canonical::Prompt, Value::Text(text)) => definition.system_prompt = text,
        (Canonical::Context, Value::Any(text)) => definition.context = Some(text),
        (Canonical::ForkContext, Value::Boolean(fork)) => definition.fork_context = Some(fork),
        (Canonical::Color, Value::Text(text)) => definition.color = Some(text),
        (Canonical::PermissionMode, Value::Text(text)) => definition.permission_mode = Some(text),
        (Canonical::MaxTurns, Value::Integer(turns)) => definition.limits.turns = u32::try_from(turns).ok(),
        (Canonical::Skills, Value::Words(words)) => definition.skills = words,
        (Canonical::Hooks, Value::Words(words)) => definition.hooks = words,
        (Canonical::McpServers, Value::Words(words)) => definition.mcp_servers = words,
        // Other fields have no place of their own and stay in `fields`.
        _ => {}
    }
}

/// Where unknown tools are refused, one of them decides. The rule about unknown tools reports where.
fn judge_tools(dialect: &Dialect, definition: &Definition, judgement: &mut Judgement) {
    let ToolFilter::Only(rules) = &definition.tools else {
        return;
    };
    if let Some(reason) = untaken_tool(dialect, rules) {
        judgement.judge(dialect.tools.unknown, &reason);
    }
}

/// Why a list of tools is refused, if it must consist of known ones.
pub(crate) fn untaken_tool(dialect: &Dialect, rules: &[ToolRule]) -> Option<String> {
    if dialect.tools.unknown == Verdict::Fine {
        return None;
    }
    let is_unknown =
        |rule: &&ToolRule| rule.specifier.is_some() || !vocabulary::known(dialect.product(), &rule.tool);
    let rule = rules.iter().find(is_unknown)?;
    Some(alloc::format!(
        "`{}` is not a tool of {}",
        rule.written(),
        dialect.id
    ))
}

pub(crate) fn model(dialect: &Dialect, text: String) -> Model {
    let text = text.trim();
    let is = |word: &str| word == text || dialect.any_case_models && word.eq_ignore_ascii_case(text);
    let alias = dialect.model_aliases.iter().find(|alias| is(alias));
    match (text, alias) {
        ("", _) => Model::Absent,
        _ if is("inherit") => Model::Inherit,
        (_, Some(alias)) => Model::Alias(alias.clone()),
        (id, None) => Model::Id(id.to_owned()),
    }
}

impl Endpoint {
    fn set(&mut self, key: &str, value: &str) {
        match key {
            "base_url" => self.base_url = Some(value.to_owned()),
            "api_key_env_var" => self.api_key_variable = Some(value.to_owned()),
            _ => {}
        }
    }
}
