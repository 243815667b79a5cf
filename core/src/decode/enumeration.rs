//! Values that must be from a list.

use alloc::format;

use crate::closest::closest;
use crate::definition::{Definition, Field};
use crate::diagnostic::Finding;
use crate::dialect::{Canonical, Dialect, Key, Verdict};
use crate::rules;
use crate::verdict::Judgement;

/// Checks values that must be from a list. Products do so last, when everything else is known.
pub(crate) fn check_enumerations(definition: &mut Definition, dialect: &Dialect, judgement: &mut Judgement) {
    for key in dialect.keys.iter().filter(|key| !key.one_of.is_empty()) {
        if !is_enumerated(definition, dialect, key, judgement) && key.out_of_bounds == Verdict::Ignored {
            clear(definition, key.field);
        }
    }
}

/// Whether a key counts, if that depends on another field.
pub(crate) fn holds(definition: &Definition, key: &Key) -> bool {
    let condition = key.if_field.as_ref();
    condition.is_none_or(|condition| text_of(definition, condition.field) == Some(&*condition.is))
}

/// Whether a value is accepted, possibly under a condition on another field.
fn is_enumerated(definition: &Definition, dialect: &Dialect, key: &Key, judgement: &mut Judgement) -> bool {
    let Some(field) = definition.field(key.field).filter(|_| holds(definition, key)) else {
        return true;
    };
    let text = text_of(definition, key.field);
    let Some(value) = text.or_else(|| field_text(field)) else {
        return true;
    };
    let is_absent = value.is_empty() && (text.is_none() || !key.script);
    if is_absent || key.accepts(value) {
        return true;
    }
    let known = key.one_of.join(", ");
    let nearest = closest(value, key.one_of.iter().map(|known| &**known));
    let message = if value.is_empty() {
        format!("`{}` is empty", field.key)
    } else {
        format!("invalid value `{value}` of `{}` for {}", field.key, dialect.id)
    };
    let reason = match key.bounds_text.as_str() {
        "" => message.clone(),
        template => template.replace("{value}", value),
    };
    let help = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`? Use: {known}"),
        None => format!("use: {known}"),
    };
    let finding = Finding::new(&rules::unknown_value::RULE, field.value_span, message)
        .severity(key.out_of_bounds.into())
        .label(key.out_of_bounds.consequence(dialect.kind))
        .help(help);
    judgement.find(finding);
    judgement.judge(key.out_of_bounds, &reason);
    false
}

/// Clears a value that has no effect.
fn clear(definition: &mut Definition, field: Canonical) {
    match field {
        Canonical::Effort => definition.effort = None,
        Canonical::Color => definition.color = None,
        Canonical::PermissionMode => definition.permission_mode = None,
        _ => {}
    }
}

fn field_text(field: &Field) -> Option<&str> {
    let value = field.unquoted();
    (!value.contains('\n') && value.parse::<i64>().is_err()).then_some(value)
}

fn text_of(definition: &Definition, field: Canonical) -> Option<&str> {
    match field {
        Canonical::Provider => definition.provider.as_deref(),
        Canonical::Effort => definition.effort.as_deref(),
        Canonical::Color => definition.color.as_deref(),
        Canonical::PermissionMode => definition.permission_mode.as_deref(),
        _ => None,
    }
}
