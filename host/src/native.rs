//! The embedded component as native code.
//!
//! On Linux it is a part of the program's code and runs in place: no command needs all of its pages, which a copy would load.

#![expect(unsafe_code, reason = "native code is used as compiled")]

use callsheet_build::engine_config;
use wasmtime::Engine;
use wasmtime::component::Component;

/// Aligned to pages of any processor.
#[repr(C, align(65536))]
struct Pages<Bytes>(Bytes);

#[cfg_attr(target_os = "linux", unsafe(link_section = ".text.callsheet"))]
static NATIVE: Pages<[u8; include_bytes!(concat!(env!("OUT_DIR"), "/callsheet.cwasm")).len()]> =
    Pages(*include_bytes!(concat!(env!("OUT_DIR"), "/callsheet.cwasm")));

/// Loads it, on an engine of its own.
#[cfg(target_os = "linux")]
pub(crate) fn load() -> wasmtime::Result<Component> {
    let mut config = engine_config();
    config.with_custom_code_memory(Some(std::sync::Arc::new(in_place::Executable)));
    // SAFETY: the build script made these bytes, with this version of wasmtime and these settings. Nothing writes them.
    unsafe { Component::deserialize_raw(&Engine::new(&config)?, (&NATIVE.0[..]).into()) }
}

/// Loads it, on an engine of its own.
#[cfg(not(target_os = "linux"))]
pub(crate) fn load() -> wasmtime::Result<Component> {
    // SAFETY: the build script made these bytes, with this version of wasmtime and these settings.
    unsafe { Component::deserialize(&Engine::new(&engine_config())?, &NATIVE.0[..]) }
}

#[cfg(target_os = "linux")]
mod in_place {
    use wasmtime::CustomCodeMemory;

    /// Memory that the system made executable when it loaded the program.
    pub(super) struct Executable;

    impl CustomCodeMemory for Executable {
        fn required_alignment(&self) -> usize {
            1
        }

        fn publish_executable(&self, _: *const u8, _: usize) -> wasmtime::Result<()> {
            Ok(())
        }

        fn unpublish_executable(&self, _: *const u8, _: usize) -> wasmtime::Result<()> {
            Ok(())
        }
    }
}
