//! Names, and the names of types where they are used.

use std::collections::{BTreeMap, BTreeSet};

use wit_parser::{Docs, Handle, InterfaceId, Resolve, Type, TypeDefKind, TypeId, TypeOwner};

/// What a module sees.
pub(super) struct Scope<'a> {
    pub(super) resolve: &'a Resolve,
    interface: InterfaceId,
    /// Names of other modules.
    pub(super) used: BTreeMap<String, BTreeSet<String>>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(resolve: &'a Resolve, interface: InterfaceId) -> Self {
        Self {
            resolve,
            interface,
            used: BTreeMap::new(),
        }
    }

    /// A type as Python writes it.
    pub(super) fn name(&mut self, it: &Type) -> String {
        let word = match it {
            Type::Bool => "bool",
            Type::U8 => "U8",
            Type::U32 => "U32",
            Type::U64 => "U64",
            Type::S64 => "S64",
            Type::String => "str",
            Type::Id(id) => return self.defined(*id),
            other => panic!("Python has no word for {other:?} yet"),
        };
        word.to_owned()
    }

    fn defined(&mut self, id: TypeId) -> String {
        let resolve = self.resolve;
        match &resolve.types[id].kind {
            TypeDefKind::Type(it) => self.name(it),
            TypeDefKind::List(Type::U8) => "bytes".to_owned(),
            TypeDefKind::List(it) => format!("list[{}]", self.name(it)),
            TypeDefKind::Option(it) => format!("Optional[{}]", self.name(it)),
            TypeDefKind::Tuple(tuple) => {
                let names: Vec<String> = tuple.types.iter().map(|it| self.name(it)).collect();
                format!("tuple[{}]", names.join(", "))
            }
            TypeDefKind::Handle(Handle::Own(id) | Handle::Borrow(id)) => self.defined(*id),
            _ => self.declared(id),
        }
    }

    fn declared(&mut self, id: TypeId) -> String {
        let it = &self.resolve.types[id];
        let name = camel(it.name.as_deref().expect("what is declared has a name"));
        if let TypeOwner::Interface(owner) = it.owner
            && owner != self.interface
        {
            let module = self.resolve.interfaces[owner].name.clone().unwrap_or_default();
            self.used.entry(module).or_default().insert(name.clone());
        }
        name
    }
}

/// `tool-call` as `ToolCall`.
pub(super) fn camel(name: &str) -> String {
    let capital = |part: &str| {
        let (first, rest) = part.split_at(1);
        first.to_uppercase() + rest
    };
    name.split('-').map(capital).collect()
}

/// `tool-call` as `tool_call`; a word of the language gets a line below.
pub(super) fn snake(name: &str) -> String {
    let name = name.replace('-', "_");
    match name.as_str() {
        "from" | "import" | "class" | "is" | "in" | "as" | "not" | "or" | "and" => name + "_",
        _ => name,
    }
}

/// A documentation string.
pub(super) fn docs(docs: &Docs, indent: usize) -> String {
    let margin = " ".repeat(indent);
    let text = docs
        .contents
        .as_deref()
        .unwrap_or_default()
        .trim()
        .replace('\\', "\\\\");
    if !text.contains('\n') {
        return format!("{margin}\"\"\"{text}\"\"\"\n");
    }
    let lines = text.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("{margin}{line}\n"),
    });
    let body: String = lines.collect();
    format!("{margin}\"\"\"{}{margin}\"\"\"\n", body.trim_start())
}
