//! Fractional numbers in decimal digits: they are only displayed, never computed with.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

/// The most digits that a double distinguishes.
const DIGITS: usize = 17;

/// A number as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Decimal {
    /// Not a number.
    Nan,
    /// Too large for a double.
    Infinite {
        /// Whether it is below zero.
        negative: bool,
    },
    /// Any other.
    Finite {
        /// Whether it is below zero, or a zero with a minus.
        negative: bool,
        /// The digits from the first to the last nonzero one; empty for zero.
        digits: String,
        /// The power of ten of the first digit.
        exponent: i64,
    },
}

impl Decimal {
    /// The number with these digits before and after its point.
    pub(super) fn new(negative: bool, whole: &str, fraction: &str, exponent: i64) -> Self {
        let all = format!("{whole}{fraction}");
        let first = all.len() - all.trim_start_matches('0').len();
        let digits = all[first..]
            .get(..DIGITS)
            .unwrap_or(&all[first..])
            .trim_end_matches('0');
        let power = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
        let exponent = (power(whole.len()) - power(first) - 1).saturating_add(exponent);
        if digits.is_empty() || exponent < -324 {
            return Self::Finite {
                negative,
                digits: String::new(),
                exponent: 0,
            };
        }
        if exponent > 308 {
            return Self::Infinite { negative };
        }
        let digits = digits.to_owned();
        Self::Finite {
            negative,
            digits,
            exponent,
        }
    }

    /// A whole number.
    pub(super) fn whole(value: i128) -> Self {
        Self::new(value < 0, &value.unsigned_abs().to_string(), "", 0)
    }

    /// Parses a text like Python's `float` and JSON.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let negative = text.starts_with('-');
        match &*unsigned.to_ascii_lowercase() {
            "inf" | "infinity" => return Some(Self::Infinite { negative }),
            "nan" => return Some(Self::Nan),
            _ => {}
        }
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let any = !whole.is_empty() || !fraction.is_empty();
        let exponent = exponent.parse().ok()?;
        (any && digits(whole) && digits(fraction)).then(|| Self::new(negative, whole, fraction, exponent))
    }

    /// Whether it is zero.
    pub(super) fn is_zero(&self) -> bool {
        matches!(self, Self::Finite { digits, .. } if digits.is_empty())
    }

    /// Whether it is above zero.
    pub(super) fn is_positive(&self) -> bool {
        match self {
            Self::Nan => false,
            Self::Infinite { negative } => !negative,
            Self::Finite { negative, .. } => !negative && !self.is_zero(),
        }
    }

    /// Whether it has no fraction.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Self::Finite { digits, exponent, .. } => {
                i64::try_from(digits.len()).is_ok_and(|length| length <= exponent + 1 || length == 0)
            }
            _ => false,
        }
    }

    /// As JavaScript shows it.
    pub(super) fn script(&self) -> String {
        match self {
            Self::Nan => "NaN".to_owned(),
            Self::Infinite { negative } => signed(*negative, "Infinity"),
            Self::Finite { .. } if self.is_zero() => "0".to_owned(),
            Self::Finite { .. } => self.digits(-7, 21, "", 1),
        }
    }

    /// As Python shows it.
    pub(super) fn python(&self) -> String {
        match self {
            Self::Nan => "nan".to_owned(),
            Self::Infinite { negative } => signed(*negative, "inf"),
            Self::Finite { .. } => self.digits(-5, 16, ".0", 2),
        }
    }

    /// The digits, with an exponent from `above` up and `below` down.
    fn digits(&self, below: i64, above: i64, whole: &str, exponent_digits: usize) -> String {
        let Self::Finite {
            negative,
            digits,
            exponent,
        } = self
        else {
            return String::new();
        };
        let digits = if digits.is_empty() { "0" } else { digits };
        let after = |at: usize| match &digits[at..] {
            "" => String::new(),
            rest => format!(".{rest}"),
        };
        let shown = if *exponent <= below || *exponent >= above {
            let direction = if *exponent < 0 { '-' } else { '+' };
            let exponent = exponent.unsigned_abs();
            format!(
                "{}{}e{direction}{exponent:0exponent_digits$}",
                &digits[..1],
                after(1)
            )
        } else if *exponent < 0 {
            let zeros = usize::try_from(-exponent - 1).unwrap_or_default();
            format!("0.{}{digits}", "0".repeat(zeros))
        } else {
            let point = usize::try_from(*exponent).unwrap_or_default() + 1;
            match point.checked_sub(digits.len()) {
                Some(zeros) => format!("{digits}{}{whole}", "0".repeat(zeros)),
                None => format!("{}{}", &digits[..point], after(point)),
            }
        };
        signed(*negative, &shown)
    }
}

fn signed(negative: bool, text: &str) -> String {
    format!("{}{text}", if negative { "-" } else { "" })
}
