//! Limits of skills, which would make long cases, and sessions without the files they started with.

use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{
    Event, Happening, ModelAnswer, Reply, Session, SessionError, Settings, Step, Surroundings, Task,
    ToolCall, ToolSpec,
};
use crate::catalog::{Catalog, Options, Project};
use crate::dialect::{Dialects, Kind};
use crate::files::{FileEntry, FileError, Files};
use crate::limits::{INSTRUCTION_FILES, LISTED_BYTES, PRELOADED_BYTES, SKILLS, SKILLS_BYTES};
use crate::project::tests::files;

/// A session of the agent `lead` with these tools and skills, in the project `p/q` of the repository `p`.
fn session(keys: &str, skills: &[(String, String)]) -> Session {
    started(Session::open, keys, skills, settings())
}

fn settings() -> Settings {
    Settings::new("/p/q".to_string(), Some("/home".to_string()))
}

type Start = fn(&mut Catalog, &Task, Vec<ToolSpec>, Settings) -> Result<Session, SessionError>;

fn started(start: Start, keys: &str, skills: &[(String, String)], settings: Settings) -> Session {
    let agent = format!("---\nname: lead\ndescription: Leads\n{keys}\n---\nLead.\n");
    let texts = skills.iter().map(|(path, text)| (&**path, &**text));
    let all: Vec<(&str, &str)> = texts.chain([("p/q/.claude/agents/lead.md", &*agent)]).collect();
    let catalog = Catalog::open(Box::new(files(&all)), &Dialects::embedded(), options());
    let task = task();
    let read = ToolSpec {
        name: "Read".to_string(),
        description: String::new(),
        schema: "{}".to_string(),
    };
    let mut catalog = catalog.expect("there is nothing inline");
    start(&mut catalog, &task, [read].into(), settings).expect("the agent is active")
}

/// The project `p/q` in the repository `p`.
fn options() -> Options {
    Options {
        kind: Kind::Agent,
        dialect: "claude-code".to_string(),
        project: Project {
            directory: "p/q".to_string(),
            ancestors: ["p".to_string()].into(),
            home: Some("~".to_string()),
            ..Project::default()
        },
        cache_capacity: 2,
        check: false,
    }
}

fn surroundings() -> Surroundings {
    Surroundings {
        directory: "/p/q".to_string(),
        platform: "linux".to_string(),
        date: "2026-11-27".to_string(),
        personal: false,
        is_repository: false,
        repository: None,
    }
}

fn task() -> Task {
    Task {
        agent: "lead".to_string(),
        prompt: "Work.".to_string(),
        ..Task::default()
    }
}

fn skill(place: &str, name: &str, text: &str) -> (String, String) {
    let path = format!("{place}/.claude/skills/{name}/SKILL.md");
    (
        path,
        format!("---\nname: {name}\ndescription: About {name}\n---\n{text}\n"),
    )
}

fn ignored(session: &mut Session) -> Vec<String> {
    let text = |event: Event| match event.what {
        Happening::Ignored(what) => Some(what),
        _ => None,
    };
    session.events().into_iter().filter_map(text).collect()
}

/// The description of the tool, if the model is offered one.
fn offered(session: &mut Session) -> Option<String> {
    let step = session.poll(0, 0).pop()?.step;
    let Step::AskModel(request) = step else {
        return None;
    };
    let tool = request.tools.into_iter().find(|tool| tool.name == "Skill")?;
    Some(tool.description)
}

/// The result of a call.
fn load(session: &mut Session, id: u32, name: &str) -> String {
    let call = ToolCall {
        id: "1".to_string(),
        name: "Skill".to_string(),
        arguments: format!("{{\"skill\": \"{name}\"}}"),
    };
    let answer = ModelAnswer {
        calls: [call].into(),
        ..ModelAnswer::default()
    };
    session.reply(id, Reply::Model(answer), 0).expect("it was asked");
    session.messages(0, 0).pop().expect("there are some").text
}

#[test]
fn skills_in_a_first_message_are_limited() {
    let half = "x".repeat(PRELOADED_BYTES / 2);
    let skills = ["a", "b", "c"].map(|name| skill("p/q", name, if name == "c" { "C." } else { &half }));
    let mut session = session("skills: [a, b, c]", &skills);
    let limit = "the skill `b`, as skills in a first message have at most 400000 bytes";
    assert_eq!(ignored(&mut session), [limit]);
    let message = &session.messages(0, 1)[0].text;
    assert!(message.len() < PRELOADED_BYTES && message.ends_with("\n\nC."));
}

#[test]
fn a_session_keeps_a_limited_number_of_skills() {
    let many: Vec<_> = (0..=SKILLS)
        .map(|number| skill("~", &format!("s{number:04}"), "x"))
        .collect();
    let mut session = session("skills: [s0000, s1000, s1001]", &many);
    let kept = "as it is not among the skills that a session keeps";
    let expected = ["s1000", "s1001"].map(|name| format!("the skill `{name}`, {kept}"));
    assert_eq!(ignored(&mut session), expected);
}

#[test]
fn a_session_keeps_limited_bytes_of_skills() {
    let long = "x".repeat(SKILLS_BYTES / 3);
    let skills = ["a", "b", "c", "d"].map(|name| skill("p/q", name, &long));
    let mut session = session("", &skills);
    assert!(session.snapshot().len() < 2 * SKILLS_BYTES);
    let listed = offered(&mut session).expect("some may be loaded");
    assert!(
        listed.contains("- a: About a") && !listed.contains("- d"),
        "{listed}"
    );
}

