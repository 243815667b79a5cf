//! The forms of texts in manifests.

use crate::dialect::{Form, TextForm};
use crate::places::inside;

/// The longest name of a plugin.
const NAME: usize = 64;

/// What is wrong with a text of this form.
pub(super) fn problem(form: TextForm, text: &str) -> Option<&'static str> {
    match form {
        TextForm::ListedPath => {
            let is_fine = text.starts_with("./") || is_outside(text);
            (!is_fine).then_some("must begin with `./`")
        }
        TextForm::ListedFolder if text == "." => None,
        TextForm::ListedFolder => problem(TextForm::ListedPath, text),
        TextForm::ListedJson => problem(TextForm::ListedPath, text).or_else(|| {
            (!text.ends_with(".json") && !is_outside(text)).then_some("must be a file that ends with `.json`")
        }),
        TextForm::ListedServers => {
            let is_bundle = text.ends_with(".mcpb") || text.ends_with(".dxt");
            if is_bundle && (text.starts_with("./") || is_address(text)) {
                return None;
            }
            let is_bare = !text.starts_with("./");
            let ends = "must be a file that ends with `.json`, `.mcpb` or `.dxt`";
            problem(TextForm::ListedJson, text).map(|problem| if is_bare { problem } else { ends })
        }
        TextForm::ListedMarkdown => problem(TextForm::ListedPath, text).or_else(|| {
            (!text.ends_with(".md") && !is_outside(text)).then_some("must be a file that ends with `.md`")
        }),
        TextForm::ClaudePluginName => {
            let is_refused = |c: char| c.is_whitespace() || ":@/\\".contains(c);
            (text.is_empty() || text.contains(is_refused))
                .then_some("must be a name without spaces, `:`, `@`, `/` and `\\`")
        }
        TextForm::ThemeColor => {
            (!Form::ThemeColor.holds(text)).then_some("must be `#RRGGBB` or a color of the theme")
        }
        TextForm::InnerPath => is_outside(text).then_some("must be a path in the plugin"),
        TextForm::JoinedPath => is_outside(text).then_some("must be a path in the marketplace"),
        TextForm::SourcePath => {
            let is_source = is_address(text) || !is_outside(text);
            (!is_source).then_some("must be a path in the marketplace")
        }
        TextForm::LetteredName => {
            let is_known = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
            if text.is_empty() || !text.chars().all(is_known) {
                Some("must only have letters, digits, hyphens and periods")
            } else {
                (text.len() > NAME).then_some("must have at most 64 characters")
            }
        }
        TextForm::RootPath if text == "." || text == "./" => None,
        TextForm::PluginPath | TextForm::RootPath => {
            let path = text.strip_prefix("./");
            let is_in =
                path.is_some_and(|path| !path.is_empty() && !path.split('/').any(|part| part == ".."));
            (!is_in).then_some("must be a path below `./`")
        }
        TextForm::PluginName => (!is_plugin(text))
            .then_some("must only have letters, digits, `.`, `_` and `-`, and begin with a letter or digit"),
        TextForm::MarketplaceName => problem(TextForm::PluginName, text).or_else(|| {
            let is_reserved = BUILT_IN.iter().any(|name| name.eq_ignore_ascii_case(text));
            is_reserved.then_some("is a reserved name")
        }),
        TextForm::CodexMarketplaceName => {
            let is_known = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
            if text.is_empty() || !text.chars().all(is_known) {
                Some("must only have letters, digits, `_` and `-`")
            } else {
                (text == OF_CODEX).then_some("is a reserved name")
            }
        }
        TextForm::CodexPluginName => {
            let is_known = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            let is_name = text.chars().all(is_known) || text.trim().is_empty();
            (!is_name).then_some("must only have letters, digits, `.`, `_` and `-`")
        }
        TextForm::Filled => text.is_empty().then_some("must not be empty"),
        TextForm::NotBlank => text.trim().is_empty().then_some("must not be blank"),
        TextForm::Count | TextForm::Positive | TextForm::One | TextForm::Duration => None,
        TextForm::Email => (!text.is_empty() && !is_email(text)).then_some("must be an email address"),
        TextForm::Repository => {
            let parts = text.split_once('/');
            let is_repository = parts
                .is_some_and(|(owner, name)| !owner.is_empty() && !name.is_empty() && !name.contains('/'));
            (!is_repository).then_some("must be `owner/repo`")
        }
        TextForm::Sha => {
            let is_sha = text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            (!is_sha).then_some("must be a commit with 40 hexadecimal digits")
        }
        TextForm::Url => (!is_url(text)).then_some("must be a URL"),
        TextForm::Dependency => {
            let versioned = text
                .split_once("@^")
                .filter(|(_, version)| !version.contains('@'));
            let name = versioned.map_or(text, |(name, _)| name);
            let is_known = name.splitn(2, '@').all(is_plugin);
            (!is_known).then_some("must be the name of a plugin, or `plugin@marketplace`")
        }
        TextForm::DottedName => characters(text),
        TextForm::PortableName => characters(text).or_else(|| length(text)),
        TextForm::Command => {
            let is_bare = !text.is_empty() && !text.contains(['/', '\\']);
            let is_path = text.starts_with("./") && inside(".", text).is_some();
            (!is_bare && !is_path)
                .then_some("must be a program's name or a path in the plugin that begins with `./`")
        }
        TextForm::WorkingDirectory => (!is_working_directory(text)).then_some(
            "must be a directory that begins with `./`, `${PLUGIN_ROOT}` or `${PLUGIN_DATA}`, and in it",
        ),
        TextForm::Address => address(text),
        TextForm::HeaderName => {
            let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
            let is_name = !text.is_empty() && text.chars().all(is_token);
            (!is_name).then_some("is not the name of an HTTP header")
        }
        TextForm::AllowRule => rule(text, true),
        TextForm::PermissionRule => rule(text, false),
        TextForm::HeaderValue => {
            let is_refused = |c: char| c.is_control() && c != '\t';
            text.contains(is_refused)
                .then_some("must not have control characters")
        }
    }
}

