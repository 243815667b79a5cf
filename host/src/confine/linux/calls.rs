//! Filters system calls with seccomp: those that need no file, or do not depend on its name.

use std::collections::BTreeMap;
use std::io;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Never: other processes, namespaces and mounts, keys, the kernel, the machine and its clock.
const NEVER: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_chroot,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    libc::SYS_kexec_file_load,
];

/// Programs handle their absence on old kernels: `clone3` takes flags that no filter can read, and a ring's operations bypass filters.
const UNKNOWN: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Changes to a file without opening it, which Landlock does not cover.
const ATTRIBUTES: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// The same number everywhere, and newer than some libraries.
const FCHMODAT2: c_long = 452;

/// New namespaces, as flags of `clone`.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Types into a terminal.
const TYPING: [u64; 2] = [0x5412, 0x541c];

/// The bits of a file's mode that make it run as another user.
const SET_ID: [u64; 2] = [0o4000, 0o2000];

/// On x86-64, numbers from here on belong to another ABI of the same calls.
const OTHER_NUMBERS: u32 = 0x4000_0000;

/// The filter of a program: no network unless allowed, and no changes of attributes if it may write nothing.
pub(super) fn filters(network: bool, keep_attributes: bool) -> io::Result<Vec<BpfProgram>> {
    let mut rules: Rules = NEVER.iter().map(|call| (number(*call), Vec::new())).collect();
    add(
        &mut rules,
        libc::SYS_clone,
        NAMESPACES.map(|flag| masked(0, flag as u64)),
    )?;
    add(
        &mut rules,
        libc::SYS_ioctl,
        TYPING.map(|request| equal(1, request)),
    )?;
    add(
        &mut rules,
        libc::SYS_personality,
        [unlike(0, &[0, u64::from(u32::MAX)])],
    )?;
    for (call, at) in MODES {
        add(&mut rules, *call, SET_ID.map(|bits| masked(*at, bits)))?;
    }
    for (call, at) in OPENS {
        // Without creation, the argument is unused.
        let makes = |bits| [masked(*at, libc::O_CREAT as u64), masked(at + 1, bits)].concat();
        add(&mut rules, *call, SET_ID.map(makes))?;
    }
    if keep_attributes {
        rules.extend(ATTRIBUTES.iter().map(|call| (number(*call), Vec::new())));
    }
    if network {
        internet(&mut rules)?
    } else {
        nothing(&mut rules)?
    }
    let unknown = UNKNOWN.iter().map(|call| (number(*call), Vec::new())).collect();
    Ok([compiled(rules, libc::EPERM)?, compiled(unknown, libc::ENOSYS)?].into())
}

/// Calls that set a file's mode, and the index of that argument.
const MODES: &[(c_long, u8)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (FCHMODAT2, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
];

/// Calls that open a file, and the index of the flags. The mode follows.
const OPENS: &[(c_long, u8)] = &[
    (libc::SYS_openat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
];

/// Only stream socket pairs: a datagram of one could be sent to any path.
fn nothing(rules: &mut Rules) -> io::Result<()> {
    let calls = [
        libc::SYS_socket,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
    ];
    rules.extend(calls.map(|call| (number(call), Vec::new())));
    pairs(rules)
}

/// The internet, and asking the kernel for its addresses. Sockets in the file system can expose keys and machines: none of those.
fn internet(rules: &mut Rules) -> io::Result<()> {
    let [inet, inet6, netlink] =
        [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK].map(|family| family as u64);
    let mut other_netlink = equal(0, netlink);
    other_netlink.extend(unlike(2, &[0]));
    let raw = vec![
        (1, SeccompCmpOp::MaskedEq(0xf), libc::SOCK_RAW as u64),
        (0, SeccompCmpOp::Ne, netlink),
    ];
    add(
        rules,
        libc::SYS_socket,
        [unlike(0, &[inet, inet6, netlink]), other_netlink, raw],
    )?;
    pairs(rules)
}

fn pairs(rules: &mut Rules) -> io::Result<()> {
    let kinds = [libc::SOCK_DGRAM, libc::SOCK_RAW];
    let kinds = kinds.map(|kind| vec![(1, SeccompCmpOp::MaskedEq(0xf), kind as u64)]);
    add(rules, libc::SYS_socketpair, kinds)
}

/// Conditions that must all be true: an argument, the comparison, and the value.
type Conditions = Vec<(u8, SeccompCmpOp, u64)>;

fn equal(at: u8, value: u64) -> Conditions {
    vec![(at, SeccompCmpOp::Eq, value)]
}

fn masked(at: u8, bits: u64) -> Conditions {
    vec![(at, SeccompCmpOp::MaskedEq(bits), bits)]
}

fn unlike(at: u8, values: &[u64]) -> Conditions {
    values
        .iter()
        .map(|value| (at, SeccompCmpOp::Ne, *value))
        .collect()
}

#[allow(clippy::useless_conversion, reason = "the type is narrower on 32-bit systems")]
fn number(call: c_long) -> i64 {
    i64::from(call)
}

/// Adds a call that is denied if one of these is true.
fn add<const N: usize>(rules: &mut Rules, call: c_long, any: [Conditions; N]) -> io::Result<()> {
    for conditions in any {
        let conditions = conditions.into_iter().map(|(at, how, value)| {
            // The kernel reads these arguments as 32 bits.
            SeccompCondition::new(at, SeccompCmpArgLen::Dword, how, value)
        });
        let conditions: Result<Vec<_>, _> = conditions.collect();
        let rule = conditions.and_then(SeccompRule::new).map_err(io::Error::other)?;
        rules.entry(number(call)).or_default().push(rule);
    }
    Ok(())
}

fn compiled(rules: Rules, error: i32) -> io::Result<BpfProgram> {
    let machine = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let refuse = SeccompAction::Errno(error as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, machine);
    let program: BpfProgram = filter.and_then(BpfProgram::try_from).map_err(io::Error::other)?;
    Ok(other_numbers().into_iter().chain(program).collect())
}

/// Denies the other ABI of the same calls: load the number, compare it, return.
fn other_numbers() -> [sock_filter; 3] {
    let step = |code: u32, jf: u8, k: u32| sock_filter {
        code: code as u16,
        jt: 0,
        jf,
        k,
    };
    [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 1, OTHER_NUMBERS),
        step(
            libc::BPF_RET | libc::BPF_K,
            0,
            libc::SECCOMP_RET_ERRNO | libc::EPERM as u32,
        ),
    ]
}
