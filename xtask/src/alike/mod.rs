//! Writes a module so that compression finds what its functions share. Its behavior stays the same.

mod likeness;
mod locals;
mod order;

use wasm_encoder::Module;
use wasm_encoder::reencode::Reencode;
use wasmparser::Parser;

use self::locals::Locals;
use self::order::Order;
use callsheet_build::Failure;

/// The module with similar variables under the same numbers, and similar functions side by side.
pub(crate) fn rewrite(module: &[u8]) -> Result<Vec<u8>, Failure> {
    let module = written(&mut Locals::default(), module)?;
    let mut order = Order::of(&module).map_err(|error| unreadable(&error))?;
    written(&mut order, &module)
}

fn written(
    how: &mut dyn Reencode<Error = std::convert::Infallible>,
    module: &[u8],
) -> Result<Vec<u8>, Failure> {
    let mut to = Module::new();
    how.parse_core_module(&mut to, Parser::new(0), module)
        .map_err(|error| unreadable(&error))?;
    Ok(to.finish())
}

fn unreadable(error: &dyn std::error::Error) -> Failure {
    format!("cannot read the built module: {error}")
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{
        CodeSection, ExportKind, ExportSection, Function, FunctionSection, Module, NameMap, NameSection,
        TypeSection, ValType,
    };
    use wasmparser::{FunctionBody, KnownCustom, Name, Operator, Parser, Payload};

    /// `short` calls `long`, which uses the second of its three variables most and the last one never.
    fn module() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], [ValType::I32]);
        let mut functions = FunctionSection::new();
        functions.function(0).function(0);
        let mut exports = ExportSection::new();
        exports
            .export("short", ExportKind::Func, 0)
            .export("long", ExportKind::Func, 1);
        let mut short = Function::new([]);
        short.instructions().local_get(0).call(1).end();
        let mut long = Function::new([(1, ValType::I64), (3, ValType::I32)]);
        long.instructions()
            .local_get(0)
            .local_set(2)
            .i64_const(7)
            .local_set(1);
        long.instructions().local_get(0).local_tee(3).local_tee(3).end();
        let mut code = CodeSection::new();
        code.function(&short).function(&long);
        let mut names = NameMap::new();
        names.append(0, "short");
        names.append(1, "long");
        let mut named = NameSection::new();
        named.functions(&names);
        let mut module = Module::new();
        module
            .section(&types)
            .section(&functions)
            .section(&exports)
            .section(&code)
            .section(&named);
        module.finish()
    }

    #[derive(Default)]
    struct Read<'a> {
        exports: Vec<(&'a str, u32)>,
        names: Vec<(u32, &'a str)>,
        code: Vec<Vec<Operator<'a>>>,
    }

    fn read(module: &[u8]) -> Read<'_> {
        let mut read = Read::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload.unwrap() {
                Payload::ExportSection(section) => {
                    read.exports.extend(
                        section
                            .into_iter()
                            .map(|it| it.unwrap())
                            .map(|it| (it.name, it.index)),
                    );
                }
                Payload::CustomSection(section) => {
                    let KnownCustom::Name(section) = section.as_known() else {
                        continue;
                    };
                    for part in section {
                        if let Name::Function(map) = part.unwrap() {
                            read.names.extend(
                                map.into_iter()
                                    .map(|it| it.unwrap())
                                    .map(|it| (it.index, it.name)),
                            );
                        }
                    }
                }
                Payload::CodeSectionEntry(body) => read.code.push(operators(&body)),
                _ => {}
            }
        }
        read
    }

    fn operators<'a>(body: &FunctionBody<'a>) -> Vec<Operator<'a>> {
        let reader = body.get_operators_reader().unwrap();
        reader.into_iter().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn references_to_functions_are_kept() {
        let module = super::rewrite(&module()).unwrap();
        let read = read(&module);
        // The longer one goes first.
        assert_eq!(read.exports, [("short", 1), ("long", 0)]);
        assert_eq!(read.names, [(0, "long"), (1, "short")]);
        assert!(matches!(
            read.code[1][..],
            [_, Operator::Call { function_index: 0 }, _]
        ));
    }

    #[test]
    fn variables_are_numbered_by_use_within_their_type() {
        let module = super::rewrite(&module()).unwrap();
        let read = read(&module);
        let variables = read.code[0].iter().filter_map(|operator| match operator {
            Operator::LocalGet { local_index }
            | Operator::LocalSet { local_index }
            | Operator::LocalTee { local_index } => Some(*local_index),
            _ => None,
        });
        assert_eq!(variables.collect::<Vec<_>>(), [0, 2, 3, 0, 1, 1]);
    }
}
