//! Whatever happens to files: in the end the watch knows what a catalog that is opened then knows.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use callsheet::Callsheet;
use callsheet::catalogs::ChangeKind;
use callsheet::watch::{News, Stopper, Watch};

const PATIENCE: Duration = Duration::from_secs(60);

fn callsheet(project: &Path) -> Callsheet {
    let builder = Callsheet::builder().project(project.to_string_lossy());
    builder.without_home().build().expect("it is there")
}

fn start(project: &Path, dialect: &str) -> (Receiver<News>, Stopper) {
    let mut callsheet = callsheet(project);
    let mut watch = Watch::start(&mut callsheet, Some(vec![dialect.into()])).expect("it listens");
    let stopper = watch.stopper();
    let (sender, news) = channel();
    thread::spawn(move || {
        while let Some(all) = watch.wait(&mut callsheet).expect("nothing fails") {
            for news in all {
                let _ = sender.send(news);
            }
        }
    });
    (news, stopper)
}

/// The active names with their files, as the project has them now.
fn truth(project: &Path) -> BTreeMap<String, Option<String>> {
    let mut catalog = callsheet(project)
        .open("claude-code")
        .expect("there is this dialect");
    let entries = catalog.entries(false).expect("it lists").into_iter();
    entries
        .filter(|entry| entry.origin.path.is_some())
        .map(|entry| (entry.name, entry.origin.path))
        .collect()
}

/// Hears news until what they add up to is the truth.
fn settles(news: &Receiver<News>, known: &mut BTreeMap<String, Option<String>>, project: &Path) {
    let truth = truth(project);
    while *known != truth {
        let news = news.recv_timeout(PATIENCE);
        let news = news.unwrap_or_else(|_| panic!("it knows {known:?}, which is {truth:?}"));
        for change in news.changes {
            match change.kind {
                ChangeKind::Vanished | ChangeKind::Broke => known.remove(&change.name),
                _ => known.insert(change.name, change.origin.path),
            };
        }
    }
}

/// A sequence that is the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Does something to the files, which may fail where there is nothing to do it to.
fn disturb(dice: &mut Dice, project: &Path) {
    let directories = [
        ".claude",
        ".claude/agents",
        ".claude/agents/a",
        ".claude/agents/a/b",
        "elsewhere",
    ];
    let directory = |dice: &mut Dice| project.join(directories[dice.roll(5) as usize]);
    let name = |dice: &mut Dice| format!("agent-{}", dice.roll(4));
    let file = |dice: &mut Dice| directory(dice).join(format!("{}.md", name(dice)));
    let text = |name: String| format!("---\nname: {name}\ndescription: Does it\n---\nDo it.\n");
    let _ = match dice.roll(8) {
        0 | 1 => fs::create_dir_all(directory(dice)).and_then(|()| fs::write(file(dice), text(name(dice)))),
        2 => fs::write(file(dice), text(name(dice))),
        3 => fs::write(file(dice), "---\nname: [\n---\n"),
        4 => fs::rename(file(dice), file(dice)),
        5 => fs::rename(directory(dice), project.join("elsewhere/there")),
        6 => fs::rename(project.join("elsewhere/there"), directory(dice)),
        _ => fs::remove_dir_all(directory(dice)),
    };
}

#[test]
fn every_change_is_reported() {
    for seed in 0..6 {
        let world = tempfile::tempdir().expect("a directory");
        let (news, stopper) = start(world.path(), "claude-code");
        let (mut known, mut dice) = (BTreeMap::new(), Dice(seed));
        for _ in 0..8 {
            (0..6).for_each(|_| disturb(&mut dice, world.path()));
            settles(&news, &mut known, world.path());
        }
        stopper.stop();
    }
}

#[cfg(unix)]
#[test]
fn changes_behind_links_are_reported() {
    let world = tempfile::tempdir().expect("a directory");
    let [agents, shared] = [".claude/agents", "shared"].map(|name| world.path().join(name));
    fs::create_dir_all(&agents).expect("a directory");
    fs::create_dir(&shared).expect("a directory");
    let text = |name: &str| format!("---\nname: {name}\ndescription: Does it\n---\nDo it.\n");
    fs::write(shared.join("one.md"), text("one")).expect("a file");
    let (news, stopper) = start(world.path(), "claude-code");
    let mut known = BTreeMap::new();
    std::os::unix::fs::symlink("../../shared", agents.join("team")).expect("a link");
    settles(&news, &mut known, world.path());
    assert_eq!(known.len(), 1);
    fs::write(shared.join("one.md"), text("two")).expect("a file");
    settles(&news, &mut known, world.path());
    assert!(known.contains_key("two"));
    stopper.stop();
}

#[test]
fn agents_in_settings_are_reported() {
    let world = tempfile::tempdir().expect("a directory");
    let settings = world.path().join("opencode.json");
    let (news, stopper) = start(world.path(), "opencode");
    let one = r#"{"agent": {"lead": {"description": "Leads"}}}"#;
    for (text, change) in [(one, ChangeKind::Appeared), ("{}", ChangeKind::Vanished)] {
        fs::write(&settings, text).expect("a file");
        let mut changes = news
            .recv_timeout(PATIENCE)
            .expect("it is reported")
            .changes
            .into_iter();
        assert!(changes.any(|found| found.name == "lead" && found.kind == change));
    }
    stopper.stop();
}
