//! The meaning of a plain scalar in the YAML 1.2 core schema.

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Plain: subject to the rules for numbers, booleans and null. All others are always text.
    Plain,
    /// In single quotes.
    SingleQuoted,
    /// In double quotes.
    DoubleQuoted,
    /// A block after `|`.
    Literal,
    /// A block after `>`.
    Folded,
}

/// The meaning of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plain<'text> {
    /// Nothing, `~` or `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Float,
    /// Everything else.
    Text(&'text str),
}

impl<'text> Plain<'text> {
    pub(super) fn of(text: &'text str, style: Style) -> Self {
        if style != Style::Plain {
            return Self::Text(text);
        }
        match text {
            "" | "~" | "null" | "Null" | "NULL" => Self::Null,
            "true" | "True" | "TRUE" => Self::Boolean(true),
            "false" | "False" | "FALSE" => Self::Boolean(false),
            _ => number(text).unwrap_or(Self::Text(text)),
        }
    }
}

fn number(text: &str) -> Option<Plain<'_>> {
    // Most scalars are words.
    let first = text.bytes().next()?;
    if !first.is_ascii_digit() && !matches!(first, b'+' | b'-' | b'.') {
        return None;
    }
    for (prefix, base) in [("0x", 16), ("0o", 8)] {
        // Rust also accepts a sign there.
        let digits = text
            .strip_prefix(prefix)
            .filter(|rest| !rest.starts_with(['+', '-']));
        if let Some(digits) = digits {
            return i64::from_str_radix(digits, base).ok().map(Plain::Integer);
        }
    }
    if let Ok(integer) = text.parse() {
        return Some(Plain::Integer(integer));
    }
    is_float(text).then_some(Plain::Float)
}

/// Digits with a point or an exponent, an infinity or NaN. Its value is never needed.
fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let any = !whole.is_empty() || !fraction.is_empty();
    any && digits(whole) && digits(fraction) && !exponent.is_empty() && digits(exponent)
}

/// The type that some reader gives a plain scalar instead of text, in words: YAML 1.1 has more booleans, numbers with underscores, in base
/// 8 and in base 60, and dates.
pub fn guess(text: &str) -> Option<&'static str> {
    match Plain::of(text, Style::Plain) {
        Plain::Null => return (!text.is_empty()).then_some("nothing"),
        Plain::Boolean(_) => return Some("a boolean"),
        Plain::Integer(_) | Plain::Float => return Some("a number"),
        Plain::Text(_) => {}
    }
    let small = text.len() <= 3
        && matches!(
            &*text.to_ascii_lowercase(),
            "y" | "n" | "yes" | "no" | "on" | "off"
        );
    if small {
        return Some("a boolean");
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let of = |others: &str| unsigned.chars().all(|c| c.is_ascii_digit() || others.contains(c));
    if is_date(unsigned) {
        return Some("a date");
    }
    let sexagesimal = unsigned
        .split(':')
        .skip(1)
        .all(|part| part.len() <= 2 && !part.is_empty());
    (of("_") || of("_.") && unsigned.matches('.').count() == 1 || of(":") && sexagesimal)
        .then_some("a number")
}

/// `2026-01-02`, with or without a time.
fn is_date(text: &str) -> bool {
    let date = text.split(['T', 't', ' ']).next().unwrap_or_default();
    let mut parts = date.split('-');
    let mut number = |lengths: core::ops::RangeInclusive<usize>| {
        parts
            .next()
            .is_some_and(|part| lengths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()))
    };
    number(4..=4) && number(1..=2) && number(1..=2) && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_1_1_types_are_recognized() {
        for (text, what) in [
            ("no", "a boolean"),
            ("Off", "a boolean"),
            ("~", "nothing"),
            ("0777", "a number"),
            ("1_000", "a number"),
            ("1:30", "a number"),
            ("1_0.5", "a number"),
            ("2026-01-02", "a date"),
            ("2026-1-2 10:00:00", "a date"),
        ] {
            assert_eq!(guess(text), Some(what), "{text}");
        }
        for text in [
            "",
            "none",
            "1.2.3",
            "10:30 reviews",
            "12-factor",
            "a:b",
            "2026-01",
            "1:300",
            "nope",
        ] {
            assert_eq!(guess(text), None, "{text}");
        }
    }

    #[test]
    fn the_core_schema_is_followed() {
        let of = |text| Plain::of(text, Style::Plain);
        assert_eq!(of("~"), Plain::Null);
        assert_eq!(of("TRUE"), Plain::Boolean(true));
        assert_eq!(of("yes"), Plain::Text("yes"));
        assert_eq!(of("-12"), Plain::Integer(-12));
        assert_eq!(of("0x1F"), Plain::Integer(31));
        assert_eq!(of("0o17"), Plain::Integer(15));
        assert_eq!(of("0x-5"), Plain::Text("0x-5"));
        assert_eq!(of("0o+7"), Plain::Text("0o+7"));
        assert_eq!(of("1e3"), Plain::Float);
        assert_eq!(of("-.inf"), Plain::Float);
        assert_eq!(of("1.2.3"), Plain::Text("1.2.3"));
        assert_eq!(of("e"), Plain::Text("e"));
        assert_eq!(Plain::of("true", Style::SingleQuoted), Plain::Text("true"));
    }
}
