//! Variables in definitions of servers: `${NAME}`, and `${NAME:-default}` for optional ones.

use super::config::{LookUp, Server, Transport};

/// The minimum length of a secret: masking shorter values would make messages unreadable.
const SHORTEST_SECRET: usize = 6;

/// The server with expanded variables, and the values to mask. Fails with a missing variable.
pub(super) fn expanded(mut server: Server, look_up: &LookUp) -> Result<(Server, Vec<String>), String> {
    let secrets = std::cell::RefCell::new(Vec::new());
    let put_in = |text: &mut String| -> Result<(), String> {
        let noted = |name: &str| {
            let value = look_up(name)?;
            secrets.borrow_mut().push(value.clone());
            Some(value)
        };
        *text = expand(text, noted)?;
        Ok(())
    };
    match &mut server.transport {
        Transport::Stdio { command, args, env } => {
            put_in(command)?;
            args.iter_mut().try_for_each(put_in)?;
            env.values_mut().try_for_each(put_in)?;
            secrets.borrow_mut().extend(env.values().cloned());
        }
        Transport::Http { url, headers } => {
            put_in(url)?;
            headers.values_mut().try_for_each(put_in)?;
            secrets.borrow_mut().extend(headers.values().cloned());
        }
    }
    let mut secrets = secrets.into_inner();
    secrets.retain(|secret| secret.len() >= SHORTEST_SECRET);
    // The longer first: one may be part of another.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    Ok((server, secrets))
}

/// The text with its variables expanded. Other text is unchanged.
///
/// Fails with the name of a variable that is missing and has no default.
fn expand(text: &str, look_up: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let (before, inside) = (&rest[..start], &rest[start + 2..]);
        out.push_str(before);
        let Some(end) = inside.find('}') else {
            out.push_str(&rest[start..]);
            return Ok(out);
        };
        let (name, default) = match inside[..end].split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (&inside[..end], None),
        };
        if is_name(name) {
            // As in shells, an empty variable counts as missing.
            let value = look_up(name).filter(|value| default.is_none() || !value.is_empty());
            let value = value.or_else(|| default.map(str::to_owned));
            out.push_str(&value.ok_or_else(|| name.to_owned())?);
        } else {
            out.push_str(&rest[start..start + end + 3]);
        }
        rest = &inside[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next();
    first.is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn variables_in_braces_are_expanded() {
        let look_up = |name: &str| match name {
            "TOKEN" => Some("t0k".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        };
        let cases = [
            ("plain", Ok("plain")),
            ("$TOKEN", Ok("$TOKEN")),
            ("Bearer ${TOKEN}!", Ok("Bearer t0k!")),
            ("${TOKEN}${TOKEN}", Ok("t0kt0k")),
            ("${MISSING:-https://x/y}", Ok("https://x/y")),
            ("${MISSING:-}", Ok("")),
            ("[${EMPTY}]", Ok("[]")),
            ("${EMPTY:-full}", Ok("full")),
            ("${MISSING}", Err("MISSING")),
            ("${TOKEN} ${MISSING}", Err("MISSING")),
            ("${", Ok("${")),
            ("${TOKEN", Ok("${TOKEN")),
            ("${}", Ok("${}")),
            ("${1}", Ok("${1}")),
            ("${a b}${TOKEN}", Ok("${a b}t0k")),
        ];
        for (text, expected) in cases {
            let expanded = expand(text, look_up);
            assert_eq!(expanded.as_deref().map_err(String::as_str), expected, "{text}");
        }
    }

    #[test]
    fn values_are_not_expanded_again() {
        let look_up = |name: &str| (name == "A").then(|| "${B}".to_owned());
        assert_eq!(expand("${A}", look_up), Ok("${B}".to_owned()));
    }
}
