//! Limits with Landlock which files a program may access, and which processes it may signal.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
    RulesetCreated, RulesetCreatedAttr as _, RulesetError, Scope, path_beneath_rules,
};

use super::super::Rights;

/// The minimum version: it covers truncating files.
const LEAST: ABI = ABI::V3;

/// Used if available: signals and abstract sockets need version 6, TCP version 4.
const NEWEST: ABI = ABI::V6;

/// Devices without data or side effects.
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Shared memory. Each command has its own in a mount namespace.
pub(super) const SHARED_MEMORY: &str = "/dev/shm";

/// Why Landlock is unavailable, if so.
pub(super) fn is_there() -> Result<(), String> {
    let tried = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let tried = tried
        .handle_access(AccessFs::from_all(LEAST))
        .and_then(Ruleset::create);
    match tried {
        Ok(_) => Ok(()),
        Err(_) => Err("this kernel has no Landlock, or one before Linux 6.2".into()),
    }
}

/// Allows only the program's rights.
pub(super) fn ruleset(rights: &Rights) -> Result<RulesetCreated, RulesetError> {
    let devices = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev;
    let mut ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?;
    if !rights.network {
        ruleset = ruleset.handle_access(AccessNet::from_all(NEWEST))?;
    }
    ruleset
        .create()?
        .add_rules(path_beneath_rules(&rights.reads, AccessFs::from_read(NEWEST)))?
        .add_rules(path_beneath_rules(&rights.lists, AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(&rights.writes, writing()))?
        .add_rules(path_beneath_rules([shared_memory(&rights.scratch)], writing()))?
        .add_rules(path_beneath_rules(DEVICES, devices))
}

/// Everything except devices: a tree may get files, directories, links, pipes and sockets.
fn writing() -> BitFlags<AccessFs> {
    AccessFs::from_all(NEWEST) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev)
}

/// The replacement of [`SHARED_MEMORY`].
pub(super) fn shared_memory(scratch: &Path) -> PathBuf {
    scratch.join("shm")
}