#[test]
fn long_lists_have_names_without_descriptions() {
    let many: Vec<_> = (0..900)
        .map(|number| skill("p/q", &format!("s{number}"), "x"))
        .collect();
    let listed = offered(&mut session("", &many)).expect("they may be loaded");
    assert!(
        listed.contains("- s0: About s0\n") && listed.contains("- s98: \n"),
        "{listed}"
    );
    assert!(listed.len() < 3 * LISTED_BYTES);
}

/// Like the definitions of agents, skills are those of the start, also in a snapshot.
#[test]
fn skills_are_kept_from_the_start() {
    let places = [("p", "above"), ("p/q", "here"), ("~", "home")];
    let places = places.map(|(place, name)| skill(place, name, "${CLAUDE_SKILL_DIR}"));
    let session = session("tools: Skill", &places);
    for (name, base) in [("above", "../"), ("here", ""), ("home", "~/")] {
        let restored = Session::restore(&Dialects::embedded(), &session.snapshot());
        let mut restored = restored.expect("it is a snapshot");
        let result = load(&mut restored, 0, name);
        assert!(
            result.ends_with(&format!("\n\n{base}.claude/skills/{name}")),
            "{result}"
        );
    }
}

#[test]
fn snapshots_with_damaged_skills_are_refused() {
    let session = session("tools: Skill", &[skill("p/q", "a", "A.")]);
    let bytes = session.snapshot();
    for cut in 1..60 {
        let restored = Session::restore(&Dialects::embedded(), &bytes[..bytes.len() - cut]);
        assert!(restored.is_err(), "{cut}");
    }
    let longer = [&*bytes, &[0]].concat();
    assert!(Session::restore(&Dialects::embedded(), &longer).is_err());
}

/// A skill that no agent can load is not kept.
#[test]
fn unneeded_skills_are_forgotten() {
    let secret = "a text of its own";
    let session = session("tools: Read", &[skill("p/q", "a", secret)]);
    let bytes = session.snapshot();
    assert!(
        !bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes())
    );
}

/// The first request: its texts, its model and the names of its tools.
fn asked(session: &mut Session) -> (Vec<String>, String, Vec<String>) {
    let step = session.poll(0, 0).pop().expect("the model is asked").step;
    let Step::AskModel(request) = step else {
        panic!("a tool is called");
    };
    (
        request.messages.into_iter().map(|message| message.text).collect(),
        request.model,
        request.tools.into_iter().map(|tool| tool.name).collect(),
    )
}

#[test]
fn instructions_beyond_the_limit_are_named_once() {
    let rules =
        (0..INSTRUCTION_FILES + 9).map(|n| (format!("p/q/.claude/rules/{n:03}.md"), format!("Rule {n}.")));
    let with = Settings {
        surroundings: Some(surroundings()),
        ..settings()
    };
    let mut session = started(Session::open, "", &rules.collect::<Vec<_>>(), with);
    let last = format!("Rule {}.", INSTRUCTION_FILES - 1);
    let (texts, ..) = asked(&mut session);
    assert!(
        texts[1].contains(&last) && !texts[1].contains("Rule 200."),
        "{texts:?}"
    );
    let said = ["the instructions in `.claude/rules/200.md` and the files after it: at most 200 are read"];
    assert_eq!(ignored(&mut session), said);
}

/// Only what the file tells the model differs, also after a snapshot.
#[test]
fn a_baseline_has_no_instructions_of_its_own() {
    let keys = "tools: Read, Skill\nskills: [a]\nmodel: own-model";
    let skills = [skill("p/q", "a", "Mind the gap.")];
    let (texts, model, tools) = asked(&mut session(keys, &skills));
    assert!(
        texts[0].contains("Lead.") && texts[1].contains("Mind the gap."),
        "{texts:?}"
    );
    assert_eq!((&*model, tools.len()), ("own-model", 2), "{tools:?}");

    let mut baseline = started(Session::open_baseline, keys, &skills, settings());
    let base = Settings::new(String::new(), None).base_prompt;
    let expected = ([base, "Work.".to_string()].to_vec(), model, tools);
    assert_eq!(asked(&mut baseline), expected);
    let restored = Session::restore(&Dialects::embedded(), &baseline.snapshot());
    assert_eq!(asked(&mut restored.expect("it is a snapshot")), expected);
}

/// Files with an index that is not permitted.
struct Refusing(Rc<dyn Files>);

impl Files for Refusing {
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        self.0.list(path)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        if path.ends_with("MEMORY.md") {
            return Err(FileError::Denied);
        }
        self.0.read(path)
    }
}

/// The words of other errors are up to the host.
#[test]
fn an_index_that_cannot_be_read_is_not_called_empty() {
    let agent = "---\nname: lead\ndescription: Leads\nmemory: project\n---\nLead.\n";
    let files = files(&[("p/q/.claude/agents/lead.md", agent)]);
    for (files, told) in [
        (Box::new(files.clone()) as Box<dyn Files>, "It is empty."),
        (Box::new(Refusing(files)), "It cannot be read: access is denied."),
    ] {
        let mut catalog =
            Catalog::open(files, &Dialects::embedded(), options()).expect("there is nothing inline");
        let settings = Settings {
            surroundings: Some(surroundings()),
            ..settings()
        };
        let session =
            Session::open(&mut catalog, &task(), Vec::new(), settings).expect("the agent is active");
        let system = &session.messages(0, 0)[0].text;
        assert!(system.contains(&format!("## MEMORY.md\n\n{told}\n")), "{system}");
    }
}
