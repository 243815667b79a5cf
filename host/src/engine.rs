//! The component, ready to be instantiated.

use std::sync::{Mutex, PoisonError};

use wasmtime::Engine;
use wasmtime::component::{Component, HasSelf, Linker};

use crate::bindings::CallsheetPre;
use crate::bindings::callsheet::agents::{files, model, tools};
use crate::lent::State;
use crate::{Error, Result, native};

/// The component embedded in this library, for other hosts.
pub fn component() -> &'static [u8] {
    include_bytes!(concat!(env!("OUT_DIR"), "/callsheet.wasm"))
}

/// A loaded and linked component. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Loaded {
    pub(crate) linked: CallsheetPre<State>,
    /// Ticks of the engine's clock that one call may take, for a custom component.
    pub(crate) ticks: Option<u64>,
}

/// The embedded component: loaded once per process, by one thread, since the same code cannot be registered twice.
pub(crate) fn embedded() -> Result<Loaded> {
    static EMBEDDED: Mutex<Option<Loaded>> = Mutex::new(None);
    let mut embedded = EMBEDDED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(loaded) = &*embedded {
        return Ok(loaded.clone());
    }
    let load = || {
        let component = native::load()?;
        link(component.engine(), &component)
    };
    let linked = load().map_err(|source| Error::Component { file: None, source })?;
    Ok(embedded.insert(Loaded { linked, ticks: None }).clone())
}

/// Links the component's imports to the host. Fails if it imports anything outside of its world.
pub(crate) fn link(engine: &Engine, component: &Component) -> wasmtime::Result<CallsheetPre<State>> {
    let mut linker = Linker::new(engine);
    files::add_to_linker::<_, HasSelf<_>>(&mut linker, |state: &mut State| &mut state.files)?;
    model::add_to_linker::<_, HasSelf<_>>(&mut linker, |state: &mut State| &mut state.lent)?;
    tools::add_to_linker::<_, HasSelf<_>>(&mut linker, |state: &mut State| &mut state.lent)?;
    CallsheetPre::new(linker.instantiate_pre(component)?)
}
