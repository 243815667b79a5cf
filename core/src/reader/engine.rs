//! The YAML of each engine: one row each, and its meaning of plain scalars.

use alloc::borrow::ToOwned;

use super::value::Value;
use crate::dialect::edition::Loader;
use crate::yaml::{Entry, Kind};

/// How one engine reads YAML.
pub(super) struct Engine {
    /// Plain scalars that are null, besides an absent one.
    nulls: &'static [&'static str],
    /// Plain scalars that are true.
    trues: &'static [&'static str],
    /// Plain scalars that are false.
    falses: &'static [&'static str],
    pub(super) integers: Integers,
    pub(super) floats: Floats,
    /// Whether plain dates are dates.
    pub(super) dates: Dates,
    /// Whether `<<` merges its value into the map.
    pub(super) merges: Merges,
    /// The effect of a duplicate key.
    pub(super) duplicates: Duplicates,
    /// The accepted keys of a map.
    pub(super) keys: Keys,
    /// The meaning of tags.
    pub(super) tags: Tags,
    /// Whether text after the first document is ignored.
    pub(super) first_document_only: bool,
    /// The scanner that reads the text.
    pub(super) scanner: Scanner,
}

/// The forms of whole numbers.
pub(super) struct Integers {
    /// The prefixes of an octal number, after the sign.
    pub(super) octal: &'static [&'static str],
    /// Whether `08` is text rather than eight.
    pub(super) strict_zero: bool,
    /// Where `_` is allowed among the digits.
    pub(super) underscores: Underscores,
    /// Whether `1:30` is ninety.
    pub(super) sexagesimal: bool,
    /// Whether `0b1` is one.
    pub(super) binary: bool,
}

/// Where `_` is allowed among digits.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Underscores {
    Nowhere,
    /// Anywhere except at the start and the end.
    Within,
    /// Anywhere except at the start.
    Anywhere,
}

/// The forms of other numbers.
pub(super) struct Floats {
    /// Whether they need a point.
    pub(super) point: bool,
    /// Whether an exponent needs a sign.
    pub(super) signed_exponent: bool,
    /// Whether `-.5` is a number.
    pub(super) signed_point: bool,
    /// Whether `01` and `01.5` are numbers.
    pub(super) leading_zeros: Zeros,
    /// Whether `+.inf` is a number.
    pub(super) signed_infinity: bool,
    /// Whether a number that is too large is infinite rather than text.
    pub(super) overflows: bool,
}

/// Whether a fractional number may start with a zero and more digits.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Zeros {
    Never,
    /// Where it has a point or an exponent.
    NotByItself,
    Always,
}

/// The meaning of plain dates.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Dates {
    /// Text.
    Text,
    /// Times, as JavaScript counts them.
    EcmaScript,
    /// Dates and times, as Python shows them.
    Python,
}

/// The meaning of the key `<<`.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Merges {
    /// None.
    Never,
    /// A plain one merges maps, and other values are errors.
    Plain,
    /// Any merges maps, and other values are kept.
    Any,
}

/// The effect of a duplicate key.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Duplicates {
    /// An error.
    Refused,
    /// An error if the reader knows the key, and in values that it reads whole.
    RefusedWhereKnown,
    /// The last one counts.
    LastCounts,
}

/// The accepted keys of a map.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Keys {
    /// Any.
    Any,
    /// Scalars.
    Scalars,
    /// Any; lists and maps are shown as text.
    Shown,
}

/// The meaning of tags.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Tags {
    /// The standard ones apply; others are errors.
    Known,
    /// Those of JSON apply; others are errors.
    Json,
    /// The standard ones apply; others are kept beside the value.
    Kept,
    /// The standard ones apply; others make a scalar text.
    Text,
    /// None applies; all are kept beside the text.
    Ignored,
    /// The standard ones apply where they fit; otherwise a scalar is text.
    Hints,
}

/// The scanner that reads the text.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Scanner {
    /// That of js-yaml 3.
    JsYaml3,
    /// That of js-yaml 4.
    JsYaml4,
    /// libyaml and its ports.
    LibYaml,
    /// Ours.
    Own,
    /// That of Bun.
    Bun,
}

impl Merges {
    /// Whether an entry is merged, or refused, rather than kept.
    pub(super) fn applies(self, entry: &Entry) -> bool {
        let is_key = entry.key.as_text() == Some("<<") && entry.key.tag.is_none();
        is_key
            && match self {
                Self::Never => false,
                Self::Plain => entry.key.is_plain(),
                Self::Any => !matches!(entry.value.kind, Kind::Scalar { .. }),
            }
    }
}

impl Engine {
    /// Whether it is any release of js-yaml.
    pub(super) fn is_js_yaml(&self) -> bool {
        matches!(self.scanner, Scanner::JsYaml3 | Scanner::JsYaml4)
    }
}

const NULLS: &[&str] = &["~", "null", "Null", "NULL"];
const TRUES: &[&str] = &["true", "True", "TRUE"];
const FALSES: &[&str] = &["false", "False", "FALSE"];

const JS_YAML_3: Engine = Engine {
    nulls: NULLS,
    trues: TRUES,
    falses: FALSES,
    integers: Integers {
        octal: &["0"],
        strict_zero: true,
        underscores: Underscores::Within,
        sexagesimal: true,
        binary: true,
    },
    floats: Floats {
        point: false,
        signed_exponent: false,
        signed_point: false,
        leading_zeros: Zeros::Never,
        signed_infinity: true,
        overflows: true,
    },
    dates: Dates::EcmaScript,
    merges: Merges::Plain,
    duplicates: Duplicates::Refused,
    keys: Keys::Shown,
    tags: Tags::Known,
    first_document_only: false,
    scanner: Scanner::JsYaml3,
};

