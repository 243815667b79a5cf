//! Which files a program may touch, and whom it may signal: by Landlock.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
    RulesetCreated, RulesetCreatedAttr as _, RulesetError, Scope, path_beneath_rules,
};

use super::super::Rights;

/// The least that confines: with it, files cannot be cut short.
const LEAST: ABI = ABI::V3;

/// What is used where it is there: signals and abstract sockets are of the sixth, TCP of the fourth.
const NEWEST: ABI = ABI::V6;

/// Devices that hold nothing and lead nowhere.
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Memory that processes share. Each command has its own where it has a mount namespace.
pub(super) const SHARED_MEMORY: &str = "/dev/shm";

/// Says why Landlock cannot be used.
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

/// What the program may do, and nothing besides.
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

/// All but devices: what is made in a tree is a file, a directory, a link, a pipe or a socket.
fn writing() -> BitFlags<AccessFs> {
    AccessFs::from_all(NEWEST) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev)
}

/// What stands for [`SHARED_MEMORY`].
pub(super) fn shared_memory(scratch: &Path) -> PathBuf {
    scratch.join("shm")
}
