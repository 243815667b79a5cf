//! An API key, token or password in the file.
//!
//! Agent files are shared and committed, and their text is sent to models. Anyone who can read the file can use the key.
//!
//! This rule detects the key formats of known vendors, passwords in addresses such as `postgres://user:password@host`, and passwords and tokens
//! in the environment of a server or a hook.
//!
//! Revoke the key, use an environment variable instead, and remove the key from the history, too.
//!
//! ```yaml
//! env:
//!   GITHUB_TOKEN: ${GITHUB_TOKEN}
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr_iter, memchr2_iter, memchr3_iter};

use crate::diagnostic::Finding;
use crate::order::sorted;
use crate::span::Span;
use crate::subject::Subject;
use crate::yaml::{Entry, Kind, Node};

crate::diagnostic::rule! {
    name: "secret",
    severity: Error,
    fix: None,
    found: file,
    evidence: "the vendors' documented forms of keys",
}

/// The prefix of a key, the least number of characters after it, and the kind of key.
type Form = (&'static str, usize, &'static str);

const FORMS: &[Form] = &[
    ("sk-ant-", 30, "Anthropic key"),
    ("sk-proj-", 30, "OpenAI key"),
    ("sk-or-v1-", 30, "OpenRouter key"),
    ("sk_live_", 20, "Stripe key"),
    ("sk-", 40, "OpenAI key"),
    ("ghp_", 36, "GitHub token"),
    ("gho_", 36, "GitHub token"),
    ("ghs_", 36, "GitHub token"),
    ("github_pat_", 40, "GitHub token"),
    ("glpat-", 20, "GitLab token"),
    ("gsk_", 40, "Groq key"),
    ("AKIA", 16, "AWS key"),
    ("ASIA", 16, "AWS key"),
    ("AIza", 35, "Google key"),
    ("xoxb-", 24, "Slack token"),
    ("xoxp-", 24, "Slack token"),
    ("xai-", 60, "xAI key"),
    ("hf_", 30, "Hugging Face token"),
    ("npm_", 36, "npm token"),
    ("pypi-", 80, "PyPI token"),
    ("SG.", 60, "SendGrid key"),
    ("lin_api_", 36, "Linear key"),
    ("-----BEGIN ", 0, "private key"),
    ("Bearer ", 30, "token"),
];

/// The position of each form's first mark. Prose has few marks, so the search looks for them.
const MARKS: [usize; FORMS.len()] = {
    let mut marks = [0; FORMS.len()];
    let mut form = 0;
    while form < FORMS.len() {
        let start = FORMS[form].0.as_bytes();
        while !matches!(start[marks[form]], b'A' | b'B' | b'G' | b'-' | b'_') {
            marks[form] += 1;
        }
        form += 1;
    }
    marks
};

/// The fewest distinct characters of a key: fewer make an example.
const DIFFERENT: usize = 10;

/// How much of a key is checked for randomness. Overlapping candidates check it again, so it is short.
const TELLING: usize = 256;

/// The longest first line of a private key.
const HEADER: usize = 80;

/// The text on that line.
const TITLE: &[u8] = b"PRIVATE KEY-----";

/// The most bytes of a private key: one of 16,384 bits has some 13,000.
const PRIVATE_KEY: usize = 16_384;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    secrets(subject.text, subject.root, findings);
}

/// The secrets in a text, and in the values that were read from it.
pub(crate) fn secrets(text: &str, root: Option<&Node>, findings: &mut Vec<Finding>) {
    let secrets = within(text.as_bytes());
    findings.extend(secrets.iter().map(|(secret, what)| finding(*secret, what)));
    let secrets = sorted(secrets, |a, b| a.0.start.cmp(&b.0.start));
    if let Some(root) = root {
        environment(root, false, &secrets, findings);
    }
}

