//! The language server during typing: from a keystroke to its findings, in a small and in a large project.

use std::thread::sleep;
use std::time::{Duration, Instant};

use callsheet_tests::client::{Client, root};
use callsheet_tests::generate;
use serde_json::json;

use super::table::Table;

const CALLSHEET: &str = env!("CARGO_BIN_EXE_callsheet-under-test");

const KEYSTROKES: usize = 200;

/// A letter follows fast, a word later; then the whole project is looked at. Milliseconds.
const PAUSES: [u64; 8] = [0, 90, 120, 90, 150, 90, 350, 120];

/// A frame and a bit: more is felt.
const BOUND: f64 = 20.0;

pub(crate) fn measure(table: &mut Table) {
    for count in [100, 10_000] {
        let times = typed(count);
        let milliseconds = |percent: usize| times[KEYSTROKES * percent / 100].as_secs_f64() * 1e3;
        let what = |figure: &str| format!("editor: a keystroke to its findings, {count} agents, {figure}");
        table.report(&what("median"), milliseconds(50), " ms");
        table.at_most(&what("95th percentile of 200"), milliseconds(95), BOUND, " ms");
        table.report(&what("slowest"), times[KEYSTROKES - 1].as_secs_f64() * 1e3, " ms");
    }
}

/// How long each keystroke in the value of a field took, in ascending order.
fn typed(count: usize) -> Vec<Duration> {
    let folder = tempfile::tempdir().expect("there is room for the files");
    let tree = folder.path().canonicalize().expect("it was just made");
    let project = tree.join("project");
    generate::write(&project, count, false).expect("the files can be written");
    let mut client = Client::start(CALLSHEET, &[], &tree).expect("the program starts");
    client.shake_hands(&json!({}), &tree);
    let uri = format!("{}/project/.claude/agents/agent-00007.md", root(&tree));
    let text = "---\nname: agent-00007\ndescription: Typed by hand\nmodel: \n---\nDo it.\n";
    let document = json!({"uri": uri, "languageId": "markdown", "version": 0, "text": text});
    client.tell_and_hear("textDocument/didOpen", &json!({"textDocument": document}));
    let mut times: Vec<Duration> = (0..KEYSTROKES)
        .map(|number| {
            sleep(Duration::from_millis(PAUSES[number % PAUSES.len()]));
            let at = json!({"line": 3, "character": 7 + number});
            let change = json!({"range": {"start": at, "end": at}, "text": "x"});
            let version = number + 1;
            let params =
                json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]});
            let start = Instant::now();
            client.tell("textDocument/didChange", params);
            // As editors do after each change.
            for method in ["textDocument/codeLens", "textDocument/documentLink"] {
                client.ask_only(method, json!({"textDocument": {"uri": uri}}));
            }
            while client.hear()["params"]["version"] != version {}
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times
}
