//! Records, variants and enumerations.

use std::collections::HashSet;
use std::fmt::Write as _;

use wit_parser::{Case, Docs, Enum, Field, Interface, Record, Type, TypeDefKind, TypeId, Variant};

use super::class;
use super::names::{Scope, camel, docs, snake};

/// Everything that an interface declares, in its order.
pub(super) fn all(scope: &mut Scope<'_>, interface: &Interface) -> String {
    let resolve = scope.resolve;
    let errors = errors(scope);
    let mut out = String::new();
    for (name, &id) in &interface.types {
        let it = &resolve.types[id];
        match &it.kind {
            TypeDefKind::Record(record) => out += &self::record(scope, name, &it.docs, record),
            TypeDefKind::Enum(words) => out += &self::words(name, &it.docs, words),
            TypeDefKind::Variant(variant) if errors.contains(&id) => {
                out += &failure(scope, name, &it.docs, variant);
            }
            TypeDefKind::Variant(variant) => out += &self::variant(scope, name, &it.docs, variant),
            _ => {}
        }
    }
    out
}

/// The variants that calls fail with: Python raises them.
fn errors(scope: &Scope<'_>) -> HashSet<TypeId> {
    let failing = scope.resolve.types.iter().filter_map(|(_, it)| match &it.kind {
        TypeDefKind::Result(result) => match result.err {
            Some(Type::Id(id)) => Some(origin(scope, id)),
            _ => None,
        },
        _ => None,
    });
    failing.collect()
}

fn origin(scope: &Scope<'_>, id: TypeId) -> TypeId {
    match scope.resolve.types[id].kind {
        TypeDefKind::Type(Type::Id(other)) => origin(scope, other),
        _ => id,
    }
}

/// What may be left out comes last and is left out by default.
fn record(scope: &mut Scope<'_>, name: &str, documented: &Docs, record: &Record) -> String {
    let mut out = format!("\n\n@dataclass\n{}", class(name, "", documented));
    let optional = |scope: &mut Scope<'_>, field: &Field| scope.name(&field.ty).starts_with("Optional[");
    let (left_out, needed): (Vec<&Field>, Vec<&Field>) =
        record.fields.iter().partition(|field| optional(scope, field));
    // Then the contract's own order is another one.
    let order: Vec<&str> = record.fields.iter().map(|field| field.name.as_str()).collect();
    if needed
        .iter()
        .chain(&left_out)
        .map(|field| field.name.as_str())
        .ne(order.iter().copied())
    {
        let names: String = order
            .iter()
            .map(|name| format!("        \"{}\",\n", snake(name)))
            .collect();
        let _ = writeln!(out, "\n    _order: ClassVar[tuple[str, ...]] = (\n{names}    )");
    }
    for (fields, default) in [(needed, ""), (left_out, " = None")] {
        for field in fields {
            let type_ = scope.name(&field.ty);
            let _ = write!(
                out,
                "\n    {}: {type_}{default}\n{}",
                snake(&field.name),
                docs(&field.docs, 4)
            );
        }
    }
    out
}

fn words(name: &str, documented: &Docs, words: &Enum) -> String {
    let mut out = format!("\n\n{}", class(name, "Word", documented));
    for word in &words.cases {
        let constant = snake(&word.name).to_uppercase();
        let _ = write!(
            out,
            "\n    {constant} = \"{}\"\n{}",
            word.name,
            docs(&word.docs, 4)
        );
    }
    out
}

fn variant(scope: &mut Scope<'_>, name: &str, documented: &Docs, variant: &Variant) -> String {
    let mut out = String::new();
    for case in &variant.cases {
        let _ = write!(
            out,
            "\n\n@dataclass\n{}{}",
            class(&of(name, case), "", &case.docs),
            tag(case)
        );
        if let Some(it) = &case.ty {
            let _ = writeln!(out, "    value: {}", scope.name(it));
        }
    }
    let cases: Vec<String> = variant
        .cases
        .iter()
        .map(|case| format!("    {},\n", camel(&of(name, case))))
        .collect();
    let name = camel(name);
    let _ = write!(
        out,
        "\n\n{name} = Union[\n{}]\n{}",
        cases.concat(),
        docs(documented, 0)
    );
    out
}

fn failure(scope: &mut Scope<'_>, name: &str, documented: &Docs, variant: &Variant) -> String {
    let mut out = format!("\n\n{}", class(name, "Failure", documented));
    for case in &variant.cases {
        let _ = write!(
            out,
            "\n\n{}{}",
            class(&of(name, case), &camel(name), &case.docs),
            tag(case)
        );
        if let Some(it) = &case.ty {
            let it = scope.name(it);
            let _ = write!(
                out,
                "    value: {it}\n\n    def __init__(self, value: {it}) -> None:\n        super().__init__(value)\n",
            );
        }
    }
    out
}

fn of(variant: &str, case: &Case) -> String {
    format!("{variant}-{}", case.name)
}

fn tag(case: &Case) -> String {
    format!("\n    tag: ClassVar[Literal[\"{0}\"]] = \"{0}\"\n", case.name)
}
