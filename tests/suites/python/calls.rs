//! Functions and resources.

use std::fmt::Write as _;

use wit_parser::{Function, FunctionKind, Handle, Interface, Type, TypeDefKind};

use super::class;
use super::names::{Scope, docs, snake};

/// The resources of an interface, then its functions, as methods of classes.
pub(super) fn all(scope: &mut Scope<'_>, interface: &Interface, id: &str) -> String {
    let name = interface.name.as_deref().unwrap_or_default();
    let free: Vec<&Function> = interface
        .functions
        .values()
        .filter(|it| it.kind.resource().is_none())
        .collect();
    let mut out = String::new();
    for (name, &type_) in &interface.types {
        let it = &scope.resolve.types[type_];
        if matches!(it.kind, TypeDefKind::Resource) {
            let own: Vec<&Function> = interface
                .functions
                .values()
                .filter(|it| it.kind.resource() == Some(type_))
                .collect();
            out += &group(scope, &class(name, "Resource", &it.docs), &own, id);
        }
    }
    if !free.is_empty() {
        out += &group(scope, &class(name, "Interface", &interface.docs), &free, id);
    }
    out
}

/// The functions of an imported interface.
pub(super) fn lent(scope: &mut Scope<'_>, interface: &Interface, id: &str) -> String {
    if interface.functions.is_empty() {
        return String::new();
    }
    let name = interface.name.as_deref().unwrap_or_default();
    let mut out = format!("\n\n{}", class(name, "Protocol", &interface.docs));
    for function in interface.functions.values() {
        out += &signature(scope, function, "self").0;
    }
    out.push('\n');
    for function in interface.functions.values() {
        out += constant(scope, function, id).replacen('_', "", 1).as_str();
    }
    out
}

fn group(scope: &mut Scope<'_>, class: &str, functions: &[&Function], id: &str) -> String {
    let mut out = format!("\n\n{class}");
    for function in functions {
        out += &method(scope, function);
    }
    out.push('\n');
    for function in functions {
        out += &constant(scope, function, id);
    }
    out
}

fn method(scope: &mut Scope<'_>, function: &Function) -> String {
    let label = label(function);
    if matches!(function.kind, FunctionKind::Static(_)) {
        let (head, arguments) = signature(scope, function, "cls, sandbox: Sandbox");
        return format!(
            "\n    @classmethod{head}        return cls(sandbox, sandbox.call({label}{arguments}))\n"
        );
    }
    let (head, arguments) = signature(scope, function, "self");
    let call = format!("self._call({label}{arguments})");
    match answer(scope, function).0.as_str() {
        "None" => format!("{head}        {call}\n"),
        answer => format!("{head}        answer: {answer} = {call}\n        return answer\n"),
    }
}

/// The first lines of a method, and what it passes on. What may be left out in between has to be named.
fn signature(scope: &mut Scope<'_>, function: &Function, receiver: &str) -> (String, String) {
    let (mut parameters, mut arguments) = (receiver.to_owned(), String::new());
    let own = &function.params[usize::from(matches!(function.kind, FunctionKind::Method(_)))..];
    let needed = own.iter().rposition(|it| default(scope, &it.ty).is_empty());
    let left_out = own.iter().position(|it| !default(scope, &it.ty).is_empty());
    for (index, parameter) in own.iter().enumerate() {
        if left_out == Some(index) && needed > left_out {
            parameters += ", *";
        }
        let (name, type_) = (snake(&parameter.name), scope.name(&parameter.ty));
        let _ = write!(parameters, ", {name}: {type_}{}", default(scope, &parameter.ty));
        let _ = write!(arguments, ", {name}");
    }
    let name = snake(function.item_name());
    let answer = answer(scope, function).0;
    let docs = docs(&function.docs, 8);
    (
        format!("\n    def {name}({parameters}) -> {answer}:\n{docs}"),
        arguments,
    )
}

/// The default of an omitted parameter: nothing, and no flag.
fn default(scope: &mut Scope<'_>, it: &Type) -> &'static str {
    match scope.name(it) {
        name if name.starts_with("Optional[") => " = None",
        name if name == "bool" => " = False",
        _ => "",
    }
}

fn constant(scope: &mut Scope<'_>, function: &Function, id: &str) -> String {
    let parameters: Vec<String> = function.params.iter().map(|it| scope.name(&it.ty)).collect();
    // A single one would not be a tuple.
    let comma = if parameters.len() == 1 { "," } else { "" };
    let (answer, error) = answer(scope, function);
    let answer = if owned(scope, function) {
        format!("Own({answer})")
    } else {
        answer
    };
    format!(
        "\n{} = Function(\n    \"{id}\", \"{}\", ({}{comma}), {answer}, {error}\n)\n",
        label(function),
        function.name,
        parameters.join(", "),
    )
}

/// What it answers and what it raises.
fn answer(scope: &mut Scope<'_>, function: &Function) -> (String, String) {
    let none = || "None".to_owned();
    let Some(result) = &function.result else {
        return (none(), none());
    };
    if let Type::Id(id) = result
        && let TypeDefKind::Result(result) = &scope.resolve.types[*id].kind
    {
        let mut name = |it: &Option<Type>| it.as_ref().map_or_else(none, |it| scope.name(it));
        return (name(&result.ok), name(&result.err));
    }
    (scope.name(result), none())
}

fn owned(scope: &Scope<'_>, function: &Function) -> bool {
    let is = |it: Type| matches!(it, Type::Id(id) if matches!(scope.resolve.types[id].kind, TypeDefKind::Handle(Handle::Own(_))));
    match function.result {
        Some(Type::Id(id)) => match &scope.resolve.types[id].kind {
            TypeDefKind::Result(result) => result.ok.is_some_and(is),
            _ => is(Type::Id(id)),
        },
        _ => false,
    }
}

/// The constant that describes a function.
fn label(function: &Function) -> String {
    let name = function.name.replace(['[', ']', '.'], "-");
    format!(
        "_{}",
        snake(name.trim_start_matches("-method-").trim_start_matches("-static-")).to_uppercase()
    )
}
