//! The editor's files: those on the disk.

use std::path::{Path, PathBuf};

use callsheet_server as server;
use crossbeam_channel::Sender;
use gen_lsp_types::Uri;
use lsp_server::Message;

use super::folder::Opened;
use crate::cli::Options;
use crate::commands::context::Context;
use crate::exit::Failure;

pub(super) struct Surroundings {
    options: Options,
    sender: Sender<Message>,
}

impl Surroundings {
    pub(super) fn new(options: Options, sender: Sender<Message>) -> Self {
        Self { options, sender }
    }
}

impl server::Host for Surroundings {
    fn open(&self, directory: &Path) -> Result<Box<dyn server::Folder>, server::Failure> {
        let options = Options {
            project: directory.to_owned(),
            // The notes of a check are for people at a terminal.
            quiet: true,
            ..self.options.clone()
        };
        Ok(Box::new(Opened::new(Context::new(options, true)?)))
    }

    fn fallback(&self) -> PathBuf {
        self.options.project.clone()
    }

    fn path(&self, address: &Uri) -> Option<PathBuf> {
        address.to_file_path().ok()
    }

    fn address(&self, path: &Path) -> Option<Uri> {
        Uri::from_file_path(path).ok()
    }

    fn real(&self, path: &Path) -> Option<PathBuf> {
        callsheet::real_path(path).ok()
    }

    fn is_directory(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn exists(&self, path: &Path) -> bool {
        path.symlink_metadata().is_ok()
    }

    fn send(&self, message: Message) {
        // The client may have ended.
        let _ = self.sender.send(message);
    }

    fn complain(&self, failure: &server::Failure) {
        let failure = Failure::from(failure.clone());
        // Without an error stream, there is no way to report.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), failure.report().as_bytes());
    }
}
