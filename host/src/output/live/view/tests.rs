//! What is drawn at several sizes, compared with files in `screens/`. `BLESS=1` writes them.

use std::path::Path;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::draw::Picture;
use super::keys::{Place, Wish};
use super::scene::Scene;
use crate::conversation::{ToolAnswer, ToolCall};
use crate::delegation::{Ending, Event, Exceeded, Happening, Outcome, Refused, Returned, Said, Usage};
use crate::output::report::AgentUsage;
use crate::tools::{Decision, Question};

/// The time at which all is drawn.
const NOW: u64 = 9_000_000_000;

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.into(),
    }
}

fn task(id: &str, prompt: &str) -> ToolCall {
    let arguments = serde_json::json!({"description": prompt, "prompt": prompt, "subagent_type": "reader"});
    call(id, "Agent", &arguments.to_string())
}

/// A lead and three readers: one answered, one stopped at a limit, one works.
fn scene() -> Scene {
    let mut scene = Scene::default();
    let mut number = 0;
    let mut event = |scene: &mut Scene, run: u32, agent: &str, what: Happening| {
        number += 1;
        scene.event(&Event {
            number,
            at: number * 300_000_000,
            run,
            agent: agent.split('/').map(str::to_owned).collect(),
            what,
        });
    };
    let said = |text: &str| {
        Happening::Said(Said {
            text: text.into(),
            input_tokens: 1_200,
            output_tokens: 34,
        })
    };
    let ended = |ending: Ending, text: &str| {
        Happening::Ended(Outcome {
            ending,
            text: text.into(),
        })
    };
    let (lead, reader) = ("lead", "lead/reader");
    event(
        &mut scene,
        0,
        lead,
        Happening::Called("Plan the release.\nAll of it.".into()),
    );
    event(
        &mut scene,
        0,
        lead,
        Happening::Ignored("the hook on PreToolUse".into()),
    );
    event(&mut scene, 0, lead, Happening::Asked("anthropic:large".into()));
    scene.heard(0, "Three agents ");
    scene.heard(0, "share this.");
    event(&mut scene, 0, lead, said("Three agents share this."));
    scene.spent(
        0,
        &AgentUsage {
            cost: 12_345,
            ..AgentUsage::default()
        },
    );
    for (run, prompt) in [
        (1, "Count the stations"),
        (2, "Find the tides"),
        (3, "읽기 the docs"),
    ] {
        event(&mut scene, run, reader, Happening::Called(prompt.into()));
        event(
            &mut scene,
            0,
            lead,
            Happening::Calls(task(&run.to_string(), prompt)),
        );
        event(
            &mut scene,
            run,
            reader,
            Happening::Asked("anthropic:small".into()),
        );
    }
    let read = call("1", "Read", r#"{"file_path":"stations.txt","limit":20}"#);
    event(&mut scene, 1, reader, said(""));
    event(&mut scene, 1, reader, Happening::Calls(read.clone()));
    let lines: String = (1..=40)
        .map(|line| format!("{line}\tstation\u{1b}[31m\n"))
        .collect();
    let path = ["lead".to_owned(), "reader".to_owned()];
    scene.answered(
        &path,
        &read,
        &ToolAnswer {
            text: lines,
            is_error: false,
        },
    );
    event(
        &mut scene,
        1,
        reader,
        Happening::Returned(Returned {
            id: "1".into(),
            is_error: false,
        }),
    );
    event(&mut scene, 1, reader, said("There are 40."));
    event(&mut scene, 1, reader, ended(Ending::Answer, "There are 40."));
    event(
        &mut scene,
        0,
        lead,
        Happening::Returned(Returned {
            id: "1".into(),
            is_error: false,
        }),
    );
    let refused = Refused {
        id: "1".into(),
        tool: "Write".into(),
        reason: "`Write` is not one of its tools".into(),
    };
    event(&mut scene, 2, reader, Happening::Refused(refused));
    let bound = Exceeded {
        bound: "turns".into(),
        partial: String::new(),
    };
    event(
        &mut scene,
        2,
        reader,
        ended(Ending::Bound(bound), "the limit of 2 turns is reached"),
    );
    event(
        &mut scene,
        0,
        lead,
        Happening::Returned(Returned {
            id: "2".into(),
            is_error: true,
        }),
    );
    let build = call(
        "1",
        "Bash",
        r#"{"command":"make docs\nmake check","description":"Build"}"#,
    );
    event(&mut scene, 3, reader, Happening::Calls(build));
    scene.usage = Some(Usage {
        turns: 4,
        children: 3,
        input_tokens: 3_600,
        output_tokens: 102,
        cost: 12_345,
    });
    scene.remark("the server docs was restarted");
    scene
}

fn question() -> Question {
    Question {
        agent: ["lead".into(), "reader".into()].into(),
        call: call(
            "1",
            "Bash",
            r#"{"command":"make docs\nmake check","description":"Build"}"#,
        ),
        what: "make docs\nmake check\u{1b}[2J".into(),
        rule: Some("Bash(make docs)".into()),
    }
}

/// Keys by their names, letters by themselves.
fn key(word: &str) -> KeyEvent {
    let code = match word {
        "Tab" => KeyCode::Tab,
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "PageDown" => KeyCode::PageDown,
        "End" => KeyCode::End,
        "Backspace" => KeyCode::Backspace,
        "Ctrl-C" => return KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL),
        letter => KeyCode::Char(letter.chars().next().expect("a letter")),
    };
    KeyEvent::from(code)
}

