//! The component, ready to be instantiated.

use std::sync::OnceLock;

use wasmtime::Engine;
use wasmtime::component::{Component, HasSelf, Linker};

use crate::bindings::CallsheetPre;
use crate::bindings::callsheet::agents::{files, model, tools};
use crate::builder::Builder;
use crate::sandbox::State;
use crate::{Error, Result, engine_config};

/// The component that this library embeds, for other hosts.
pub fn component() -> &'static [u8] {
    include_bytes!(concat!(env!("OUT_DIR"), "/callsheet.wasm"))
}

/// The same component as native code.
static NATIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/callsheet.cwasm"));

/// A component that was loaded and linked. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Loaded {
    pub(crate) linked: CallsheetPre<State>,
    /// Ticks of the engine's clock that one call may take, for a component that is not our own.
    pub(crate) ticks: Option<u64>,
}

impl Loaded {
    /// The component that the settings name, else the embedded one.
    pub(crate) fn for_settings(settings: &Builder) -> Result<Self> {
        match &settings.component {
            #[cfg(feature = "jit")]
            Some(file) => crate::foreign::load(file),
            _ => embedded(),
        }
    }
}

/// The embedded component: loaded once in a process.
fn embedded() -> Result<Loaded> {
    static EMBEDDED: OnceLock<Loaded> = OnceLock::new();
    if let Some(loaded) = EMBEDDED.get() {
        return Ok(loaded.clone());
    }
    let load = || {
        let engine = Engine::new(&engine_config::new())?;
        // SAFETY: the build script made these bytes, with this version of wasmtime and these settings.
        let component = unsafe { Component::deserialize(&engine, NATIVE) }?;
        link(&engine, &component)
    };
    let linked = load().map_err(|source| Error::Component { file: None, source })?;
    Ok(EMBEDDED.get_or_init(|| Loaded { linked, ticks: None }).clone())
}

/// Ties the component's imports to the host. Fails if it imports anything but those of its world.
pub(crate) fn link(engine: &Engine, component: &Component) -> wasmtime::Result<CallsheetPre<State>> {
    let mut linker = Linker::new(engine);
    files::add_to_linker::<_, HasSelf<_>>(&mut linker, |state: &mut State| &mut state.files)?;
    model::add_to_linker::<_, HasSelf<_>>(&mut linker, |state: &mut State| &mut state.lent)?;
    tools::add_to_linker::<_, HasSelf<_>>(&mut linker, |state: &mut State| &mut state.lent)?;
    CallsheetPre::new(linker.instantiate_pre(component)?)
}
