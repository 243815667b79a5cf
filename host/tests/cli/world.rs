//! A project and a home directory of their own, and the program in them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A project and a home directory.
pub(crate) struct World {
    project: PathBuf,
    home: PathBuf,
    /// Where sessions are saved, if not in the home directory.
    state: Option<PathBuf>,
    /// Removes them at the end.
    _directory: TempDir,
}

impl World {
    /// Both empty.
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let [project, home] = ["project", "home"].map(|name| directory.path().join(name));
        for directory in [&project, &home] {
            std::fs::create_dir(directory).expect("an empty directory");
        }
        Self {
            project,
            home,
            state: None,
            _directory: directory,
        }
    }

    /// Those of the example.
    pub(crate) fn example() -> Self {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
        let directory = tempfile::tempdir().expect("a temporary directory");
        Self {
            project: examples.join("workspace"),
            home: examples.join("home"),
            state: Some(directory.path().to_owned()),
            _directory: directory,
        }
    }

    /// A copy of those of the example, which may be changed.
    pub(crate) fn copied_example() -> Self {
        let (example, copy) = (Self::example(), Self::new());
        for (from, to) in [(&example.project, &copy.project), (&example.home, &copy.home)] {
            copy_into(from, to);
        }
        copy
    }

    /// Adds a file of the project.
    pub(crate) fn file(self, path: &str, contents: impl AsRef<[u8]>) -> Self {
        let path = self.project.join(path);
        std::fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("a directory");
        std::fs::write(path, contents).expect("a file");
        self
    }

    /// Where a path of the project is.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.project.join(path)
    }

    /// The home directory.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// The content of a project file.
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.at(path)).expect("the file is there")
    }

    /// The program in the project, with an environment that says nothing.
    pub(crate) fn callsheet(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_callsheet"));
        command
            .current_dir(&self.project)
            .env("HOME", &self.home)
            .args(arguments);
        for variable in [
            "COLUMNS",
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "XDG_DATA_HOME",
            "XDG_STATE_HOME",
            "CI",
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "COPILOT_HOME",
            "GEMINI_CLI_HOME",
            "QWEN_HOME",
            "XDG_CONFIG_HOME",
        ] {
            command.env_remove(variable);
        }
        command.envs(self.state.iter().map(|state| ("XDG_STATE_HOME", state)));
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::from(self.callsheet(arguments).output().expect("the program starts"))
    }
}

fn copy_into(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    for entry in std::fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let copy = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_into(&path, &copy);
        } else {
            std::fs::copy(&path, &copy).expect("a file");
        }
    }
}

/// What came of it.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}