struct Test {
    terminal: Terminal<TestBackend>,
    scene: Scene,
    place: Place,
    question: Option<Question>,
    is_over: bool,
}

impl Test {
    fn new(width: u16, height: u16, question: Option<Question>) -> Self {
        let (mut scene, mut place) = (scene(), Place::default());
        if let Some(question) = &question {
            place.asked(&mut scene, question);
        }
        let terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
        Self {
            terminal,
            scene,
            place,
            question,
            is_over: false,
        }
    }

    /// Draws, and presses keys; returns the last wish.
    fn press(&mut self, keys: &str) -> Option<Wish> {
        self.draw();
        let mut wish = None;
        for word in keys.split_whitespace() {
            let question = self.question.as_ref();
            wish = self.place.press(key(word), &self.scene, question, self.is_over);
            self.draw();
        }
        wish
    }

    fn draw(&mut self) {
        let picture = Picture {
            scene: &self.scene,
            question: self.question.as_ref(),
            is_over: self.is_over,
            now: NOW,
            color: true,
        };
        let drawn = self.terminal.draw(|frame| picture.draw(frame, &mut self.place));
        drawn.expect("it is drawn");
    }

    fn screen(&self) -> String {
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let mut text = String::new();
        for row in buffer.content.chunks(width) {
            let mut cells = row.iter();
            let mut line = String::new();
            while let Some(cell) = cells.next() {
                line.push_str(cell.symbol());
                // A wide character takes the next cell, too.
                for _ in 1..unicode_width::UnicodeWidthStr::width(cell.symbol()) {
                    cells.next();
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[test]
fn screens_are_as_expected() {
    for (name, width, height, is_asked, keys) in [
        ("lists-80x24", 80, 24, false, ""),
        ("lists-160x50", 160, 50, false, "Down"),
        ("lists-40x12", 40, 12, false, "Down Down"),
        ("result-80x24", 80, 24, false, "Down Tab Up Enter PageDown"),
        ("filter-80x24", 80, 24, false, "/ s t a t i o n s Enter"),
        ("question-80x24", 80, 24, true, "r"),
        ("question-160x50", 160, 50, true, "n n o"),
        ("tiny-10x5", 10, 5, true, ""),
    ] {
        let mut test = Test::new(width, height, is_asked.then(question));
        test.press(keys);
        let drawn = test.screen();
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src/output/live/view/screens")
            .join(format!("{name}.txt"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&file, &drawn).expect("it is written");
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(drawn, expected, "{name}");
    }
}

#[test]
fn a_question_is_only_answered_by_enter() {
    for (keys, decision) in [
        ("y", None),
        ("y Enter", Some(Decision::Once)),
        ("Enter", None),
        ("j k Enter", None),
        ("y Esc Enter", None),
        ("y a Enter", Some(Decision::ToolForSession)),
        ("r Enter", Some(Decision::Remember)),
        ("n Enter", Some(Decision::No(None))),
        ("n x Backspace y Enter", Some(Decision::No(Some("y".into())))),
        ("n y Esc Enter", None),
        ("Esc y Enter", None),
        ("Esc ? y Enter", Some(Decision::Once)),
    ] {
        let mut test = Test::new(80, 24, Some(question()));
        assert_eq!(test.press(keys), decision.map(Wish::Answer), "{keys}");
    }
    let mut test = Test::new(
        80,
        24,
        Some(Question {
            rule: None,
            ..question()
        }),
    );
    assert_eq!(test.press("r Enter"), None);
}

#[test]
fn only_a_session_at_its_end_can_be_closed() {
    let mut test = Test::new(80, 24, None);
    assert_eq!(test.press("q"), None);
    assert!(test.screen().contains("Still running: Ctrl-C interrupts"));
    assert_eq!(test.press("Esc"), None);
    assert_eq!(test.press("Ctrl-C"), Some(Wish::Interrupt));
    test.is_over = true;
    assert_eq!(test.press("Ctrl-C"), Some(Wish::Close));
    assert_eq!(test.press("/ x Enter Esc"), None);
    assert_eq!(test.press("Esc"), Some(Wish::Close));
    assert_eq!(test.press("Tab Enter q"), None);
    assert_eq!(test.press("q"), Some(Wish::Close));
}

#[test]
fn the_newest_entry_is_followed_until_another_is_selected() {
    let mut test = Test::new(80, 24, None);
    test.press("Tab");
    let before = test.scene.agents[0].entries.len();
    test.scene.remark("new");
    test.press("Enter");
    assert_eq!(test.place.entry, Some(before));
    test.press("Esc Up Down");
    test.scene.remark("newer");
    test.press("Enter");
    assert_eq!(test.place.entry, Some(before + 1));
    test.press("Esc Up Up");
    test.scene.remark("newest");
    assert_eq!(test.place.entry, Some(before - 1));
}

#[test]
fn keys_at_any_size_do_not_panic() {
    let keys = "Tab Down Enter PageDown End Esc / x Enter Up Esc Tab Up g G PageDown Enter Enter";
    for (width, height) in [(0, 0), (1, 1), (2, 40), (300, 2), (5, 5)] {
        for is_asked in [false, true] {
            let mut test = Test::new(width, height, is_asked.then(question));
            test.press(keys);
            test.press("Esc");
            test.press(keys);
            test.scene = Scene::default();
            test.press(keys);
        }
    }
}

#[test]
fn lines_for_the_terminal_are_kept() {
    let lasting = scene().lasting;
    assert!(
        lasting.iter().any(|line| line.contains("ignored: the hook")),
        "{lasting:?}"
    );
    assert!(
        lasting.iter().any(|line| line.contains("Write is denied")),
        "{lasting:?}"
    );
    assert!(
        lasting.iter().any(|line| line.contains("the server docs")),
        "{lasting:?}"
    );
}

/// Its agents had their events before.
#[test]
fn a_resumed_session_shows_who_asks() {
    let mut test = Test::new(80, 24, None);
    test.scene = Scene::default();
    test.scene.begin(NOW);
    test.place.asked(&mut test.scene, &question());
    test.question = Some(question());
    test.press("");
    let screen = test.screen();
    for part in [
        "● lead ",
        "  ● reader ",
        "┌ lead/reader ──",
        "│Bash  command: make docs make check",
    ] {
        assert!(screen.contains(part), "{part}\n{screen}");
    }
    let what = Happening::Waits;
    let agent = question().agent;
    test.scene.event(&Event {
        number: 1,
        at: NOW,
        run: 4,
        agent,
        what,
    });
    assert_eq!(test.scene.agents.len(), 2);
}