const JS_YAML_4_JSON: Engine = Engine {
    integers: Integers {
        octal: &["0o"],
        strict_zero: false,
        underscores: Underscores::Within,
        sexagesimal: false,
        binary: true,
    },
    floats: Floats {
        leading_zeros: Zeros::Always,
        ..JS_YAML_3.floats
    },
    dates: Dates::Text,
    merges: Merges::Never,
    tags: Tags::Json,
    scanner: Scanner::JsYaml4,
    ..JS_YAML_3
};

const JS_YAML_4: Engine = Engine {
    dates: Dates::EcmaScript,
    merges: Merges::Plain,
    tags: Tags::Known,
    ..JS_YAML_4_JSON
};

const NPM_YAML: Engine = Engine {
    integers: Integers {
        octal: &["0o"],
        strict_zero: false,
        underscores: Underscores::Nowhere,
        sexagesimal: false,
        binary: false,
    },
    floats: Floats {
        signed_point: true,
        leading_zeros: Zeros::Always,
        ..JS_YAML_3.floats
    },
    dates: Dates::Text,
    merges: Merges::Never,
    tags: Tags::Hints,
    scanner: Scanner::Own,
    ..JS_YAML_3
};

const BUN_YAML: Engine = Engine {
    merges: Merges::Any,
    scanner: Scanner::Bun,
    duplicates: Duplicates::LastCounts,
    ..NPM_YAML
};

const PY_YAML: Engine = Engine {
    trues: &["yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"],
    falses: &["no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"],
    integers: Integers {
        octal: &["0"],
        strict_zero: true,
        underscores: Underscores::Anywhere,
        sexagesimal: true,
        binary: true,
    },
    floats: Floats {
        point: true,
        signed_exponent: true,
        signed_point: false,
        leading_zeros: Zeros::Always,
        signed_infinity: true,
        overflows: true,
    },
    dates: Dates::Python,
    duplicates: Duplicates::LastCounts,
    keys: Keys::Scalars,
    scanner: Scanner::LibYaml,
    ..JS_YAML_3
};

const SERDE_YAML_VALUE: Engine = Engine {
    integers: Integers {
        octal: &["0o"],
        strict_zero: true,
        underscores: Underscores::Nowhere,
        sexagesimal: false,
        binary: true,
    },
    floats: Floats {
        point: false,
        signed_exponent: false,
        signed_point: true,
        leading_zeros: Zeros::NotByItself,
        signed_infinity: true,
        overflows: false,
    },
    dates: Dates::Text,
    merges: Merges::Never,
    keys: Keys::Any,
    tags: Tags::Kept,
    scanner: Scanner::LibYaml,
    ..JS_YAML_3
};

const SERDE_YAML_STRUCT: Engine = Engine {
    duplicates: Duplicates::RefusedWhereKnown,
    tags: Tags::Ignored,
    ..SERDE_YAML_VALUE
};

const GO_YAML_2: Engine = Engine {
    trues: &[
        "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON",
    ],
    falses: &[
        "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF",
    ],
    integers: Integers {
        octal: &["0o", "0"],
        strict_zero: true,
        underscores: Underscores::Anywhere,
        sexagesimal: false,
        binary: true,
    },
    floats: Floats {
        leading_zeros: Zeros::Always,
        ..SERDE_YAML_VALUE.floats
    },
    merges: Merges::Plain,
    duplicates: Duplicates::LastCounts,
    keys: Keys::Scalars,
    tags: Tags::Text,
    first_document_only: true,
    ..SERDE_YAML_VALUE
};

const CORE: Engine = Engine {
    tags: Tags::Text,
    duplicates: Duplicates::LastCounts,
    scanner: Scanner::Own,
    ..SERDE_YAML_VALUE
};

impl Engine {
    pub(super) fn of(loader: Loader) -> &'static Self {
        match loader {
            Loader::JsYaml3 => &JS_YAML_3,
            Loader::JsYaml4Json => &JS_YAML_4_JSON,
            Loader::JsYaml4 => &JS_YAML_4,
            Loader::NpmYaml => &NPM_YAML,
            Loader::BunYaml => &BUN_YAML,
            Loader::PyYaml => &PY_YAML,
            Loader::SerdeYamlValue => &SERDE_YAML_VALUE,
            Loader::SerdeYamlStruct => &SERDE_YAML_STRUCT,
            Loader::GoYaml2 => &GO_YAML_2,
            Loader::Core => &CORE,
        }
    }

    /// Whether a plain scalar is null.
    pub(super) fn is_null(&self, text: &str) -> bool {
        text.is_empty() || self.nulls.contains(&text)
    }

    /// The meaning of a plain scalar.
    pub(super) fn plain(&self, text: &str) -> Value {
        if self.is_null(text) {
            return Value::Null;
        }
        if let Some(value) = self.boolean(text) {
            return value;
        }
        self.number(text).unwrap_or_else(|| Value::Text(text.to_owned()))
    }

    pub(super) fn boolean(&self, text: &str) -> Option<Value> {
        let known = self.trues.contains(&text) || self.falses.contains(&text);
        known.then(|| Value::Boolean(self.trues.contains(&text)))
    }
}
