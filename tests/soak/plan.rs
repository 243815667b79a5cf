//! What the model has each agent do: decided by the seed, and the same whenever it is asked.

use callsheet_tests::generate::Dice;
use serde_json::{Value, json};

/// Answers of an agent that calls tools before it is done.
const TURNS: usize = 5;

/// The most calls of one answer.
const CALLS: usize = 3;

/// Replaced by the ID of the call. Each command records it before anything else, and prints it.
const ID: &str = "{id}";

/// Replaced by the mark of processes that have to end with the run.
const MARK: &str = "{mark}";

/// Replaced by the mark of processes that a successful command leaves on purpose.
const KEPT: &str = "{kept}";

const RECORD: &str = "echo {id} >> effects && echo ok:{id}; ";

/// Words of a long answer.
const LONG: usize = 50_000;

/// Milliseconds for commands that do not end.
const SHORT: u32 = 700;

/// Commands, and the milliseconds that they get.
const COMMANDS: [(&str, u32); 17] = [
    ("true", 60_000),
    ("sleep 0.1", 60_000),
    ("sleep 0.3 # {mark}", 60_000),
    ("seq 1 20000", 60_000),
    // In the background, in the group of the command.
    ("sleep {mark} & sleep 0.05", 60_000),
    // Left on purpose.
    ("(setsid sleep {kept} &)", 60_000),
    // Without end.
    ("sleep {mark}", SHORT),
    ("yes {mark}", SHORT),
    ("head -c 300000000 /dev/zero; sleep {mark}", SHORT),
    // Ignore signals.
    ("trap '' TERM INT HUP; sleep {mark}; sleep {mark}", SHORT),
    // Leave their group, their parent and their environment.
    ("(setsid sleep {mark} &); sleep {mark}", SHORT),
    (
        "env -i setsid sh -c 'sleep {mark} & exec sleep {mark}' & sleep {mark}",
        SHORT,
    ),
    // Starts processes as long as it runs.
    ("while :; do setsid sleep {mark} & sleep 0.02; done", SHORT),
    // Two generations of processes at a time, in a tree.
    (
        "f() { [ $1 -eq 0 ] || { f $(($1-1)) & f $(($1-1)) & }; sleep {mark}; }; f 4",
        SHORT,
    ),
    // A process that starts its successor and ends.
    (
        "export c='sleep 0.02; setsid sh -c \"$c\" {mark} &'; setsid sh -c \"$c\" {mark} & sleep {mark}",
        SHORT,
    ),
    // Several of them.
    (
        "export c='sleep 0.02; setsid sh -c \"$c\" {mark} &'; for i in 1 2 3; do setsid sh -c \"$c\" {mark} & done; sleep {mark}",
        SHORT,
    ),
    // Looks for keys and open files, and leaves temporary files.
    (
        "env; cat /proc/$PPID/environ; ls -l /proc/self/fd; mktemp; mktemp -d",
        60_000,
    ),
];

/// A run's number and seed decide everything; the marks tell its processes from those of other runs.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    seed: u64,
    mark: String,
    kept: String,
    has_server: bool,
    has_long_answers: bool,
}

/// A call of the model.
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
}

impl Plan {
    pub(crate) fn new(mut dice: Dice, mark: &str, kept: &str) -> Self {
        let (has_server, has_long_answers) = (dice.below(5) == 0, dice.below(6) == 0);
        Self {
            seed: dice.below(usize::MAX) as u64,
            mark: mark.to_owned(),
            kept: kept.to_owned(),
            has_server,
            has_long_answers,
        }
    }

    /// Whether its agents have an MCP server.
    pub(crate) fn has_server(&self) -> bool {
        self.has_server
    }

    /// Whether the model writes so much that a disk may get full.
    pub(crate) fn has_long_answers(&self) -> bool {
        self.has_long_answers
    }

    /// What the model says beside its calls.
    pub(crate) fn remark(&self) -> String {
        "word ".repeat(if self.has_long_answers { LONG } else { 0 })
    }

    /// The calls of an agent in its answer of this number; none if it is done. `agent` is the ID of the call that started it.
    pub(crate) fn calls(&self, agent: &str, turn: usize) -> Vec<Call> {
        let is_called = agent != FIRST;
        let mut dice = self.dice(&format!("{agent} {turn}"));
        let turns = if is_called {
            1
        } else {
            1 + self.dice(agent).below(TURNS)
        };
        if turn >= turns {
            return Vec::new();
        }
        let count = 1 + dice.below(CALLS);
        let call = |number| self.call(format!("{agent}-{turn}-{number}"), is_called, &mut dice);
        (0..count).map(call).collect()
    }

    /// The final answer of an agent, long enough to be cut.
    pub(crate) fn answer(&self, agent: &str) -> String {
        let mut dice = self.dice(&format!("answer {agent}"));
        let words = (0..5 + dice.below(60)).map(|_| format!("{:x}", dice.below(1 << 20)));
        format!("Done {agent}: {}.", words.collect::<Vec<_>>().join(" "))
    }

    pub(crate) fn dice(&self, about: &str) -> Dice {
        let mix = |state: u64, byte: u8| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Dice(about.bytes().fold(self.seed ^ 0xcbf2_9ce4_8422_2325, mix))
    }

    fn call(&self, id: String, is_called: bool, dice: &mut Dice) -> Call {
        let (tool, arguments) = match dice.below(12) {
            0 => ("Read", json!({"file_path": "notes.txt"})),
            1 if !is_called => {
                let helper = json!({"subagent_type": "helper", "description": "Help", "prompt": id});
                ("Task", helper)
            }
            2 | 3 if self.has_server => ("mcp__soak__ring", json!({"call": id})),
            _ => {
                let (command, timeout) = COMMANDS[dice.below(COMMANDS.len())];
                let command = [RECORD, command].concat();
                let command = command.replace(ID, &id).replace(MARK, &self.mark);
                let command = command.replace(KEPT, &self.kept);
                ("Bash", json!({"command": command, "timeout": timeout}))
            }
        };
        Call { id, tool, arguments }
    }
}

/// The first agent, which no call started.
pub(crate) const FIRST: &str = "first";
