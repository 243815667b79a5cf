//! One instance of the component, with all that it may access.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use wasmtime::component::ResourceAny;
use wasmtime::{Store, StoreLimitsBuilder};

use crate::bindings::Callsheet as World;
use crate::bindings::exports::callsheet::agents::projects::{GuestProject, Sources};
use crate::engine::Loaded;
use crate::files::Files;
use crate::lent::{Lent, State};
use crate::{Error, Result};

/// A sandbox that a catalog and its sessions share.
pub(crate) type Shared = Arc<Mutex<Sandbox>>;

/// A poisoned lock is safe: an instance is either whole or discarded.
pub(crate) fn lock(sandbox: &Shared) -> MutexGuard<'_, Sandbox> {
    sandbox.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An instance that is replaced when it fails.
pub(crate) struct Sandbox {
    loaded: Loaded,
    memory_limit: usize,
    instance: Instance,
    /// The number of discarded instances.
    gone: u64,
}

enum Instance {
    Live(Box<Store<State>>, Box<World>),
    /// Not created yet, or lost to a trap.
    None(Box<Files>),
}

impl Sandbox {
    pub(crate) fn new(loaded: Loaded, memory_limit: usize, files: Files) -> Self {
        Self {
            loaded,
            memory_limit,
            instance: Instance::None(Box::new(files)),
            gone: 0,
        }
    }

    /// The number of this instance. Resources of another one are lost.
    pub(crate) fn instance(&self) -> u64 {
        self.gone
    }

    /// The models and tools of the instance, if there is one.
    pub(crate) fn lend(&mut self, lent: Lent) {
        if let Instance::Live(store, _) = &mut self.instance {
            store.data_mut().lent = lent;
        }
    }

    pub(crate) fn files(&mut self) -> &mut Files {
        match &mut self.instance {
            Instance::Live(store, _) => &mut store.data_mut().files,
            Instance::None(files) => files,
        }
    }

    /// Calls the component. After a trap the instance is discarded and the file that was read last is withheld from then on, so that it
    /// cannot cause another trap; the next call gets a new instance.
    pub(crate) fn call<T>(
        &mut self,
        doing: &str,
        call: impl FnOnce(&World, &mut Store<State>) -> wasmtime::Result<T>,
    ) -> Result<T> {
        self.files().begin();
        let answer = self.attempt(call);
        answer.map_err(|source| {
            let file = self.files().withhold_last();
            self.discard();
            Error::Trap {
                doing: doing.into(),
                file,
                source,
            }
        })
    }

    /// Calls the component about a project with these sources, as [`call`](Self::call) does.
    pub(crate) fn ask<T>(
        &mut self,
        doing: &str,
        sources: &Sources,
        question: impl FnOnce(GuestProject<'_>, &mut Store<State>, ResourceAny) -> wasmtime::Result<T>,
    ) -> Result<T> {
        self.call(doing, |world, store| {
            let projects = world.callsheet_agents_projects();
            let handle = projects.project().call_open(&mut *store, sources)?;
            let answer = question(projects.project(), store, handle)?;
            handle.resource_drop(store)?;
            Ok(answer)
        })
    }

    fn attempt<T>(
        &mut self,
        call: impl FnOnce(&World, &mut Store<State>) -> wasmtime::Result<T>,
    ) -> wasmtime::Result<T> {
        if let Instance::None(files) = &mut self.instance {
            let files = mem::take(&mut **files);
            self.instantiate(files)?;
        }
        let Instance::Live(store, world) = &mut self.instance else {
            unreachable!("it was just made")
        };
        if let Some(ticks) = self.loaded.ticks {
            store.set_epoch_deadline(ticks);
        }
        call(world, store)
    }

    fn instantiate(&mut self, files: Files) -> wasmtime::Result<()> {
        let limits = StoreLimitsBuilder::new()
            .memory_size(self.memory_limit)
            .trap_on_grow_failure(true)
            .build();
        let state = State {
            files,
            lent: Lent::default(),
            limits,
        };
        let mut store = Box::new(Store::new(self.loaded.linked.engine(), state));
        store.limiter(|state| &mut state.limits);
        // Instantiation runs code of the component, too.
        if let Some(ticks) = self.loaded.ticks {
            store.set_epoch_deadline(ticks);
        }
        match self.loaded.linked.instantiate(&mut *store) {
            Ok(world) => self.instance = Instance::Live(store, Box::new(world)),
            Err(error) => {
                self.instance = Instance::None(Box::new(store.into_data().files));
                return Err(error);
            }
        }
        Ok(())
    }

    fn discard(&mut self) {
        let files = mem::take(self.files());
        self.instance = Instance::None(Box::new(files));
        self.gone += 1;
    }
}

#[cfg(test)]
mod tests {
    use crate::{Callsheet, Error};

    #[test]
    fn works_again_after_a_trap() {
        let mut callsheet = Callsheet::builder().without_home().build().unwrap();
        let failing = callsheet.sandbox_mut().call("trying", |_, _| {
            Err::<(), _>(wasmtime::Trap::UnreachableCodeReached.into())
        });
        assert!(matches!(failing, Err(Error::Trap { .. })));
        callsheet.dialects().unwrap();
    }

    #[test]
    fn memory_is_limited() {
        let mut callsheet = Callsheet::builder()
            .without_home()
            .memory_limit(1)
            .build()
            .unwrap();
        assert!(matches!(callsheet.dialects(), Err(Error::Trap { .. })));
    }
}
