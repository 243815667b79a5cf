//! `docs/callsheet.schema.json`: the schema of a `callsheet.toml`, for editors.

use callsheet_core::dialect::Dialects;
use callsheet_core::reader::Readers;
use callsheet_core::rules::RULES;
use serde_json::{Map, Value, json};

/// A model with its provider.
const MODEL: &str = "^[^:]+:.";
/// The name of an environment variable.
const VARIABLE: &str = "^[A-Za-z_][A-Za-z0-9_]*$";

#[test]
fn the_configuration_schema_is_up_to_date() {
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
                "description": "The location of this schema, for editors.",
                "type": "string"
            },
            "dialect": {
                "description": "The dialect to use, like `--as` on the command line.",
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
                "description": "Severities for some files only. Later overrides win.",
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["paths", "rules"],
                    "properties": {
                        "paths": {
                            "description": "Patterns of paths, relative to this file. `*` stays within a directory, `**` does not; a directory includes everything below it.",
                            "type": "array",
                            "items": {"type": "string"}
                        },
                        "rules": {"$ref": "#/definitions/rules"}
                    }
                }
            },
            "models": {
                "description": "Model aliases. `default` is the model of agents without one.",
                "type": "object",
                "additionalProperties": {
                    "description": "`provider:name`",
                    "type": "string",
                    "pattern": MODEL
                }
            },
            "providers": {
                "description": "Endpoints by the name of the provider, which may not contain `:` and `/`.",
                "type": "object",
                "propertyNames": {"pattern": "^[^:/]+$"},
                "additionalProperties": provider()
            },
            "prices": {
                "description": "What a million tokens cost, in your currency, by `provider:name`.",
                "type": "object",
                "propertyNames": {"pattern": MODEL},
                "additionalProperties": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["input", "output"],
                    "properties": {
                        "input": {"description": "Tokens read.", "type": "number", "minimum": 0},
                        "output": {"description": "Tokens written.", "type": "number", "minimum": 0},
                        "cache_read": {"description": "Tokens read from the cache.", "type": "number", "minimum": 0},
                        "cache_write": {"description": "Tokens read and written to the cache.", "type": "number", "minimum": 0},
                        "date": {"description": "The day that the price is of.", "type": "string", "format": "date"}
                    }
                }
            },
            "run": {
                "description": "What agents may do without asking. Only used if the file is trusted with `callsheet trust`.",
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "allow": {
                        "description": "Calls that need no confirmation, as in lists of tools: `Bash(git status)`.",
                        "type": "array",
                        "items": {"type": "string", "pattern": r"^\s*[^(\s][^(]*(\([\s\S]*\)\s*)?$"}
                    },
                    "permission_mode": {
                        "description": "Further calls that need no confirmation, like `--permission-mode`.",
                        "enum": ["plan", "default", "accept-edits", "bypass"]
                    },
                    "env": {
                        "description": "Variables of the environment that commands see, besides harmless ones such as `PATH`.",
                        "type": "array",
                        "items": {"type": "string", "pattern": VARIABLE}
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
                        "description": "Whether confined commands may use the network, regardless of their agents' tools.",
                        "type": "boolean"
                    },
                    "private_hosts": {
                        "description": "Hosts, also with a port, that agents may fetch from although their addresses are private.",
                        "type": "array",
                        "items": {"type": "string", "pattern": r"^[^/\s]+$"}
                    },
                    "web_search": {
                        "description": "The tool of an MCP server that agents search the web with, such as `mcp__SERVER__TOOL`.",
                        "type": "string"
                    }
                }
            },
            "build": {
                "description": "Agents that extend and include others, which `callsheet build` compiles.",
                "type": "object",
                "additionalProperties": false,
                "required": ["from", "to"],
                "properties": {
                    "from": {
                        "description": "The folder of the sources, relative to this file.",
                        "type": "string",
                        "pattern": r"^(?!/|(.*[/\\])?\.\.([/\\]|$))"
                    },
                    "to": {
                        "description": "The tools to compile for.",
                        "type": "array",
                        "minItems": 1,
                        "uniqueItems": true,
                        "items": {"enum": names}
                    },
                    "dialect": {
                        "description": "The dialect of the sources; by default that of the file, else the owner of the folder.",
                        "enum": names
                    },
                    "allow_loss": {
                        "description": "Whether tools and limits may be lost in another dialect. Permissions are never widened.",
                        "type": "boolean"
                    },
                    "sets": {
                        "description": "Tools by the name of a set, which `add` and `remove` may use as `@name`.",
                        "type": "object",
                        "additionalProperties": {"type": "array", "items": {"type": "string", "pattern": "^(?!@)"}}
                    }
                }
            },
            "mcp": {
                "description": "MCP. Only used if the file is trusted with `callsheet trust`.",
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
                "pattern": r"^https?://[^/\s]\S*$"
            },
            "key_variable": {
                "description": "The environment variable with the key. Without one, `none` is sent as the key.",
                "type": "string",
                "pattern": VARIABLE
            },
            "kind": {
                "description": "Its protocol.",
                "enum": ["anthropic", "openai", "openai-responses", "gemini"],
                "default": "openai"
            },
            "model": {
                "description": "The model of agents and of `--model` if they only name the provider.",
                "type": "string",
                "pattern": r"\S"
            }
        }
    })
}

fn server() -> Value {
    let texts = |about: &str| {
        let text = json!({"type": "string"});
        json!({"description": about, "type": "object", "additionalProperties": text})
    };
    json!({
        "description": "As in `.mcp.json`. `${NAME}` is an environment variable, `${NAME:-text}` has a default.",
        "type": "object",
        "additionalProperties": false,
        "oneOf": [
            {"required": ["command"], "properties": {"type": {"enum": ["stdio", "local"]}}},
            {"required": ["url"], "properties": {"type": {"enum": ["http", "streamable-http"]}}}
        ],
        "properties": {
            "type": {
                "description": "The transport.",
                "enum": ["stdio", "local", "http", "streamable-http"]
            },
            "command": {"description": "The program to start.", "type": "string", "pattern": r"\S"},
            "args": {
                "description": "Its arguments.",
                "type": "array",
                "items": {"type": "string"}
            },
            "env": texts("Its environment variables, besides harmless ones such as `PATH`."),
            "url": {"description": "Its address.", "type": "string", "pattern": r"^(https?://|\$\{)"},
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