/// What is wrong with a number of this form, as it is written in JSON or TOML.
pub(super) fn problem_of_number(form: TextForm, text: &str) -> Option<&'static str> {
    let is_negative = text.starts_with('-') && text.contains(|c| matches!(c, '1'..='9'));
    // `inf` and `nan` of TOML.
    let is_finite = !text.contains('n');
    match form {
        TextForm::Count => {
            let is_whole = text.starts_with("0x") || !text.contains(['.', 'e', 'E']);
            (is_negative || !is_finite || !is_whole).then_some("must be a whole number, 0 or more")
        }
        TextForm::Positive => {
            let is_zero = !text.contains(|c| matches!(c, '1'..='9'));
            let is_count = problem_of_number(TextForm::Count, text).is_none();
            (is_zero || !is_count).then_some("must be a whole number above 0")
        }
        TextForm::One => {
            let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
            (whole != "1" || rest.contains(|c| c != '0')).then_some("must be 1")
        }
        TextForm::Duration => (is_negative || !is_finite).then_some("must be a finite number, 0 or more"),
        _ => None,
    }
}

/// The marketplace of Codex itself.
const OF_CODEX: &str = "openai-curated";

/// The marketplaces of Claude Code itself.
const BUILT_IN: &[&str] = &["builtin", "inline", "skills-dir"];

/// The tools whose rules have patterns of files.
const FILES: &[&str] = &["Edit", "Glob", "NotebookEdit", "NotebookRead", "Read", "Write"];

