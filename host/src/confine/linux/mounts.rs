//! A view of the file system in which only writable paths are writable, which Landlock cannot express.

use std::ffi::{CStr, CString};
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::mount::{MountPropagationFlags, mount_bind_recursive, mount_change};
use rustix::process::{DumpableBehavior, chdir, getegid, geteuid, set_dumpable_behavior};
use rustix::thread::UnshareFlags;

use super::super::Rights;
use super::files::{SHARED_MEMORY, shared_memory};

/// The mounts of a program, prepared before the fork.
pub(super) struct Mounts {
    /// The working directory.
    directory: CString,
    /// Paths that become mounts, the shortest first, and whether each is writable.
    mounts: Vec<(CString, bool)>,
    /// The replacement of the shared memory.
    shared_memory: CString,
    /// The user's own IDs in a user namespace; none for root, who needs none.
    users: Option<[String; 2]>,
}

impl Mounts {
    pub(super) fn new(rights: &Rights) -> io::Result<Self> {
        let shared = shared_memory(&rights.scratch);
        create(&shared)?;
        let mut mounts: Vec<(&Path, bool)> = rights.writes.iter().map(|path| (&**path, true)).collect();
        mounts.extend(rights.keeps.iter().map(|path| (&**path, false)));
        // A directory with a mount in it can be renamed, unless it is a mount, too.
        mounts.extend(rights.keeps.iter().flat_map(|path| above(path, rights)));
        // For one path, the first entry counts: the sort is stable.
        mounts.sort_by_key(|(path, _)| (path.components().count(), *path));
        mounts.dedup_by_key(|(path, _)| *path);
        let mounts = mounts
            .into_iter()
            .map(|(path, writable)| Ok((c_string(path)?, writable)));
        let (user, group) = (geteuid(), getegid());
        let line = |id: u32| format!("{id} {id} 1");
        Ok(Self {
            directory: c_string(&rights.directory)?,
            mounts: mounts.collect::<io::Result<_>>()?,
            shared_memory: c_string(&shared)?,
            users: (!user.is_root()).then(|| [line(user.as_raw()), line(group.as_raw())]),
        })
    }

    /// Creates the mounts. Called by the process that becomes the program.
    pub(super) fn enter(&self) -> io::Result<()> {
        self.unshare()?;
        let apart = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        mount_change(c"/", apart)?;
        for (path, _) in &self.mounts {
            mount_bind_recursive(path.as_c_str(), path.as_c_str())?;
        }
        // Missing on some systems, which then need no replacement.
        let has_memory = mount_bind_recursive(self.shared_memory.as_c_str(), SHARED_MEMORY).is_ok();
        set_read_only(c"/", true)?;
        for (path, writable) in &self.mounts {
            set_read_only(path, !writable)?;
        }
        if has_memory {
            set_read_only(c"/dev/shm", false)?;
        }
        // It was entered before there were mounts.
        chdir(self.directory.as_c_str())?;
        Ok(())
    }

    fn unshare(&self) -> io::Result<()> {
        let Some([user, group]) = &self.users else {
            return unshare(UnshareFlags::NEWNS);
        };
        // The files of a process that is not dumpable belong to root. It becomes dumpable by running the program anyway.
        set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS)?;
        write(c"/proc/self/setgroups", "deny")?;
        write(c"/proc/self/uid_map", user)?;
        write(c"/proc/self/gid_map", group)
    }
}

/// Creates a directory, but not the one above it, which is removed when the program ends.
fn create(directory: &Path) -> io::Result<()> {
    fs::create_dir(directory).or_else(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Ok(()),
        _ => Err(error),
    })
}

/// The directories between a writable tree and a path in it.
fn above<'a>(path: &'a Path, rights: &'a Rights) -> impl Iterator<Item = (&'a Path, bool)> {
    let is_within = |path: &Path, tree: &PathBuf| path.starts_with(tree) && path != tree.as_path();
    let inside = move |path: &&Path| rights.writes.iter().any(|tree| is_within(path, tree));
    path.ancestors()
        .skip(1)
        .take_while(inside)
        .map(|path| (path, true))
}

fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: a process that was just forked has one thread, whose table of files stays as it is.
    #[expect(
        unsafe_code,
        reason = "the safe function cannot know that there is one thread"
    )]
    unsafe {
        rustix::thread::unshare_unsafe(flags)?;
    }
    Ok(())
}

fn write(file: &CStr, text: &str) -> io::Result<()> {
    let flags = rustix::fs::OFlags::WRONLY | rustix::fs::OFlags::CLOEXEC;
    let file = rustix::fs::open(file, flags, rustix::fs::Mode::empty())?;
    fs::File::from(file).write_all(text.as_bytes())
}

/// Makes the mounts at and below a path read-only, or writable.
fn set_read_only(path: &CStr, read_only: bool) -> io::Result<()> {
    let all = set_attribute(path, read_only, libc::AT_RECURSIVE);
    if read_only {
        all
    } else {
        // Read-only mounts of the system stay read-only.
        all.or_else(|_| set_attribute(path, false, 0))
    }
}

fn set_attribute(path: &CStr, read_only: bool, recursive: libc::c_int) -> io::Result<()> {
    let flag = libc::MOUNT_ATTR_RDONLY;
    let attributes = libc::mount_attr {
        attr_set: if read_only { flag } else { 0 },
        attr_clr: if read_only { 0 } else { flag },
        propagation: 0,
        userns_fd: 0,
    };
    // SAFETY: the path ends in a zero byte, and the structure has the size that is told.
    #[expect(unsafe_code, reason = "no crate has this call")]
    let made = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            recursive,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    match made {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn c_string(path: &Path) -> io::Result<CString> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| Errno::INVAL.into())
}
