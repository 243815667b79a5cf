//! The number that a plain scalar is, by an engine's rules.

use alloc::string::{String, ToString};

use super::decimal::Decimal;
use super::engine::{Engine, Underscores, Zeros};
use super::value::Value;

impl Engine {
    pub(super) fn number(&self, text: &str) -> Option<Value> {
        // Nearly all scalars are words.
        if !text.starts_with(['+', '-', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']) {
            return None;
        }
        self.integer(text)
            .map(Value::Integer)
            .or_else(|| self.float(text))
    }

    pub(super) fn integer(&self, text: &str) -> Option<i128> {
        let rule = &self.integers;
        let (negative, digits) = unsigned(text);
        let radix = |prefix: &str, radix| {
            let digits = digits.strip_prefix(prefix)?;
            whole(&rule.underscores.strip(digits, true)?, radix)
        };
        let octal = || rule.octal.iter().find_map(|prefix| radix(prefix, 8));
        let decimal = || {
            let leading_zero = digits.len() > 1 && digits.starts_with('0');
            let plain = rule.underscores.strip(digits, false)?;
            (!(leading_zero && rule.strict_zero)).then(|| whole(&plain, 10))?
        };
        let sixties = || (rule.sexagesimal && !digits.starts_with('0')).then(|| self.sixties(digits))?;
        let value = radix("0x", 16)
            .or_else(|| rule.binary.then(|| radix("0b", 2))?)
            .or_else(octal)
            .or_else(decimal)
            .or_else(sixties)?;
        Some(if negative { -value } else { value })
    }

    /// `1:30` is ninety.
    fn sixties(&self, digits: &str) -> Option<i128> {
        let (first, rest) = digits.split_once(':')?;
        let mut value = whole(&self.integers.underscores.strip(first, false)?, 10)?;
        for part in rest.split(':') {
            value = value.checked_mul(60)?.checked_add(sixtieth(part)?)?;
        }
        Some(value)
    }

    pub(super) fn float(&self, text: &str) -> Option<Value> {
        let rule = &self.floats;
        let (negative, digits) = unsigned(text);
        let signed = digits.len() < text.len();
        match digits {
            ".inf" | ".Inf" | ".INF" => {
                let taken = !signed || rule.signed_infinity;
                return taken.then_some(Value::Float(Decimal::Infinite { negative }));
            }
            ".nan" | ".NaN" | ".NAN" => return (!signed).then_some(Value::Float(Decimal::Nan)),
            _ => {}
        }
        if self.integers.sexagesimal && digits.contains(':') {
            return self.float_sixties(negative, digits).map(Value::Float);
        }
        let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (digits, None),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        let power = match exponent {
            Some(exponent) => {
                let (below, digits) = unsigned(exponent);
                let signed = digits.len() < exponent.len();
                (are_digits(digits) && (signed || !rule.signed_exponent)).then_some(())?;
                // A longer one is out of range in any engine.
                let power = digits.parse().unwrap_or(i64::from(i32::MAX));
                if below { -power } else { power }
            }
            None => 0,
        };
        let well_formed = if whole.is_empty() {
            let is_number =
                |fraction: &str| !fraction.is_empty() && self.are_digits(fraction, fraction.starts_with('_'));
            fraction.is_some_and(is_number) && (!signed || rule.signed_point)
        } else {
            let zeros = whole.len() > 1 && whole.starts_with('0');
            self.are_digits(whole, false)
                && fraction.map_or(!rule.point, |fraction| self.are_digits(fraction, true))
                && match rule.leading_zeros {
                    Zeros::Never => !zeros,
                    Zeros::NotByItself => !zeros || fraction.or(exponent).is_some(),
                    Zeros::Always => true,
                }
        };
        if !well_formed || self.integers.underscores == Underscores::Within && text.ends_with('_') {
            return None;
        }
        let value = Decimal::new(
            negative,
            &plain(whole),
            &plain(fraction.unwrap_or_default()),
            power,
        );
        (rule.overflows || !matches!(value, Decimal::Infinite { .. })).then_some(Value::Float(value))
    }

    /// `1:30.5` is ninety and a half.
    fn float_sixties(&self, negative: bool, digits: &str) -> Option<Decimal> {
        let (sixties, fraction) = digits.split_once('.')?;
        let (first, rest) = sixties.split_once(':')?;
        let well_formed = self.are_digits(first, false) && self.are_digits(fraction, true);
        let mut value: i128 = well_formed.then(|| whole(&plain(first), 10))??;
        for part in rest.split(':') {
            value = value.checked_mul(60)?.checked_add(sixtieth(part)?)?;
        }
        Some(Decimal::new(negative, &value.to_string(), &plain(fraction), 0))
    }

    /// Whether these are digits, with `_` where it is allowed; also true for none at all.
    fn are_digits(&self, text: &str, underscore_first: bool) -> bool {
        let allowed = self.integers.underscores != Underscores::Nowhere;
        let mut bytes = text.bytes();
        bytes.all(|byte| byte.is_ascii_digit() || allowed && byte == b'_')
            && (underscore_first || !text.starts_with('_'))
    }
}

impl Underscores {
    /// The digits without `_`, if each is allowed in its place.
    fn strip(self, digits: &str, first: bool) -> Option<String> {
        let well_placed = match self {
            Self::Nowhere => !digits.contains('_'),
            Self::Within => (first || !digits.starts_with('_')) && !digits.ends_with('_'),
            Self::Anywhere => first || !digits.starts_with('_'),
        };
        well_placed.then(|| plain(digits))
    }
}

fn unsigned(text: &str) -> (bool, &str) {
    match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    }
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn whole(digits: &str, radix: u32) -> Option<i128> {
    let well_formed = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    well_formed.then(|| i128::from_str_radix(digits, radix).ok())?
}

/// One digit of a number in base 60.
fn sixtieth(text: &str) -> Option<i128> {
    let value: i128 = are_digits(text).then(|| text.parse().ok())??;
    (text.len() <= 2 && value < 60).then_some(value)
}

/// The digits without `_`.
fn plain(digits: &str) -> String {
    digits.chars().filter(|c| *c != '_').collect()
}
