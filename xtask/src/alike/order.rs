//! Orders the functions of a module by likeness.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, NameMap, NameSection};
use wasmparser::{CodeSectionReader, FunctionSectionReader, Name, Parser, Payload, TypeRef};

use super::likeness;

/// A function of the module goes by its place among them; references also count the imported ones.
pub(super) struct Order {
    imported: u32,
    /// Which function comes first, second and so on.
    functions: Vec<usize>,
    /// Where each function comes.
    places: Vec<u32>,
}

impl Order {
    pub(super) fn of(module: &[u8]) -> Result<Self, wasmparser::Error> {
        let mut imported = 0;
        let mut bodies = Vec::new();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
                _ => {}
            }
        }
        let functions = likeness::chain(&bodies);
        let mut places = vec![0; functions.len()];
        for (place, &function) in (0..).zip(&functions) {
            places[function] = place;
        }
        Ok(Self {
            imported,
            functions,
            places,
        })
    }
}

impl Reencode for Order {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        Ok(match function.checked_sub(self.imported) {
            Some(own) => self.imported + self.places[own as usize],
            None => function,
        })
    }

    fn parse_function_section(
        &mut self,
        to: &mut FunctionSection,
        from: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        let types: Vec<u32> = from.into_iter().collect::<Result<_, _>>()?;
        for &function in &self.functions {
            to.function(types[function]);
        }
        Ok(())
    }

    fn parse_code_section(&mut self, to: &mut CodeSection, from: CodeSectionReader<'_>) -> Result<(), Error> {
        let bodies: Vec<_> = from.into_iter().collect::<Result<_, _>>()?;
        for place in 0..bodies.len() {
            self.parse_function_body(to, bodies[self.functions[place]].clone())?;
        }
        Ok(())
    }

    /// Only function names are needed where a trap is reported. Names have to be in the order of what they name.
    fn parse_custom_name_subsection(&mut self, to: &mut NameSection, from: Name<'_>) -> Result<(), Error> {
        let Name::Function(names) = from else {
            return Ok(());
        };
        let mut named = Vec::new();
        for name in names {
            let name = name?;
            named.push((self.function_index(name.index)?, name.name));
        }
        named.sort_unstable();
        let mut names = NameMap::new();
        for (function, name) in named {
            names.append(function, name);
        }
        to.functions(&names);
        Ok(())
    }
}
