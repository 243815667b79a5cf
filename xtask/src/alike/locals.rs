//! Numbers the variables of each function by how often it uses them.
//!
//! The compiler numbers them as it finds room, so that similar functions would hardly share a byte.

use std::cmp::Reverse;
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, Function, FunctionSection, Instruction, TypeSection, ValType};
use wasmparser::{FunctionBody, FunctionSectionReader, Operator, TypeSectionReader};

#[derive(Default)]
pub(super) struct Locals {
    /// How many parameters the functions of each type have. They keep their numbers.
    parameters: Vec<usize>,
    /// The type of each function whose body follows, the last one first.
    types: Vec<u32>,
    /// The new names of the current function's variables.
    numbers: Vec<u32>,
}

impl Reencode for Locals {
    type Error = Infallible;

    fn parse_type_section(&mut self, to: &mut TypeSection, from: TypeSectionReader<'_>) -> Result<(), Error> {
        for of in from.clone().into_iter_err_on_gc_types() {
            self.parameters.push(of?.params().len());
        }
        utils::parse_type_section(self, to, from)
    }

    fn parse_function_section(
        &mut self,
        to: &mut FunctionSection,
        from: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        self.types = from.clone().into_iter().collect::<Result<_, _>>()?;
        self.types.reverse();
        utils::parse_function_section(self, to, from)
    }

    fn parse_function_body(&mut self, to: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        let of = self.types.pop().ok_or(Error::InvalidCodeSectionSize)?;
        let types = self.number(self.parameters[of as usize], &body)?;
        let mut function = Function::new_with_locals_types(types);
        let mut reader = body.get_operators_reader()?;
        while !reader.eof() {
            function.instruction(&self.parse_instruction(&mut reader)?);
        }
        to.function(&function);
        Ok(())
    }

    fn instruction<'a>(&mut self, operator: Operator<'a>) -> Result<Instruction<'a>, Error> {
        let mut instruction = utils::instruction(self, operator)?;
        if let Instruction::LocalGet(local) | Instruction::LocalSet(local) | Instruction::LocalTee(local) =
            &mut instruction
        {
            *local = self.numbers[*local as usize];
        }
        Ok(instruction)
    }
}

impl Locals {
    /// Numbers the variables of a function, and gives the types of those that are used, in their new order.
    fn number(&mut self, parameters: usize, body: &FunctionBody<'_>) -> Result<Vec<ValType>, Error> {
        let mut locals = Vec::new();
        for run in body.get_locals_reader()? {
            let (count, of) = run?;
            locals.extend(vec![self.val_type(of)?; count as usize]);
        }
        let uses = uses(parameters + locals.len(), body)?;
        let mut order: Vec<usize> = (0..locals.len()).collect();
        order.retain(|local| uses[parameters + local] > 0);
        // Variables of one type are declared together.
        order.sort_by_key(|&local| (locals[local], Reverse(uses[parameters + local])));
        self.numbers = (0..).take(uses.len()).collect();
        for (number, &local) in (parameters as u32..).zip(&order) {
            self.numbers[parameters + local] = number;
        }
        Ok(order.into_iter().map(|local| locals[local]).collect())
    }
}

/// How often each variable occurs.
fn uses(variables: usize, body: &FunctionBody<'_>) -> Result<Vec<u32>, Error> {
    let mut uses = vec![0; variables];
    let mut reader = body.get_operators_reader()?;
    while !reader.eof() {
        if let Operator::LocalGet { local_index }
        | Operator::LocalSet { local_index }
        | Operator::LocalTee { local_index } = reader.read()?
        {
            uses[local_index as usize] += 1;
        }
    }
    Ok(uses)
}
