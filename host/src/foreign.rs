//! Another build of the component, which may be faulty or hostile.

use std::path::Path;
use std::time::Duration;
use std::{io, thread};

use callsheet_build::engine_config;
use wasmtime::component::Component;
use wasmtime::{Engine, EngineWeak};

use crate::engine::{Loaded, link};
use crate::{Error, Result};

/// The interval of the clock.
const TICK: Duration = Duration::from_millis(100);

/// Half a minute for one call: a hundred times the largest catalog's time.
const TICKS: u64 = 300;

/// Compiles a component and starts the clock that stops calls that take too long.
pub(crate) fn load(file: &Path) -> Result<Loaded> {
    let failed = |source| Error::Component {
        file: Some(file.to_owned()),
        source,
    };
    let bytes = std::fs::read(file).map_err(|source| Error::Path {
        path: file.display().to_string(),
        source,
    })?;
    let mut config = engine_config();
    config.epoch_interruption(true);
    let engine = Engine::new(&config).map_err(failed)?;
    let component = Component::from_binary(&engine, &bytes).map_err(failed)?;
    let linked = link(&engine, &component).map_err(failed)?;
    start_clock(engine.weak()).map_err(|error| failed(error.into()))?;
    Ok(Loaded {
        linked,
        ticks: Some(TICKS),
    })
}

/// Ticks until the engine is dropped.
fn start_clock(engine: EngineWeak) -> io::Result<()> {
    let tick = move || {
        while let Some(engine) = engine.upgrade() {
            engine.increment_epoch();
            drop(engine);
            thread::sleep(TICK);
        }
    };
    thread::Builder::new()
        .name("callsheet-clock".into())
        .spawn(tick)
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;
    use crate::sandbox::Sandbox;
    use crate::types::Kind;

    #[test]
    fn a_long_call_is_stopped() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, crate::component()).unwrap();
        let loaded = Loaded {
            ticks: Some(0),
            ..load(file.path()).unwrap()
        };
        let mut sandbox = Sandbox::new(loaded, usize::MAX, Files::default());
        let answer = sandbox.call("trying", |world, store| {
            world
                .callsheet_agents_documents()
                .call_dialects(store, Kind::Agent)
        });
        assert!(matches!(answer, Err(Error::Trap { .. })));
    }
}
