//! Transcripts of the language server: what a client says, line by line, and what it is told. `BLESS=1` rewrites what is expected.
//!
//! - `start CAPABILITIES`: the handshake, in the folder `project` of the case
//! - `ask METHOD PARAMS`: a request
//! - `tell METHOD PARAMS`: a notification
//! - `hear`: the next message, which no other one caused
//! - `hold MESSAGE`: is sent with the next one
//! - `raw TEXT`: bytes, with escapes as in JSON
//! - `write PATH TEXT`: writes a file and its folders, with escapes as in JSON
//! - `end`: closes the input; shows the exit status and the error stream
//!
//! `@PATH` is the address of a file of the case, `untitled:@PATH` the same in another scheme, `3:25` a position and `3:25-4:0` a range, counted from 0.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use callsheet_tests::case::Case;
use callsheet_tests::client::{Client, root};
use callsheet_tests::digest::of_value;
use callsheet_tests::texts;
use libtest_mimic::{Arguments, Failed, Trial};
use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq};
use proptest::sample::{Index, select};
use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_callsheet-under-test");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let blessing = std::env::var_os("BLESS").is_some_and(|value| !value.is_empty() && value != "0");
    let cases = Case::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("lsp"));
    let trial = |(name, case): (String, Result<Case, String>)| {
        Trial::test(name, move || check(&case?, blessing).map_err(Failed::from))
    };
    let mut trials: Vec<Trial> = cases.into_iter().map(trial).collect();
    trials.push(Trial::test(
        "any edits lead to the answers about the final text",
        || follows_edits().map_err(|error| error.to_string().into()),
    ));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One server follows the edits, another is given the final text.
fn follows_edits() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let tree = folder.path().canonicalize()?;
    fs::create_dir_all(tree.join("project/.claude/agents"))?;
    // One that can be told to ask again gets what is known at once. Many clients name the streams.
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let asks_again =
        json!({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}}});
    let client = |capabilities, arguments: &[&str]| {
        let mut client = Client::start(PROGRAM, arguments, &tree)?;
        client.shake_hands(capabilities, &tree);
        Ok::<_, io::Error>(RefCell::new(client))
    };
    let (follower, fresh) = (client(&asks_again, &["--stdio"])?, client(&capabilities, &[])?);
    let uri = format!("{}/project/.claude/agents/x.md", root(&tree));
    let answers = |client: &mut Client| {
        METHODS.map(|method| {
            let mut answer = client.ask(method, json!({"textDocument": {"uri": uri}}));
            let mut result = answer.pop().expect("there is an answer")["result"].take();
            // The only finding here that depends on more than the file.
            if let Some(items) = result.get_mut("items").and_then(Value::as_array_mut) {
                items.retain(|item| item["code"] != "also-read");
            }
            result
        })
    };
    let open = |client: &mut Client, text: &str| {
        let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
        client.tell("textDocument/didOpen", json!({"textDocument": document}));
    };
    let close = |client: &mut Client| {
        client.tell("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    };
    let edits = vec((any::<Index>(), any::<Index>(), select(PIECES)), 1..12);
    texts::check(60, (texts::text(), edits), |(mut text, edits)| {
        let (mut follower, mut fresh) = (follower.borrow_mut(), fresh.borrow_mut());
        open(&mut follower, &text);
        for (version, (one, other, piece)) in edits.into_iter().enumerate() {
            let places = places(&text);
            let (one, other) = (one.get(&places), other.get(&places));
            let (start, end) = if one.0 <= other.0 {
                (one, other)
            } else {
                (other, one)
            };
            let range = json!({"start": start.1, "end": end.1});
            let change = json!({
                "textDocument": {"uri": uri, "version": version + 2},
                "contentChanges": [{"range": range, "text": piece}],
            });
            follower.tell("textDocument/didChange", change);
            text.replace_range(start.0..end.0, piece);
        }
        open(&mut fresh, &text);
        let (followed, expected) = (answers(&mut follower), answers(&mut fresh));
        close(&mut follower);
        close(&mut fresh);
        prop_assert_eq!(followed, expected, "{:?}", text);
        Ok(())
    });
    Ok(())
}

/// What is asked about the text.
const METHODS: [&str; 5] = [
    "textDocument/diagnostic",
    "textDocument/documentSymbol",
    "textDocument/documentLink",
    "textDocument/codeLens",
    "textDocument/semanticTokens/full",
];

/// What is typed and pasted.
const PIECES: &[&str] = &[
    "",
    "",
    "\n",
    "\r\n",
    "\r",
    "---\n",
    "name: x\n",
    "tools: [Read, Bash]\n",
    ": ",
    "\"",
    "é",
    "\u{1f600}",
    "model: sonet\n",
    "- ",
    "<example>",
    "\u{feff}",
    "\u{2028}",
    "x",
];

/// Every offset at which text may change, and its position: between two characters, but not within a line end.
fn places(text: &str) -> Vec<(usize, Value)> {
    let (mut line, mut character, mut before) = (0, 0, ' ');
    let mut places = Vec::new();
    for (offset, char) in text.char_indices().chain([(text.len(), ' ')]) {
        if before == '\n' || before == '\r' && char != '\n' {
            (line, character) = (line + 1, 0);
        }
        if before != '\r' || char != '\n' {
            places.push((offset, json!({"line": line, "character": character})));
        }
        character += char.len_utf16();
        before = char;
    }
    places
}

fn check(case: &Case, blessing: bool) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let tree = folder.path().canonicalize().map_err(|error| error.to_string())?;
    for own in ["project", "home"] {
        fs::create_dir_all(tree.join(own)).map_err(|error| error.to_string())?;
    }
    case.lay_out(&tree).map_err(|error| error.to_string())?;
    let found = transcript(case, &tree)?;
    if blessing {
        return case.expect(&found).map_err(|error| error.to_string());
    }
    if found == case.expected {
        Ok(())
    } else {
        Err(format!(
            "{}\nexpected:\n{}\nfound:\n{found}",
            case.about, case.expected
        ))
    }
}