/// Where it is, and what it is.
pub(crate) type Secret = (Span, &'static str);

/// The keys in a text and what they are, then the passwords.
pub(crate) fn within(text: &[u8]) -> Vec<Secret> {
    let marks = memchr3_iter(b'A', b'B', b'G', text).chain(memchr2_iter(b'-', b'_', text));
    let begun = marks.filter_map(|mark| begun(text, mark)).collect();
    let mut secrets: Vec<Secret> = Vec::new();
    let mut run = Span::at(0);
    // In order, since the text after `Bearer` may have a form of its own.
    for (at, (start, least, what)) in sorted(begun, |a, b| a.0.cmp(&b.0)) {
        if secrets.last().is_some_and(|(last, _)| at < last.end.index()) {
            continue;
        }
        let secret = match least {
            0 => private_key(text, at),
            _ => key(text, at, start, *least, &mut run),
        };
        secrets.extend(secret.map(|secret| (secret, *what)));
    }
    let addresses = memchr_iter(b'@', text).filter_map(|at| password(text, at));
    let passwords = addresses.filter(|password| !is_told(&secrets, *password));
    let passwords: Vec<Secret> = passwords.map(|password| (password, "password")).collect();
    secrets.extend(passwords);
    secrets
}

/// In place of a secret.
pub(crate) const MASK: &str = "***";

/// The text with asterisks in place of keys and passwords.
pub(crate) fn without(text: &str) -> String {
    let found = sorted(within(text.as_bytes()), |a, b| a.0.start.cmp(&b.0.start));
    let (mut out, mut kept) = (String::with_capacity(text.len()), 0);
    for (span, _) in found {
        let (start, end) = (span.start.index(), span.end.index());
        out += text.get(kept..start).unwrap_or_default();
        out += MASK;
        kept = end.max(kept);
    }
    out + &text[kept..]
}

/// Whether a variable, a header or an option is named like one that contains a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRETS.iter().any(|word| name.ends_with(word))
}

/// The message does not contain the secret, since messages are stored and shown to others.
fn finding(span: Span, what: &str) -> Finding {
    Finding::new(&RULE, span, format!("{what} in the file"))
        .label("anyone who reads the file can use it")
        .help("revoke it and use an environment variable")
}

/// Maps of variables and of headers.
const ENVIRONMENTS: &[&str] = &["env", "environment", "headers"];

/// Endings of variables that contain secrets.
const SECRETS: &[&str] = &[
    "password",
    "passwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "private_key",
    "authorization",
];

/// `secrets` are in order and do not overlap.
fn environment(node: &Node, within: bool, secrets: &[Secret], findings: &mut Vec<Finding>) {
    match &node.kind {
        Kind::Scalar { .. } => {}
        Kind::Sequence(items) => items
            .iter()
            .for_each(|item| environment(item, false, secrets, findings)),
        Kind::Mapping(entries) => {
            for entry in entries {
                let key = entry.key.as_text().unwrap_or_default();
                if within && holds_secret(key, entry) && !is_told(secrets, entry.value.span) {
                    findings.push(finding(entry.value.span, "password or token"));
                }
                environment(&entry.value, ENVIRONMENTS.contains(&key), secrets, findings);
            }
        }
    }
}

fn is_told(secrets: &[Secret], span: Span) -> bool {
    let after = secrets.partition_point(|(secret, _)| secret.end <= span.start);
    secrets
        .get(after)
        .is_some_and(|(secret, _)| secret.start < span.end)
}

/// Whether a variable named like a secret has a literal value, not another variable, a path or an example.
fn holds_secret(key: &str, entry: &Entry) -> bool {
    let key = key.to_ascii_lowercase();
    let value = entry.value.as_text().unwrap_or_default().trim();
    let value = value.strip_prefix("Bearer ").unwrap_or(value);
    let is_secret = SECRETS.iter().any(|word| key.ends_with(word));
    // Some products accept the bare name of a variable.
    let is_name = value.contains('_') && !value.contains(|c: char| c.is_ascii_lowercase());
    let is_literal =
        !is_name && !value.contains(['$', '{', '<', ' ', '*']) && !value.starts_with(['/', '.', '~', '%']);
    // A key has a digit; people choose passwords without.
    let is_random = value.bytes().any(|byte| byte.is_ascii_digit()) || key.contains("pass");
    is_secret && is_literal && is_random && value.len() >= LEAST && !is_example(value)
}

/// The fewest characters of a secret.
const LEAST: usize = 6;

/// The longest password that is searched for in an address.
const PASSWORD: usize = 256;

