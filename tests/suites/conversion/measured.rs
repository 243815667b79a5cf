//! How many real Claude Code agents convert without losses, and why the others do not.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use callsheet_core::convert::{ConvertError, Fate, convert};
use callsheet_core::dialect::Dialects;
use callsheet_core::document;
use callsheet_core::verdict::Outcome;

/// The dialects that agents are converted to most.
const TARGETS: [&str; 6] = [
    "copilot",
    "opencode",
    "gemini-cli",
    "qwen-code",
    "cursor",
    "codex",
];

/// What says that the target grants a right only together with others, so that it cannot be limited there.
const UNLIMITED: [&str; 4] = [
    "cannot deny",
    "cannot let it",
    "cannot limit a tool to patterns",
    "an empty list means all tools",
];

/// The most reasons that are shown for one target.
const SHOWN: usize = 8;

/// What became of the files for one target.
#[derive(Default)]
struct Row {
    converted: usize,
    /// Refused only because the target cannot limit a right.
    unlimited: usize,
    refused: usize,
    reasons: BTreeMap<String, usize>,
}

impl Row {
    fn total(&self) -> usize {
        self.converted + self.unlimited + self.refused
    }
}

/// The agents of the corpus that Claude Code loads.
fn agents(shared: PathBuf, dialects: &Dialects) -> Vec<(String, Vec<u8>)> {
    let packed = File::open(shared.join("corpus/corpus.tar.gz")).expect("the corpus is there");
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed));
    let claude = dialects.get("claude-code").expect("it is built in");
    let mut agents = Vec::new();
    for entry in archive.entries().expect("it is an archive") {
        let mut entry = entry.expect("it is whole");
        let path = entry
            .path()
            .expect("it has a name")
            .to_string_lossy()
            .into_owned();
        if !entry.header().entry_type().is_file() || !path.contains("files/claude/") {
            continue;
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("it is whole");
        if document::read(&path, &bytes, None, claude, dialects).outcome == Outcome::Loads {
            agents.push((path, bytes));
        }
    }
    agents
}

#[test]
fn conversions_of_claude_code_agents_are_measured() {
    let Some(shared) = std::env::var_os("CALLSHEET_SHARED") else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: CALLSHEET_SHARED does not say where corpus/ is"
        );
        return;
    };
    let dialects = Dialects::embedded();
    let agents = agents(PathBuf::from(shared), &dialects);
    println!(
        "{} agents of Claude Code: without losses, refused for what cannot be limited, refused otherwise",
        agents.len()
    );
    for to in TARGETS {
        let mut row = Row::default();
        for (path, bytes) in &agents {
            match convert(path, bytes, Some("claude-code"), to, false, &dialects) {
                Ok(_) => row.converted += 1,
                Err(ConvertError::Refused(report)) => {
                    let refused = report.iter().filter(|loss| loss.fate == Fate::Refused);
                    let reasons: Vec<String> = refused
                        .map(|loss| format!("{}: {}", loss.field, loss.reason))
                        .collect();
                    let is_unlimited = |reason: &String| UNLIMITED.iter().any(|words| reason.contains(words));
                    if reasons.iter().any(is_unlimited) {
                        row.unlimited += 1;
                    } else {
                        row.refused += 1;
                    }
                    for reason in reasons {
                        *row.reasons.entry(reason).or_default() += 1;
                    }
                }
                Err(error) => panic!("{path} to {to}: {error:?}"),
            }
        }
        println!(
            "{to:>12} {:>6} {:>6} {:>6}",
            row.converted, row.unlimited, row.refused
        );
        let mut reasons: Vec<(&String, &usize)> = row.reasons.iter().collect();
        reasons.sort_by_key(|(reason, count)| (usize::MAX - **count, (*reason).clone()));
        for (reason, count) in reasons.into_iter().take(SHOWN) {
            println!("{count:>21}  {reason}");
        }
        let explained = row.converted + row.unlimited;
        assert!(
            explained * 10 >= row.total() * 9,
            "{to}: only {explained} of {}",
            row.total()
        );
    }
}
