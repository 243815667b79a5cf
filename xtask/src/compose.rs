//! Composes components.

use std::fmt::{Debug, Display};

use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions, NodeId};

use callsheet_build::Failure;

/// A composition.
#[derive(Default)]
pub(crate) struct Composition(CompositionGraph);

/// An instance of a component.
pub(crate) struct Instance {
    node: NodeId,
    exports: Vec<String>,
}

impl Composition {
    /// Adds an instance of a component. Its imports come from the first of `others` that exports them, else from outside.
    pub(crate) fn add(
        &mut self,
        name: &str,
        component: &[u8],
        others: &[&Instance],
    ) -> Result<Instance, Failure> {
        let graph = &mut self.0;
        let package =
            Package::from_bytes(name, None, component, graph.types_mut()).map_err(failed("read", name))?;
        let package = graph.register_package(package).map_err(failed("compose", name))?;
        let world = &graph.types()[graph[package].ty()];
        let imports: Vec<String> = world.imports.keys().cloned().collect();
        let exports = world.exports.keys().cloned().collect();
        let node = graph.instantiate(package);
        for import in imports {
            if let Some(other) = others.iter().find(|other| other.exports.contains(&import)) {
                let export = graph.alias_instance_export(other.node, &import);
                let export = export.map_err(failed("compose", &import))?;
                graph
                    .set_instantiation_argument(node, &import, export)
                    .map_err(failed("compose", &import))?;
            }
        }
        Ok(Instance { node, exports })
    }

    /// Exports this export of an instance.
    pub(crate) fn export(&mut self, instance: &Instance, name: &str) -> Result<(), Failure> {
        let export = self.0.alias_instance_export(instance.node, name);
        let export = export.map_err(failed("export", name))?;
        self.0.export(export, name).map_err(failed("export", name))
    }

    /// The component with the exports of this instance, and earlier exports.
    pub(crate) fn encode(mut self, instance: &Instance) -> Result<Vec<u8>, Failure> {
        for name in &instance.exports {
            self.export(instance, name)?;
        }
        self.0
            .encode(EncodeOptions::default())
            .map_err(failed("write", "the composition"))
    }
}

fn failed<Error: Display + Debug>(what: &str, which: &str) -> impl FnOnce(Error) -> Failure {
    move |error| format!("cannot {what} {which}: {error:?}")
}
