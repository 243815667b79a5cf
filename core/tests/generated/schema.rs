//! `docs/callsheet.schema.json`: what a `callsheet.toml` may hold, for editors.

use callsheet_core::dialect::Dialects;
use callsheet_core::reader::Readers;
use callsheet_core::rules::RULES;
use serde_json::{Map, Value, json};

#[test]
fn the_schema_of_the_configuration_is_fresh() {
    let mut text = serde_json::to_string_pretty(&schema()).expect("it has string keys");
    text.push('\n');
    crate::compare("docs/callsheet.schema.json", &text);
}

fn schema() -> Value {
    let (dialects, readers) = (Dialects::embedded(), Readers::embedded());
    let dialects = dialects.iter().map(|dialect| dialect.id.clone());
    let releases = readers.iter().map(|reader| reader.id.clone());
    let names: Vec<String> = dialects.chain(releases).collect();
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "callsheet.toml",
        "description": "How Callsheet checks and runs the agents of a project.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "$schema": {
                "description": "Where this schema is, for editors.",
                "type": "string"
            },
            "dialect": {
                "description": "Whose rules hold, as `--as` says on the command line.",
                "enum": names
            },
            "targets": {
                "description": "The tools that the files are written for: a dialect, or one of its releases as in `kode@2.0.2`.",
                "type": "array",
                "items": {"enum": names}
            },
            "exclude": {
                "description": "Patterns of files that `check` skips unless they are named, relative to this file.",
                "type": "array",
                "items": {"type": "string"}
            },
            "rules": {"$ref": "#/definitions/rules"},
            "overrides": {
                "description": "Severities for some files only. Later overrides go before earlier ones.",
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["paths", "rules"],
                    "properties": {
                        "paths": {
                            "description": "Patterns of paths, relative to this file. `*` stays within a directory, `**` does not; a directory stands for all below it.",
                            "type": "array",
                            "items": {"type": "string"}
                        },
                        "rules": {"$ref": "#/definitions/rules"}
                    }
                }
            },
            "models": {
                "description": "Words for models. `default` is the model of those for whom nobody names one.",
                "type": "object",
                "additionalProperties": {
                    "description": "`provider:name`",
                    "type": "string",
                    "pattern": "^[^:]+:."
                }
            },
            "providers": {
                "description": "Where models are asked, by the name of the provider: any without `:` and `/`.",
                "type": "object",
                "additionalProperties": provider()
            },
            "prices": {
                "description": "What a million tokens cost, in your currency, by `provider:name`.",
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["input", "output"],
                    "properties": {
                        "input": {"description": "Tokens read.", "type": "number", "minimum": 0},
                        "output": {"description": "Tokens written.", "type": "number", "minimum": 0}
                    }
                }
            },
            "run": {
                "description": "What agents may do without asking. It counts only where `callsheet trust` was asked about the file.",
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "allow": {
                        "description": "What is done without asking, as in lists of tools: `Bash(git status)`.",
                        "type": "array",
                        "items": {"type": "string"}
                    },
                    "permission_mode": {
                        "description": "What is done without asking besides, as `--permission-mode` says.",
                        "enum": ["plan", "default", "accept-edits", "bypass"]
                    },
                    "env": {
                        "description": "Variables of the environment that commands see, besides harmless ones such as `PATH`.",
                        "type": "array",
                        "items": {"type": "string"}
                    },
                    "reads": {
                        "description": "Files and directories that confined commands may also read, relative to the project.",
                        "type": "array",
                        "items": {"type": "string"}
                    },
                    "writes": {
                        "description": "Files and directories that confined commands may also write, relative to the project.",
                        "type": "array",
                        "items": {"type": "string"}
                    },
                    "network": {
                        "description": "Whether confined commands may use the network, whatever tools their agents have.",
                        "type": "boolean"
                    }
                }
            },
            "mcp": {
                "description": "MCP. It counts only where `callsheet trust` was asked about the file.",
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "servers": {
                        "description": "Servers whose tools agents may have, by name.",
                        "type": "object",
                        "additionalProperties": server()
                    }
                }
            }
        },
        "definitions": {
            "level": {"enum": ["off", "note", "warning", "error"]},
            "rules": {
                "description": "Severities by rule.",
                "type": "object",
                "additionalProperties": false,
                "properties": rules()
            }
        }
    })
}

fn provider() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["base_url"],
        "properties": {
            "base_url": {
                "description": "Its address.",
                "type": "string",
                "pattern": "^https?://"
            },
            "key_variable": {
                "description": "The environment variable that holds the key. Without one, no key is sent.",
                "type": "string"
            },
            "kind": {
                "description": "How it is spoken to.",
                "enum": ["anthropic", "openai", "openai-responses", "gemini"],
                "default": "openai"
            }
        }
    })
}

fn server() -> Value {
    let text = |about: &str| json!({"description": about, "type": "string"});
    let texts = |about: &str| {
        let text = json!({"type": "string"});
        json!({"description": about, "type": "object", "additionalProperties": text})
    };
    json!({
        "description": "As `.mcp.json` has it. `${NAME}` stands for a variable of the environment, `${NAME:-text}` for the text where there is none.",
        "type": "object",
        "additionalProperties": false,
        "oneOf": [{"required": ["command"]}, {"required": ["url"]}],
        "properties": {
            "type": {
                "description": "How it is reached, if that is to be said.",
                "enum": ["stdio", "local", "http", "streamable-http"]
            },
            "command": text("The program that is started."),
            "args": {
                "description": "Its arguments.",
                "type": "array",
                "items": {"type": "string"}
            },
            "env": texts("Variables of its environment, besides harmless ones such as `PATH`."),
            "url": text("Its address."),
            "headers": texts("Headers of every request.")
        }
    })
}

fn rules() -> Value {
    let rule = |rule: &&callsheet_core::rules::Rule| {
        let schema = json!({
            "description": rule.summary,
            "allOf": [{"$ref": "#/definitions/level"}]
        });
        (rule.name.to_owned(), schema)
    };
    Value::Object(RULES.iter().map(rule).collect::<Map<_, _>>())
}
