//! What a plain scalar means: the YAML 1.2 core schema.

use super::node::Style;

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
    Float(f64),
    /// Everything else.
    Text(&'text str),
}

impl<'text> Plain<'text> {
    pub(super) fn of(text: &'text str, style: Style) -> Self {
        if style == Style::Text {
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
    if let Some(digits) = text.strip_prefix("0x") {
        return i64::from_str_radix(digits, 16).ok().map(Plain::Integer);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return i64::from_str_radix(digits, 8).ok().map(Plain::Integer);
    }
    if let Ok(integer) = text.parse() {
        return Some(Plain::Integer(integer));
    }
    match text.trim_start_matches(['+', '-']) {
        ".inf" | ".Inf" | ".INF" => Some(Plain::Float(if text.starts_with('-') {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        })),
        ".nan" | ".NaN" | ".NAN" => Some(Plain::Float(f64::NAN)),
        digits => {
            let decimal = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
                && digits
                    .chars()
                    .all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
            decimal.then(|| text.parse().ok().map(Plain::Float))?
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_schema() {
        let of = |text| Plain::of(text, Style::Plain);
        assert_eq!(of("~"), Plain::Null);
        assert_eq!(of("TRUE"), Plain::Boolean(true));
        assert_eq!(of("yes"), Plain::Text("yes"));
        assert_eq!(of("-12"), Plain::Integer(-12));
        assert_eq!(of("0x1F"), Plain::Integer(31));
        assert_eq!(of("1e3"), Plain::Float(1000.0));
        assert_eq!(of("-.inf"), Plain::Float(f64::NEG_INFINITY));
        assert_eq!(of("1.2.3"), Plain::Text("1.2.3"));
        assert_eq!(of("e"), Plain::Text("e"));
        assert_eq!(Plain::of("true", Style::Text), Plain::Text("true"));
    }
}
