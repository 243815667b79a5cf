//! The capabilities of commands that root runs, as is usual in containers.

use std::io;

use rustix::process::geteuid;
use rustix::thread::{CapabilitySet, capability_is_in_bounding_set, remove_capability_from_bounding_set};

/// What builds and installations need. Others bypass Landlock: with `PERFMON` the memory of all processes can be read.
const KEPT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::NET_BIND_SERVICE);

/// Capabilities that a process drops for good, before it runs a program.
pub(super) struct Capabilities(Vec<CapabilitySet>);

impl Capabilities {
    /// Other users have none to drop, nor has root in some containers.
    pub(super) fn needless() -> Self {
        let may_have = |it: &CapabilitySet| capability_is_in_bounding_set(*it).unwrap_or(false);
        let all = CapabilitySet::all().difference(KEPT).iter();
        Self(all.filter(|it| geteuid().is_root() && may_have(it)).collect())
    }

    pub(super) fn give_up(&self) -> io::Result<()> {
        for capability in &self.0 {
            remove_capability_from_bounding_set(*capability)?;
        }
        Ok(())
    }
}
