//! The mock server.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use callsheet::model::Kind;

use super::ask::KEY;

/// A running server, with its own counts of requests.
pub(crate) struct Mock {
    process: Child,
    address: String,
}

impl Mock {
    /// Nothing, with a word about it, where the package is not installed.
    pub(crate) fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    /// The same with further options.
    pub(crate) fn start_with(options: &[&str]) -> Option<Self> {
        let Some(folder) = std::env::var_os("CALLSHEET_SERVERS").filter(|folder| !folder.is_empty()) else {
            eprintln!(
                "skipped: CALLSHEET_SERVERS does not say where the mock server is; .ci/servers installs it"
            );
            return None;
        };
        let program = PathBuf::from(folder).join("@copilotkit/aimock/dist/cli.js");
        assert!(
            program.is_file(),
            "{} is missing: run .ci/servers to install it",
            program.display()
        );
        let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/suites/wire/fixtures.json");
        let mut process = Command::new("node")
            .arg(program)
            .args(["--port", "0", "--fixtures", fixtures])
            .args(options)
            .env("AIMOCK_API_KEYS", KEY)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node comes with npm");
        let output = process.stdout.take().expect("it is piped");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let address = lines.find_map(|line| Some(line.split_once("listening on ")?.1.to_owned()));
        let address = address.expect("it says where it listens");
        // It must not block on what it says.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self { process, address })
    }

    /// Where it speaks this format, as a user would write it.
    pub(crate) fn url(&self, kind: Kind) -> String {
        let version = match kind {
            Kind::Anthropic => "",
            Kind::OpenAi | Kind::OpenAiResponses => "/v1",
            Kind::Gemini => "/v1beta",
        };
        format!("{}{version}", self.address)
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
