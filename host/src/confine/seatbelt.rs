//! Profiles for the macOS sandbox. Of several rules about one file, the last counts.

#![cfg_attr(
    not(target_os = "macos"),
    allow(dead_code, reason = "tested as text everywhere")
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::Rights;

/// Rules that every program needs.
const ALWAYS: &str = "\
(version 1)
(deny default)
(allow process-exec process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow mach-lookup (global-name \"com.apple.system.opendirectoryd.libinfo\") (global-name \"com.apple.system.logger\"))
(allow ipc-posix-sem)
(allow pseudo-tty)
(allow file-read-metadata)
(allow file-read* (literal \"/\") (subpath \"/dev\"))
(allow file-write* (literal \"/dev/null\") (literal \"/dev/zero\") (literal \"/dev/dtracehelper\"))
(allow file-ioctl (subpath \"/dev\"))
";

/// Name services and certificates.
const NETWORK: &str = "\
(allow network-outbound (remote ip))
(allow network-inbound (local ip))
(allow network-bind (local ip))
(allow network-outbound (literal \"/private/var/run/mDNSResponder\"))
(allow mach-lookup (global-name \"com.apple.SecurityServer\") (global-name \"com.apple.trustd.agent\"))
";

/// The profile of a program.
pub(super) fn profile(rights: &Rights) -> String {
    let mut profile = ALWAYS.to_owned();
    rule(&mut profile, "allow file-read*", &rights.reads);
    for directory in &rights.lists {
        // Writing to a string does not fail.
        let _ = writeln!(profile, "(allow file-read-data (literal {}))", quoted(directory));
    }
    rule(&mut profile, "deny file-read*", &rights.secrets);
    let mut writes: Vec<(&PathBuf, bool)> = rights.keeps.iter().map(|path| (path, false)).collect();
    writes.extend(rights.writes.iter().map(|path| (path, true)));
    // The longer path counts; of equal ones, the writable one.
    writes.sort_by_key(|(path, may)| (path.components().count(), *may));
    for (path, may) in writes {
        let what = if may {
            "allow file-read* file-write*"
        } else {
            "deny file-write*"
        };
        rule(&mut profile, what, std::slice::from_ref(path));
    }
    rule(&mut profile, "deny file-read* file-write*", &sockets());
    if rights.network {
        profile.push_str(NETWORK);
    }
    profile
}

/// Sockets that expose keys and machines.
fn sockets() -> Vec<PathBuf> {
    ["/private/var/run/docker.sock", "/private/tmp/com.apple.launchd"]
        .map(PathBuf::from)
        .into()
}

fn rule(profile: &mut String, what: &str, paths: &[PathBuf]) {
    for path in paths {
        let _ = writeln!(profile, "({what} (subpath {}))", quoted(path));
    }
}

fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_lists_all_rights() {
        let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect();
        let rights = Rights {
            reads: paths(&["/usr", "/p"]),
            lists: paths(&["/home/.cargo"]),
            secrets: paths(&["/home/.cargo/credentials"]),
            writes: paths(&["/p", "/tmp/\"odd\"", "/p/.vscode/a", "/p/.idea"]),
            keeps: paths(&["/p/.git", "/p/.vscode", "/p/.idea"]),
            ..Rights::default()
        };
        let text = profile(&rights);
        let own = text.strip_prefix(ALWAYS).unwrap();
        assert_eq!(
            own,
            "(allow file-read* (subpath \"/usr\"))
(allow file-read* (subpath \"/p\"))
(allow file-read-data (literal \"/home/.cargo\"))
(deny file-read* (subpath \"/home/.cargo/credentials\"))
(allow file-read* file-write* (subpath \"/p\"))
(deny file-write* (subpath \"/p/.git\"))
(deny file-write* (subpath \"/p/.vscode\"))
(deny file-write* (subpath \"/p/.idea\"))
(allow file-read* file-write* (subpath \"/tmp/\\\"odd\\\"\"))
(allow file-read* file-write* (subpath \"/p/.idea\"))
(allow file-read* file-write* (subpath \"/p/.vscode/a\"))
(deny file-read* file-write* (subpath \"/private/var/run/docker.sock\"))
(deny file-read* file-write* (subpath \"/private/tmp/com.apple.launchd\"))
"
        );
        let network = profile(&Rights {
            network: true,
            ..rights
        });
        assert_eq!(network, text + NETWORK);
        assert_eq!(network.matches('(').count(), network.matches(')').count());
    }
}