fn transcript(case: &Case, tree: &Path) -> Result<String, String> {
    let mut client = Client::start(PROGRAM, &[], tree).map_err(|error| error.to_string())?;
    let mut text = String::new();
    for line in &case.run {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (method, params) = rest.split_once(' ').unwrap_or((rest, "null"));
        let parse = |json: &str| {
            let value: Value = serde_json::from_str(json).map_err(|error| format!("{line}: {error}"))?;
            Ok::<_, String>(expanded(&value, tree))
        };
        text += &format!("> {line}\n");
        let heard = match verb {
            "start" => client.shake_hands(&parse(rest)?, tree),
            "ask" => client.ask(method, parse(params)?),
            "tell" => client.tell_and_hear(method, &parse(params)?),
            "hear" => vec![client.hear()],
            "hold" => {
                client.hold(&parse(rest)?);
                Vec::new()
            }
            "raw" => {
                let bytes: String = serde_json::from_str(rest).map_err(|error| format!("{line}: {error}"))?;
                client.send(bytes.as_bytes());
                Vec::new()
            }
            "write" => {
                let text: String =
                    serde_json::from_str(params).map_err(|error| format!("{line}: {error}"))?;
                let file = tree.join(method);
                let directory = file.parent().expect("it is in the tree");
                let written = fs::create_dir_all(directory).and_then(|()| fs::write(&file, text));
                written.map_err(|error| error.to_string())?;
                Vec::new()
            }
            "end" => {
                text += &client.end(tree);
                continue;
            }
            other => return Err(format!("no verb: {other}")),
        };
        for message in heard {
            text += &shown(&message, tree);
        }
    }
    Ok(text)
}

/// A message of the server, without what is the same in all.
fn shown(message: &Value, tree: &Path) -> String {
    let compact = |value: &Value| of_value(&compacted(value, tree));
    match message {
        Value::Object(fields) if fields.contains_key("method") => {
            let params = compact(fields.get("params").unwrap_or(&Value::Null));
            format!(
                "{}\n{}",
                fields["method"].as_str().unwrap_or("?"),
                indented(&params)
            )
        }
        Value::Object(fields) => match fields.get("error") {
            Some(error) => format!("error {}: {}\n", error["code"], compact(&error["message"]).trim()),
            None => match fields.get("result").unwrap_or(&Value::Null) {
                Value::Null => "null\n".to_owned(),
                Value::Array(items) if items.is_empty() => "[]\n".to_owned(),
                result => indented(&compact(result)),
            },
        },
        other => format!("{other}\n"),
    }
}

fn indented(text: &str) -> String {
    let mut out = String::new();
    for line in text.trim_end().lines() {
        out += format!("  {line}").trim_end();
        out.push('\n');
    }
    out
}

/// Positions, ranges and addresses as the protocol has them.
fn expanded(value: &Value, tree: &Path) -> Value {
    match value {
        Value::String(text) => match text.split_once('@') {
            Some(("", path)) => format!("{}/{path}", root(tree)).into(),
            Some((scheme, path)) if scheme.ends_with(':') => {
                let address = root(tree).replacen("file://", scheme, 1);
                format!("{address}/{path}").into()
            }
            _ => range(text)
                .or_else(|| position(text))
                .unwrap_or_else(|| value.clone()),
        },
        Value::Array(items) => items.iter().map(|item| expanded(item, tree)).collect(),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| (key.clone(), expanded(value, tree)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

fn position(text: &str) -> Option<Value> {
    let (line, character) = text.split_once(':')?;
    let (line, character): (u32, u32) = (line.parse().ok()?, character.parse().ok()?);
    Some(json!({"line": line, "character": character}))
}

fn range(text: &str) -> Option<Value> {
    let (start, end) = text.split_once('-')?;
    Some(json!({"start": position(start)?, "end": position(end)?}))
}

/// Semantic tokens, each with its range, its type and its modifiers as numbers.
fn tokens(data: &[Value]) -> Option<Value> {
    let numbers: Vec<u64> = data.iter().map(Value::as_u64).collect::<Option<_>>()?;
    let (mut line, mut start) = (0, 0);
    let tokens = numbers.chunks_exact(5).map(|token| {
        line += token[0];
        start = if token[0] == 0 { start } else { 0 } + token[1];
        let end = start + token[2];
        json!(format!(
            "{line}:{start}-{line}:{end} type {} modifiers {}",
            token[3], token[4]
        ))
    });
    Some(tokens.collect())
}

/// The other way, for review.
fn compacted(value: &Value, tree: &Path) -> Value {
    let place = |value: &Value| Some(format!("{}:{}", value.get("line")?, value.get("character")?));
    match value {
        Value::String(text) => {
            let text = text.replace(&format!("{}/", root(tree)), "@");
            text.replace(&*tree.to_string_lossy(), "TREE").into()
        }
        Value::Array(items) => items.iter().map(|item| compacted(item, tree)).collect(),
        Value::Object(fields) => {
            if let (2, Some(start), Some(end)) = (
                fields.len(),
                fields.get("start").and_then(place),
                fields.get("end").and_then(place),
            ) {
                return format!("{start}-{end}").into();
            }
            let fields = fields.iter().map(|(key, value)| {
                let key = key.replace(&format!("{}/", root(tree)), "@");
                let tokens = value
                    .as_array()
                    .filter(|_| key == "data")
                    .and_then(|data| tokens(data));
                (key, tokens.unwrap_or_else(|| compacted(value, tree)))
            });
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}
