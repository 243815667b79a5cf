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
    if let Some(digits) = text.strip_prefix("0x") {
        return i64::from_str_radix(digits, 16).ok().map(Plain::Integer);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return i64::from_str_radix(digits, 8).ok().map(Plain::Integer);
    }
    if let Ok(integer) = text.parse() {
        return Some(Plain::Integer(integer));
    }
    is_float(text).then_some(Plain::Float)
}

/// Digits with a point or an exponent, an infinity or no number. What it comes to is nowhere asked.
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
        assert_eq!(of("1e3"), Plain::Float);
        assert_eq!(of("-.inf"), Plain::Float);
        assert_eq!(of("1.2.3"), Plain::Text("1.2.3"));
        assert_eq!(of("e"), Plain::Text("e"));
        assert_eq!(Plain::of("true", Style::SingleQuoted), Plain::Text("true"));
    }
}
