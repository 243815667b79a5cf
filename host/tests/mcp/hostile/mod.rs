//! Messages that break the protocol, from servers and from clients: the files here, and variants of their lines.

mod client;
mod server;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Strategy, any};
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed};
use serde_json::Value;

/// What a value is replaced with.
const VALUES: [&str; 14] = [
    "null",
    "true",
    "-1",
    "1.5",
    "1e999",
    "99999999999999999999",
    r#""""#,
    r#""\u0000""#,
    r#""\u001b]0;x\u0007""#,
    r#""\ud800""#,
    "[]",
    "{}",
    r##"{"$ref":"#"}"##,
    r#"[[{"a":[1]}]]"#,
];

/// The same cases each time; `PROPTEST_CASES` tests more of them.
fn config(cases: u32) -> Config {
    let given = std::env::var_os("PROPTEST_CASES").is_some();
    let config = Config {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    };
    Config {
        cases: if given { config.cases } else { cases },
        ..config
    }
}

/// A line of the file, or a variant of one, without a line end.
fn message(file: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let lines: Vec<&str> = file.lines().collect();
    let values = vec((any::<usize>(), select(&VALUES[..])), 0..3);
    let bytes = vec((any::<usize>(), any::<u8>()), 0..2);
    let end = option::weighted(0.1, any::<usize>());
    (
        select(lines),
        values,
        option::weighted(0.05, 100..3000usize),
        bytes,
        end,
    )
        .prop_map(|(line, values, deep, bytes, end)| {
            let mut line = values
                .iter()
                .fold(line.to_owned(), |line, (at, value)| put(&line, *at, value));
            if let Some(deep) = deep {
                line = put(&line, deep, &("[".repeat(deep) + &"]".repeat(deep)));
            }
            let mut line = line.into_bytes();
            for (at, byte) in bytes {
                let length = line.len();
                line[at % length] = byte;
            }
            line.truncate(end.map_or(usize::MAX, |end| end % line.len()));
            line.retain(|byte| *byte != b'\n');
            line
        })
}

/// The message with one of its values replaced; unchanged if it is not valid any longer.
fn put(line: &str, at: usize, value: &str) -> String {
    const MARK: &str = "\u{1}";
    let Ok(mut message) = serde_json::from_str(line) else {
        return line.to_owned();
    };
    let values = count(&message);
    if let Some(found) = nth(&mut message, &mut (at % values)) {
        *found = MARK.into();
    }
    message.to_string().replace(&Value::from(MARK).to_string(), value)
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(map) => map.values().map(count).sum(),
        _ => 0,
    }
}

fn nth<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        Value::Object(map) => map.values_mut().find_map(|item| nth(item, left)),
        _ => None,
    }
}
