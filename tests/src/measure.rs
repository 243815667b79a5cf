//! The cost of a piece of work: CPU time, which other work on the machine disturbs least, as the lowest of several runs.

use std::process::{Command, Stdio};
use std::time::Duration;
use std::{io, mem};

/// What a process used, from start to end.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// User and system time.
    pub cpu: Duration,
    /// The most memory that it used, in bytes. At least what this process used when it started that one.
    pub peak: u64,
}

/// Runs a program to its end, discarding its output.
#[expect(unsafe_code, reason = "only the system knows what a process used")]
pub fn process(command: &mut Command) -> io::Result<Usage> {
    let child = command.stdout(Stdio::null()).stdin(Stdio::null()).spawn()?;
    let id = libc::pid_t::try_from(child.id()).expect("a process id is one");
    let (mut status, mut usage) = (0, unsafe {
        // SAFETY: all zeroes is a valid value of this plain C structure.
        mem::zeroed::<libc::rusage>()
    });
    // SAFETY: the child is ours and nothing else waits for it; both pointers lead to values that outlive the call.
    if unsafe { libc::wait4(id, &raw mut status, 0, &raw mut usage) } != id {
        return Err(io::Error::last_os_error());
    }
    let code = libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
    // `check` ends with 1 if it found problems.
    if !matches!(code, Some(0 | 1)) {
        return Err(io::Error::other(format!("{command:?} ended with {code:?}")));
    }
    Ok(Usage {
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        peak: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
    })
}

fn duration(time: libc::timeval) -> Duration {
    let micros = time.tv_sec * 1_000_000 + time.tv_usec;
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}

/// The CPU time that this thread spends on some work.
pub fn thread<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let before = clock();
    let done = work();
    (clock().saturating_sub(before), done)
}

#[expect(unsafe_code, reason = "no crate that is used here has this clock")]
fn clock() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer leads to a value that outlives the call.
    let told = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(told, 0, "every Unix has this clock");
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or(0),
        u32::try_from(time.tv_nsec).unwrap_or(0),
    )
}

/// The lowest of several measurements, alternating so that a slow spell of the machine affects all of them.
pub fn least<const N: usize, T>(
    rounds: usize,
    mut each: [&mut dyn FnMut() -> T; N],
    less: impl Fn(&T, &T) -> bool,
) -> [T; N] {
    let mut best: [T; N] = std::array::from_fn(|index| each[index]());
    for _ in 1..rounds {
        for (measure, best) in each.iter_mut().zip(&mut best) {
            let now = measure();
            if less(&now, best) {
                *best = now;
            }
        }
    }
    best
}
