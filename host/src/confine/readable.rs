//! What programs may read besides the project: the system, and toolchains in the home directory.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the readable paths are cached.
pub(super) const FRESH: Duration = Duration::from_secs(20);

/// The system's places of programs and their data. Missing ones are skipped.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix",
    "/gnu",
    "/snap",
    "/proc",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    "/var/cache/fontconfig",
    "/var/lib/dpkg",
    "/run/current-system",
    "/run/systemd/resolve",
    "/run/resolvconf",
    "/home/linuxbrew",
    "/Applications/Xcode.app",
    "/Library",
    "/System",
    "/private/etc",
    "/private/var/db",
    "/private/var/select",
];

/// Toolchains and their data, relative to the home directory.
const HOME: &[&str] = &[
    ".asdf",
    ".bun",
    ".cabal",
    ".cache/bazel",
    ".cache/go-build",
    ".cache/ms-playwright",
    ".cache/node",
    ".cache/pip",
    ".cache/pre-commit",
    ".cache/uv",
    ".cargo",
    ".conda",
    ".config/git",
    ".config/pip",
    ".config/uv",
    ".deno",
    ".dotnet",
    ".fnm",
    ".gem",
    ".ghcup",
    ".gitconfig",
    ".gitignore",
    ".gradle",
    ".jenv",
    ".julia",
    ".local/bin",
    ".local/lib",
    ".local/share/fnm",
    ".local/share/mise",
    ".local/share/pnpm",
    ".local/share/rtx",
    ".local/share/uv",
    ".local/state/nix",
    ".m2",
    ".mix",
    ".nix-profile",
    ".npm",
    ".nuget",
    ".nvm",
    ".opam",
    ".pnpm-store",
    ".pub-cache",
    ".pyenv",
    ".rbenv",
    ".rustup",
    ".rvm",
    ".sdkman",
    ".stack",
    ".swiftly",
    ".tool-versions",
    ".volta",
    ".yarn",
    "Library/Caches/Homebrew",
    "anaconda3",
    "go",
    "miniconda3",
];

/// Secrets of the system, which root in a container could read.
const SYSTEM_SECRETS: &[&str] = &[
    "/etc/NetworkManager",
    "/etc/docker",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/krb5.keytab",
    "/etc/kubernetes",
    "/etc/letsencrypt",
    "/etc/mysql",
    "/etc/netplan",
    "/etc/openvpn",
    "/etc/pki/entitlement",
    "/etc/pki/tls/private",
    "/etc/ppp",
    "/etc/rancher",
    "/etc/security/opasswd",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/ssh",
    "/etc/ssl/private",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/wireguard",
    "/etc/wpa_supplicant",
];

/// Credentials among the toolchains, relative to the home directory.
const HOME_SECRETS: &[&str] = &[
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".config/git/credentials",
    ".config/pip/pip.conf",
    ".gem/credentials",
    ".gradle/gradle.properties",
    ".m2/settings-security.xml",
    ".m2/settings.xml",
    ".nuget/NuGet",
    ".pub-cache/credentials.json",
    ".yarn/berry/.yarnrc.yml",
];

/// The readable paths, with links followed.
#[derive(Debug, Default)]
pub(super) struct Readable {
    /// Including everything below.
    pub(super) trees: BTreeSet<PathBuf>,
    /// Directories with secrets: they may be listed, and all else in them is in `trees`.
    pub(super) lists: BTreeSet<PathBuf>,
    /// Unreadable paths, in any tree.
    pub(super) secrets: Vec<PathBuf>,
}

/// The paths that programs may read.
pub(super) fn readable(home: Option<&Path>, search_path: &[PathBuf]) -> Readable {
    let secrets = secrets(home);
    let system = SYSTEM.iter().map(PathBuf::from);
    let toolchains = home
        .into_iter()
        .flat_map(|home| HOME.iter().map(|it| home.join(it)));
    let programs = search_path
        .iter()
        .flat_map(|directory| installation(directory, home));
    let mut found = Readable::default();
    for root in system.chain(toolchains).chain(programs) {
        if let Ok(real) = root.canonicalize() {
            add(real, &secrets, &mut found);
        }
    }
    found.secrets = secrets;
    found
}

fn secrets(home: Option<&Path>) -> Vec<PathBuf> {
    let system = SYSTEM_SECRETS.iter().map(PathBuf::from);
    let own = home
        .into_iter()
        .flat_map(|home| HOME_SECRETS.iter().map(|it| home.join(it)));
    system.chain(own).map(real).collect()
}

/// The path of a file that may be missing, with its directory's links followed.
fn real(path: PathBuf) -> PathBuf {
    let directory = path.parent().and_then(|directory| directory.canonicalize().ok());
    let real = directory.and_then(|directory| Some(directory.join(path.file_name()?)));
    real.unwrap_or(path)
}

/// Adds a path, or its contents without secrets.
fn add(path: PathBuf, secrets: &[PathBuf], found: &mut Readable) {
    if secrets.iter().any(|secret| path.starts_with(secret)) {
        return;
    }
    if !secrets.iter().any(|secret| secret.starts_with(&path)) {
        found.trees.insert(path);
        return;
    }
    found.lists.insert(path.clone());
    for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        match entry.path().canonicalize() {
            // A link to a directory could lead to the whole disk.
            Ok(real) if is_link && real.is_dir() => {}
            Ok(real) => add(real, secrets, found),
            Err(_) => {}
        }
    }
}

/// A directory of programs and its usual siblings. None that contains home directories.
fn installation(directory: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let Ok(directory) = directory.canonicalize() else {
        return Vec::new();
    };
    let holds_more = |path: &Path| {
        let is_home = home.is_some_and(|home| home.starts_with(path));
        is_home || path.parent().is_none_or(|parent| parent.parent().is_none())
    };
    if holds_more(&directory) {
        return Vec::new();
    }
    let beside = ["lib", "libexec", "share"].map(|name| directory.with_file_name(name));
    let is_usual = directory.ends_with("bin") && !directory.ends_with(".local/bin");
    let beside = beside.into_iter().filter(|_| is_usual);
    [directory.clone()].into_iter().chain(beside).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_readable() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        for file in [
            ".cargo/bin/x",
            ".cargo/credentials.toml",
            ".ssh/id",
            ".gitconfig",
            "tool/bin/x",
            "tool/lib/x",
        ] {
            fs::create_dir_all(home.join(file).parent().unwrap()).unwrap();
            fs::write(home.join(file), "x").unwrap();
        }
        std::os::unix::fs::symlink("/", home.join(".cargo/all")).unwrap();
        let found = readable(
            Some(&home),
            &[home.join("tool/bin"), home.clone(), "/".into(), "/home".into()],
        );
        let below: Vec<&str> = found
            .trees
            .iter()
            .filter_map(|path| path.strip_prefix(&home).ok()?.to_str())
            .collect();
        assert_eq!(below, [".cargo/bin", ".gitconfig", "tool/bin", "tool/lib"]);
        assert!(!found.trees.contains(Path::new("/")) && !found.trees.contains(Path::new("/etc")));
        assert!(found.lists.contains(Path::new("/etc")) && found.trees.contains(Path::new("/etc/passwd")));
        assert!(!found.trees.contains(Path::new("/etc/shadow")));
    }
}
