//! JSON in the format of all documents.

use serde::Serialize;

/// The value with indentation and a final line end.
pub fn pretty(value: &impl Serialize) -> String {
    let mut text =
        serde_json::to_string_pretty(value).expect("the wire types have string keys and cannot fail");
    text.push('\n');
    harmless(&text)
}

/// The value on a line of its own.
pub fn line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("the wire types have string keys and cannot fail");
    text.push('\n');
    harmless(&text)
}

/// Escapes the control characters that JSON allows but a terminal may obey. They occur only inside of strings.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => out.push(character),
        }
    }
    out
}