/// What Claude Code 2.1.332 skips a permission rule for.
fn rule(text: &str, allows: bool) -> Option<&'static str> {
    if text.is_empty() {
        return Some("must not be empty");
    }
    let (tool, content) = match text.split_once('(') {
        None => (text, None),
        Some((tool, rest)) => match rest.strip_suffix(')') {
            Some(content) if !content.ends_with('\\') => (tool, Some(content)),
            _ => return Some("must be `Tool` or `Tool(pattern)`, and end at the closing parenthesis"),
        },
    };
    let is_of_server = tool.starts_with("mcp__");
    if content == Some("") {
        return Some("must have a pattern in its parentheses, or none");
    }
    if is_of_server && content.is_some() {
        return Some("must not have parentheses: the tools of servers have no patterns");
    }
    if !is_of_server && tool.starts_with(|c: char| c.is_ascii_lowercase()) {
        return Some("must begin with an uppercase letter");
    }
    if allows && tool.contains('*') && !is_below_server(tool) {
        return Some("must name what it allows: `*` may only follow `mcp__SERVER__`");
    }
    let content = content?;
    match tool {
        "WebFetch" if content != "*" && !content.starts_with("domain:") => {
            Some("must have the form `WebFetch(domain:HOST)`")
        }
        "WebSearch" if content.contains(['*', '?']) => Some("must have no `*` and no `?`"),
        "Bash" if content == ":*" => Some("must have a command before `:*`"),
        _ if FILES.contains(&tool) && content.ends_with(":*") => {
            Some("must be a pattern of files: `:*` is only for commands")
        }
        _ => None,
    }
}

/// Whether a wildcard only stands for tools of one server.
fn is_below_server(tool: &str) -> bool {
    let server = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
    server.is_some_and(|(server, _)| !server.is_empty() && !server.contains('*'))
}

/// The path in the plugin that a text of this form names, if it names one.
pub(super) fn path(form: TextForm, text: &str) -> Option<&str> {
    match form {
        TextForm::Command => text.strip_prefix("./"),
        TextForm::WorkingDirectory => {
            let rooted = || text.strip_prefix("${PLUGIN_ROOT}/");
            text.strip_prefix("./").or_else(rooted)
        }
        _ => None,
    }
}

/// Whether the folder of a plugin is an address.
pub(super) fn is_address(text: &str) -> bool {
    text.contains(':')
}

/// Whether Zod takes it for an email address.
fn is_email(text: &str) -> bool {
    let is_local = |c: char| c.is_ascii_alphanumeric() || "_'+-.".contains(c);
    let is_label = |label: &str| {
        label.starts_with(|c: char| c.is_ascii_alphanumeric())
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let parts = text.split_once('@').and_then(|(local, domain)| {
        let (domain, top) = domain.rsplit_once('.')?;
        Some((local, domain, top))
    });
    parts.is_some_and(|(local, domain, top)| {
        !local.is_empty()
            && local.chars().all(is_local)
            && !local.starts_with('.')
            && !local.ends_with(['.', '\''])
            && !local.contains("..")
            && domain.split('.').all(is_label)
            && top.len() > 1
            && top.chars().all(|c| c.is_ascii_alphabetic())
    })
}

/// Whether it begins with a scheme. What follows is not checked.
fn is_url(text: &str) -> bool {
    let is_known = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let scheme = text.trim().split_once(':').map_or("", |(scheme, _)| scheme);
    scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_known)
}

/// Whether Claude Code takes it for the name of a plugin or a marketplace.
fn is_plugin(text: &str) -> bool {
    let is_known = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(is_known)
}

fn is_outside(text: &str) -> bool {
    text.starts_with('\\') || inside(".", text).is_none()
}

fn characters(text: &str) -> Option<&'static str> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if text.is_empty() {
        Some("must not be empty")
    } else if !text.chars().all(|c| is_plain(c) || "-.".contains(c)) {
        Some("must only have lowercase letters, digits, hyphens and periods")
    } else if !(text.starts_with(is_plain) && text.ends_with(is_plain)) {
        Some("must begin and end with a letter or digit")
    } else {
        None
    }
}

fn length(text: &str) -> Option<&'static str> {
    if text.len() > NAME {
        Some("must have at most 64 characters")
    } else {
        let is_repeated = text.contains("--") || text.contains("..");
        is_repeated.then_some("must not have two hyphens or periods in a row")
    }
}

fn is_working_directory(text: &str) -> bool {
    let mut roots = ["./", "${PLUGIN_ROOT}/", "${PLUGIN_DATA}/"].into_iter();
    let path = roots.find_map(|root| text.strip_prefix(root));
    let is_inside = |path: &str| inside(".", path.trim_start_matches('/')).is_some();
    matches!(text, "${PLUGIN_ROOT}" | "${PLUGIN_DATA}") || path.is_some_and(is_inside)
}

