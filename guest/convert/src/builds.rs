//! Builds: contract types to core types and back.

use callsheet_core::compose;

use crate::bindings::exports::callsheet::agents::projects;
use crate::common::{diagnostics, list, place};
use crate::documents::carried;

pub fn build(build: projects::Build) -> compose::Build {
    compose::Build {
        project: build.project,
        directory: build.directory,
        dialect: build.dialect,
        targets: build.targets,
        sets: list(build.sets, |set| (set.name, set.tools)),
        allow_loss: build.allow_loss,
    }
}

pub fn composition(composition: compose::Composition) -> projects::Composition {
    let leftover = |leftover: compose::Leftover| projects::Leftover {
        path: leftover.path,
        source: leftover.source,
        contents: leftover.contents,
        intact: leftover.is_intact,
    };
    projects::Composition {
        sources: list(composition.sources, composed),
        leftovers: list(composition.leftovers, leftover),
        findings: diagnostics(composition.findings),
    }
}

fn composed(composed: compose::Composed) -> projects::Composed {
    projects::Composed {
        path: composed.path,
        fields: list(composed.fields, |(field, places)| projects::FieldSource {
            field,
            places: list(places, place),
        }),
        outputs: list(composed.outputs, compiled),
    }
}

fn compiled(compiled: compose::Compiled) -> projects::Compiled {
    projects::Compiled {
        dialect: compiled.dialect,
        path: compiled.path,
        contents: compiled.contents,
        state: match compiled.state {
            compose::State::New => projects::BuildState::Created,
            compose::State::Unchanged => projects::BuildState::Unchanged,
            compose::State::Changed => projects::BuildState::Changed,
            compose::State::Edited => projects::BuildState::Edited,
            compose::State::Foreign => projects::BuildState::Foreign,
        },
        before: compiled.before,
        report: list(compiled.report, carried),
    }
}