/// The password of the address whose user and password end here: `scheme://user:password@host`.
fn password(text: &[u8], at: usize) -> Option<Span> {
    let start = at.saturating_sub(PASSWORD);
    let is_end = |byte: &u8| {
        byte.is_ascii_whitespace() || matches!(byte, b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'@')
    };
    let from = start + text[start..at].iter().rposition(is_end)? + 1;
    let colon = from + text[from..at].iter().position(|byte| *byte == b':')?;
    let host = text[at + 1..]
        .split(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'.' | b'-'))
        .next()?;
    let is_address = text[..from].ends_with(b"://") && !is_own(host);
    let password = core::str::from_utf8(&text[colon + 1..at]).ok()?;
    let is_literal = !password.contains(['$', '{', '*', '%', '[', '(', '.']);
    let is_random = password.bytes().any(|byte| byte.is_ascii_digit())
        && password.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_password = is_literal && is_random && password.len() >= LEAST && !is_example(password);
    (is_address && is_password).then(|| Span::new(colon + 1, at))
}

/// Whether a host is local or an example: passwords for those are not secrets.
fn is_own(host: &[u8]) -> bool {
    let is_example = |end: &[u8]| host.ends_with(end);
    !host.contains(&b'.')
        || host.starts_with(b"127.")
        || [
            &b"example.com"[..],
            b"example.org",
            b"example.net",
            b".example",
            b".test",
            b".local",
        ]
        .into_iter()
        .any(is_example)
}

/// Where the form with this first mark begins.
fn begun(text: &[u8], mark: usize) -> Option<(usize, &'static Form)> {
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    // A form that begins with its mark has no letter before it; every other one has.
    let is_alone = mark == 0 || !text[mark - 1].is_ascii_alphanumeric();
    let forms = FORMS.iter().zip(MARKS);
    let mut forms = forms.filter(|(_, before)| (*before == 0) == is_alone);
    forms.find_map(|(form, before)| {
        let at = mark.checked_sub(before)?;
        let start = form.0.as_bytes();
        // Nearly all differ in the first letter.
        let begins = text[at] == start[0] && text[at..].starts_with(start);
        (begins && !text[..at].last().is_some_and(goes_on)).then_some((at, form))
    })
}

/// The private key that begins here: its first line, and the text up to the next five dashes.
fn private_key(text: &[u8], at: usize) -> Option<Span> {
    let rest = &text[at..];
    let line = &rest[..rest.len().min(HEADER)];
    let line = line.split(|byte| matches!(byte, b'\n' | b'\r')).next()?;
    let title = line.windows(TITLE.len()).position(|part| part == TITLE)? + TITLE.len();
    let mut dashes = memchr_iter(b'-', &rest[title..]).map(|dash| title + dash);
    let end = dashes.find(|dash| rest[*dash..].starts_with(b"-----"))?;
    let is_whole = !rest[title..].trim_ascii_start().starts_with(b"...");
    let is_key = rest[end..].starts_with(b"-----END ") && end < PRIVATE_KEY && is_whole;
    is_key.then(|| Span::new(at, at + end))
}

/// The key that begins here. `run` caches the last measured run of key characters, since many may begin in one.
fn key(text: &[u8], at: usize, start: &str, least: usize, run: &mut Span) -> Option<Span> {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'+' | b'/' | b'=');
    let body = at + start.len();
    if run.end.index() <= body {
        let length = text[body..].iter().take_while(|byte| is_part(byte)).count();
        *run = Span::new(body, body + length);
    }
    let end = run.end.index();
    let beginning = &text[body..end.min(body + TELLING)];
    let is_random = different(beginning) >= DIFFERENT
        && beginning.iter().any(u8::is_ascii_digit)
        && !is_example(&String::from_utf8_lossy(beginning));
    (end - body >= least && is_random).then(|| Span::new(at, end))
}

/// The number of different bytes.
fn different(bytes: &[u8]) -> usize {
    let mut seen = [false; 256];
    bytes.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    seen.iter().filter(|seen| **seen).count()
}

/// Whether it is marked as an example, or is little more than letters and digits in order.
fn is_example(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let rest = ["1234567890", "0123456789", "abcdefghijklmnopqrstuvwxyz", "abcdef"]
        .iter()
        .fold(key.clone(), |key, run| key.replace(run, ""));
    if rest.len() < key.len() && different(rest.as_bytes()) < DIFFERENT {
        return true;
    }
    [
        "...",
        "example",
        "your",
        "xxx",
        "placeholder",
        "changeme",
        "change-me",
    ]
    .iter()
    .any(|word| key.contains(word))
}