fn address(text: &str) -> Option<&'static str> {
    let scheme = text
        .split_once("://")
        .map(|(scheme, rest)| (scheme.to_ascii_lowercase(), rest));
    let (is_encrypted, rest) = match scheme {
        Some((scheme, rest)) if scheme == "https" => (true, rest),
        Some((scheme, rest)) if scheme == "http" => (false, rest),
        _ => return Some("must be an absolute address with `https`"),
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    if text.contains('#') {
        Some("must not have a fragment")
    } else if authority.contains('@') {
        Some("must not have a user or a password")
    } else if host(authority).is_empty() || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        Some("must be an absolute address with `https`")
    } else if !is_encrypted && !is_loopback(host(authority)) {
        Some("must have `https`, except for this machine")
    } else {
        None
    }
}

/// The host without its port.
fn host(authority: &str) -> &str {
    match authority.find(']') {
        Some(end) => &authority[..=end],
        None => authority.split(':').next().unwrap_or_default(),
    }
}

fn is_loopback(host: &str) -> bool {
    let is_number = |part: &str| part.parse::<u8>().is_ok();
    let is_four = || host.split('.').count() == 4 && host.split('.').all(is_number);
    host.eq_ignore_ascii_case("localhost") || host == "[::1]" || host.starts_with("127.") && is_four()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_encrypted_or_of_this_machine() {
        for (text, is_fine) in [
            ("https://example.com", true),
            ("HTTPS://example.com:1/a?b#", false),
            ("http://LOCALHOST/", true),
            ("http://127.0.0.1:8080", true),
            ("http://127.0.0.1.example.com", false),
            ("http://[::1]:1/a", true),
            ("http://[::2]", false),
            ("https://a b", false),
            ("https://?a", false),
            ("https://a/?b=c@d", true),
            ("https://a@b", false),
            ("://", false),
        ] {
            assert_eq!(address(text).is_none(), is_fine, "{text}");
        }
    }

    #[test]
    fn numbers_are_whole_or_finite() {
        for (text, is_count, is_duration) in [
            ("0", true, true),
            ("-0", true, true),
            ("-1", false, false),
            ("1_000", true, true),
            ("0xfe", true, true),
            ("1.5", false, true),
            ("-0.5", false, false),
            ("1e3", false, true),
            ("inf", false, false),
            ("+nan", false, false),
        ] {
            for (form, is_fine) in [(TextForm::Count, is_count), (TextForm::Duration, is_duration)] {
                assert_eq!(
                    problem_of_number(form, text).is_none(),
                    is_fine,
                    "{form:?} {text}"
                );
            }
        }
    }

    #[test]
    fn directories_stay_where_they_begin() {
        for (text, is_fine) in [
            ("./", true),
            ("./a/..", true),
            ("./a/../..", false),
            ("${PLUGIN_ROOT}", true),
            ("${PLUGIN_ROOT}/a", true),
            ("${PLUGIN_ROOT}a", false),
            ("${PLUGIN_DATA}/..", false),
            (".", false),
        ] {
            assert_eq!(is_working_directory(text), is_fine, "{text}");
        }
    }

    #[test]
    fn paths_stay_in_the_plugin() {
        for (text, is_inner, is_command, is_directory) in [
            ("./a/b", true, true, true),
            (".//a", true, true, true),
            ("./a/../b", true, true, true),
            ("./a\\b", true, true, true),
            ("./a/../../b", false, false, false),
            ("/a", false, false, false),
            ("\\a", false, false, false),
            ("a", true, true, false),
            ("./", true, true, true),
            (".", true, true, false),
            ("${PLUGIN_ROOT}", true, true, true),
            ("${PLUGIN_DATA}/a", true, false, true),
            ("${PLUGIN_ROOT}/../a", true, false, false),
        ] {
            let forms = [TextForm::InnerPath, TextForm::Command, TextForm::WorkingDirectory];
            let found = forms.map(|form| problem(form, text).is_none());
            assert_eq!(found, [is_inner, is_command, is_directory], "{text}");
        }
    }
}
